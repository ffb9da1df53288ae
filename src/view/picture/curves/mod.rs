//! Curves on the terminal and in files: axes with round ticks, the window of a plot.
//!
//! What is drawn comes as a report.

mod canvas;
pub(crate) mod chart;
mod marks;
pub(crate) mod terminal;
mod ticks;
pub(crate) mod values;
mod window;
mod words;
