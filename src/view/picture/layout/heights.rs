//! How high everything in the columns of a picture stands: beside what it is wired to, without touching its neighbours.
//!
//! The order in a column is given and kept. Wires are springs; a column at a time is brought to the heights where its
//! springs pull least, which for one column is found exactly, and after some rounds nothing moves that an eye would see.

/// What stands in a column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    /// How much room it takes.
    pub height: f64,
    /// Its springs.
    pub springs: Vec<Spring>,
}

/// A wire between two bodies, seen from one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spring {
    /// The column and the place of the other.
    pub to: (usize, usize),
    /// How far below the other's height the spring wants this one.
    pub below: f64,
    /// How strong it is.
    pub strength: f64,
}

/// So many rounds over all columns.
const ROUNDS: usize = 60;
/// Fewer, when a round is long: so many springs are looked at in all.
const MOST_LOOKS: usize = 4_000_000;
/// What moves less than this in a round stands still.
const STILL: f64 = 0.02;

/// The middle of every body, column by column; `gap` is between neighbours.
pub(crate) fn heights(columns: &[Vec<Body>], gap: f64) -> Vec<Vec<f64>> {
    let mut heights: Vec<Vec<f64>> = columns.iter().map(|column| stacked(column, gap)).collect();
    // First towards what stands left of it, then right, then both.
    for column in 1..columns.len() {
        settle(columns, column, gap, |other| other < column, &mut heights);
    }
    for column in (0..columns.len()).rev() {
        settle(columns, column, gap, |other| other > column, &mut heights);
    }
    let springs: usize = columns
        .iter()
        .flatten()
        .map(|body| body.springs.len() + 1)
        .sum();
    for round in 0..(MOST_LOOKS / springs.max(1)).clamp(4, ROUNDS) {
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

/// Makes runs of bodies, each in the column after the last one's, as level as their neighbours allow: from the left on,
/// as many as can be at one height are.
pub(crate) fn level(
    columns: &[Vec<Body>],
    gap: f64,
    runs: &[Vec<(usize, usize)>],
    heights: &mut [Vec<f64>],
) {
    let limits = |(column, place): (usize, usize), heights: &[Vec<f64>]| {
        let apart = |upper: usize| {
            let [one, other] = [upper, upper + 1].map(|place| columns[column][place].height);
            f64::midpoint(one, other) + gap
        };
        let least = match place {
            0 => f64::NEG_INFINITY,
            _ => heights[column][place - 1] + apart(place - 1),
        };
        let most = heights[column]
            .get(place + 1)
            .map_or(f64::INFINITY, |below| below - apart(place));
        (least, most)
    };
    for run in runs {
        let mut rest = run.as_slice();
        while !rest.is_empty() {
            let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut fits = |&at: &(usize, usize)| {
                let (from, to) = limits(at, heights);
                let (from, to) = (from.max(least), to.min(most));
                let fits = from <= to;
                if fits {
                    (least, most) = (from, to);
                }
                fits
            };
            let count = rest.iter().take_while(|at| fits(at)).count().max(1);
            let (now, later) = rest.split_at(count);
            let sum: f64 = now
                .iter()
                .map(|&(column, place)| heights[column][place])
                .sum();
            if least <= most && count > 1 {
                let height = (sum / count as f64).clamp(least, most);
                for &(column, place) in now {
                    heights[column][place] = height;
                }
            }
            rest = later;
        }
    }
}

/// One below the other, around 0.
fn stacked(column: &[Body], gap: f64) -> Vec<f64> {
    let all: f64 = column.iter().map(|body| body.height + gap).sum();
    let mut top = -all / 2.0;
    column
        .iter()
        .map(|body| {
            let middle = top + f64::midpoint(body.height, gap);
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
