//! Builds derivatives as nodes, `f'(3)` and `grad(L, a)`, from the derivative texts in the table of operations.
//!
//! The first derivative is built backwards from the root, like a pass, and follows the same two rules. An exact zero
//! absorbs infinity and NaN, because products are those of the operation `chain`. A node that is NaN passes no number
//! on. A contribution with a constant zero is left out. The value therefore equals that of `:grad`, even after `:set`,
//! with two exceptions: a node that `:set` makes NaN, and a length that becomes too large or too small for a number.
//!
//! If a large expression already contains a derivative, its derivative is built forwards, from the node to
//! differentiate by, and each node's derivative is kept. The orders then share subexpressions, and the number of nodes
//! grows like a power of the order. Backwards, each order would have three times as many nodes as the last.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::builder::{Builder, Grads, Purpose};
use super::local_derivatives::LocalDerivatives;
use crate::values::Value;
use chainrule_engine::graph::structure::{PathNode, reachable};
use chainrule_engine::graph::{Node, NodeId, is_at_fault};

/// With at most this many nodes between the root and the leaf, a derivative of a derivative goes backwards like any
/// other: then it reads as if made by hand.
const SMALL: usize = 8;

impl Builder<'_> {
    /// The derivatives of the sum of `roots`, for which the builder was made, with respect to several nodes, in one sweep
    /// from the roots.
    pub(crate) fn derivatives(&mut self, roots: &[Rc<Node>], by: &[Rc<Node>]) -> Vec<Rc<Node>> {
        let path = self.before.indexed.path(roots, by);
        if by.len() == 1 && path.len() > SMALL && path.iter().any(|it| it.node.is_generated()) {
            return self.higher_derivatives(roots, by, &mut Grads::default());
        }
        let mut grads = Grads::default();
        let one = self.constant(1.0);
        grads.extend(roots.iter().map(|root| (root.id(), Rc::clone(&one))));
        for PathNode {
            node,
            top,
            positions,
        } in path
        {
            let Some(upstream) = grads.get(&top).cloned() else {
                continue;
            };
            grads.insert(node.id(), Rc::clone(&upstream));
            if self.stopped.is_none()
                && let Some(mut locals) = LocalDerivatives::of(&node)
            {
                for position in positions {
                    let to = node.operands()[position].id();
                    self.contribute(&mut locals, position, &upstream, &mut grads, to);
                }
            }
        }
        self.grads_of(by, &grads)
    }

    /// The derivatives of an order of `roots`; the order 0 is `roots` themselves. Either `by` is one node, and so is the
    /// root, or no root depends on another node in `by` than the one in its place.
    pub(crate) fn derivatives_of_order(
        &mut self,
        order: u8,
        roots: &[Rc<Node>],
        by: &[Rc<Node>],
    ) -> Vec<Rc<Node>> {
        if order == 0 {
            return roots.to_vec();
        }
        let mut results = self.derivatives(roots, by);
        let mut slopes = Grads::default();
        for _ in 1..order {
            if self.stopped.is_none() {
                results = self.higher_derivatives(&results, by, &mut slopes);
            }
        }
        results
    }

    /// The derivative of each root with respect to the node in `by` on which it depends, built forwards: the derivative
    /// of each node follows from those of its operands. `slopes` keeps them for the next order.
    fn higher_derivatives(
        &mut self,
        roots: &[Rc<Node>],
        by: &[Rc<Node>],
        slopes: &mut Grads,
    ) -> Vec<Rc<Node>> {
        let one = self.constant(1.0);
        slopes.extend(by.iter().map(|node| (node.id(), Rc::clone(&one))));
        let path = self.before.indexed.path(roots, by);
        for step in path.iter().rev() {
            let node = &step.node;
            if self.stopped.is_none()
                && !slopes.contains_key(&node.id())
                && let Some(mut locals) = LocalDerivatives::of(node)
            {
                for position in &step.positions {
                    let operand = node.operands()[*position].id();
                    if let Some(below) = slopes.get(&operand).cloned() {
                        self.contribute(&mut locals, *position, &below, slopes, node.id());
                    }
                }
            }
        }
        self.grads_of(roots, slopes)
    }

    /// The derivatives that were found for these nodes, or 0.
    fn grads_of(&mut self, nodes: &[Rc<Node>], grads: &Grads) -> Vec<Rc<Node>> {
        let grad = |node: &Rc<Node>| grads.get(&node.id()).cloned();
        let found = |node| grad(node).unwrap_or_else(|| self.constant(0.0));
        nodes.iter().map(found).collect()
    }

    /// Adds a local derivative of a node, times a factor, to the derivative of `to`. Adds nothing if the product is
    /// always 0.
    fn contribute(
        &mut self,
        locals: &mut LocalDerivatives,
        position: usize,
        factor: &Rc<Node>,
        grads: &mut Grads,
        to: NodeId,
    ) {
        if self.number(factor) == Some(0.0) {
            return;
        }
        let mut local = self.local(locals, position);
        // The node is NaN. A local derivative that is exactly 0 absorbs the NaN, and an infinite one stays infinite.
        let passes = |number: &f64| *number == 0.0 || number.is_infinite();
        if self.purpose == Purpose::Numbers
            && let Some(number) = locals.numbers.get(position)
            && (locals.node.is_generated() || !passes(number))
        {
            local = self.unless_nan(&local, locals.node);
        }
        if self.number(&local) == Some(0.0) {
            return;
        }
        let contribution = self.chain_terms(&local, factor);
        let grad = match grads.remove(&to) {
            Some(grad) => self.sum(&grad, &contribution),
            None => contribution,
        };
        grads.insert(to, grad);
    }

    /// Copies of `roots` in which the nodes `news` replace `olds`. Nodes that depend on `olds` are rebuilt: simplified
    /// if they were generated or have become constant, and as typed if not.
    pub(crate) fn replace(
        &mut self,
        roots: &[Rc<Node>],
        olds: &[Rc<Node>],
        news: &[Rc<Node>],
    ) -> Vec<Rc<Node>> {
        let ids = olds.iter().map(|old| old.id());
        let oldest = ids.clone().min().unwrap_or(NodeId::MAX);
        let mut rebuilt_nodes: FxHashMap<NodeId, Rc<Node>> =
            ids.zip(news.iter().cloned()).collect();
        for node in reachable(roots, oldest) {
            let Some(op) = node.op() else { continue };
            let is_replaced = |operand: &Rc<Node>| rebuilt_nodes.contains_key(&operand.id());
            if self.stopped.is_some() || !node.operands().iter().any(is_replaced) {
                continue;
            }
            let new =
                |operand: &Rc<Node>| rebuilt_nodes.get(&operand.id()).unwrap_or(operand).clone();
            let operands: Vec<Rc<Node>> = node.operands().iter().map(new).collect();
            let is_constant = !operands.iter().any(|operand| operand.varies());
            let rebuilt = if let Some(carried) = node.carried() {
                self.carry(carried, operands)
            } else if is_constant || node.is_generated() {
                self.simplify(op, &operands)
            } else {
                self.make(op, &operands)
            };
            rebuilt_nodes.insert(node.id(), rebuilt);
        }
        let found = |root: &Rc<Node>| rebuilt_nodes.get(&root.id()).unwrap_or(root).clone();
        roots.iter().map(found).collect()
    }
}

/// Whether each number of `body` depends only on the number of `first` in its place, or `first` is one number.
pub fn goes_item_by_item(first: &Value, body: &Value) -> bool {
    let Value::List(first) = first else {
        return true;
    };
    let ids = first.nodes().iter().map(|node| node.id());
    let mut places: FxHashMap<NodeId, usize> = ids.zip(0..).collect();
    let oldest = places.keys().copied().min().unwrap_or(NodeId::MAX);
    for node in reachable(body.nodes(), oldest) {
        let below = node.operands().iter().map(|operand| operand.id());
        let mut found = below.filter_map(|id| places.get(&id).copied());
        let Some(place) = found.next() else { continue };
        if found.any(|other| other != place) {
            return false;
        }
        places.insert(node.id(), place);
    }
    let mut results = body.nodes().iter().map(|node| node.id()).zip(0..);
    body.shape() == first.shape()
        && results.all(|(id, place)| places.get(&id).is_none_or(|found| *found == place))
}

/// Whether a value holds all nodes of `others` by way of nodes newer than `newest_before`. A node that it does not hold
/// may be dropped while the value lives, and cannot be in its label.
pub(crate) fn uses_all(value: &Value, others: &[Value], newest_before: NodeId) -> bool {
    let newer = reachable(value.nodes(), newest_before + 1);
    let below = newer.iter().flat_map(|node| node.operands());
    let held: FxHashSet<NodeId> = below.chain(value.nodes()).map(|node| node.id()).collect();
    let mut wanted = others.iter().flat_map(Value::nodes);
    wanted.all(|node| held.contains(&node.id()))
}

/// The first node at fault below these, among those newer than `newest_before`.
pub(crate) fn first_at_fault(nodes: &[Rc<Node>], newest_before: NodeId) -> Option<Rc<Node>> {
    if nodes.iter().all(|node| node.data().is_finite()) {
        return None;
    }
    let mut newer = reachable(nodes, newest_before + 1).into_iter();
    newer.find(|node| is_at_fault(node))
}
