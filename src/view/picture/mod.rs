//! Pictures: graphs and curves, for the terminal and for files.
//!
//! What is drawn comes as data ([`Diagram`], [`Plot`]); its layout is worked out here, once for all kinds of output.

mod curves;
mod formats;
mod layout;
mod shapes;
mod terminal;
#[cfg(test)]
mod tests;

use super::{Style, json};
use crate::report::{Bars, Diagram, Picture, Plot};

/// A graph on the terminal.
pub(crate) fn graph(diagram: &Diagram, style: &Style, out: &mut String) {
    terminal::write(diagram, style, out);
}

/// Curves on the terminal.
pub(crate) fn plot(plot: &Plot, style: &Style, out: &mut String) {
    curves::terminal::write(plot, style, out);
}

/// A picture as the content of a file, or the reason why it cannot be made. The ending of the file name, such as `svg`,
/// decides the format.
pub fn picture(picture: &Picture, ending: &str, style: &Style) -> Result<Vec<u8>, String> {
    let diagram = match picture {
        Picture::Graph(diagram) => diagram,
        Picture::Plot(plot) => return plot_picture(plot, ending, style),
        Picture::Bars(bars) => return bars_picture(bars, ending),
    };
    let text = match ending {
        "svg" => formats::svg::write(&shapes::network::scene(diagram, 0, style)),
        #[cfg(feature = "png")]
        "png" => return formats::pixels::write(&shapes::network::scene(diagram, 0, style)),
        "html" => formats::page::write(diagram, style),
        "dot" => formats::dot::write(diagram, style),
        "mmd" => formats::mermaid::write(diagram, style),
        "json" => json::graph_file(diagram),
        _ => return Err(format!("a graph has no picture that ends in `.{ending}`")),
    };
    Ok(text.into_bytes())
}

fn bars_picture(bars: &Bars, ending: &str) -> Result<Vec<u8>, String> {
    match ending {
        "svg" => Ok(formats::svg::write(&curves::bars::scene(bars)).into_bytes()),
        #[cfg(feature = "png")]
        "png" => formats::pixels::write(&curves::bars::scene(bars)),
        _ => Err(format!("bars have no picture that ends in `.{ending}`")),
    }
}

fn plot_picture(plot: &Plot, ending: &str, style: &Style) -> Result<Vec<u8>, String> {
    let text = match ending {
        "svg" => formats::svg::write(&curves::chart::scene(plot, style)),
        #[cfg(feature = "png")]
        "png" => return formats::pixels::write(&curves::chart::scene(plot, style)),
        "csv" => curves::values::write(plot),
        _ => return Err(format!("a plot has no picture that ends in `.{ending}`")),
    };
    Ok(text.into_bytes())
}
