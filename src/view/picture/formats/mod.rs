//! The formats a picture can be written in: SVG, PNG, dot and Mermaid, and the page.
//!
//! The first two draw shapes, the others write the graph itself.

pub(crate) mod listed;
pub(crate) mod page;
#[cfg(feature = "png")]
pub(crate) mod pixels;
pub(crate) mod svg;
