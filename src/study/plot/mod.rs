//! Samples expressions for `:plot`: curves over one leaf, and maps over two. The view draws them.

mod axis;
mod curve;
mod map;
mod sampling;

pub use self::axis::SampleAxis;
pub use self::curve::{built_curve, gradient, sample_curves};
pub use self::map::{
    FINE_MAP_INTERVALS, FINEST_MAP_INTERVALS, MAP_INTERVALS, built_map, sample_map,
};
