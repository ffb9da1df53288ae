//! Curves on the terminal and in files: axes with round ticks, the window of a plot. Parts of a whole as bars.
//!
//! What is drawn comes as a report.

pub(crate) mod bars;
mod canvas;
pub(crate) mod chart;
mod marks;
pub(crate) mod terminal;
mod ticks;
pub(crate) mod values;
mod window;
mod words;
