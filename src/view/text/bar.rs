//! Bars in the cells of a table, to the left of a line for numbers below zero, as long as their column has room for.
//!
//! All bars of a column have the same room, so their lengths stay in proportion.

use crate::view::Style;

/// The most characters of a bar on one side of the line.
const SIDE: usize = 16;

/// A bar whose column is not laid out yet.
pub(crate) struct TextBar {
    /// See [`crate::report::Cell::Bar`].
    pub part: f64,
    /// On which sides of the line the column has bars.
    pub sides: [bool; 2],
}

impl TextBar {
    /// The columns that it takes if there is room enough.
    pub(crate) fn width(&self) -> usize {
        1 + SIDE * self.count()
    }

    fn count(&self) -> usize {
        self.sides.iter().filter(|side| **side).count()
    }

    /// The bar with its line, in so much room.
    pub(crate) fn drawn(&self, room: usize, style: &Style) -> String {
        let [whole, left_half, right_half, line] = if style.ascii {
            ["#", "", "", "|"]
        } else {
            ["█", "▐", "▌", "│"]
        };
        let [left_end, right_end] = if style.ascii {
            ["<", ">"]
        } else {
            ["◄", "►"]
        };
        let side = (room.saturating_sub(1) / self.count().max(1)).clamp(1, SIDE);
        let steps = if style.ascii { 1 } else { 2 };
        let size = if self.part.is_nan() {
            0.0
        } else {
            self.part.abs()
        };
        // A bar is seen, however short it is.
        let least = usize::from(size > 0.0);
        let length = ((side * steps) as f64 * size.min(1.0)).round() as usize;
        let length = length.max(least);
        let full = |rest: usize| whole.repeat((length / steps).saturating_sub(rest));
        let is_half = length % steps == 1;
        let bar = match (self.part < 0.0, size.is_infinite()) {
            (true, true) => format!("{left_end}{}", full(1)),
            (false, true) => format!("{}{right_end}", full(1)),
            (true, false) if is_half => format!("{left_half}{}", full(0)),
            (false, false) if is_half => format!("{}{right_half}", full(0)),
            _ => full(0),
        };
        let [left, right] = if self.part < 0.0 {
            [bar.as_str(), ""]
        } else {
            ["", bar.as_str()]
        };
        let before = if self.sides[0] { side } else { 0 };
        format!("{left:>before$}{line}{right}")
    }
}
