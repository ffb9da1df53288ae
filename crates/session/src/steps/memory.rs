//! What a session remembers of steps.

use std::rc::Rc;

use crate::steps::step_rule::Optimizer;
use crate::steps::trail::Trails;
use crate::tags::Tags;

/// The state of a session that concerns steps.
#[derive(Debug, Default)]
pub(crate) struct StepMemory {
    /// The values of roots after their steps.
    pub(crate) trails: Trails,
    /// The memory of momentum or Adam.
    pub(crate) optimizer: Option<Rc<Optimizer>>,
    /// The targets below which all lists may move: `:step … all`.
    pub(crate) all_moves: Tags<()>,
}
