//! Curves: an expression sampled over one leaf.
//!
//! Behind `:plot`; drawing is the view's.

pub mod curve;
pub(crate) mod sampling;
