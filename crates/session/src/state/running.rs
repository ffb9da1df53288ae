//! The state of the running statement.

use std::rc::Rc;

use crate::by_hand::guesses::ShownGrads;
use crate::kept::Keeping;
use crate::state::journal::{Journal, Savepoint};
use crate::state::log::CleanUp;
use chainrule_engine::graph::Node;
use chainrule_program::values::Value;
use chainrule_report::Note;

/// The state of the running statement.
#[derive(Default)]
pub(crate) struct Running {
    /// The way in which the statement will be kept.
    pub(crate) keeping: Keeping,
    /// Whether the statements come from a saved session.
    pub(crate) is_saved_session: bool,
    /// The state before a trial: several statements that succeed or fail as one, such as `:load`.
    pub(crate) trial: Option<Box<Trial>>,
    /// The block that runs.
    pub(crate) block: Option<Box<RunningBlock>>,
    /// Notes on the statement from where its reply is out of reach.
    pub(crate) notes: Vec<Note>,
    /// The names of parameters that come before the names of the session.
    pub(crate) lent: Option<Vec<(Rc<str>, Value)>>,
    /// The grads that the answer shows, unless it is silenced.
    pub(crate) shown: Vec<ShownGrads>,
}

/// Several statements that run as one.
pub(crate) struct Trial {
    pub(crate) before: Savepoint,
    /// The journal before the trial, which has one of its own.
    pub(crate) journal: Journal,
    /// The comments before the trial.
    pub(crate) remarks: String,
    /// Whether the statements come from a file.
    pub(crate) is_file: bool,
    /// Whether there were names, functions or results before.
    pub(crate) has_others: bool,
    /// Whether the file is a saved session.
    pub(crate) is_session: bool,
}

/// A block that runs.
pub(crate) struct RunningBlock {
    pub(crate) before: Savepoint,
    /// The number of passes in the present round.
    pub(crate) passes: usize,
    /// The most passes that a round has run.
    pub(crate) most_passes: usize,
    /// Nodes whose gradients were read as sums over several rounds.
    pub(crate) summed: Vec<Rc<Node>>,
    /// Whether the block has set grads. As in Python, a pass then adds to them.
    pub(crate) has_set_grads: bool,
    /// The writes of the whole block.
    pub(crate) writes: CleanUp,
    /// The writes of the present round of the outermost loop.
    pub(crate) round: CleanUp,
}
