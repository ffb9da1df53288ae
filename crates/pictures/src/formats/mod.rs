//! The formats a picture can be written in: SVG, dot, and the page.
//!
//! SVG is drawn from shapes; the others are written from the graph itself.

pub(crate) mod graphviz;
pub(crate) mod page;
pub(crate) mod svg;
