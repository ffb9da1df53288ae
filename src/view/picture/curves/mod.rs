//! Curves: axes with round ticks, the window of a plot, on the terminal and in files.
//!
//! What is drawn comes as a report.

pub(crate) mod canvas;
pub(crate) mod chart;
pub(crate) mod terminal;
pub(crate) mod ticks;
pub(crate) mod values;
pub(crate) mod window;
