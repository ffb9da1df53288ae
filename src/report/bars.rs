//! Bars ready to be drawn: one for each number, to the left for numbers below zero.
//!
//! It contains no pixels; how long a bar is in proportion to the others is decided by the command.

use super::{Cell, Line};

/// Several numbers, drawn as bars.
#[derive(Clone, Debug, Default)]
pub struct Bars {
    /// What they are.
    pub title: Line,
    /// The bars from top to bottom.
    pub parts: Vec<Bar>,
    /// A remark on their lengths, if they need one.
    pub remark: Line,
}

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What stands before it.
    pub label: String,
    /// Its length in proportion to the others: below 0 it goes to the left. An infinite one is as long as the longest
    /// and has an arrowhead, a NaN has no bar.
    pub length: f64,
    /// The number that stands behind it.
    pub told: Cell,
}
