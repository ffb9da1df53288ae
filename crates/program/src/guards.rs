//! Keeps guards: the numbers that have decided which nodes an expression builds. A guard is a condition, a position, an
//! end of a range, or a `.sigma`.
//!
//! The machine notes the numbers that it reads, and a value keeps them as its guards. If a leaf moves and changes a
//! guard, the session says that the value was built for the old number.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use chainrule_engine::graph::structure::reachable;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language::Span;

/// The way in which a number decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GuardKind {
    /// As a condition: only whether it is 0 counts.
    Condition,
    /// A position, or an end of a range.
    Position,
    /// A `±` that is read by `.sigma`.
    Sigma,
    /// A number that is read by `.data`. No value keeps it as a guard, because it is meant to be a constant.
    Data,
}

/// A number that has decided what was built.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Its node.
    pub node: Rc<Node>,
    /// The number of the node when it decided.
    pub data: f64,
    /// The way in which it decides.
    pub kind: GuardKind,
    /// The text of a condition outside of functions.
    pub typed: Option<Rc<str>>,
}

/// The conditions of an `if` or `while` of a block, which may run many times.
#[derive(Debug)]
pub struct LineConditions {
    /// The node of the first condition.
    pub first: NodeId,
    /// The last condition that was true, and the last one that was false.
    pub last: Vec<Guard>,
}

/// The guards of a value, and the statement that built the value.
#[derive(Clone, Debug)]
pub struct StatementGuards {
    /// The guards.
    pub guards: Rc<[Guard]>,
    /// The line.
    pub statement: Rc<str>,
}

impl StatementGuards {
    /// The guards of a value that was typed at `place`.
    pub(crate) fn of_place(guards: Vec<Guard>, place: (&str, Span)) -> StatementGuards {
        let (text, span) = place;
        let (before, after) = (&text[..span.start as usize], &text[span.end as usize..]);
        // Line ends and `;` separate statements.
        let begin = before.rfind(['\n', ';']).map_or(0, |at| at + 1);
        let end = after.find(['\n', ';']).unwrap_or(after.len());
        let line = text[begin..span.end as usize + end].trim();
        let is_head = line.ends_with(':');
        let statement = if is_head {
            format!("{line} …").into()
        } else {
            line.into()
        };
        let guards = guards.into();
        StatementGuards { guards, statement }
    }
}

/// A derivative, which is outdated if its root is, though it need not be made of the root's nodes.
#[derive(Debug)]
pub struct Derivative {
    /// Its new nodes.
    pub nodes: Vec<Weak<Node>>,
    /// The root.
    pub root: Rc<Node>,
}

/// A value with guards.
#[derive(Debug)]
pub struct GuardedValue {
    /// Its nodes.
    pub nodes: Vec<Weak<Node>>,
    /// Its guards.
    pub decided: StatementGuards,
    /// Whether a note has said that a guard has changed.
    pub is_noted: Cell<bool>,
    /// The newest node when the value was built.
    pub newest: NodeId,
}

impl GuardedValue {
    /// The nodes that are alive.
    pub fn living(&self) -> impl Iterator<Item = Rc<Node>> {
        living(&self.nodes)
    }
}

/// The values with guards, and the guards of the value that was built last.
#[derive(Debug, Default)]
pub struct GuardedValues {
    /// The values.
    pub values: Vec<GuardedValue>,
    /// The derivatives since there are values with guards, oldest first.
    pub derivatives: Vec<Derivative>,
    /// The length of `values` and `derivatives` at which those without living nodes are removed.
    tidy_at: usize,
    /// The guards of the value that was built last. Leaves that are made of this value get them, too.
    pub last: Option<StatementGuards>,
    /// The time of the last comparison of the guards; `None` if they must be compared again.
    pub clock: Cell<Option<u64>>,
    /// The nodes of values whose guards have changed, each with its decision.
    pub outdated: RefCell<BTreeMap<NodeId, Rc<str>>>,
    /// The time of the last notes on changed guards; `None` if there may be new ones.
    pub noted_at: Option<u64>,
}

/// Leaves that are watched while an expression is built.
#[derive(Clone, Debug, Default)]
pub struct WatchedLeaves {
    /// Their ids.
    pub leaves: Vec<NodeId>,
    /// The newest node before the expression. Newer leaves are the placeholders of a derivative and stand for
    /// arguments.
    pub newest: NodeId,
    /// Whether the number of a watched leaf has decided what was built.
    pub has_decided: bool,
}

impl Derivative {
    /// Whether its nodes are newer than `newest_before`, or are gone.
    fn is_newer(&self, newest_before: NodeId) -> bool {
        living(&self.nodes).all(|node| node.id() > newest_before)
    }
}

/// The nodes that are alive.
pub fn living(nodes: &[Weak<Node>]) -> impl Iterator<Item = Rc<Node>> {
    nodes.iter().filter_map(Weak::upgrade)
}

impl GuardedValues {
    /// Removes the values and derivatives without living nodes, if there may be many.
    fn tidy(&mut self) {
        if self.values.len() + self.derivatives.len() < self.tidy_at {
            return;
        }
        let is_alive = |nodes: &[Weak<Node>]| nodes.iter().any(|it| it.strong_count() > 0);
        self.values.retain(|value| is_alive(&value.nodes));
        self.derivatives.retain(|it| is_alive(&it.nodes));
        // Twice the length, so that tidying costs little per value. With the 16, an empty list is not tidied at once.
        self.tidy_at = 2 * (self.values.len() + self.derivatives.len()) + 16;
    }

    /// Adds a value with guards, unless it has no nodes. `newest` is the newest node now.
    pub(crate) fn add(&mut self, nodes: Vec<Weak<Node>>, decided: StatementGuards, newest: NodeId) {
        if nodes.is_empty() {
            return;
        }
        self.tidy();
        self.values.push(GuardedValue {
            nodes,
            decided,
            is_noted: Cell::default(),
            newest,
        });
    }

    /// Adds the new nodes of a derivative of a root, if there are values with guards.
    pub(crate) fn add_derivative(&mut self, nodes: Vec<Weak<Node>>, root: &Rc<Node>) {
        if self.values.is_empty() || nodes.is_empty() {
            return;
        }
        self.tidy();
        self.derivatives.push(Derivative {
            nodes,
            root: Rc::clone(root),
        });
    }

    /// Makes sure that the guards are compared again: an uncertainty has changed, which the clock of the graph does not
    /// count, or the clock was set back.
    pub fn compare_again(&mut self) {
        self.clock.set(None);
        self.noted_at = None;
    }

    /// Forgets the values that were built after this node.
    pub fn rewind(&mut self, newest_before: NodeId) {
        let values = &mut self.values;
        while values.pop_if(|last| last.newest > newest_before).is_some() {}
        let derivatives = &mut self.derivatives;
        while derivatives
            .pop_if(|last| last.is_newer(newest_before))
            .is_some()
        {}
        self.last = None;
        drop(self.outdated.get_mut().split_off(&(newest_before + 1)));
    }
}

impl WatchedLeaves {
    /// Notes whether a number that was read is that of a watched leaf, or depends on one.
    pub fn note(&mut self, read: &[Guard]) {
        let Some(oldest) = self.leaves.iter().min().copied() else {
            return;
        };
        let roots: Vec<Rc<Node>> = read.iter().map(|guard| Rc::clone(&guard.node)).collect();
        let is_watched = |node: &Rc<Node>| {
            let is_newer = node.is_leaf() && node.id() > self.newest;
            is_newer || self.leaves.contains(&node.id())
        };
        let is_any_watched = reachable(&roots, oldest).iter().any(is_watched);
        self.has_decided |= is_any_watched;
    }
}
