//! Where a map reaches a level: closed lines around what is at least as high, by marching squares.
//!
//! Between four places of the grid the map is taken to be straight along each side. What is no number lies below every
//! level, and so does all outside of the grid: lines along these edges close an area but are not contour lines.

use crate::report::{MapAxis, PlotMap};
use crate::view::picture::curves::window::logarithm;

/// The most corners of an island.
const ISLAND: usize = 12;
/// No side of a square.
const NONE: u32 = u32::MAX;

/// The grid of a map, in parts of its width and height.
pub(super) struct ContourField {
    columns: Vec<f64>,
    rows: Vec<f64>,
    values: Vec<f64>,
    logarithmic: bool,
}

/// A point of a closed line.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContourPoint {
    pub place: (f64, f64),
    /// The map has the level here; otherwise this is an edge of what it shows.
    pub is_level: bool,
}

impl ContourField {
    pub(super) fn of(map: &PlotMap) -> ContourField {
        let parts = |axis: &MapAxis| -> Vec<f64> {
            let place = |place: f64| {
                if axis.logarithmic {
                    logarithm(place)
                } else {
                    place
                }
            };
            let (from, to) = (place(axis.range.0), place(axis.range.1));
            let whole = to / 4.0 - from / 4.0;
            let part = |it: &f64| (place(*it) / 4.0 - from / 4.0) / whole;
            axis.places.iter().map(part).collect()
        };
        ContourField {
            columns: parts(&map.across),
            rows: parts(&map.up),
            values: map.values.clone(),
            logarithmic: map.logarithmic,
        }
    }

    /// The value at a corner; the corners are counted from 1, around them lies nothing.
    fn value(&self, (column, row): (usize, usize)) -> f64 {
        let is_in =
            (1..=self.columns.len()).contains(&column) && (1..=self.rows.len()).contains(&row);
        let place = || (row - 1) * self.columns.len() + column - 1;
        let value = is_in.then(|| self.values.get(place()).copied()).flatten();
        value.unwrap_or(f64::NAN)
    }

    fn place(&self, (column, row): (usize, usize)) -> (f64, f64) {
        let at = |places: &[f64], at: usize| {
            let inner = at.clamp(1, places.len().max(1)) - 1;
            places.get(inner).copied().unwrap_or(0.0)
        };
        (at(&self.columns, column), at(&self.rows, row))
    }

    /// The closed lines around all that is at least so high, which lies to their left.
    pub(super) fn lines(&self, level: f64) -> Vec<Vec<ContourPoint>> {
        let (wide, high) = (self.columns.len() + 2, self.rows.len() + 2);
        let mut next = vec![NONE; 2 * wide * high];
        let reaches = |corner| self.value(corner) >= level;
        // The side of a square by its lower or left corner: even along a row, odd along a column.
        let side = |(column, row): (usize, usize), is_up: bool| {
            (2 * (row * wide + column) + usize::from(is_up)) as u32
        };
        for row in 0..high - 1 {
            for column in 0..wide - 1 {
                let corners = [
                    (column, row),
                    (column + 1, row),
                    (column + 1, row + 1),
                    (column, row + 1),
                ];
                let inside = corners.map(reaches);
                if inside.iter().all(|it| *it == inside[0]) {
                    continue;
                }
                let sides = [
                    side(corners[0], false),
                    side(corners[1], true),
                    side(corners[3], false),
                    side(corners[0], true),
                ];
                // Around the square against the clock: where the line leaves what is inside, and where it comes back.
                let leaves = |at: usize| inside[at] && !inside[(at + 1) % 4];
                let enters = |at: usize| !inside[at] && inside[(at + 1) % 4];
                let is_saddle = inside[0] == inside[2] && inside[1] == inside[3];
                let middle = corners
                    .iter()
                    .map(|corner| self.value(*corner))
                    .sum::<f64>()
                    / 4.0;
                let joins = is_saddle && middle >= level;
                for at in (0..4).filter(|at| leaves(*at)) {
                    let mut turns = (1..4).map(|by| if joins { at + by } else { at + 4 - by });
                    if let Some(back) = turns.find(|it| enters(it % 4)) {
                        next[sides[at] as usize] = sides[back % 4];
                    }
                }
            }
        }
        self.joined(level, &mut next, wide)
    }

    /// The lines from side to side, as points.
    fn joined(&self, level: f64, next: &mut [u32], wide: usize) -> Vec<Vec<ContourPoint>> {
        let mut found = Vec::new();
        for start in 0..next.len() {
            let mut line = Vec::new();
            let mut at = start;
            while next[at] != NONE {
                line.push(self.crossing(level, at, wide));
                at = std::mem::replace(&mut next[at], NONE) as usize;
            }
            if line.len() > self.least() {
                found.push(line);
            }
        }
        found
    }

    /// The most corners of a line that is left out: in a narrow valley of a logarithmic map the grid makes islands of a
    /// few places.
    fn least(&self) -> usize {
        if self.logarithmic { ISLAND } else { 0 }
    }

    /// Where a side of a square has the level.
    fn crossing(&self, level: f64, side: usize, wide: usize) -> ContourPoint {
        let from = (side / 2 % wide, side / 2 / wide);
        let to = if side % 2 == 1 {
            (from.0, from.1 + 1)
        } else {
            (from.0 + 1, from.1)
        };
        let (one, other) = (self.value(from), self.value(to));
        let (start, end) = (self.place(from), self.place(to));
        if one.is_nan() || other.is_nan() {
            return ContourPoint {
                place: if one.is_nan() { end } else { start },
                is_level: false,
            };
        }
        let scaled = |value: f64| {
            if self.logarithmic {
                logarithm(value.max(f64::MIN_POSITIVE))
            } else {
                value
            }
        };
        let is_level = (other - one).is_finite();
        let (one, other, level) = (scaled(one), scaled(other), scaled(level));
        let part = (level / 4.0 - one / 4.0) / (other / 4.0 - one / 4.0);
        let part = if part.is_finite() {
            part.clamp(0.0, 1.0)
        } else {
            0.5
        };
        ContourPoint {
            place: (
                start.0 + part * (end.0 - start.0),
                start.1 + part * (end.1 - start.1),
            ),
            is_level,
        }
    }

    /// The parts of closed lines that have the level, each from one end to the other.
    pub(super) fn open_lines(lines: &[Vec<ContourPoint>]) -> Vec<Vec<(f64, f64)>> {
        let mut found = Vec::new();
        for line in lines {
            let gap = line.iter().position(|point| !point.is_level);
            // A line without a gap ends where it begins.
            let first = gap.unwrap_or(0);
            let count = line.len() + usize::from(gap.is_none());
            let mut part = Vec::new();
            for at in 0..count {
                let point = line[(first + at) % line.len()];
                if point.is_level {
                    part.push(point.place);
                } else if part.len() > 1 {
                    found.push(std::mem::take(&mut part));
                } else {
                    part.clear();
                }
            }
            if part.len() > 1 {
                found.push(part);
            }
        }
        found
    }
}
