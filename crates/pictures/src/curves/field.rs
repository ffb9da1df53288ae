//! The contours of a map: chooses round levels and the shades between them, and finds the contour lines with marching
//! squares.
//!
//! A few values that are far from all others do not count for the levels; otherwise all levels would be near a pole.
//! Along each side of a square of the grid the value changes linearly. NaN and everything outside the grid are below
//! every level. So the line around an area is always closed, but its parts along such an edge are not contour lines.

use super::ticks::{Tick, axis_ticks};
use super::window::{self, ChartAxis, Window, scale};
use chainrule_report::{PlotMap, usual_range};

/// The part of the range of values that may be a rounding error.
const ROUNDING: f64 = 1e-9;

/// The levels of a map, ascending.
pub(super) struct MapLevels {
    pub ticks: Vec<Tick>,
}

impl MapLevels {
    /// Chooses at most `most` levels for a map.
    pub(super) fn of(map: &PlotMap, most: usize) -> MapLevels {
        let heights = map
            .values
            .iter()
            .map(|value| scale(*value, map.is_logarithmic));
        let (mut low, mut high) = usual_range(heights).unwrap_or_default();
        if low == high {
            (low, high) = window::pad((low, high), window::EDGE);
        }
        let axis = ChartAxis {
            range: (low, high),
            is_logarithmic: map.is_logarithmic,
            ..ChartAxis::default()
        };
        let mut ticks = axis_ticks(axis, &[], most);
        // A level closer to an extreme than the rounding of the values would be a line of noise.
        let least = ROUNDING * (high / 2.0 - low / 2.0);
        let is_inside = |place: f64| low + least < place && place < high - least;
        ticks.retain(|tick| is_inside(scale(tick.number, map.is_logarithmic)));
        MapLevels { ticks }
    }

    /// The number of bands, each between two levels or beyond the last one.
    pub(super) fn bands(&self) -> usize {
        self.ticks.len() + 1
    }

    /// The number of levels that a value reaches; `None` for NaN.
    pub(super) fn band(&self, value: f64) -> Option<usize> {
        (!value.is_nan()).then(|| self.ticks.partition_point(|level| level.number <= value))
    }

    /// The shade of values that reach this many levels.
    pub(super) fn shade(&self, band: usize) -> u8 {
        (255.0 * band as f64 / self.ticks.len().max(1) as f64).round() as u8
    }

    /// The shade at a level itself: between those of its two sides.
    pub(super) fn shade_at(&self, level: usize) -> u8 {
        let (below, above) = (self.shade(level), self.shade(level + 1));
        below / 2 + above / 2
    }
}

/// A level passes through the saddle of a square if it differs from the height of the saddle by less than this part of the
/// range of the square's heights.
const NEAR: f64 = 0.01;
/// Stands for no side of a square.
const NONE: u32 = u32::MAX;

/// The grid of a map, in parts of its width and height.
pub(super) struct ContourField {
    columns: Vec<f64>,
    rows: Vec<f64>,
    values: Vec<f64>,
    is_logarithmic: bool,
}

/// A point of a closed line.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContourPoint {
    pub place: (f64, f64),
    /// Whether the map has the level here; otherwise the point is on an edge of the map or beside a NaN.
    pub is_level: bool,
}

impl ContourField {
    pub(super) fn of(map: &PlotMap, window: &Window) -> ContourField {
        let parts =
            |places: &[f64], axis: ChartAxis| places.iter().map(|it| axis.at(*it)).collect();
        ContourField {
            columns: parts(&map.columns, window.across),
            rows: parts(&map.rows, window.up),
            values: map.values.clone(),
            is_logarithmic: map.is_logarithmic,
        }
    }

    /// The same map with half as many places in each direction.
    pub(super) fn halve(&self) -> ContourField {
        let half = |count: usize| {
            let last = (count / 2).max(1);
            (0..=last).map(move |at| at * (count - 1) / last)
        };
        let [wide, high] = [&self.columns, &self.rows].map(Vec::len);
        let values = half(high).flat_map(|row| half(wide).map(move |at| row * wide + at));
        ContourField {
            columns: half(wide).map(|at| self.columns[at]).collect(),
            rows: half(high).map(|at| self.rows[at]).collect(),
            values: values.map(|at| self.values[at]).collect(),
            is_logarithmic: self.is_logarithmic,
        }
    }

    /// The value at a corner. Corners are counted from 1; around the grid the value is NaN.
    fn value(&self, (column, row): (usize, usize)) -> f64 {
        let is_inside =
            (1..=self.columns.len()).contains(&column) && (1..=self.rows.len()).contains(&row);
        if !is_inside {
            return f64::NAN;
        }
        let place = (row - 1) * self.columns.len() + column - 1;
        self.values.get(place).copied().unwrap_or(f64::NAN)
    }

    fn place(&self, (column, row): (usize, usize)) -> (f64, f64) {
        let at = |places: &[f64], at: usize| {
            let inner = at.clamp(1, places.len().max(1)) - 1;
            places.get(inner).copied().unwrap_or(0.0)
        };
        (at(&self.columns, column), at(&self.rows, row))
    }

    /// The saddle of the bilinear surface through the corners of a square, and a test whether its height is near a level;
    /// `None` if the surface has no saddle in the square.
    fn saddle(&self, (column, row): (usize, usize)) -> Option<((f64, f64), impl Fn(f64) -> bool)> {
        let corners = corners_of_square((column, row));
        let [a, b, c, d] = corners.map(|corner| self.value(corner));
        let twist = a + c - b - d;
        let (x, y) = ((a - d) / twist, (a - b) / twist);
        let (low, high) = (a.min(b).min(c).min(d), a.max(b).max(c).max(d));
        let height = a + (b - a) * x + (d - a) * y + twist * x * y;
        let (from, to) = (self.place(corners[0]), self.place(corners[2]));
        let place = (from.0 + x * (to.0 - from.0), from.1 + y * (to.1 - from.1));
        let is_near = move |level: f64| (height - level).abs() <= NEAR * (high - low);
        window::inside((x, y)).then_some((place, is_near))
    }

    /// The closed lines around the areas that reach the level. Such an area lies to the left of its line.
    pub(super) fn lines(&self, level: f64) -> Vec<Vec<ContourPoint>> {
        let (wide, high) = (self.columns.len() + 2, self.rows.len() + 2);
        let mut next = vec![NONE; 4 * wide * high];
        for row in 0..high - 1 {
            for column in 0..wide - 1 {
                self.link_sides((column, row), level, wide, &mut next);
            }
        }
        self.join_sides(level, &mut next, wide)
    }

    /// Finds, for each side of a square where a line comes in, the side where it goes out. Each square, given by its lower
    /// left corner, has four points: on its lower side, on its left side, and two at its saddle.
    fn link_sides(&self, square: (usize, usize), level: f64, wide: usize, next: &mut [u32]) {
        let corners = corners_of_square(square);
        let heights = corners.map(|corner| self.value(corner));
        let is_above = heights.map(|height| height >= level);
        if is_above.iter().all(|it| *it == is_above[0]) {
            return;
        }
        let point = |(column, row): (usize, usize), which: usize| {
            (4 * (row * wide + column) + which) as u32
        };
        let sides =
            [(0, 0), (1, 1), (3, 0), (0, 1)].map(|(corner, which)| point(corners[corner], which));
        // Counterclockwise around the square: the sides where the line leaves the area, and where it comes back.
        let leaves = |at: usize| is_above[at] && !is_above[(at + 1) % 4];
        let enters = |at: usize| !is_above[at] && is_above[(at + 1) % 4];
        let is_saddle = is_above[0] == is_above[2] && is_above[1] == is_above[3];
        let middle = heights.iter().sum::<f64>() / 4.0;
        let is_joined = is_saddle && middle >= level;
        let saddle = self.saddle(square);
        let meets_saddle = saddle.is_some_and(|(_, is_near)| is_near(level));
        for (way, at) in (0..4).filter(|at| leaves(*at)).enumerate() {
            let mut turns = (1..4).map(|by| if is_joined { at + by } else { at + 4 - by });
            let Some(back) = turns.find(|it| enters(it % 4)) else {
                continue;
            };
            let mut last = sides[at];
            if meets_saddle {
                let through = point(square, 2 + way);
                next[last as usize] = through;
                last = through;
            }
            next[last as usize] = sides[back % 4];
        }
    }

    /// Follows the lines from side to side.
    fn join_sides(&self, level: f64, next: &mut [u32], wide: usize) -> Vec<Vec<ContourPoint>> {
        let mut found = Vec::new();
        for start in 0..next.len() {
            let mut line = Vec::new();
            let mut at = start;
            while next[at] != NONE {
                line.push(self.crossing(level, at, wide));
                at = std::mem::replace(&mut next[at], NONE) as usize;
            }
            if !line.is_empty() {
                found.push(line);
            }
        }
        found
    }

    /// The point of a side of a square that has the level.
    fn crossing(&self, level: f64, side: usize, wide: usize) -> ContourPoint {
        let from = (side / 4 % wide, side / 4 / wide);
        let saddle = self.saddle(from).filter(|_| side % 4 > 1);
        let point = |place, is_level| ContourPoint { place, is_level };
        if let Some((place, _)) = saddle {
            return point(place, true);
        }
        let to = if side % 4 == 1 {
            (from.0, from.1 + 1)
        } else {
            (from.0 + 1, from.1)
        };
        let (one, other) = (self.value(from), self.value(to));
        let (start, end) = (self.place(from), self.place(to));
        if one.is_nan() || other.is_nan() {
            return point(if one.is_nan() { end } else { start }, false);
        }
        let least = if self.is_logarithmic {
            f64::MIN_POSITIVE
        } else {
            f64::NEG_INFINITY
        };
        // Quarters are subtracted, because the difference of two doubles may overflow.
        let quarter = |value: f64| scale(value.max(least), self.is_logarithmic) / 4.0;
        let is_level = (other - one).is_finite();
        let part = (quarter(level) - quarter(one)) / (quarter(other) - quarter(one));
        let part_inside = if part.is_finite() {
            part.clamp(0.0, 1.0)
        } else {
            0.5
        };
        let between = |low: f64, high: f64| low + part_inside * (high - low);
        let place = (between(start.0, end.0), between(start.1, end.1));
        point(place, is_level)
    }
}

/// The corners of a square of the grid, counterclockwise from this one, which is the lower left one.
fn corners_of_square((column, row): (usize, usize)) -> [(usize, usize); 4] {
    let (right, up) = (column + 1, row + 1);
    [(column, row), (right, row), (right, up), (column, up)]
}

/// The parts of closed lines where the map has their level, each from one end to the other.
pub(super) fn level_parts(lines: &[Vec<ContourPoint>]) -> Vec<Vec<(f64, f64)>> {
    let mut found = Vec::new();
    for mut line in lines.iter().cloned() {
        match line.iter().position(|point| !point.is_level) {
            Some(gap) => line.rotate_left(gap),
            // A line without a gap ends where it begins.
            None => line.push(line[0]),
        }
        for part in line.split(|point| !point.is_level) {
            if part.len() > 1 {
                found.push(part.iter().map(|point| point.place).collect());
            }
        }
    }
    found
}
