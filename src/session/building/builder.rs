//! Builds the nodes of derivatives, simplified, with constants folded, and without duplicates (hash consing).
//!
//! Equal nodes are recognized by operation and operands, among those built here and those that existed before.
//! `derivative` decides what is built.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::session::Session;
use crate::session::error::{self, Error};
use chainrule_engine::graph::structure::{UsersBelow, reachable};
use chainrule_engine::graph::{Graph, Node, NodeId, Spelling, values};
use chainrule_engine::ops::algebra::Terms;
use chainrule_engine::ops::{self, Op};
use chainrule_language::Span;
use chainrule_stop as stop;

/// The most nodes one statement may create. Without a limit, thirty lines of functions that call each other twice would
/// fill any memory.
pub const STATEMENT_NODES: u32 = 10_000_000;

/// The most numbers one list may hold. The same number may stand in a list many times, so this is no limit on nodes: `w`
/// put together with itself thirty times would fill any memory.
pub const LIST_NUMBERS: usize = 10_000_000;

/// The most nodes one derivative may create, in addition to [`NODES_EACH`] for each node that exists.
/// Without a limit, `f` with forty primes would fill any memory.
pub(crate) const DERIVED_NODES: u32 = 1_000_000;

/// The approximate number of nodes in the first derivative of a node.
const NODES_EACH: u32 = 6;

/// The identity of a node, by which equal ones are found: the row and the ids of up to three operands, or the bits of a
/// number.
type Key = (u32, [NodeId; 3]);

/// Stands in the place of a row in the key of a number.
const NUMBER: u32 = u32::MAX;

/// Builds generated nodes. It knows the nodes at and below some roots, which it does not build again.
pub(crate) struct Builder<'g> {
    graph: &'g mut Graph,
    /// The oldest of equal nodes.
    known: FxHashMap<Key, Rc<Node>>,
    pub(super) below: UsersBelow,
    /// Whether a node below the roots belongs to a derivative.
    pub(super) has_derivatives: bool,
    /// Whether derivatives have textbook form: `1 - out^2`, which may lose digits that the other form keeps.
    pub(super) textbook: bool,
    span: Span,
    /// The newest node from before the statement, that from before this derivative, and the most nodes that it may
    /// create.
    started: NodeId,
    begun: NodeId,
    most: u32,
    /// Why the builder has stopped.
    stopped: Option<Error>,
    /// The first folded constant that was not finite although its operands were.
    fault: Option<Rc<Node>>,
}

/// The derivatives of a root by the nodes with these ids.
pub(super) type Grads = FxHashMap<NodeId, Rc<Node>>;

impl Session {
    /// A builder for a call at this place, which does not build again what is at and below `roots`.
    pub(crate) fn builder(&mut self, roots: &[Rc<Node>], span: Span) -> Builder<'_> {
        Builder::new(&mut self.graph, roots, self.running.started, span)
    }
}

impl Builder<'_> {
    /// A builder for a statement before which `started` was the newest node.
    fn new<'g>(
        graph: &'g mut Graph,
        roots: &[Rc<Node>],
        started: NodeId,
        span: Span,
    ) -> Builder<'g> {
        let below = UsersBelow::of(roots);
        let mut known = FxHashMap::default();
        for node in below.nodes() {
            // A `2.0` is kept apart from a `2`, because generated constants print without a point: the derivative of
            // `x^3 + 2.0` is `3*x^2`.
            if node.spelling() != Some(Spelling::Point)
                && let Some(key) = key_of(node, |operand| operand.id())
            {
                known.entry(key).or_insert_with(|| Rc::clone(node));
            }
        }
        // Nodes that existed before the statement may be differentiated, however many they are.
        let old = below.count_up_to(started) as u32;
        let linear = old.saturating_mul(NODES_EACH);
        Builder {
            has_derivatives: below.nodes().iter().any(|node| node.is_generated()),
            known,
            below,
            textbook: false,
            span,
            started,
            begun: graph.last_id(),
            most: DERIVED_NODES.saturating_add(linear).min(STATEMENT_NODES),
            graph,
            stopped: None,
            fault: None,
        }
    }

    /// The node itself if it is registered, else the oldest registered one with the same formula. Only a node that the
    /// statement itself has made is looked for by its formula: any other is known by its name.
    pub(crate) fn find_alike(&self, node: &Rc<Node>) -> Option<Rc<Node>> {
        let is_known = |node: &Rc<Node>| self.below.contains(node);
        if is_known(node) || node.id() <= self.started {
            return Some(Rc::clone(node)).filter(is_known);
        }
        let below = reachable(std::slice::from_ref(node), 0);
        let mut first: FxHashMap<Key, &Rc<Node>> = FxHashMap::default();
        let mut alike: FxHashMap<NodeId, &Rc<Node>> = FxHashMap::default();
        for node in self.below.nodes().iter().chain(&below) {
            let id = |operand: &Rc<Node>| alike[&operand.id()].id();
            let found = match key_of(node, id) {
                Some(key) => *first.entry(key).or_insert(node),
                None => node,
            };
            alike.entry(node.id()).or_insert(found);
        }
        let found = alike.get(&node.id()).copied();
        found.filter(|found| is_known(found)).map(Rc::clone)
    }

    /// Whether the builder has stopped. Its results are then useless.
    pub(crate) fn has_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Ends the construction: the error if it was stopped, else the folded constant at fault.
    pub(crate) fn finish(self) -> Result<Option<Rc<Node>>, Error> {
        self.stopped.map_or(Ok(self.fault), Err)
    }

    /// A predefined constant, by its name in textbook form.
    pub(super) fn named_constant(&mut self, name: &'static str) -> Rc<Node> {
        let value = ops::constant(name).expect("texts name no other constants");
        if self.textbook {
            return self.graph.constant(value, Spelling::Named(name));
        }
        self.constant(value)
    }

    /// Applies an operation without simplifying.
    pub(super) fn make(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let made = self.graph.last_id();
        let span = self.span;
        if made - self.begun >= self.most {
            self.stopped = Some(error::too_many_nodes(span, "derivative", self.most));
        } else if made - self.started >= STATEMENT_NODES {
            self.stopped = Some(error::too_many_nodes(span, "statement", STATEMENT_NODES));
        }
        stop::ask(made as usize);
        if self.stopped.is_some() {
            return Rc::clone(&operands[0]);
        }
        self.graph.apply(op, operands)
    }
}

impl Terms for Builder<'_> {
    type Term = Rc<Node>;

    fn number(&self, term: &Rc<Node>) -> Option<f64> {
        // In textbook form `pi` and `sqrt(2)` stay as they are.
        let is_symbol =
            || term.op().is_some() || matches!(term.spelling(), Some(Spelling::Named(_)));
        let is_number = !(term.varies() || self.textbook && is_symbol());
        is_number.then(|| term.data())
    }

    fn operation<'t>(&self, term: &'t Rc<Node>) -> Option<(&'static Op, &'t [Rc<Node>])> {
        Some((term.op()?, term.operands()))
    }

    fn are_one(&self, one: &Rc<Node>, other: &Rc<Node>) -> bool {
        Rc::ptr_eq(one, other)
    }

    fn constant(&mut self, value: f64) -> Rc<Node> {
        let key = number_key(value);
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let node = self.graph.constant(value, Spelling::Plain);
        self.known.insert(key, Rc::clone(&node));
        node
    }

    fn fold_constants(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let values = values(operands);
        let value = op.value(&values);
        if !value.is_finite() && self.fault.is_none() && values.iter().all(|x| x.is_finite()) {
            self.fault = Some(self.make(op, operands));
        }
        self.constant(value)
    }

    fn apply(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let key = key(op, operands, |operand| operand.id());
        if let Some(known) = key.and_then(|key| self.known.get(&key)) {
            return Rc::clone(known);
        }
        let node = self.make(op, operands);
        if self.stopped.is_none() {
            node.mark_generated();
            self.known.extend(key.map(|key| (key, Rc::clone(&node))));
        }
        node
    }
}

/// A node's key, with operands identified by `id`. A leaf has none, since it equals only itself.
fn key_of(node: &Node, id: impl Fn(&Rc<Node>) -> NodeId) -> Option<Key> {
    match node.op() {
        Some(op) => key(op, node.operands(), id),
        None if node.is_leaf() => None,
        None => Some(number_key(node.data())),
    }
}

fn key(op: &'static Op, operands: &[Rc<Node>], id: impl Fn(&Rc<Node>) -> NodeId) -> Option<Key> {
    let mut ids = [0; 3];
    if operands.len() > ids.len() {
        return None;
    }
    for (place, operand) in ids.iter_mut().zip(operands) {
        *place = id(operand);
    }
    if op.is_commutative() && ids[0] > ids[1] {
        ids.swap(0, 1);
    }
    Some((u32::from(op.row), ids))
}

fn number_key(value: f64) -> Key {
    let bits = value.to_bits();
    (NUMBER, [(bits >> 32) as u32, bits as u32, 0])
}
