//! Draws the plots of reports (curves and maps) on the terminal and in files.

mod canvas;
mod chart;
mod field;
mod plan;
mod shapes;
mod terminal;
mod ticks;
mod window;

use self::chart::Chart;
pub(crate) use self::chart::title;
use crate::shapes::Scene;
use chainrule_report::Plot;
use chainrule_style::Style;

/// A plot on the terminal.
pub(crate) fn write_plot(plot: &Plot, style: &Style, out: &mut String) {
    terminal::write(&Chart::of(plot, style), style, out);
}

/// A plot as shapes.
pub(crate) fn plot_scene(plot: &Plot, style: &Style) -> Scene {
    shapes::scene(&Chart::of(plot, style), title(plot), None)
}

/// A plot as shapes for a page. It ignores a typed size, which counts cells of the terminal.
pub(crate) fn page_scene(plot: &Plot, style: &Style) -> Scene {
    let chart = Chart {
        size: None,
        ..Chart::of(plot, style)
    };
    shapes::scene(&chart, title(plot), style.picture_width)
}
