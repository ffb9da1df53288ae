//! The format of files: SVG, which is drawn from shapes.

pub(crate) mod svg;
