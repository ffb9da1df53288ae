//! Curves and maps on the terminal and in files: axes with round ticks, the window of a plot. Parts of a whole as bars.
//!
//! What is drawn comes as a report.

mod axes;
pub(crate) mod bars;
mod canvas;
mod cells;
pub(crate) mod chart;
pub(crate) mod map;
mod marks;
pub(crate) mod terminal;
mod ticks;
mod window;
pub(crate) mod words;
