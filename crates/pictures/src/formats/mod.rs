//! The formats a picture can be written in: SVG, PNG, dot, and the page.
//!
//! SVG and PNG are drawn from shapes; the others are written from the graph itself.

pub(crate) mod graphviz;
pub(crate) mod page;
#[cfg(feature = "png")]
pub(crate) mod pixels;
pub(crate) mod svg;
