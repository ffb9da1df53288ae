//! Curves: an expression sampled over one leaf.
//!
//! Behind `:plot`; drawing is the view's.

mod curve;
mod sampling;

pub use self::curve::{Sampled, sample, tangent};
