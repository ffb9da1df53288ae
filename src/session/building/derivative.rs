//! Symbolic differentiation: derivatives as nodes, built from the derivative texts of the rows.
//!
//! The first derivative goes backwards from the root, like a pass, and follows the same two rules: an exact zero
//! absorbs infinity and NaN, because products are those of the operation `chain`, and a node that is NaN passes no
//! number on. A contribution with a constant zero is left out. So the value equals that of `:grad`, even after `:set`,
//! unless a node becomes NaN, or a length too large or too small for a number, only then.
//!
//! The derivative of a large expression that contains a derivative goes forwards, from the node with respect to which
//! it differentiates, and keeps each node's derivative. The orders then share subexpressions, so that the number of
//! nodes grows like a power of the order; if it went backwards, each order would have three times as many.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::builder::{Builder, Grads};
use super::local_derivatives::LocalDerivatives;
use crate::session::Session;
use crate::session::error::Error;
use chainrule_engine::graph::structure::{between, reachable};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language::Span;

/// With at most this many nodes between what is differentiated and the leaf, a derivative of a derivative goes
/// backwards like any other: it then reads as if made by hand.
const SMALL: usize = 8;

impl Session {
    /// The derivatives of `root` with respect to each of these nodes, as nodes: exact, and 0 if `root` does not depend on
    /// it. They share what they have in common: all of them cost little more than one. Changes neither names nor passes.
    pub fn derivatives(
        &mut self,
        root: &Rc<Node>,
        by: &[Rc<Node>],
    ) -> Result<Vec<Rc<Node>>, Error> {
        self.build_derivatives(root, |builder| builder.derivatives(root, by))
    }

    /// The derivatives from the texts that people learn, by plain sums and products: they may lose digits.
    pub(crate) fn textbook_derivatives(
        &mut self,
        root: &Rc<Node>,
        by: &[Rc<Node>],
    ) -> Result<Vec<Rc<Node>>, Error> {
        self.build_derivatives(root, |builder| {
            builder.textbook = true;
            builder.sweep(root, by)
        })
    }

    fn build_derivatives(
        &mut self,
        root: &Rc<Node>,
        build: impl FnOnce(&mut Builder) -> Vec<Rc<Node>>,
    ) -> Result<Vec<Rc<Node>>, Error> {
        self.running.started = self.graph.last_id();
        let mut builder = self.builder(std::slice::from_ref(root), Span::default());
        let derivatives = build(&mut builder);
        builder.finish()?;
        Ok(derivatives)
    }
}

impl Builder<'_> {
    /// The derivatives of `root`, for which the builder was made, with respect to several nodes, in one sweep from the
    /// root.
    pub(crate) fn derivatives(&mut self, root: &Rc<Node>, by: &[Rc<Node>]) -> Vec<Rc<Node>> {
        if let (true, [only]) = (self.has_derivatives, by) {
            let path = self.below.nodes_down_to(by);
            if path.len() > SMALL && path.iter().any(|node| node.is_generated()) {
                return vec![self.higher_derivative(root, only, &mut Grads::default())];
            }
        }
        self.sweep(root, by)
    }

    /// One sweep from the root down to `by`.
    fn sweep(&mut self, root: &Rc<Node>, by: &[Rc<Node>]) -> Vec<Rc<Node>> {
        let path = self.below.nodes_down_to(by);
        let open: FxHashSet<NodeId> = path.iter().map(|node| node.id()).collect();
        let mut grads = Grads::default();
        let one = self.constant(1.0);
        grads.insert(root.id(), one);
        for node in path.iter().rev() {
            let Some(upstream) = grads.get(&node.id()).cloned() else {
                continue;
            };
            if self.has_stopped() {
                break;
            }
            let mut turn = LocalDerivatives::of(node);
            for (position, operand) in node.operands().iter().enumerate() {
                if open.contains(&operand.id()) {
                    self.contribute(&mut turn, position, &upstream, &mut grads, operand.id());
                }
            }
        }
        self.grads_of(by, &grads)
    }

    /// The derivative of `root` with respect to `by`, forwards: each node's from those of its operands, memoized in
    /// `slopes`.
    pub(crate) fn higher_derivative(
        &mut self,
        root: &Rc<Node>,
        by: &Rc<Node>,
        slopes: &mut Grads,
    ) -> Rc<Node> {
        let one = self.constant(1.0);
        slopes.insert(by.id(), one);
        for node in between(root, std::slice::from_ref(by)) {
            if slopes.contains_key(&node.id()) || self.has_stopped() {
                continue;
            }
            let mut turn = LocalDerivatives::of(&node);
            for (position, operand) in node.operands().iter().enumerate() {
                if let Some(below) = slopes.get(&operand.id()).cloned() {
                    self.contribute(&mut turn, position, &below, slopes, node.id());
                }
            }
        }
        self.grads_of(std::slice::from_ref(root), slopes).remove(0)
    }

    /// The derivatives that were found for these nodes: 0 where there is none.
    fn grads_of(&mut self, nodes: &[Rc<Node>], grads: &Grads) -> Vec<Rc<Node>> {
        let grad = |node: &Rc<Node>| grads.get(&node.id()).cloned();
        let found = nodes
            .iter()
            .map(|node| grad(node).unwrap_or_else(|| self.constant(0.0)));
        found.collect()
    }

    /// Adds a local derivative of a node, times a factor, to the derivative of `to`, unless that is always 0.
    fn contribute(
        &mut self,
        turn: &mut LocalDerivatives,
        position: usize,
        factor: &Rc<Node>,
        grads: &mut Grads,
        to: NodeId,
    ) {
        if self.number(factor) == Some(0.0) {
            return;
        }
        let mut local = self.local(turn, position);
        // An exact zero absorbs the NaN, and what has become infinite at the node itself stays so.
        let passes = |number: &f64| *number == 0.0 || number.is_infinite();
        if let Some(number) = turn.numbers.get(position)
            && !self.textbook
            && (turn.node.is_generated() || !passes(number))
        {
            local = self.unless_nan(&local, turn.node);
        }
        if self.number(&local) == Some(0.0) {
            return;
        }
        let contribution = if self.textbook {
            self.multiply(&local, factor)
        } else {
            self.chain_terms(&local, factor)
        };
        let grad = match grads.remove(&to) {
            Some(grad) => self.sum(&grad, &contribution),
            None => contribution,
        };
        grads.insert(to, grad);
    }

    /// Copies of nodes in which some nodes are replaced by others. Nodes that depend on them are built anew. They are
    /// simplified if they were generated or have become constant, else kept as typed.
    pub(crate) fn replace(
        &mut self,
        roots: &[Rc<Node>],
        olds: &[Rc<Node>],
        news: &[Rc<Node>],
    ) -> Vec<Rc<Node>> {
        let olds = olds.iter().map(|old| old.id());
        let oldest = olds.clone().min().unwrap_or(NodeId::MAX);
        let mut anew: FxHashMap<NodeId, Rc<Node>> = olds.zip(news.iter().cloned()).collect();
        for node in reachable(roots, oldest) {
            let Some(op) = node.op() else { continue };
            let changed = |operand: &Rc<Node>| anew.contains_key(&operand.id());
            if self.has_stopped() || !node.operands().iter().any(changed) {
                continue;
            }
            let new = |operand: &Rc<Node>| anew.get(&operand.id()).unwrap_or(operand).clone();
            let operands: Vec<Rc<Node>> = node.operands().iter().map(new).collect();
            let constant = !operands.iter().any(|operand| operand.varies());
            let made = if constant || node.is_generated() {
                self.simplify(op, &operands)
            } else {
                self.make(op, &operands)
            };
            anew.insert(node.id(), made);
        }
        let found = |root: &Rc<Node>| anew.get(&root.id()).unwrap_or(root).clone();
        roots.iter().map(found).collect()
    }
}
