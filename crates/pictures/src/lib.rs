#![doc = include_str!("../README.md")]
#![warn(unreachable_pub)]
#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

mod char_sheet;
mod curves;
mod layout;
mod shapes;
mod svg;
mod terminal;
#[cfg(test)]
mod tests;

use self::curves::chart::{self, Chart};
use self::shapes::Scene;
use chainrule_report::{Diagram, Picture, Plot, PlotSize};
use chainrule_style::Style;

pub use self::shapes::palette::Background;
pub use self::svg::{color_rules, properties};
pub use self::terminal::graph;

/// A graph as an element of a page.
pub fn graph_element(diagram: &Diagram, style: &Style) -> String {
    svg::element(&shapes::graph::scene(diagram, style), style)
}

/// Curves or a map as an element of a page. It ignores a typed size, which counts cells of the terminal.
pub fn plot_element(plot: &Plot, style: &Style) -> String {
    let chart = Chart {
        size: None,
        ..Chart::of(plot, style)
    };
    let scene = curves::shapes::scene(&chart, chart::title(plot), style.picture_width);
    // Only a typed size is refused.
    svg::element(&scene.unwrap_or_default(), style)
}

/// Draws curves or a map on the terminal.
pub fn plot(plot: &Plot, style: &Style, out: &mut String) {
    curves::terminal::write(&Chart::of(plot, style), style, out);
}

/// A picture as the content of an SVG file, with the texts that had to be shortened, or the reason why it cannot be made.
pub fn picture(picture: &Picture, style: &Style) -> Result<(String, Vec<String>), String> {
    let scene = scene(picture, style)?;
    Ok((svg::file(&scene, style), scene.cut))
}

/// A picture of a file as an element of a document, or the reason why it cannot be made.
pub fn picture_element(picture: &Picture, style: &Style) -> Result<String, String> {
    Ok(svg::element(&scene(picture, style)?, style))
}

/// The shapes of a picture, or why there are none.
fn scene(picture: &Picture, style: &Style) -> Result<Scene, String> {
    match picture {
        Picture::Graph(diagram) => Ok(shapes::graph::scene(diagram, style)),
        Picture::Plot(plot) => {
            let mut chart = Chart::of(plot, style);
            // So few pixels are the columns of a terminal, as in `:help tanh`.
            let can_be_pixels = |size: &PlotSize| !style.is_cell() || size.width >= 150.0;
            chart.size = chart.size.filter(can_be_pixels);
            curves::shapes::scene(&chart, chart::title(plot), None)
        }
    }
}

/// A few words that describe a picture.
pub fn picture_title(picture: &Picture) -> String {
    match picture {
        Picture::Graph(diagram) => shapes::labels::title(diagram),
        Picture::Plot(plot) => chart::title(plot),
    }
}
