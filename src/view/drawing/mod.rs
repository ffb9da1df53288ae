//! Pictures: graphs and curves, for the terminal and for files.
//!
//! What is drawn comes as data ([`Diagram`], [`Plot`]); where it goes is worked out here, once for all kinds of output.

mod canvas;
mod chart;
mod columns;
mod crossings;
mod curves;
mod dot;
mod heights;
mod inks;
pub mod layers;
mod letters;
mod marks;
mod mermaid;
mod network;
mod page;
mod pixels;
mod sayings;
pub mod scene;
mod shapes;
mod sizes;
mod svg;
mod terminal;
#[cfg(test)]
mod tests;
mod ticks;
mod values;
mod window;

use crate::report::{Diagram, Picture, Plot};
use crate::view::{Style, json};

/// A graph on the terminal.
pub fn graph(diagram: &Diagram, style: &Style, out: &mut String) {
    terminal::write(diagram, style, out);
}

/// Curves on the terminal.
pub fn plot(plot: &Plot, style: &Style, out: &mut String) {
    curves::write(plot, style, out);
}

/// A picture as the content of a file, or why it cannot be made.
pub fn picture(picture: &Picture, ending: &str, style: &Style) -> Result<Vec<u8>, String> {
    let diagram = match picture {
        Picture::Graph(diagram) => diagram,
        Picture::Plot(plot) => return plot_picture(plot, ending, style),
    };
    let text = match ending {
        "svg" => svg::write(&network::scene(diagram, 0, style)),
        "png" => return pixels::write(&network::scene(diagram, 0, style)),
        "html" => page::write(diagram, style),
        "dot" => dot::write(diagram, style),
        "mmd" => mermaid::write(diagram, style),
        "json" => json::graph_file(diagram),
        _ => return Err(format!("a graph has no picture that ends in `.{ending}`")),
    };
    Ok(text.into_bytes())
}

fn plot_picture(plot: &Plot, ending: &str, style: &Style) -> Result<Vec<u8>, String> {
    let text = match ending {
        "svg" => svg::write(&chart::scene(plot, style)),
        "png" => return pixels::write(&chart::scene(plot, style)),
        "csv" => values::write(plot),
        _ => return Err(format!("a plot has no picture that ends in `.{ending}`")),
    };
    Ok(text.into_bytes())
}
