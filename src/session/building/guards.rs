//! Guards: the numbers that decided what an expression built, as a condition, as a position, as an end of a range, or as a
//! `.sigma`, in the path that it took. At other numbers it would have built other nodes.
//!
//! The machine notes what it reads. A value keeps its guards: when a leaf moves so that one of them changes, a note says
//! that the value is still what was built before. What builds something once for many numbers of a leaf, such as a search
//! or an exported program, asks first.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::values::Value;
use chainrule_engine::graph::structure::{depends_on, reachable};
use chainrule_engine::graph::{Node, NodeId, Spelling};
use chainrule_engine::ops;
use chainrule_language::Span;
use chainrule_report::{Note, say};
use rustc_hash::FxHashSet;

/// The most notes about guards after a statement.
const MOST_NOTES: usize = 3;

/// How a number decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GuardKind {
    /// Whether it is 0.
    Condition,
    /// A position, or an end of a range.
    Position,
    /// A `±` that is read by `.sigma`.
    Sigma,
    /// A number that is read by `.data`, which no value keeps as a guard: it is meant to be a constant.
    Data,
}

/// A number that decided what was built.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(super) node: Rc<Node>,
    /// What it was.
    pub(super) data: f64,
    pub(super) kind: GuardKind,
    /// How it was typed, and in which function.
    pub(super) typed: Rc<str>,
    pub(super) function: Option<Rc<str>>,
}

impl Guard {
    /// Whether it would decide otherwise now.
    fn has_changed(&self, session: &Session) -> bool {
        let now = session.guarded_number(&self.node, self.kind);
        match self.kind {
            GuardKind::Condition => (now != 0.0) != (self.data != 0.0),
            _ => now.to_bits() != self.data.to_bits(),
        }
    }

    /// `` `x > 0` ``, `` `x > 0` did not hold ``, `` `k` was 2 ``
    fn condition(&self) -> String {
        let typed = &self.typed;
        match self.kind {
            GuardKind::Condition if self.data != 0.0 => format!("`{typed}`"),
            GuardKind::Condition => format!("`{typed}` did not hold"),
            _ => format!("`{typed}` was {}", self.data),
        }
    }
}

/// A value with guards.
#[derive(Debug)]
struct GuardedValue {
    nodes: Vec<Weak<Node>>,
    guards: Rc<[Guard]>,
    /// The statement that built it.
    statement: Rc<str>,
    /// Whether a guard has changed, and a note has said so.
    is_stale: Cell<bool>,
    /// The newest node when it was built.
    newest: NodeId,
}

/// The values with guards, and the guards of what was built last.
#[derive(Debug, Default)]
pub(crate) struct GuardedValues {
    values: Vec<GuardedValue>,
    /// The list is tidied when it is this long.
    tidy_at: usize,
    /// Leaves that are made of what was built last get these guards, with the statement that built it.
    pub(super) last: Option<(Rc<[Guard]>, Rc<str>)>,
    /// When the guards were compared last; none if they are to be compared again.
    clock: Option<u64>,
}

/// The leaves of which somebody wants to know whether the number of one decides.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchedLeaves {
    pub(super) leaves: Vec<NodeId>,
    /// The newest node before anything is built. Newer leaves may stand for arguments, where a derivative is called.
    newest: NodeId,
    decide: bool,
}

impl GuardedValues {
    /// Lets the guards be compared after this statement, because an uncertainty has changed.
    pub(crate) fn compare_again(&mut self) {
        self.clock = None;
    }

    /// Forgets what was built after this node, whose number is taken back.
    pub(crate) fn rewind(&mut self, made: NodeId) {
        while self.values.pop_if(|last| last.newest > made).is_some() {}
        self.last = None;
    }
}

impl Session {
    /// What decides, of a node.
    pub(super) fn guarded_number(&self, node: &Rc<Node>, kind: GuardKind) -> f64 {
        match kind {
            GuardKind::Sigma => self.names.uncertain.node_deviation(node),
            _ => node.data(),
        }
    }

    /// Builds something, and tells whether the number of one of these leaves decided what was built, or decided it for a
    /// value in it.
    pub fn watch_leaves<T>(
        &mut self,
        leaves: &[&Rc<Node>],
        build: impl FnOnce(&mut Session) -> T,
    ) -> (T, bool) {
        let watched = WatchedLeaves {
            leaves: leaves.iter().map(|leaf| leaf.id()).collect(),
            newest: self.graph.last_id(),
            decide: false,
        };
        let before = std::mem::replace(&mut self.running.watched, watched);
        let built = build(self);
        let watched = std::mem::replace(&mut self.running.watched, before);
        (built, watched.decide)
    }

    /// Keeps what an expression has read as the guards of its value, in which nodes above `made` are new.
    /// The expression is typed at `place`. An older node in it, as an argument that a function gives back, becomes a
    /// node of its own, since the older one has no guards.
    pub(super) fn guard_value(
        &mut self,
        value: Option<Value>,
        read: Vec<Guard>,
        made: NodeId,
        place: (&str, Span),
    ) -> Option<Value> {
        if !self.running.watched.leaves.is_empty() {
            let roots: Vec<Rc<Node>> = read.iter().map(|guard| Rc::clone(&guard.node)).collect();
            let watched = &mut self.running.watched;
            let oldest = watched.leaves.iter().min().copied().unwrap_or_default();
            watched.decide |= reachable(&roots, oldest).iter().any(|node| {
                let is_newer = node.is_leaf() && node.id() > watched.newest;
                is_newer || watched.leaves.contains(&node.id())
            });
        }
        let guards = read
            .into_iter()
            .filter(|guard| guard.kind != GuardKind::Data);
        let guards: Rc<[Guard]> = guards.collect();
        self.guards.last = None;
        if guards.is_empty() {
            return value;
        }
        let statement = statement_around(place.0, place.1);
        self.guards.last = Some((Rc::clone(&guards), Rc::clone(&statement)));
        let is_older = |node: &Rc<Node>| node.varies() && node.id() <= made;
        let mut value = value?;
        if value.nodes().iter().any(is_older) {
            value = value.map_nodes(|node| {
                if !is_older(node) {
                    return Rc::clone(node);
                }
                let one = self.graph.constant(1.0, Spelling::Plain);
                let product = const { ops::row("multiplication") };
                self.graph.apply_2(product, one, Rc::clone(node))
            });
            if let Value::List(list) = &value {
                // In Python it is the older list.
                list.is_item.set(true);
            }
        }
        let new = value.nodes().iter().filter(|node| node.varies());
        let new: Vec<Weak<Node>> = new.map(Rc::downgrade).collect();
        self.add_guarded(new, guards, statement);
        Some(value)
    }

    /// Lets leaves that were made of the value that was built last have its guards.
    pub(super) fn guard_leaves(&mut self, value: &Value) {
        if let Some((guards, statement)) = self.guards.last.take() {
            let leaves = value.nodes().iter().filter(|node| node.is_leaf());
            self.add_guarded(leaves.map(Rc::downgrade).collect(), guards, statement);
        }
    }

    fn add_guarded(&mut self, nodes: Vec<Weak<Node>>, guards: Rc<[Guard]>, statement: Rc<str>) {
        if nodes.is_empty() {
            return;
        }
        let guarded = &mut self.guards;
        if guarded.values.len() >= guarded.tidy_at {
            let is_alive =
                |value: &GuardedValue| value.nodes.iter().any(|it| it.strong_count() > 0);
            guarded.values.retain(is_alive);
            guarded.tidy_at = 2 * guarded.values.len() + 16;
        }
        guarded.values.push(GuardedValue {
            nodes,
            guards,
            statement,
            is_stale: Cell::new(false),
            newest: self.graph.last_id(),
        });
    }

    /// The notes on values of which a guard has changed since the last statement.
    pub(crate) fn changed_guard_notes(&mut self) -> Vec<Note> {
        let clock = Some(self.graph.clock());
        if self.guards.values.is_empty() || self.guards.clock == clock {
            return Vec::new();
        }
        self.guards.clock = clock;
        let mut notes = Vec::new();
        for value in &self.guards.values {
            let changed = value.guards.iter().find(|guard| guard.has_changed(self));
            let was_stale = value.is_stale.replace(changed.is_some());
            if let Some(guard) = changed.filter(|_| !was_stale)
                && notes.len() < MOST_NOTES
            {
                notes.extend(self.stale_value_note(value, guard));
            }
        }
        notes
    }

    /// ``y is still what `f` gave where `x > 0`: `y = f(a)` again``
    fn stale_value_note(&self, value: &GuardedValue, guard: &Guard) -> Option<Note> {
        let node = value.nodes.iter().find_map(Weak::upgrade)?;
        let function = guard.function.as_ref();
        let by = function.map_or("it".to_string(), |name| format!("`{name}`"));
        Some(Note::new(say!(
            "{:name} is still what {} gave where {}: {:typed} again",
            self.label(&node),
            by,
            guard.condition(),
            &*value.statement
        )))
    }

    /// The notes that some of these nodes are stale: a guard of them, or of a node below them, has changed.
    pub fn stale_guard_notes(&self, nodes: &[Rc<Node>]) -> Vec<Note> {
        let stale = self.guards.values.iter().filter(|it| it.is_stale.get());
        let stale: Vec<&GuardedValue> = stale.collect();
        let living = |value: &GuardedValue| -> Vec<Rc<Node>> {
            value.nodes.iter().filter_map(Weak::upgrade).collect()
        };
        let oldest = stale.iter().flat_map(|it| living(it)).map(|node| node.id());
        let Some(oldest) = oldest.min() else {
            return Vec::new();
        };
        let below: FxHashSet<NodeId> = (reachable(nodes, oldest).iter())
            .map(|node| node.id())
            .collect();
        let is_below = |it: &&&GuardedValue| living(it).iter().any(|it| below.contains(&it.id()));
        let note = |it: &&GuardedValue| {
            let guard = it.guards.iter().find(|guard| guard.has_changed(self))?;
            self.stale_value_note(it, guard)
        };
        let notes = stale.iter().filter(is_below).filter_map(note);
        notes.take(MOST_NOTES).collect()
    }

    /// Refuses roots with a guard below them that one of these leaves reaches, or any leaf if none are given.
    pub fn check_guards(
        &self,
        roots: &[Rc<Node>],
        leaves: Option<&[Rc<Node>]>,
        span: Span,
    ) -> Result<(), Error> {
        let nodes = self.guards.values.iter().flat_map(|value| &value.nodes);
        let ids = nodes.filter_map(Weak::upgrade).map(|node| node.id());
        let Some(oldest) = ids.min() else {
            return Ok(());
        };
        let below = reachable(roots, oldest);
        for value in &self.guards.values {
            let mut nodes = value.nodes.iter().filter_map(Weak::upgrade);
            let found = nodes.find(|node| below.iter().any(|known| Rc::ptr_eq(known, node)));
            let Some(node) = found else { continue };
            let reaches = |guard: &&Guard| {
                leaves.is_none_or(|leaves| leaves.iter().any(|leaf| depends_on(&guard.node, leaf)))
            };
            if let Some(guard) = value.guards.iter().find(reaches) {
                let name = self.label(&node);
                let message = format!(
                    "what `{name}` computes is decided by `{}`, which may change",
                    guard.typed
                );
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

/// The statement of a text around a place: what stands between line ends and `;`.
fn statement_around(text: &str, place: Span) -> Rc<str> {
    let (before, after) = (&text[..place.start as usize], &text[place.end as usize..]);
    let begin = before.rfind(['\n', ';']).map_or(0, |at| at + 1);
    let end = after.find(['\n', ';']).unwrap_or(after.len());
    text[begin..place.end as usize + end].trim().into()
}
