//! Curves for `:plot`: an expression sampled over one leaf.
//!
//! The view draws them.

mod curve;
mod sampling;

pub use self::curve::{Sampled, sample, tangent};
