//! Draws the plots of reports (curves and maps) on the terminal and in files.

mod canvas;
pub(crate) mod chart;
mod field;
mod plan;
mod room;
pub(crate) mod shapes;
pub(crate) mod terminal;
mod thin_out;
mod ticks;
mod window;
