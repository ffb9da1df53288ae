//! The state of a session that has no log: a statement that fails restores it.

use std::rc::{Rc, Weak};

use crate::by_hand::guesses::Guesses;
use crate::by_hand::walk::Walk;
use crate::target::Targets;
use chainrule_engine::graph::{Node, Pass};

/// The state without a log. Each statement copies it first. A copy is cheap, because most fields are shared.
#[derive(Clone, Default)]
pub(crate) struct Recent {
    /// The last pass.
    pub(crate) pass: Option<Rc<Pass>>,
    /// The pass that the user walks through node by node.
    pub(crate) walk: Option<Walk>,
    /// The score of `:guess`.
    pub(crate) guesses: Guesses,
    pub(crate) targets: Targets,
    pub(crate) notes_given: NotesGiven,
    /// The last root above a leaf that a line of Python has moved.
    pub(crate) moved_root: Option<MovedRoot>,
    /// Whether a redo has taken back results, and there is no newer one.
    pub(crate) has_lost_results: bool,
}

/// A root above leaves that lines of Python have moved. Python would not compute the root again.
#[derive(Clone)]
pub(crate) struct MovedRoot {
    pub(crate) node: Weak<Node>,
    /// The data of the root before the first move.
    pub(crate) data: f64,
    /// Whether a note has said that Python would still print this data.
    pub(crate) has_note: bool,
}

/// Whether each [`NoteOnce`] has been given.
pub type NotesGiven = [bool; 6];

/// A note that a session gives only once.
#[derive(Clone, Copy, Debug)]
pub enum NoteOnce {
    /// There are no gradients for a picture yet.
    NoGradients,
    /// An answer has too many nodes for a `±`.
    TooManyNodes,
    /// The functions of an `import` are built in.
    Imports,
    /// Python would join the lists that were added.
    AddedLists,
    /// The items of a list have followed their leaves.
    FollowingItems,
    /// `log` is ln.
    Log,
}
