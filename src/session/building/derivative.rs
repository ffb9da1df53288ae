//! Symbolic differentiation: derivatives as nodes, built from the derivative texts of the rows.
//!
//! The first derivative goes backwards from the root, like a pass, and follows the same two rules: an exact zero
//! absorbs infinity and NaN, because products are those of the operation `chain`, and a node that is NaN passes no
//! number on. A contribution with a constant zero is left out. So the value equals that of `:grad`, also after `:set`,
//! unless a node becomes NaN only then.
//!
//! The derivative of something large that contains a derivative goes forwards, from what one differentiates by, and
//! memoizes each node's derivative. The orders then share subexpressions, so their number grows like a power of the
//! order; backwards it would be three times as many in each order.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::terms::{Builder, Grads};
use crate::graph::structure::{between, reachable};
use crate::graph::{Node, NodeId};
use crate::ops::algebra::{self, Terms};
use crate::session::Session;
use crate::session::error::Error;
use crate::syntax::Span;

/// Up to so many nodes between what is differentiated and the leaf, a derivative of a derivative goes backwards like any
/// other: it then reads as if made by hand.
const SMALL: usize = 8;

impl Session {
    /// The derivative of `root` with respect to `by`, which may be any node, as a node: exact, and 0 if `root` does not
    /// depend on `by`. Changes neither names nor passes.
    pub fn derivative(&mut self, root: &Rc<Node>, by: &Rc<Node>) -> Result<Rc<Node>, Error> {
        let mut derivatives = self.derivatives(root, std::slice::from_ref(by))?;
        Ok(derivatives.pop().expect("there is one for each node"))
    }

    /// The derivatives of `root` with respect to each of these nodes, which share what they have in common: all of them
    /// cost little more than one.
    pub fn derivatives(
        &mut self,
        root: &Rc<Node>,
        by: &[Rc<Node>],
    ) -> Result<Vec<Rc<Node>>, Error> {
        self.built(root, |builder| builder.derivatives(root, by))
    }

    /// The same from the texts that people learn, by plain sums and products: they may lose digits.
    pub(crate) fn learned_derivatives(
        &mut self,
        root: &Rc<Node>,
        by: &[Rc<Node>],
    ) -> Result<Vec<Rc<Node>>, Error> {
        self.built(root, |builder| {
            builder.swept(root, by, &mut Grads::default(), true)
        })
    }

    fn built(
        &mut self,
        root: &Rc<Node>,
        build: impl FnOnce(&mut Builder) -> Vec<Rc<Node>>,
    ) -> Result<Vec<Rc<Node>>, Error> {
        self.started = self.graph.made();
        let mut builder = self.builder(std::slice::from_ref(root), Span::default());
        let derivatives = build(&mut builder);
        match builder.finish() {
            Ok(_) => Ok(derivatives),
            Err(error) => {
                drop(derivatives);
                self.rewind(self.started);
                Err(error)
            }
        }
    }
}

impl Builder<'_> {
    /// The derivatives of `root`, of which the builder must have learnt, with respect to several nodes, in one sweep
    /// from the root.
    pub(crate) fn derivatives(&mut self, root: &Rc<Node>, by: &[Rc<Node>]) -> Vec<Rc<Node>> {
        let has_derivatives = self.learnt.has_derivatives;
        if let (true, [only]) = (has_derivatives, by) {
            let path = self.learnt.below.on_the_way_to(by, |_| false);
            if path.len() > SMALL && path.iter().any(|node| node.is_generated()) {
                return vec![self.derivative_again(root, only, &mut Grads::default())];
            }
        }
        if has_derivatives || !self.learnt.is_of(root) {
            return self.swept(root, by, &mut Grads::default(), false);
        }
        let mut grads = std::mem::take(&mut self.learnt.grads);
        let derivatives = self.swept(root, by, &mut grads, false);
        self.learnt.grads = grads;
        derivatives
    }

    /// One sweep from the root, or from the nodes whose derivatives are known, down to `by`; if `learned`, with the
    /// texts that people learn. All users of a node on the way are on the way too, so what a sweep finds for a node is
    /// all of its derivative, whatever the sweep is for.
    fn swept(
        &mut self,
        root: &Rc<Node>,
        by: &[Rc<Node>],
        known: &mut Grads,
        learned: bool,
    ) -> Vec<Rc<Node>> {
        let below = &self.learnt.below;
        let path = below.on_the_way_to(by, |id| known.contains_key(&id));
        let mut open: FxHashSet<NodeId> = path.iter().map(|node| node.id()).collect();
        open.retain(|id| !known.contains_key(id));
        let mut grads = Grads::default();
        let one = self.constant(1.0);
        grads.insert(root.id(), one);
        for node in path.iter().rev() {
            let known_grad = known.get(&node.id()).cloned();
            let Some(upstream) = known_grad.or_else(|| grads.remove(&node.id())) else {
                continue;
            };
            let numbers = if learned { Vec::new() } else { numbers(node) };
            for (position, operand) in node.operands().iter().enumerate() {
                if !open.contains(&operand.id()) {
                    continue;
                }
                let contribution = self.contribution(node, position, &numbers, &upstream, learned);
                let Some(contribution) = contribution else {
                    continue;
                };
                let grad = match grads.remove(&operand.id()) {
                    Some(grad) => algebra::sum(self, &grad, &contribution),
                    None => contribution,
                };
                grads.insert(operand.id(), grad);
            }
            known.insert(node.id(), upstream);
            if self.has_stopped() {
                break;
            }
        }
        let grad = |by: &Rc<Node>| known.get(&by.id()).cloned();
        let grads = by
            .iter()
            .map(|by| grad(by).unwrap_or_else(|| self.constant(0.0)));
        grads.collect()
    }

    /// The derivative of `root` with respect to `by`, forwards: each node's from those of its operands, memoized in
    /// `slopes`.
    pub(crate) fn derivative_again(
        &mut self,
        root: &Rc<Node>,
        by: &Rc<Node>,
        slopes: &mut Grads,
    ) -> Rc<Node> {
        let one = self.constant(1.0);
        slopes.insert(by.id(), one);
        for node in between(root, std::slice::from_ref(by)) {
            if slopes.contains_key(&node.id()) {
                continue;
            }
            let mut slope = self.constant(0.0);
            let numbers = numbers(&node);
            for (position, operand) in node.operands().iter().enumerate() {
                let Some(below) = slopes.get(&operand.id()) else {
                    continue;
                };
                if let Some(contribution) =
                    self.contribution(&node, position, &numbers, below, false)
                {
                    slope = algebra::sum(self, &slope, &contribution);
                }
            }
            slopes.insert(node.id(), slope);
            if self.has_stopped() {
                break;
            }
        }
        let slope = slopes.get(&root.id()).cloned();
        slope.unwrap_or_else(|| self.constant(0.0))
    }

    /// What `node` contributes to an operand's derivative; `None` if that is always 0. If `learned`, with the text that
    /// people learn, as a plain product. `numbers` are the node's local derivatives if it is NaN.
    fn contribution(
        &mut self,
        node: &Rc<Node>,
        position: usize,
        numbers: &[f64],
        factor: &Rc<Node>,
        learned: bool,
    ) -> Option<Rc<Node>> {
        if self.number(factor) == Some(0.0) {
            return None;
        }
        let mut local = self.local(node, position, learned);
        // An exact zero absorbs the NaN, and what has become infinite at the node itself stays so.
        let passes = |number: &f64| *number == 0.0 || number.is_infinite();
        if let Some(number) = numbers.get(position)
            && (node.is_generated() || !passes(number))
        {
            local = algebra::unless_nan(self, &local, node);
        }
        let multiplied = if learned {
            algebra::multiplied
        } else {
            algebra::chained
        };
        (self.number(&local) != Some(0.0)).then(|| multiplied(self, &local, factor))
    }

    /// Copies of nodes in which some nodes are replaced by others. Nodes that depend on them are built anew. They are
    /// simplified if they were generated or have become constant, else kept as typed.
    pub(crate) fn replaced(
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
                algebra::simplified(self, op, &operands)
            } else {
                self.make(op, &operands)
            };
            anew.insert(node.id(), made);
        }
        let found = |root: &Rc<Node>| anew.get(&root.id()).unwrap_or(root).clone();
        roots.iter().map(found).collect()
    }
}

/// The numbers of the local derivatives of a node that is NaN; none for any other.
fn numbers(node: &Node) -> Vec<f64> {
    if node.data().is_nan() {
        node.locals()
    } else {
        Vec::new()
    }
}
