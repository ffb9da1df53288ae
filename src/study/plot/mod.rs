//! Curves and maps for `:plot`: an expression sampled over one leaf, or over two.
//!
//! The view draws them.

mod axis;
mod curve;
mod map;
mod sampling;

pub use self::axis::SampleAxis;
pub use self::curve::{built_curve, gradient, sample_curves};
pub use self::map::{
    FINE_MAP_INTERVALS, FINEST_MAP_INTERVALS, MAP_INTERVALS, built_map, sample_map,
};
