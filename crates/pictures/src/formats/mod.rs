//! The formats a picture can be written in: SVG and dot.
//!
//! SVG is drawn from shapes; the others are written from the graph itself.

pub(crate) mod graphviz;
pub(crate) mod svg;
