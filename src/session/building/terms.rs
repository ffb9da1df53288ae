//! Nodes that are made by rule instead of typed: simplified, and each made only once.
//!
//! Equal nodes are found by operation and operands, among those made here and those that were there before. Constants
//! are folded. Which nodes can be infinite or NaN is known of each, so that products of the chain rule can be plain
//! ones where that is safe. What is to be made is not known here.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::structure::reachable;
use crate::graph::{Graph, Node, NodeId, Spelling};
use crate::ops::Op;
use crate::ops::algebra::Terms;
use crate::session::Session;
use crate::session::error::Error;
use crate::session::host::Host;
use crate::syntax::Span;

/// The most nodes one statement may make: without it, thirty lines of functions that call each other twice fill any
/// memory.
pub const STATEMENT_NODES: u32 = 10_000_000;

/// The most nodes a statement may make for derivatives, beside [`NODES_EACH`] for each node it found: without it, `f`
/// with forty primes fills any memory.
pub(crate) const DERIVED_NODES: u32 = 1_000_000;

/// About how many nodes the first derivative of a node takes.
const NODES_EACH: u32 = 6;

/// How many nodes are made between two questions whether to stop.
const NODES_PER_QUESTION: u32 = 1 << 14;

/// What a node is, so that an equal one is found: the row and up to three operands, or the bits of a number.
type Key = (u32, [NodeId; 3]);

const NUMBER: u32 = u32::MAX;

/// Makes nodes.
pub(crate) struct Builder<'s> {
    graph: &'s mut Graph,
    host: &'s dyn Host,
    known: FxHashMap<Key, Rc<Node>>,
    wild: FxHashSet<NodeId>,
    /// What was there before, oldest first.
    learnt: Vec<Rc<Node>>,
    /// The nodes that were made by rule, here and before: they may be simplified further, others are as they were typed.
    pub ruled: FxHashSet<NodeId>,
    /// The last node before the statement.
    started: NodeId,
    /// The most nodes the statement may make.
    most: u32,
    stopped: Option<BuildLimit>,
    /// The first node that was NaN or infinite although its operands were finite numbers, before it was folded.
    fault: Option<Rc<Node>>,
}

/// Why no more is made.
#[derive(Clone, Copy)]
enum BuildLimit {
    Full,
    Interrupted,
}

impl Session {
    /// A builder for a statement that began after the node numbered `started`.
    pub(crate) fn builder(&mut self, started: NodeId) -> Builder<'_> {
        Builder {
            graph: &mut self.graph,
            host: &*self.host,
            known: FxHashMap::default(),
            wild: FxHashSet::default(),
            learnt: Vec::new(),
            ruled: FxHashSet::default(),
            started,
            most: DERIVED_NODES,
            stopped: None,
            fault: None,
        }
    }
}

impl Builder<'_> {
    /// Learns the nodes at and below `root`, so that equal ones are not made again.
    pub(crate) fn learn(&mut self, root: &Rc<Node>) {
        let mut nodes = reachable(root, 0);
        // A node is wild by its operands: those come first. Of equal nodes the oldest is taken.
        nodes.sort_unstable_by_key(|node| node.id());
        for node in &nodes {
            // A `2.0` is only what was typed: by rule `x^3 + 2.0` has the derivative `3*x^2`.
            if node.spelling() != Some(Spelling::Point)
                && let Some(key) = key_of(node, |operand| operand.id())
            {
                self.known.entry(key).or_insert_with(|| Rc::clone(node));
            }
            self.judge(node);
        }
        // What was there already may be differentiated, however large it is.
        let old = nodes.partition_point(|node| node.id() <= self.started);
        let linear = (old as u32).saturating_mul(NODES_EACH);
        self.most = DERIVED_NODES.saturating_add(linear).min(STATEMENT_NODES);
        self.learnt = nodes;
    }

    /// Keeps in mind whether a node can be infinite or NaN.
    fn judge(&mut self, node: &Node) {
        let operands = node.operands();
        let wild = !node.data().is_finite()
            || node.op().is_some_and(|op| {
                !op.tames()
                    && (operands
                        .iter()
                        .any(|operand| self.wild.contains(&operand.id()))
                        || node.varies() && op.breaks(&known(operands)))
            });
        if wild {
            self.wild.insert(node.id());
        }
    }

    /// The oldest of the learnt nodes that is equal to this one, or itself if it is one of them.
    pub(crate) fn alike(&self, node: &Rc<Node>) -> Option<Rc<Node>> {
        let is_learnt = |node: &Rc<Node>| {
            let place = self
                .learnt
                .binary_search_by_key(&node.id(), |learnt| learnt.id());
            place.is_ok()
        };
        if is_learnt(node) {
            return Some(Rc::clone(node));
        }
        let mut below = reachable(node, 0);
        below.sort_unstable_by_key(|node| node.id());
        let mut first: FxHashMap<Key, &Rc<Node>> = FxHashMap::default();
        let mut alike: FxHashMap<NodeId, &Rc<Node>> = FxHashMap::default();
        for node in self.learnt.iter().chain(&below) {
            let id = |operand: &Rc<Node>| alike[&operand.id()].id();
            let found = match key_of(node, id) {
                Some(key) => *first.entry(key).or_insert(node),
                None => node,
            };
            alike.entry(node.id()).or_insert(found);
        }
        let found = alike.get(&node.id()).copied();
        found.filter(|found| is_learnt(found)).map(Rc::clone)
    }

    /// Nothing more is made, and what came out is of no use.
    pub(crate) fn has_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Why it stopped, if it did; else the node at fault, if constants were folded on the way.
    pub(crate) fn finish(self, span: Span) -> Result<Option<Rc<Node>>, Error> {
        match self.stopped {
            Some(BuildLimit::Full) => Err(Error::TooManyNodes {
                span,
                most: ("derivative", self.most),
            }),
            Some(BuildLimit::Interrupted) => Err(Error::Interrupted),
            None => Ok(self.fault),
        }
    }

    fn make(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let made = self.graph.made();
        if made - self.started >= self.most {
            self.stopped = Some(BuildLimit::Full);
        } else if made.is_multiple_of(NODES_PER_QUESTION) && self.host.stop() {
            self.stopped = Some(BuildLimit::Interrupted);
        }
        if self.stopped.is_some() {
            return Rc::clone(&operands[0]);
        }
        let mut stack = operands.to_vec();
        self.graph.apply(op, &mut stack, operands.len())
    }

    /// The operation on these operands as it was typed.
    pub(crate) fn verbatim(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let node = self.make(op, operands);
        self.judge(&node);
        node
    }
}

impl Terms for Builder<'_> {
    type Term = Rc<Node>;

    fn number(&self, term: &Rc<Node>) -> Option<f64> {
        (!term.varies()).then(|| term.data())
    }

    fn made_of<'t>(&self, term: &'t Rc<Node>) -> Option<(&'static Op, &'t [Rc<Node>])> {
        Some((term.op()?, term.operands()))
    }

    fn are_one(&self, one: &Rc<Node>, other: &Rc<Node>) -> bool {
        Rc::ptr_eq(one, other)
    }

    fn is_wild(&self, term: &Rc<Node>) -> bool {
        self.wild.contains(&term.id())
    }

    fn constant(&mut self, value: f64) -> Rc<Node> {
        let key = number_key(value);
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let node = self.graph.constant(value, Spelling::Plain);
        self.judge(&node);
        self.known.insert(key, Rc::clone(&node));
        node
    }

    fn folded(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let values: Vec<f64> = operands.iter().map(|operand| operand.data()).collect();
        let value = op.value(&values);
        if !value.is_finite() && self.fault.is_none() && values.iter().all(|x| x.is_finite()) {
            self.fault = Some(self.make(op, operands));
        }
        self.constant(value)
    }

    fn applied(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let key = key(op, operands, |operand| operand.id());
        if let Some(known) = key.and_then(|key| self.known.get(&key)) {
            return Rc::clone(known);
        }
        let node = self.make(op, operands);
        if self.stopped.is_none() {
            self.judge(&node);
            self.ruled.insert(node.id());
            self.known.extend(key.map(|key| (key, Rc::clone(&node))));
        }
        node
    }
}

/// The numbers of those operands that are constant.
fn known(operands: &[Rc<Node>]) -> Vec<Option<f64>> {
    let number = |operand: &Rc<Node>| (!operand.varies()).then(|| operand.data());
    operands.iter().map(number).collect()
}

/// What a node is, operands being told apart by `id`. A leaf is only itself.
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
    if op.commutes() && ids[0] > ids[1] {
        ids.swap(0, 1);
    }
    Some((op.index() as u32, ids))
}

fn number_key(value: f64) -> Key {
    let bits = value.to_bits();
    (NUMBER, [(bits >> 32) as u32, bits as u32, 0])
}
