//! The changes of a session that can be taken back.

use std::rc::Rc;

use crate::by_hand::guesses::SumSoFar;
use crate::growth::Growth;
use crate::kept::KeptChange;
use crate::naming::{NameChange, NameId, NameLoss, SharedNames, Texts};
use crate::network_classes::NetworkClasses;
use crate::state::waiting::WaitingList;
use crate::steps::{Optimizer, TrailWrite, Trails};
use crate::tags::{Heading, LeafRange, TagWrite};
use crate::target::Targets;
use crate::uncertainty::Uncertainty;
use chainrule_engine::graph::Node;
use chainrule_program::functions::Function;
use chainrule_program::random::Sequence;
use chainrule_program::values::Value;

/// A change of a session. The log has the changes that undo earlier ones.
#[derive(Debug)]
pub(crate) enum Write {
    /// All names, and the tags of their nodes.
    Names(SharedNames),
    Name(NameId, NameChange),
    /// The values that have lost a name, after its first losses, which are this many.
    Lost(NameId, u32, Vec<NameLoss>),
    Label(TagWrite<Rc<str>>),
    Heading(Box<TagWrite<Heading>>),
    Range(Box<TagWrite<LeafRange>>),
    Uncertainty(Box<TagWrite<Uncertainty>>),
    Function(Rc<str>, Option<Rc<Function>>),
    Setting(usize, u64),
    /// The data of a leaf, and whether the leaf is frozen.
    Leaf(Rc<Node>, f64, bool),
    /// Whether all lists below a target may move: `:step … all`.
    AllMove(TagWrite<()>),
    Random(Box<Sequence>),
    Claim(TagWrite<SumSoFar>),
    Targets(Box<Targets>),
    Optimizer(Option<Rc<Optimizer>>),
    Network(NetworkClasses),
    Texts(Rc<Texts>),
    Results(Growth<Option<Value>>),
    Kept(KeptChange),
    Trails(Box<Trails>),
    /// The bindings that wait for letters.
    Waiting(WaitingList),
    Trail(Box<TrailWrite>),
}

impl Write {
    /// Whether `:undo` counts the write as a change. Results, trails, claims and targets are undone together with the
    /// change before them.
    pub(crate) fn is_change(&self) -> bool {
        !matches!(
            self,
            Write::Results(_)
                | Write::Kept(_)
                | Write::Trail(_)
                | Write::Claim(_)
                | Write::Targets(_)
        )
    }

    /// The leaf that the write changes.
    pub(crate) fn leaf(&self) -> Option<&Rc<Node>> {
        match self {
            Write::Leaf(leaf, ..) => Some(leaf),
            _ => None,
        }
    }

    /// The number of the changed entry, if undoing only the first write of the entry restores it. `None` if all its
    /// writes are needed.
    pub(crate) fn entry(&self) -> Option<u32> {
        match self {
            // A length alone does not restore a name's value. Such writes count as another entry than those of values.
            Write::Name(name, before) => {
                Some(2 * name + u32::from(matches!(before, NameChange::Shorter(_))))
            }
            Write::Lost(name, ..) => Some(*name),
            Write::Label(it) => Some(it.node),
            Write::Heading(it) => Some(it.node),
            Write::Range(it) => Some(it.node),
            Write::Uncertainty(it) => Some(it.node),
            Write::AllMove(it) => Some(it.node),
            Write::Claim(it) => Some(it.node),
            Write::Leaf(leaf, ..) => Some(leaf.id()),
            Write::Random(_) | Write::Optimizer(_) => Some(0),
            _ => None,
        }
    }
}
