//! Keeps guards: the numbers that have decided which nodes an expression builds. A guard is a condition, a position, an
//! end of a range, or a `.sigma`.
//!
//! The machine notes the numbers that it reads, and a value keeps them as its guards. If a leaf moves and changes a
//! guard, a note says that the value was built for the old number. A search and an exported program use a value for
//! many numbers of a leaf, and therefore refuse a value with guards.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::values::Value;
use chainrule_engine::graph::structure::{depends_on, reachable};
use chainrule_engine::graph::{Node, NodeId, Spelling};
use chainrule_engine::ops::{self, Op};
use chainrule_language::Span;
use chainrule_report::{Note, Numbers, say};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most notes about guards after a statement.
const MOST_NOTES: usize = 3;

const MULTIPLY: &Op = ops::row("multiplication");

/// The way in which a number decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GuardKind {
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
pub(crate) struct Guard {
    pub(super) node: Rc<Node>,
    /// The number of the node when it decided.
    pub(super) data: f64,
    pub(super) kind: GuardKind,
    /// The text of the node, as typed.
    pub(super) typed: Rc<str>,
    /// The function in which the number was read.
    pub(super) function: Option<Rc<str>>,
}

impl Guard {
    /// Whether the number has changed, so that it would decide differently.
    fn has_changed(&self, session: &Session) -> bool {
        let now = session.guarded_number(&self.node, self.kind);
        match self.kind {
            GuardKind::Condition => (now != 0.0) != (self.data != 0.0),
            _ => now.to_bits() != self.data.to_bits(),
        }
    }

    /// The decision, as it was: `x > 0`, `not x > 0`, `k = 2`.
    fn decision(&self) -> Rc<str> {
        let typed = &self.typed;
        match self.kind {
            GuardKind::Condition if self.data != 0.0 => Rc::clone(typed),
            GuardKind::Condition => format!("not {typed}").into(),
            _ => format!("{typed} = {}", self.data).into(),
        }
    }
}

/// The guards of a value, and the statement that built the value.
#[derive(Clone, Debug)]
pub(super) struct StatementGuards {
    guards: Rc<[Guard]>,
    statement: Rc<str>,
}

/// A value with guards.
#[derive(Debug)]
struct GuardedValue {
    nodes: Vec<Weak<Node>>,
    decided: StatementGuards,
    /// Whether a guard had changed at the last comparison.
    is_stale: Cell<bool>,
    /// Whether a note has said so.
    is_noted: Cell<bool>,
    /// The newest node when the value was built.
    newest: NodeId,
}

impl GuardedValue {
    /// The first guard that would decide differently now.
    fn changed_guard(&self, session: &Session) -> Option<&Guard> {
        let mut guards = self.decided.guards.iter();
        guards.find(|guard| guard.has_changed(session))
    }

    /// The nodes that are alive.
    fn living(&self) -> impl Iterator<Item = Rc<Node>> {
        self.nodes.iter().filter_map(Weak::upgrade)
    }
}

/// The values with guards, and the guards of the value that was built last.
#[derive(Debug, Default)]
pub(crate) struct GuardedValues {
    values: Vec<GuardedValue>,
    /// The length at which values without living nodes are removed from the list.
    tidy_at: usize,
    /// The guards of the value that was built last. Leaves that are made of this value get them, too.
    pub(super) last: Option<StatementGuards>,
    /// The time of the last comparison of the guards; `None` if they must be compared again.
    clock: Cell<Option<u64>>,
    /// Whether a value is stale.
    has_stale: Cell<bool>,
    /// The time of the last notes on changed guards; `None` if there may be new ones.
    noted_at: Option<u64>,
}

/// The outdated ones of some nodes, each with the decision that has changed.
pub type Outdated = FxHashMap<NodeId, Rc<str>>;

/// Leaves that are watched while an expression is built.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchedLeaves {
    pub(super) leaves: Vec<NodeId>,
    /// The newest node before the expression. Newer leaves are the placeholders of a derivative and stand for
    /// arguments.
    newest: NodeId,
    /// Whether the number of a watched leaf has decided what was built.
    has_decided: bool,
}

impl GuardedValues {
    /// Makes sure that the guards are compared again: an uncertainty has changed, which the clock of the graph does not
    /// count, or the clock was set back.
    pub(crate) fn compare_again(&mut self) {
        self.clock.set(None);
        self.noted_at = None;
    }

    /// Forgets the values that were built after this node.
    pub(crate) fn rewind(&mut self, newest_before: NodeId) {
        let values = &mut self.values;
        while values.pop_if(|last| last.newest > newest_before).is_some() {}
        self.last = None;
    }
}

impl Session {
    /// The number of a node that decides in this way.
    pub(super) fn guarded_number(&self, node: &Rc<Node>, kind: GuardKind) -> f64 {
        match kind {
            GuardKind::Sigma => self.names.uncertain.node_deviation(node),
            _ => node.data(),
        }
    }

    /// Calls `build`. Also returns whether the number of one of these leaves has decided what was built.
    pub fn watch_leaves<T>(
        &mut self,
        leaves: &[&Rc<Node>],
        build: impl FnOnce(&mut Session) -> T,
    ) -> (T, bool) {
        let watched = WatchedLeaves {
            leaves: leaves.iter().map(|leaf| leaf.id()).collect(),
            newest: self.graph.last_id(),
            has_decided: false,
        };
        let before = std::mem::replace(&mut self.running.watched, watched);
        let built = build(self);
        let seen = std::mem::replace(&mut self.running.watched, before);
        (built, seen.has_decided)
    }

    /// Notes whether a number that was read is that of a watched leaf, or depends on one.
    pub(super) fn note_watched_leaves(&mut self, read: &[Guard]) {
        let watched = &mut self.running.watched;
        let Some(oldest) = watched.leaves.iter().min().copied() else {
            return;
        };
        let roots: Vec<Rc<Node>> = read.iter().map(|guard| Rc::clone(&guard.node)).collect();
        let is_watched = |node: &Rc<Node>| {
            let is_newer = node.is_leaf() && node.id() > watched.newest;
            is_newer || watched.leaves.contains(&node.id())
        };
        let is_any_watched = reachable(&roots, oldest).iter().any(is_watched);
        watched.has_decided |= is_any_watched;
    }

    /// Makes the numbers that an expression has read the guards of its value. The nodes of the value are newer than
    /// `newest_before`, and the expression was typed at `place`.
    pub(super) fn guard_value(
        &mut self,
        value: Value,
        read: Vec<Guard>,
        newest_before: NodeId,
        place: (&str, Span),
    ) -> Value {
        self.note_watched_leaves(&read);
        let is_kept = |guard: &Guard| guard.kind != GuardKind::Data;
        let guards: Rc<[Guard]> = read.into_iter().filter(is_kept).collect();
        self.guards.last = None;
        if guards.is_empty() {
            return value;
        }
        let (text, span) = place;
        let (before, after) = (&text[..span.start as usize], &text[span.end as usize..]);
        // Line ends and `;` separate statements.
        let begin = before.rfind(['\n', ';']).map_or(0, |at| at + 1);
        let end = after.find(['\n', ';']).unwrap_or(after.len());
        let statement = text[begin..span.end as usize + end].trim().into();
        let decided = StatementGuards { guards, statement };
        self.guards.last = Some(decided.clone());
        let new_value = self.with_new_nodes(value, newest_before);
        let varying = new_value.nodes().iter().filter(|node| node.varies());
        self.add_guarded(varying.map(Rc::downgrade).collect(), decided);
        new_value
    }

    /// The value with new nodes of the same numbers, `1*x`, instead of those up to `newest_before`. An older node, such as an argument that a
    /// function returns, must not get guards.
    fn with_new_nodes(&mut self, value: Value, newest_before: NodeId) -> Value {
        let is_older = |node: &Rc<Node>| node.varies() && node.id() <= newest_before;
        if !value.nodes().iter().any(is_older) {
            return value;
        }
        let graph = &mut self.graph;
        let new_value = value.map_nodes(|node| {
            let one = is_older(node).then(|| graph.constant(1.0, Spelling::Plain));
            let new_node = one.map(|one| graph.apply_2(MULTIPLY, one, Rc::clone(node)));
            new_node.unwrap_or_else(|| Rc::clone(node))
        });
        // In Python it is the older list, so it must not grow by itself.
        new_value.mark_as_shared();
        new_value
    }

    /// Gives the nodes of a value these guards.
    pub(super) fn add_guarded(&mut self, nodes: Vec<Weak<Node>>, decided: StatementGuards) {
        if nodes.is_empty() {
            return;
        }
        let guarded = &mut self.guards;
        if guarded.values.len() >= guarded.tidy_at {
            let is_alive =
                |value: &GuardedValue| value.nodes.iter().any(|it| it.strong_count() > 0);
            guarded.values.retain(is_alive);
            // Twice the length, so that tidying costs little per value. With the 16, an empty list is not tidied at
            // once.
            guarded.tidy_at = 2 * guarded.values.len() + 16;
        }
        guarded.values.push(GuardedValue {
            nodes,
            decided,
            is_stale: Cell::default(),
            is_noted: Cell::default(),
            newest: self.graph.last_id(),
        });
    }

    /// Finds the values with a guard that has changed, unless they are known.
    fn compare_guards(&self) {
        let (guards, clock) = (&self.guards, Some(self.graph.clock()));
        if guards.values.is_empty() || guards.clock.replace(clock) == clock {
            return;
        }
        guards.has_stale.set(false);
        for value in &guards.values {
            let is_stale = value.changed_guard(self).is_some();
            value.is_stale.set(is_stale);
            guards.has_stale.set(guards.has_stale.get() || is_stale);
        }
    }

    /// The notes on values with a guard that has changed since the last statement.
    pub(crate) fn changed_guard_notes(&mut self) -> Vec<Note> {
        let clock = Some(self.graph.clock());
        let is_known = std::mem::replace(&mut self.guards.noted_at, clock) == clock;
        if is_known || self.guards.values.is_empty() {
            return Vec::new();
        }
        self.compare_guards();
        let is_new = |it: &&GuardedValue| {
            let was_noted = it.is_noted.replace(it.is_stale.get());
            it.is_stale.get() && !was_noted
        };
        let new: Vec<&GuardedValue> = self.guards.values.iter().filter(is_new).collect();
        let note = |it: &GuardedValue| self.stale_value_note(it, it.changed_guard(self)?);
        new.into_iter().filter_map(note).take(MOST_NOTES).collect()
    }

    /// The outdated ones of these nodes and of the nodes below them: those that a changed guard, or that of a node below,
    /// has decided.
    pub fn find_outdated(&self, nodes: &[Rc<Node>]) -> Outdated {
        let mut outdated = Outdated::default();
        self.compare_guards();
        if !self.guards.has_stale.get() {
            return outdated;
        }
        for value in self.guards.values.iter().filter(|it| it.is_stale.get()) {
            let decision = value.changed_guard(self).map(Guard::decision);
            let pairs = value
                .living()
                .map(|it| it.id())
                .zip(decision.into_iter().cycle());
            outdated.extend(pairs);
        }
        let oldest = outdated.keys().min().copied().unwrap_or(NodeId::MAX);
        for node in reachable(nodes, oldest) {
            let mut operands = node.operands().iter();
            if let Some(decision) = operands.find_map(|it| outdated.get(&it.id()).cloned()) {
                outdated.entry(node.id()).or_insert(decision);
            }
        }
        outdated
    }

    /// The numbers of a value, for a report.
    pub fn numbers(&self, value: &Value) -> Numbers {
        let outdated = self.find_outdated(value.nodes());
        let mut decisions = value
            .nodes()
            .iter()
            .filter_map(|node| outdated.get(&node.id()));
        Numbers {
            as_of: decisions.next().cloned(),
            ..value.numbers()
        }
    }

    /// The note ``y is still what `f` gave where `x > 0`: `y = f(a)` again``.
    fn stale_value_note(&self, value: &GuardedValue, guard: &Guard) -> Option<Note> {
        let node = value.living().next()?;
        let function = guard.function.as_ref();
        let by = function.map_or("it".to_string(), |name| format!("`{name}`"));
        Some(Note::new(say!(
            "{:name} is still what {} gave where {}: {:typed} again",
            self.label(&node),
            by,
            format!("`{}`", guard.decision()),
            &*value.decided.statement
        )))
    }

    /// The notes on stale nodes: a guard of one of these nodes, or of a node below them, has changed.
    pub fn stale_guard_notes(&self, nodes: &[Rc<Node>]) -> Vec<Note> {
        let stale = self.guarded_below(nodes, |it| it.is_stale.get());
        let note = |(it, _): (&GuardedValue, _)| self.stale_value_note(it, it.changed_guard(self)?);
        let notes = stale.into_iter().filter_map(note);
        notes.take(MOST_NOTES).collect()
    }

    /// The wanted ones of the values of which a node is one of these roots or below, each with that node.
    fn guarded_below(
        &self,
        roots: &[Rc<Node>],
        is_wanted: impl Fn(&GuardedValue) -> bool,
    ) -> Vec<(&GuardedValue, Rc<Node>)> {
        let all = self.guards.values.iter();
        let wanted: Vec<&GuardedValue> = all.filter(|it| is_wanted(it)).collect();
        let living = wanted.iter().flat_map(|it| it.living());
        let Some(oldest) = living.map(|node| node.id()).min() else {
            return Vec::new();
        };
        let reached = reachable(roots, oldest);
        let below: FxHashSet<NodeId> = reached.iter().map(|node| node.id()).collect();
        let below_node = |it: &GuardedValue| it.living().find(|node| below.contains(&node.id()));
        let found = wanted.into_iter().map(|it| (it, below_node(it)));
        found.filter_map(|(it, node)| Some((it, node?))).collect()
    }

    /// Refuses roots with a guard below them that depends on one of these leaves, or on any leaf if none are given.
    pub fn check_guards(
        &self,
        roots: &[Rc<Node>],
        leaves: Option<&[Rc<Node>]>,
        span: Span,
    ) -> Result<(), Error> {
        for (value, node) in self.guarded_below(roots, |_| true) {
            let reaches = |guard: &&Guard| {
                leaves.is_none_or(|all| all.iter().any(|leaf| depends_on(&guard.node, leaf)))
            };
            if let Some(guard) = value.decided.guards.iter().find(reaches) {
                let (name, typed) = (self.label(&node), &guard.typed);
                let message =
                    format!("what `{name}` computes is decided by `{typed}`, which may change");
                let help = match guard.kind {
                    GuardKind::Sigma => "it is a constant: write the number itself",
                    _ => "`if(c, a, b)` is one node with both branches: write the function with it",
                };
                return Err(fail(span, message, help));
            }
        }
        Ok(())
    }
}
