//! The rules by which steps are made, and the trails that they leave.

mod memory;
mod step_rule;
mod trail;

pub(crate) use self::memory::StepMemory;
pub(crate) use self::step_rule::Optimizer;
pub use self::step_rule::{Mover, StepRule};
pub(crate) use self::trail::{LeafData, TrailWrite};
pub use self::trail::{TrailPoint, Trails};
