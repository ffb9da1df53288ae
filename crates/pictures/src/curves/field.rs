//! The contours of a map: chooses round levels and the shades between them, and finds the contour lines with marching
//! squares.
//!
//! A few values that are far from all others do not count for the levels; otherwise all levels would be near a pole.
//! Along each side of a square of the grid the value changes linearly. NaN and everything outside the grid are below
//! every level. So the line around an area is always closed, but its parts along such an edge are not contour lines.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::ticks::{AxisTicks, Tick, round_choices};
use super::window::{self, ChartAxis, Window};
use chainrule_report::{PlotMap, Scale, usual_range};

/// The number of levels that a reader tells apart and that show the shape of a map.
const LEVELS: RangeInclusive<usize> = 6..=8;
/// The number of logarithmic levels, which are powers of ten alone if these are enough.
const LOGARITHMIC_LEVELS: RangeInclusive<usize> = 4..=8;
/// A level is at least this fraction of the range of values away from the extremes. A closer one would be a line of noise,
/// or at the edge of a class that nobody sees.
const EDGE: f64 = 0.01;

/// The levels of a map, ascending.
pub(super) struct MapLevels {
    pub ticks: Vec<Tick>,
    /// What their labels have in common: `×10⁻⁴²`.
    pub common: String,
}

impl MapLevels {
    /// Chooses round levels for a map, so that each class between them occurs.
    pub(super) fn of(map: &PlotMap, is_file: bool) -> MapLevels {
        let values = map.values.iter();
        let heights = values.map(|value| map.level_scale.coordinate(*value));
        let (low, high) = usual_range(heights).unwrap_or_default();
        let is_flat = low == high;
        let range = if is_flat {
            window::pad((low, high), window::LINE_EDGE)
        } else {
            (low, high)
        };
        let numbers = level_numbers(range, map.level_scale);
        let AxisTicks { ticks, common } = AxisTicks::of(&numbers, map.level_scale, is_file);
        let mut levels = MapLevels { ticks, common };
        if !is_flat {
            levels.join_empty_classes(map);
        }
        levels
    }

    /// Leaves out levels so that each class occurs. The class below the first level does, because this level is above the
    /// least value. Of levels without values between them, the middle one stays.
    fn join_empty_classes(&mut self, map: &PlotMap) {
        let mut occurs = vec![false; self.shade_count()];
        let reached = |value: &f64| self.count_reached(*value);
        for class in map.values.iter().filter_map(reached) {
            occurs[class] = true;
        }
        let (mut undecided, mut kept) = (Vec::new(), Vec::new());
        for (level, class_occurs) in self.ticks.drain(..).zip(occurs.into_iter().skip(1)) {
            undecided.push(level);
            if class_occurs {
                kept.push(undecided.swap_remove((undecided.len() - 1) / 2));
                undecided.clear();
            }
        }
        self.ticks = kept;
    }

    /// The number of shades: one below the first level, one between two levels, and one above the last level.
    pub(super) fn shade_count(&self) -> usize {
        self.ticks.len() + 1
    }

    /// The number of levels that a value reaches; `None` for NaN.
    pub(super) fn count_reached(&self, value: f64) -> Option<usize> {
        (!value.is_nan()).then(|| self.ticks.partition_point(|level| level.number <= value))
    }

    /// The shade of values that reach this many levels.
    pub(super) fn shade(&self, reached: usize) -> u8 {
        (255.0 * reached as f64 / self.ticks.len().max(1) as f64).round() as u8
    }
}

/// The levels between the coordinates of two values: the first choice with a good number of them, or else the one with the
/// most of those that are not too many.
fn level_numbers((low, high): (f64, f64), scale: Scale) -> Vec<f64> {
    let edge = 2.0 * EDGE * (high / 2.0 - low / 2.0);
    let good = match scale {
        Scale::Linear => LEVELS,
        Scale::Logarithmic => LOGARITHMIC_LEVELS,
    };
    let mut best = Vec::new();
    for choice in round_choices((low, high), scale) {
        let mut numbers = choice.numbers;
        numbers.retain(|number| {
            let place = scale.coordinate(*number);
            low + edge < place && place < high - edge
        });
        if good.contains(&numbers.len()) {
            return numbers;
        }
        if (best.len()..*good.start()).contains(&numbers.len()) {
            best = numbers;
        }
    }
    best
}

/// A level passes through the saddle of a square if it differs from the height of the saddle by less than this part of the
/// range of the square's heights.
const NEAR: f64 = 0.01;

/// The grid of a map.
pub(super) struct ContourField {
    /// The places of the columns and rows, as fractions of the width and the height.
    columns: Vec<f64>,
    rows: Vec<f64>,
    values: Vec<f64>,
    level_scale: Scale,
}

/// A point of a closed line.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContourPoint {
    pub place: (f64, f64),
    /// Whether the map has the level here; otherwise the point is on an edge of the map or beside a NaN.
    pub is_level: bool,
}

/// The column and the row of a corner of the grid. A square is named by its lower left corner.
type Corner = (usize, usize);

/// A point of a square through which a line may run. The right side and the upper one belong to the next squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GridPoint {
    row: usize,
    column: usize,
    kind: GridPointKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum GridPointKind {
    LowerSide,
    LeftSide,
    /// The saddle, where up to two lines meet. They are counted from 0.
    Saddle(usize),
}

impl ContourField {
    pub(super) fn of(map: &PlotMap, window: &Window) -> ContourField {
        let fractions = |numbers: &[f64], axis: ChartAxis| {
            numbers.iter().map(|it| axis.fraction_before(*it)).collect()
        };
        ContourField {
            columns: fractions(&map.columns, window.across),
            rows: fractions(&map.rows, window.up),
            values: map.values.clone(),
            level_scale: map.level_scale,
        }
    }

    /// The value at a corner. Corners are counted from 1, and the value of the corners around the grid is NaN.
    fn value(&self, (column, row): Corner) -> f64 {
        let (columns, rows) = (self.columns.len(), self.rows.len());
        if !(1..=columns).contains(&column) || !(1..=rows).contains(&row) {
            return f64::NAN;
        }
        self.values[(row - 1) * columns + column - 1]
    }

    /// The place of a corner. A corner around the grid has the nearest place in the grid.
    fn place(&self, (column, row): Corner) -> (f64, f64) {
        let nearest = |places: &[f64], number: usize| places[number.clamp(1, places.len()) - 1];
        (nearest(&self.columns, column), nearest(&self.rows, row))
    }

    /// The saddle of the bilinear surface through the corners of a square; `None` if it is not in the square, or if the level
    /// does not pass through it.
    fn saddle(&self, square: Corner, level: f64) -> Option<(f64, f64)> {
        let corners = corners_of_square(square);
        let [a, b, c, d] = corners.map(|corner| self.value(corner));
        let twist = a + c - b - d;
        // A flat square divides by 0, and `inside` rejects NaN.
        let (x, y) = ((a - d) / twist, (a - b) / twist);
        let (low, high) = (a.min(b).min(c).min(d), a.max(b).max(c).max(d));
        let height = a + (b - a) * x + (d - a) * y + twist * x * y;
        let is_near = (height - level).abs() <= NEAR * (high - low);
        let (from, to) = (self.place(corners[0]), self.place(corners[2]));
        let place = (from.0 + x * (to.0 - from.0), from.1 + y * (to.1 - from.1));
        (is_near && window::inside((x, y))).then_some(place)
    }

    /// The closed lines around the areas that reach the level. Such an area lies to the left of its line.
    pub(super) fn lines(&self, level: f64) -> Vec<Vec<ContourPoint>> {
        // For each point of a line, the next one.
        let mut links = BTreeMap::new();
        for row in 0..=self.rows.len() {
            for column in 0..=self.columns.len() {
                self.link_points((column, row), level, &mut links);
            }
        }
        let mut lines = Vec::new();
        while let Some((start, second)) = links.pop_first() {
            let mut line = vec![self.contour_point(level, start)];
            let mut point = second;
            while let Some(next) = links.remove(&point) {
                line.push(self.contour_point(level, point));
                point = next;
            }
            lines.push(line);
        }
        lines
    }

    /// Links the points of the lines through a square: the side where a line enters, the saddle if the level passes through
    /// it, and the side where the line leaves.
    fn link_points(&self, square: Corner, level: f64, links: &mut BTreeMap<GridPoint, GridPoint>) {
        let corners = corners_of_square(square);
        let heights = corners.map(|corner| self.value(corner));
        let point = |(column, row): Corner, kind| GridPoint { row, column, kind };
        // Counterclockwise, each from the corner with its number to the next.
        let sides = [
            point(corners[0], GridPointKind::LowerSide),
            point(corners[1], GridPointKind::LeftSide),
            point(corners[3], GridPointKind::LowerSide),
            point(corners[0], GridPointKind::LeftSide),
        ];
        for (line, (entry, exit)) in passages(heights, level).into_iter().enumerate() {
            let mut last = sides[entry];
            if self.saddle(square, level).is_some() {
                let saddle = point(square, GridPointKind::Saddle(line));
                links.insert(last, saddle);
                last = saddle;
            }
            links.insert(last, sides[exit]);
        }
    }

    /// The place of a point on the line of a level.
    fn contour_point(&self, level: f64, point: GridPoint) -> ContourPoint {
        let square = (point.column, point.row);
        let [corner, right, _, upper] = corners_of_square(square);
        match (point.kind, self.saddle(square, level)) {
            (GridPointKind::Saddle(_), Some(place)) => ContourPoint {
                place,
                is_level: true,
            },
            (GridPointKind::LeftSide, _) => self.crossing(level, corner, upper),
            _ => self.crossing(level, corner, right),
        }
    }

    /// The point between two corners where the value is the level.
    fn crossing(&self, level: f64, from: Corner, to: Corner) -> ContourPoint {
        let point = |place, is_level| ContourPoint { place, is_level };
        let (one, other) = (self.value(from), self.value(to));
        let (start, end) = (self.place(from), self.place(to));
        if one.is_nan() || other.is_nan() {
            return point(if one.is_nan() { end } else { start }, false);
        }
        // A value that has no logarithm is far below every level.
        let least = match self.level_scale {
            Scale::Linear => f64::NEG_INFINITY,
            Scale::Logarithmic => f64::MIN_POSITIVE,
        };
        // Quarters are subtracted, because the difference of two doubles may overflow.
        let quarter = |value: f64| self.level_scale.coordinate(value.max(least)) / 4.0;
        // Beside an infinity the values do not change linearly, so the line is not a contour.
        let is_level = (other - one).is_finite();
        let fraction = (quarter(level) - quarter(one)) / (quarter(other) - quarter(one));
        let fraction_inside = if fraction.is_finite() {
            fraction.clamp(0.0, 1.0)
        } else {
            0.5
        };
        let between = |low: f64, high: f64| low + fraction_inside * (high - low);
        let place = (between(start.0, end.0), between(start.1, end.1));
        point(place, is_level)
    }
}

/// The sides where the lines of a level enter a square whose corners have these heights, and the sides where they leave.
/// Side 0 is between the corners 0 and 1, and so on. The area is on the left of its line, so the line enters where the area
/// ends, counterclockwise, and leaves where the area begins.
fn passages(heights: [f64; 4], level: f64) -> Vec<(usize, usize)> {
    let is_above = heights.map(|height| height >= level);
    let ends_area = |side: usize| is_above[side] && !is_above[(side + 1) % 4];
    let begins_area = |side: usize| !is_above[side] && is_above[(side + 1) % 4];
    // Of two opposite corners above the level, each has a line. If the middle of the square is above the level, too, both
    // corners belong to one area: then each line leaves by the next side counterclockwise, and cuts off a corner below.
    // Otherwise it leaves by the next side clockwise, and cuts off a corner above.
    let are_joined = heights.iter().sum::<f64>() / 4.0 >= level;
    let turns = if are_joined { [1, 2, 3] } else { [3, 2, 1] };
    let passage = |entry: usize| {
        let mut exits = turns.map(|turn| (entry + turn) % 4).into_iter();
        Some((entry, exits.find(|side| begins_area(*side))?))
    };
    let entries = (0..4).filter(|side| ends_area(*side));
    entries.filter_map(passage).collect()
}

/// The corners of a square, counterclockwise from the lower left one.
fn corners_of_square((column, row): Corner) -> [Corner; 4] {
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
