//! Says which values are outdated: a guard of theirs would decide differently now.
//!
//! If a leaf moves and changes a guard, a note says that the value was built for the old number. A search and an exported
//! program use a value for many numbers of a leaf, and therefore refuse a value with guards.
//!
//! A leaf that `:solve` has found follows others by its equations. It is outdated if one of these has moved. The graph
//! knows nothing of the equations, so a derivative for which it has no path is refused.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::naming::labels::{fraction, label_items};
use crate::state::Session;
use crate::uncertainty::{Solution, certain_grads};
use chainrule_engine::graph::structure::{depends_on, reachable};
use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_engine::ops::{self, Op};
use chainrule_language::{self as language, ItemKind, Property, Span, literal};
use chainrule_program::error::{Error, fail};
use chainrule_program::guards::{Guard, GuardKind, GuardedValue, WatchedLeaves, living};
use chainrule_program::run::guarded_number;
use chainrule_program::values::Value;
use chainrule_report::characters::shorten_end;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Note, Numbers, say};

/// The most notes about guards after a statement.
const MOST_NOTES: usize = 3;

/// The most characters of a decision in a function: its arguments may be long expressions.
const LONGEST_TEXT: usize = 60;

const CHOOSE: &Op = ops::row("if");

/// The outdated ones of some nodes, each with the decision that has changed.
pub type Outdated = FxHashMap<NodeId, Rc<str>>;

impl Session {
    /// Calls `build`. Also returns whether the number of one of these leaves has decided what was built.
    pub fn watch_leaves<T>(
        &mut self,
        leaves: &[&Rc<Node>],
        build: impl FnOnce(&mut Session) -> T,
    ) -> (T, bool) {
        let watched = WatchedLeaves {
            leaves: leaves.iter().map(|leaf| leaf.id()).collect(),
            newest: self.program.graph.last_id(),
            has_decided: false,
        };
        let before = std::mem::replace(&mut self.program.watched, watched);
        let built = build(self);
        let seen = std::mem::replace(&mut self.program.watched, before);
        (built, seen.has_decided)
    }

    /// The values with guards, and the leaves that `:solve` has found.
    fn guarded_values(&self) -> impl Iterator<Item = &GuardedValue> {
        let solutions = self.names.uncertain.solutions();
        let values = self.program.guards.values.iter();
        values.chain(solutions.map(|it| &it.value))
    }

    /// Finds the values with a guard that has changed, unless they are known.
    fn compare_guards(&self) {
        let (guards, clock) = (&self.program.guards, Some(self.program.graph.clock()));
        if guards.clock.replace(clock) == clock {
            return;
        }
        let mut outdated = BTreeMap::new();
        for value in self.guarded_values() {
            if let Some(guard) = changed_guard(value, self) {
                let decision = decision(guard, self);
                outdated.extend(value.living().map(|it| (it.id(), Rc::clone(&decision))));
            }
        }
        guards.outdated.replace(outdated);
    }

    /// The notes on values with a guard that has changed since the last statement.
    pub(crate) fn changed_guard_notes(&mut self) -> Vec<Note> {
        let clock = Some(self.program.graph.clock());
        let is_known = std::mem::replace(&mut self.program.guards.noted_at, clock) == clock;
        let mut notes = Vec::new();
        if is_known {
            return notes;
        }
        for value in self.guarded_values() {
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
        let mut values = std::mem::take(&mut self.program.guards.values);
        values.retain(|it| it.newest <= newest_before || changed_guard(it, self).is_none());
        self.program.guards.values = values;
        self.program.guards.compare_again();
    }

    /// The outdated ones of these nodes and of the nodes below them: those that a changed guard has decided, or that of a
    /// node below, and the derivatives of such nodes.
    pub fn find_outdated(&self, nodes: &[Rc<Node>]) -> Outdated {
        let mut outdated = Outdated::default();
        self.compare_guards();
        let decided = self.program.guards.outdated.borrow();
        let Some((&oldest, _)) = decided.first_key_value() else {
            return outdated;
        };
        let derivatives = self.program.guards.derivatives.iter();
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
        let derivatives = &self.program.guards.derivatives;
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
        let guard = changed_guard(value, self)?;
        Some(Note::new(say!(
            "{:name} is as of {}, which no longer holds: {:typed} again",
            self.label(node),
            format!("`{}`", decision(guard, self)),
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
        let notes = self.guarded_values().filter_map(note);
        notes.take(MOST_NOTES).collect()
    }

    /// The values with guards of which a node is one of these roots or below, each with that node.
    fn guarded_below(&self, roots: &[Rc<Node>]) -> Vec<(&GuardedValue, Rc<Node>)> {
        let all = self.program.guards.values.iter();
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
                let (name, typed) = (self.label(&node), text_of(guard, self));
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

    /// Refuses the derivative of a root by leaves if the graph has no path to one of them, but a leaf that `:solve` has
    /// found ties the root to it.
    pub fn check_ties(&self, root: &Rc<Node>, by: &[Rc<Node>], span: Span) -> Result<(), Error> {
        let uncertain = &self.names.uncertain;
        if uncertain.is_empty() {
            return Ok(());
        }
        let order = Order::below([root]);
        let has_no_path = |leaf: &&Rc<Node>| order.slot(leaf).is_none();
        let asked: FxHashSet<NodeId> = by.iter().filter(has_no_path).map(|it| it.id()).collect();
        let with_solution = |leaf: &Rc<Node>| Some((Rc::clone(leaf), uncertain.solution(leaf)?));
        let solved: Vec<_> = order.nodes().iter().filter_map(with_solution).collect();
        if asked.is_empty() || solved.is_empty() {
            return Ok(());
        }
        let slopes = self.slopes_along_equations(&order);
        for (found, solution) in solved {
            let is_current = changed_guard(&solution.value, self).is_none();
            let followed = solution.value.decided.guards.iter().map(|it| &it.node);
            for free in followed.filter(|it| asked.contains(&it.id())) {
                // Of a leaf that was found itself, only the derivatives by its sources are known.
                let is_source = uncertain.solution(free).is_none();
                let slope = slopes.get(&free.id()).copied();
                let known_slope = slope.or(is_source.then_some(0.0));
                if known_slope != Some(0.0) || !is_current {
                    let names = [root, &found, free].map(|it| self.label(it));
                    return Err(tie_error(self, solution, names, known_slope)
                        .at(span)
                        .into());
                }
            }
        }
        Ok(())
    }

    /// The derivatives of the root of an order by the sources of the leaves below it, along the equations.
    fn slopes_along_equations(&self, order: &Order) -> FxHashMap<NodeId, f64> {
        let sources = self.names.uncertain.sources(order.nodes());
        let ids = sources.list.iter().map(|source| source.leaf.id());
        ids.zip(sources.slopes(&certain_grads(order))).collect()
    }
}

/// The error for the derivative of a root by a free leaf that a found leaf follows.
fn tie_error(
    session: &Session,
    solution: &Solution,
    [root, found, free]: [String; 3],
    slope: Option<f64>,
) -> Diagnostic {
    let equations = &solution.equations;
    let moved = changed_guard(&solution.value, session);
    let at = moved.map_or_else(String::new, |it| format!(" at {}", decision(it, session)));
    let along = slope.map_or_else(String::new, |slope| {
        let number = literal(format!("{slope:.5e}").parse().unwrap_or(slope), false);
        format!(
            " along `{equations}`, {} = {number}{at};",
            fraction(&root, &free)
        )
    });
    let message = format!("`{found}` was solved for;{along} the graph has no path");
    let again = &solution.value.decided.statement;
    let help = format!("after `:set {free} …`, `{again}` moves it along");
    Diagnostic::new(message).help(help)
}

/// Whether the number has changed, so that it would decide differently.
fn has_changed(guard: &Guard, session: &Session) -> bool {
    let now = guarded_number(session, &guard.node, guard.kind);
    match guard.kind {
        GuardKind::Condition => (now != 0.0) != (guard.data != 0.0),
        _ => now.to_bits() != guard.data.to_bits(),
    }
}

/// What the number is of. The parameters of a function mean nothing to its callers, who see the arguments.
fn text_of(guard: &Guard, session: &Session) -> String {
    if let Some(typed) = &guard.typed {
        return typed.to_string();
    }
    let mut label = label_items(&session.names, &guard.node);
    if guard.kind == GuardKind::Sigma {
        label.push(ItemKind::Property(Property::Sigma).into());
    }
    shorten_end(&language::infix(&label), LONGEST_TEXT).into_owned()
}

/// The decision, as it was: `x > 0`, `not x > 0`, `k = 2`.
fn decision(guard: &Guard, session: &Session) -> Rc<str> {
    let text = text_of(guard, session);
    match guard.kind {
        GuardKind::Condition if guard.data != 0.0 => text.into(),
        GuardKind::Condition => format!("not {text}").into(),
        _ => format!("{text} = {}", guard.data).into(),
    }
}

/// The first guard that would decide differently now.
fn changed_guard<'v>(value: &'v GuardedValue, session: &Session) -> Option<&'v Guard> {
    let mut guards = value.decided.guards.iter();
    guards.find(|guard| has_changed(guard, session))
}
