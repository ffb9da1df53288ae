//! Keeps guards: the numbers that have decided which nodes an expression builds. A guard is a condition, a position, an
//! end of a range, or a `.sigma`.
//!
//! The machine notes the numbers that it reads, and a value keeps them as its guards. If a leaf moves and changes a
//! guard, a note says that the value was built for the old number. A search and an exported program use a value for
//! many numbers of a leaf, and therefore refuse a value with guards.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::naming::labels::label_items;
use crate::session::values::Value;
use chainrule_engine::graph::structure::{depends_on, reachable};
use chainrule_engine::graph::{Node, NodeId, Spelling};
use chainrule_engine::ops::{self, Op};
use chainrule_language::{self as language, ItemKind, Property, Span};
use chainrule_report::characters::shorten_end;
use chainrule_report::{Note, Numbers, say};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most notes about guards after a statement.
const MOST_NOTES: usize = 3;

/// The most characters of a decision in a function: its arguments may be long expressions.
const LONGEST_TEXT: usize = 60;

pub(super) const CHOOSE: &Op = ops::row("if");
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
    /// The text of a condition outside of functions.
    pub(super) typed: Option<Rc<str>>,
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

    /// What the number is of. The parameters of a function mean nothing to its callers, who see the arguments.
    fn text(&self, session: &Session) -> String {
        if let Some(typed) = &self.typed {
            return typed.to_string();
        }
        let mut label = label_items(&session.names, &self.node);
        if self.kind == GuardKind::Sigma {
            label.push(ItemKind::Property(Property::Sigma).into());
        }
        shorten_end(&language::infix(&label), LONGEST_TEXT).into_owned()
    }

    /// The decision, as it was: `x > 0`, `not x > 0`, `k = 2`.
    fn decision(&self, session: &Session) -> Rc<str> {
        let text = self.text(session);
        match self.kind {
            GuardKind::Condition if self.data != 0.0 => text.into(),
            GuardKind::Condition => format!("not {text}").into(),
            _ => format!("{text} = {}", self.data).into(),
        }
    }
}

/// The conditions of an `if` or `while` of a block, which may run many times.
#[derive(Debug)]
pub(super) struct LineConditions {
    /// The node of the first condition.
    pub(super) first: NodeId,
    /// The last condition that was true, and the last one that was false.
    pub(super) last: Vec<Guard>,
}

/// The guards of a value, and the statement that built the value.
#[derive(Clone, Debug)]
pub(super) struct StatementGuards {
    guards: Rc<[Guard]>,
    statement: Rc<str>,
}

impl StatementGuards {
    /// The guards of a value that was typed at `place`.
    pub(super) fn of_place(guards: Vec<Guard>, place: (&str, Span)) -> StatementGuards {
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
struct Derivative {
    nodes: Vec<Weak<Node>>,
    root: Rc<Node>,
}

/// A value with guards.
#[derive(Debug)]
struct GuardedValue {
    nodes: Vec<Weak<Node>>,
    decided: StatementGuards,
    /// Whether a note has said that a guard has changed.
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
        living(&self.nodes)
    }
}

/// The values with guards, and the guards of the value that was built last.
#[derive(Debug, Default)]
pub(crate) struct GuardedValues {
    values: Vec<GuardedValue>,
    /// The derivatives since there are values with guards, oldest first.
    derivatives: Vec<Derivative>,
    /// The length of `values` and `derivatives` at which those without living nodes are removed.
    tidy_at: usize,
    /// The guards of the value that was built last. Leaves that are made of this value get them, too.
    pub(super) last: Option<StatementGuards>,
    /// The time of the last comparison of the guards; `None` if they must be compared again.
    clock: Cell<Option<u64>>,
    /// The nodes of values whose guards have changed, each with its decision.
    outdated: RefCell<BTreeMap<NodeId, Rc<str>>>,
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

impl Derivative {
    /// Whether its nodes are newer than `newest_before`, or are gone.
    fn is_newer(&self, newest_before: NodeId) -> bool {
        living(&self.nodes).all(|node| node.id() > newest_before)
    }
}

/// The nodes that are alive.
fn living(nodes: &[Weak<Node>]) -> impl Iterator<Item = Rc<Node>> {
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
        let derivatives = &mut self.derivatives;
        while derivatives
            .pop_if(|last| last.is_newer(newest_before))
            .is_some()
        {}
        self.last = None;
        drop(self.outdated.get_mut().split_off(&(newest_before + 1)));
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
        let guards: Vec<Guard> = read.into_iter().filter(is_kept).collect();
        self.guards.last = None;
        if guards.is_empty() {
            return value;
        }
        let decided = StatementGuards::of_place(guards, place);
        self.guards.last = Some(decided.clone());
        let new_value = self.with_new_nodes(value, newest_before);
        let nodes = new_value.nodes().iter().map(Rc::downgrade).collect();
        self.add_guarded(nodes, decided);
        new_value
    }

    /// The value with new nodes of the same numbers, `1*x`, instead of those up to `newest_before`. An older node, such
    /// as an argument that a function returns, must not get guards.
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
        self.guards.tidy();
        self.guards.values.push(GuardedValue {
            nodes,
            decided,
            is_noted: Cell::default(),
            newest: self.graph.last_id(),
        });
    }

    /// Notes that these values are derivatives of a root, which may be outdated. An older node, such as `b` as the
    /// derivative of `a*b`, is not the derivative's own.
    pub(super) fn note_derivatives(
        &mut self,
        root: &Rc<Node>,
        grads: &Value,
        newest_before: NodeId,
    ) {
        let new = grads.nodes().iter().filter(|it| it.id() > newest_before);
        let nodes: Vec<Weak<Node>> = new.map(Rc::downgrade).collect();
        if self.guards.values.is_empty() || nodes.is_empty() {
            return;
        }
        self.guards.tidy();
        self.guards.derivatives.push(Derivative {
            nodes,
            root: Rc::clone(root),
        });
    }

    /// Finds the values with a guard that has changed, unless they are known.
    fn compare_guards(&self) {
        let (guards, clock) = (&self.guards, Some(self.graph.clock()));
        if guards.clock.replace(clock) == clock {
            return;
        }
        let mut outdated = BTreeMap::new();
        for value in &guards.values {
            if let Some(guard) = value.changed_guard(self) {
                let decision = guard.decision(self);
                outdated.extend(value.living().map(|it| (it.id(), Rc::clone(&decision))));
            }
        }
        guards.outdated.replace(outdated);
    }

    /// The notes on values with a guard that has changed since the last statement.
    pub(crate) fn changed_guard_notes(&mut self) -> Vec<Note> {
        let clock = Some(self.graph.clock());
        let is_known = std::mem::replace(&mut self.guards.noted_at, clock) == clock;
        let mut notes = Vec::new();
        if is_known {
            return notes;
        }
        for value in &self.guards.values {
            // An undone value and a forgotten one have no name.
            let mut living = value.living();
            let named = living.find(|node| self.names.has_any(node));
            let note = named.and_then(|node| self.outdated_value_note(value, &node));
            let was_noted = value.is_noted.replace(note.is_some());
            if !was_noted && notes.len() < MOST_NOTES {
                notes.extend(note);
            }
        }
        notes
    }

    /// Forgets the guards since a node that would decide differently now: a block, whose lines run once, as typed, has
    /// moved their leaves itself.
    pub(crate) fn forget_changed_guards(&mut self, newest_before: NodeId) {
        let mut values = std::mem::take(&mut self.guards.values);
        values.retain(|it| it.newest <= newest_before || it.changed_guard(self).is_none());
        self.guards.values = values;
        self.guards.compare_again();
    }

    /// The outdated ones of these nodes and of the nodes below them: those that a changed guard has decided, or that of a
    /// node below, and the derivatives of such nodes.
    pub fn find_outdated(&self, nodes: &[Rc<Node>]) -> Outdated {
        let mut outdated = Outdated::default();
        self.compare_guards();
        let decided = self.guards.outdated.borrow();
        let Some((&oldest, _)) = decided.first_key_value() else {
            return outdated;
        };
        let derivatives = self.guards.derivatives.iter();
        let root_of: FxHashMap<NodeId, NodeId> = derivatives
            .flat_map(|it| living(&it.nodes).map(|node| (node.id(), it.root.id())))
            .collect();
        for node in reachable(&self.with_roots_of_derivatives(nodes), oldest) {
            let mut operands: Vec<&Rc<Node>> = node.operands().iter().collect();
            if node.op().is_some_and(|op| op.name == CHOOSE.name) {
                let other = if operands[0].data() == 0.0 { 1 } else { 2 };
                operands.remove(other);
            }
            let below = || operands.iter().find_map(|it| outdated.get(&it.id()));
            let of_root = || outdated.get(root_of.get(&node.id())?);
            let decision = decided.get(&node.id()).or_else(below).or_else(of_root);
            if let Some(decision) = decision.cloned() {
                outdated.insert(node.id(), decision);
            }
        }
        outdated
    }

    /// These nodes, and the roots of the derivatives among them and below them.
    fn with_roots_of_derivatives(&self, nodes: &[Rc<Node>]) -> Vec<Rc<Node>> {
        let mut roots = nodes.to_vec();
        let derivatives = &self.guards.derivatives;
        let all_living = derivatives.iter().flat_map(|it| living(&it.nodes));
        let Some(oldest) = all_living.map(|node| node.id()).min() else {
            return roots;
        };
        let ids_below = |all: &[Rc<Node>]| reachable(all, oldest).into_iter().map(|it| it.id());
        let mut below: FxHashSet<NodeId> = ids_below(nodes).collect();
        let mut added = FxHashSet::default();
        // The newest first: a root may be a derivative itself.
        for derivative in derivatives.iter().rev() {
            let is_below = living(&derivative.nodes).any(|node| below.contains(&node.id()));
            if is_below && added.insert(derivative.root.id()) {
                below.extend(ids_below(std::slice::from_ref(&derivative.root)));
                roots.push(Rc::clone(&derivative.root));
            }
        }
        roots
    }

    /// The numbers of a value, for a report.
    pub fn numbers(&self, value: &Value) -> Numbers {
        let outdated = self.find_outdated(value.nodes());
        let mut nodes = value.nodes().iter();
        Numbers {
            as_of: nodes.find_map(|node| outdated.get(&node.id()).cloned()),
            ..value.numbers()
        }
    }

    /// The note ``y is as of `x > 0`, which no longer holds: `y = f(a)` again``. `None` if the guards decide as before.
    fn outdated_value_note(&self, value: &GuardedValue, node: &Rc<Node>) -> Option<Note> {
        let guard = value.changed_guard(self)?;
        Some(Note::new(say!(
            "{:name} is as of {}, which no longer holds: {:typed} again",
            self.label(node),
            format!("`{}`", guard.decision(self)),
            &*value.decided.statement
        )))
    }

    /// The notes on outdated nodes, for an answer that does not mark them: a guard of one of these nodes, or of a node below
    /// them, has changed.
    pub fn outdated_notes(&self, nodes: &[Rc<Node>]) -> Vec<Note> {
        let outdated = self.find_outdated(nodes);
        let note = |it: &GuardedValue| {
            let mut living = it.living();
            self.outdated_value_note(it, &living.find(|node| outdated.contains_key(&node.id()))?)
        };
        if outdated.is_empty() {
            return Vec::new();
        }
        let notes = self.guards.values.iter().filter_map(note);
        notes.take(MOST_NOTES).collect()
    }

    /// The values with guards of which a node is one of these roots or below, each with that node.
    fn guarded_below(&self, roots: &[Rc<Node>]) -> Vec<(&GuardedValue, Rc<Node>)> {
        let all = self.guards.values.iter();
        let living = all.clone().flat_map(GuardedValue::living);
        let Some(oldest) = living.map(|node| node.id()).min() else {
            return Vec::new();
        };
        let reached = reachable(&self.with_roots_of_derivatives(roots), oldest);
        let below: FxHashSet<NodeId> = reached.iter().map(|node| node.id()).collect();
        let below_node = |it: &GuardedValue| it.living().find(|node| below.contains(&node.id()));
        all.filter_map(|it| Some((it, below_node(it)?))).collect()
    }

    /// Refuses roots with a guard below them that depends on one of these leaves, or on any leaf if none are given.
    pub fn check_guards(
        &self,
        roots: &[Rc<Node>],
        leaves: Option<&[Rc<Node>]>,
        span: Span,
    ) -> Result<(), Error> {
        for (value, node) in self.guarded_below(roots) {
            let reaches = |guard: &&Guard| {
                leaves.is_none_or(|all| all.iter().any(|leaf| depends_on(&guard.node, leaf)))
            };
            if let Some(guard) = value.decided.guards.iter().find(reaches) {
                let (name, typed) = (self.label(&node), guard.text(self));
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
