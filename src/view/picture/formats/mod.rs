//! One file for each format a picture can be written in: SVG, PNG, dot, Mermaid, and the page.
//!
//! The first two draw shapes, the others write the graph itself.

pub(crate) mod base64;
pub(crate) mod dot;
mod listed;
pub(crate) mod mermaid;
pub(crate) mod page;
#[cfg(feature = "png")]
pub(crate) mod pixels;
pub(crate) mod svg;
