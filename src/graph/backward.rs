//! The backward pass: the chain rule as a loop over a topological order.
//!
//! `pass_on` is the only place where a node's contribution is added to a grad. It names no operation: local derivatives
//! come from the rows of the table. It hands each contribution to a visitor, which ignores it (`:grad`, `:step`) or
//! records it (`:walk`). A sweep without a visitor that repeats an earlier one runs on flat arrays in `plan` instead,
//! with the same bits; `plan/mod.rs` says when.

use std::cell::LazyCell;
use std::rc::Rc;

use super::node::Node;
use super::order::Order;
use super::plan;
use crate::ops::chain;

/// The grads from one sweep over a graph, or the sum of several.
#[derive(Clone, Debug)]
pub struct Pass {
    order: Order,
    grads: Vec<f64>,
    roots: Vec<Rc<Node>>,
    clock: u64,
    /// The clock at the first sweep. Later sweeps may have been added after data had changed.
    since: u64,
}

/// What one node contributes to the grad of one of its operands.
#[derive(Clone, Copy, Debug)]
pub struct Contribution<'n> {
    /// The node that passes it on.
    pub node: &'n Rc<Node>,
    /// The position of the operand that receives it.
    pub operand: usize,
    /// The node's grad in this sweep.
    pub upstream: f64,
    /// The node's local derivative with respect to the operand.
    pub local: f64,
    /// Upstream times local, by the rules of [`chain`].
    pub amount: f64,
    /// The operand's grad before it is added.
    pub before: f64,
    /// The operand's grad after.
    pub after: f64,
}

impl Pass {
    /// A new pass from `root`. `clock` is the graph's clock at this moment.
    pub fn from(root: &Rc<Node>, clock: u64) -> Pass {
        let order = Order::below([root]);
        let mut grads = vec![0.0; order.nodes().len()];
        sweep_unwatched(&mut grads, &order, root);
        Pass::of_walk(order, grads, root, clock)
    }

    /// A pass whose only sweep the user has walked through node by node.
    pub fn of_walk(order: Order, grads: Vec<f64>, root: &Rc<Node>, clock: u64) -> Pass {
        Pass {
            order,
            grads,
            roots: vec![Rc::clone(root)],
            clock,
            since: clock,
        }
    }

    /// Repeats all sweeps at the current data.
    pub fn refresh(&mut self, clock: u64) {
        (self.clock, self.since) = (clock, clock);
        let Some((first, more)) = self.roots.split_first() else {
            return;
        };
        sweep_unwatched(&mut self.grads, &self.order, first);
        for root in more {
            let swept = gradients(&self.order, root, |_| {});
            add(&mut self.grads, &swept);
        }
    }

    /// Adds one more sweep, from `root`, to the grads. `clock` is the graph's clock at this moment.
    pub fn accumulate(&mut self, root: &Rc<Node>, clock: u64) {
        self.clock = clock;
        self.roots.push(Rc::clone(root));
        if self.order.position(root).is_none() {
            let wider = Order::below(self.roots.iter());
            let mut grads = vec![0.0; wider.nodes().len()];
            for (node, grad) in self.order.nodes().iter().zip(&self.grads) {
                if let Some(position) = wider.position(node) {
                    grads[position] = *grad;
                }
            }
            self.order = wider;
            self.grads = grads;
        }
        let swept = gradients(&self.order, root, |_| {});
        add(&mut self.grads, &swept);
    }

    /// Whether all its sweeps were made at this time of the clock.
    pub(super) fn is_of(&self, clock: u64) -> bool {
        self.clock == clock && self.since == clock
    }

    /// The order that the sweeps followed.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The grads, in the order of [`Pass::order`].
    pub fn grads(&self) -> &[f64] {
        &self.grads
    }

    /// A node's grad; none for nodes outside the pass.
    pub fn grad(&self, node: &Node) -> Option<f64> {
        self.order
            .position(node)
            .map(|position| self.grads[position])
    }

    /// The root of the last sweep.
    pub fn root(&self) -> &Rc<Node> {
        self.roots.last().expect("a pass begins with a root")
    }

    /// The roots of all sweeps, first to last.
    pub fn roots(&self) -> &[Rc<Node>] {
        &self.roots
    }

    /// The graph's clock at the last sweep.
    pub fn clock(&self) -> u64 {
        self.clock
    }
}

fn add(grads: &mut [f64], swept: &[f64]) {
    for (grad, more) in grads.iter_mut().zip(swept) {
        *grad += more;
    }
}

/// One sweep from `root` without a visitor. Overwrites the grads.
fn sweep_unwatched(grads: &mut [f64], order: &Order, root: &Rc<Node>) {
    let first = order.nodes().first();
    if first.is_some_and(|first| Rc::ptr_eq(first, root))
        && plan::copy(order, |copy| copy.backward(order, grads)).is_some()
    {
        return;
    }
    grads.fill(0.0);
    gradients_into(grads, order, root, |_| {});
}

/// One node's turn in a sweep that the user walks through: what [`gradients`] does for each node. `grads` has one entry
/// for each node of the order.
pub fn turn(
    order: &Order,
    position: usize,
    grads: &mut [f64],
    mut visit: impl FnMut(Contribution),
) {
    order.stamp_positions();
    pass_on(order, position, grads, &mut visit);
}

/// One sweep from `root` over an order that contains it. Returns the grads, in that order.
pub fn gradients(order: &Order, root: &Node, visit: impl FnMut(Contribution)) -> Vec<f64> {
    let mut grads = vec![0.0; order.nodes().len()];
    gradients_into(&mut grads, order, root, visit);
    grads
}

/// The same, into a slice of zeros.
fn gradients_into(grads: &mut [f64], order: &Order, root: &Node, visit: impl FnMut(Contribution)) {
    if let Some(start) = order.position(root) {
        grads[start] = 1.0;
        sweep(order, start, grads, visit);
    }
}

/// Users come before operands, so a node's grad is complete when its turn comes.
fn sweep(order: &Order, start: usize, grads: &mut [f64], mut visit: impl FnMut(Contribution)) {
    order.stamp_positions();
    for position in start..order.nodes().len() {
        pass_on(order, position, grads, &mut visit);
    }
}

/// One node's turn: adds its contributions to the grads of its operands, one by one from left to right.
#[inline]
fn pass_on(
    order: &Order,
    position: usize,
    grads: &mut [f64],
    visit: &mut impl FnMut(Contribution),
) {
    let node = &order.nodes()[position];
    let upstream = grads[position];
    let data = node.data();
    // Asked at most once: a sum may have a million operands.
    let broken = LazyCell::new(|| node.operands().iter().any(|below| below.data().is_nan()));
    node.each_local(|operand, below, local| {
        let amount = chain(upstream, local, data, || *broken);
        let grad = &mut grads[Order::slot(below)];
        let before = *grad;
        *grad += amount;
        visit(Contribution {
            node,
            operand,
            upstream,
            local,
            amount,
            before,
            after: *grad,
        });
    });
}
