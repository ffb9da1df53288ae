//! Pictures: graphs and curves, for the terminal and for files.
//!
//! What is drawn comes as data ([`Diagram`], [`Plot`]); where it goes is worked out here, once for all kinds of output.

mod canvas;
mod curves;
pub mod scene;
mod ticks;
mod window;

use crate::report::{Diagram, Picture, Plot};
use crate::view::Style;

/// A graph on the terminal.
pub fn graph(diagram: &Diagram, style: &Style, out: &mut String) {
    let _ = (diagram, style, out);
}

/// Curves on the terminal.
pub fn plot(plot: &Plot, style: &Style, out: &mut String) {
    curves::write(plot, style, out);
}

/// A picture as the content of a file, or why it cannot be made.
pub fn picture(picture: &Picture, ending: &str, style: &Style) -> Result<Vec<u8>, String> {
    let _ = (picture, ending, style);
    Ok(Vec::new())
}
