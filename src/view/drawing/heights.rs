//! How high everything in the columns of a picture stands: beside what it is wired to, without touching its neighbours.
//!
//! The order in a column is given and kept. Wires are springs; a column at a time is brought to the heights where its
//! springs pull least, which for one column is found exactly, and after some rounds nothing moves that an eye would see.

/// What stands in a column.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// How much room it takes.
    pub height: f64,
    /// Its springs.
    pub springs: Vec<Spring>,
}

/// A wire between two bodies, seen from one of them.
#[derive(Clone, Copy, Debug)]
pub struct Spring {
    /// The column and the place of the other.
    pub to: (usize, usize),
    /// How far below the other's height the spring wants this one.
    pub below: f64,
    /// How strong it is.
    pub strength: f64,
}

/// So many rounds over all columns.
const ROUNDS: usize = 60;
/// What moves less than this in a round stands still.
const STILL: f64 = 0.02;

/// The middle of every body, column by column; `gap` is between neighbours.
pub fn heights(columns: &[Vec<Body>], gap: f64) -> Vec<Vec<f64>> {
    let mut heights: Vec<Vec<f64>> = columns.iter().map(|column| stacked(column, gap)).collect();
    // First towards what stands left of it, then right, then both.
    for column in 1..columns.len() {
        settle(columns, column, gap, |other| other < column, &mut heights);
    }
    for column in (0..columns.len()).rev() {
        settle(columns, column, gap, |other| other > column, &mut heights);
    }
    for round in 0..ROUNDS {
        let mut moved: f64 = 0.0;
        for step in 0..columns.len() {
            let column = if round % 2 == 0 {
                columns.len() - 1 - step
            } else {
                step
            };
            moved = moved.max(settle(columns, column, gap, |_| true, &mut heights));
        }
        if moved < STILL {
            break;
        }
    }
    heights
}

/// One below the other, around 0.
fn stacked(column: &[Body], gap: f64) -> Vec<f64> {
    let all: f64 = column.iter().map(|body| body.height + gap).sum();
    let mut top = -all / 2.0;
    column
        .iter()
        .map(|body| {
            let middle = top + (body.height + gap) / 2.0;
            top += body.height + gap;
            middle
        })
        .collect()
}

/// Brings a column to where the springs to some of the others pull least, and says how far anything moved.
///
/// Heights less the room that is taken above them may only grow downwards: what would have to be the other way round
/// is run together into blocks, each at the mean of what its bodies want.
fn settle(
    columns: &[Vec<Body>],
    column: usize,
    gap: f64,
    pulls: impl Fn(usize) -> bool,
    heights: &mut [Vec<f64>],
) -> f64 {
    struct Block {
        strength: f64,
        wish: f64,
        count: usize,
    }
    let bodies = &columns[column];
    let mut blocks: Vec<Block> = Vec::with_capacity(bodies.len());
    let mut above = Vec::with_capacity(bodies.len());
    let mut room = 0.0;
    for (place, body) in bodies.iter().enumerate() {
        if place > 0 {
            room += f64::midpoint(bodies[place - 1].height, body.height) + gap;
        }
        above.push(room);
        // What nothing pulls at would rather stay.
        let mut strength = 1e-6;
        let mut wish = heights[column][place] * strength;
        for spring in body.springs.iter().filter(|spring| pulls(spring.to.0)) {
            wish += spring.strength * (heights[spring.to.0][spring.to.1] + spring.below);
            strength += spring.strength;
        }
        let mut block = Block {
            strength,
            wish: wish / strength - room,
            count: 1,
        };
        while let Some(last) = blocks.pop_if(|last| last.wish > block.wish) {
            let strength = last.strength + block.strength;
            block = Block {
                wish: (last.wish * last.strength + block.wish * block.strength) / strength,
                strength,
                count: last.count + block.count,
            };
        }
        blocks.push(block);
    }
    let settled = blocks
        .iter()
        .flat_map(|block| std::iter::repeat_n(block.wish, block.count));
    let mut moved: f64 = 0.0;
    for ((height, wish), above) in heights[column].iter_mut().zip(settled).zip(above) {
        moved = moved.max((*height - wish - above).abs());
        *height = wish + above;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(springs: &[(usize, usize)]) -> Body {
        Body {
            height: 10.0,
            springs: springs
                .iter()
                .map(|&to| Spring {
                    to,
                    below: 0.0,
                    strength: 1.0,
                })
                .collect(),
        }
    }

    #[test]
    fn one_between_two() {
        let columns = [
            vec![body(&[(1, 0)]), body(&[(1, 0)])],
            vec![body(&[(0, 0), (0, 1), (2, 0)])],
            vec![body(&[(1, 0)])],
        ];
        let heights = heights(&columns, 6.0);
        assert!(
            (heights[0][1] - heights[0][0] - 16.0).abs() < 1e-9,
            "{heights:?}"
        );
        let middle = f64::midpoint(heights[0][0], heights[0][1]);
        assert!((heights[1][0] - middle).abs() < 0.1, "{heights:?}");
        assert!((heights[2][0] - middle).abs() < 0.1, "{heights:?}");
    }

    #[test]
    fn nobody_touches_a_neighbour() {
        // All of 30 pull at one, and one pulls at all.
        let many: Vec<Body> = (0..30).map(|_| body(&[(1, 0)])).collect();
        let one = vec![body(&(0..30).map(|place| (0, place)).collect::<Vec<_>>())];
        let heights = heights(&[many, one], 4.0);
        for pair in heights[0].windows(2) {
            assert!(pair[1] - pair[0] >= 14.0 - 1e-9, "{heights:?}");
        }
    }
}
