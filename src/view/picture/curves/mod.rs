//! Curves and maps on the terminal and in files, as one chart that is built once. Parts of a whole as bars.
//!
//! What is drawn comes as a report.

pub(crate) mod bars;
mod canvas;
mod chart;
mod field;
mod shapes;
mod terminal;
mod ticks;
mod window;

use self::chart::Chart;
pub(crate) use self::chart::{map_title, title_of_all};
use crate::report::{Plot, PlotMap};
use crate::view::Style;
use crate::view::picture::shapes::Scene;

/// Curves on the terminal.
pub(crate) fn write_plot(plot: &Plot, style: &Style, out: &mut String) {
    terminal::write(&Chart::of_plot(plot, style), plot.small, style, out);
}

/// A map on the terminal.
pub(crate) fn write_map(map: &PlotMap, style: &Style, out: &mut String) {
    terminal::write(&Chart::of_map(map, style), false, style, out);
}

/// Curves as shapes.
pub(crate) fn plot_scene(plot: &Plot, style: &Style) -> Scene {
    shapes::scene(&Chart::of_plot(plot, style), title_of_all(plot))
}

/// A map as shapes.
pub(crate) fn map_scene(map: &PlotMap, style: &Style) -> Scene {
    shapes::scene(&Chart::of_map(map, style), map_title(map))
}
