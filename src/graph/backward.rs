//! The backward pass: the chain rule as a loop.
//!
//! `pass_on` is the place where a contribution is added to a gradient. It names no operation; locals come from the rows.
//! It tells each contribution to a visitor: one ignores them (`:grad`, `:step`), one keeps them (`:walk`). A sweep that
//! nobody watches and that comes again and again goes through `flat` instead, with the same bits.

use std::rc::Rc;

use super::node::Node;
use super::order::Order;
use super::plan;
use crate::ops::chain;

/// Gradients from one or more sweeps over a graph.
#[derive(Clone, Debug)]
pub struct Pass {
    order: Order,
    grads: Vec<f64>,
    roots: Vec<Rc<Node>>,
    clock: u64,
    /// The moment of the first sweep: a later one may have been added when data had changed.
    since: u64,
}

/// What one node passes on to one of its operands.
#[derive(Clone, Copy, Debug)]
pub struct Contribution<'n> {
    /// The node it comes from.
    pub node: &'n Rc<Node>,
    /// Which operand of it it goes to.
    pub operand: usize,
    /// The node's own grad in this sweep.
    pub upstream: f64,
    /// The node's derivative by the operand.
    pub local: f64,
    /// Upstream times local.
    pub amount: f64,
    /// The operand's grad before.
    pub before: f64,
    /// The operand's grad after.
    pub after: f64,
}

impl Pass {
    /// A fresh pass from `root`, at the data of the moment that `clock` names.
    pub fn from(root: &Rc<Node>, clock: u64) -> Pass {
        let order = Order::below([root]);
        let mut grads = vec![0.0; order.nodes().len()];
        swept(&mut grads, &order, root);
        Pass {
            order,
            grads,
            roots: vec![Rc::clone(root)],
            clock,
            since: clock,
        }
    }

    /// A pass whose one sweep was gone through by hand.
    pub fn of_walk(order: Order, grads: Vec<f64>, root: &Rc<Node>, clock: u64) -> Pass {
        Pass {
            order,
            grads,
            roots: vec![Rc::clone(root)],
            clock,
            since: clock,
        }
    }

    /// The same sweeps again at the present data.
    pub fn refresh(&mut self, clock: u64) {
        (self.clock, self.since) = (clock, clock);
        let Some((first, more)) = self.roots.split_first() else {
            return;
        };
        swept(&mut self.grads, &self.order, first);
        for root in more {
            let swept = gradients(&self.order, root, |_| {});
            add(&mut self.grads, &swept);
        }
    }

    /// One more sweep, from `root`, at the data of the moment that `clock` names, added to what is there.
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

    /// Were all its sweeps made at the data of this moment?
    pub(super) fn is_of(&self, clock: u64) -> bool {
        self.clock == clock && self.since == clock
    }

    /// The order it followed.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The grads, in that order.
    pub fn grads(&self) -> &[f64] {
        &self.grads
    }

    /// A node's grad; nodes outside the pass have none.
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

    /// When it ran, by the graph's clock.
    pub fn clock(&self) -> u64 {
        self.clock
    }
}

fn add(grads: &mut [f64], swept: &[f64]) {
    for (grad, more) in grads.iter_mut().zip(swept) {
        *grad += more;
    }
}

/// One sweep from `root` that nobody watches, whatever the grads were.
fn swept(grads: &mut [f64], order: &Order, root: &Rc<Node>) {
    let first = order.nodes().first();
    if first.is_some_and(|first| Rc::ptr_eq(first, root))
        && plan::copy(order, |copy| copy.backward(order, grads)).is_some()
    {
        return;
    }
    grads.fill(0.0);
    gradients_into(grads, order, root, |_| {});
}

/// The turn of one node in a sweep that is gone through by hand: what [`gradients`] does for each. Grads are in the
/// order's order.
pub fn turn(
    order: &Order,
    position: usize,
    grads: &mut [f64],
    mut visit: impl FnMut(Contribution),
) {
    order.lay_out();
    pass_on(order, position, grads, &mut visit);
}

/// One sweep from `root` over an order that holds it: the grads, in that order.
pub fn gradients(order: &Order, root: &Node, visit: impl FnMut(Contribution)) -> Vec<f64> {
    let mut grads = vec![0.0; order.nodes().len()];
    gradients_into(&mut grads, order, root, visit);
    grads
}

/// The same where there is room already, filled with zeros.
fn gradients_into(grads: &mut [f64], order: &Order, root: &Node, visit: impl FnMut(Contribution)) {
    if let Some(start) = order.position(root) {
        grads[start] = 1.0;
        sweep(order, start, grads, visit);
    }
}

/// Users before operands: by its turn a node has all of its grad.
fn sweep(order: &Order, start: usize, grads: &mut [f64], mut visit: impl FnMut(Contribution)) {
    order.lay_out();
    for position in start..order.nodes().len() {
        pass_on(order, position, grads, &mut visit);
    }
}

/// One node's turn: what it passes on to its operands, left to right, added one by one.
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
    node.each_local(|operand, below, local| {
        let broken = || node.operands().iter().any(|below| below.data().is_nan());
        let amount = chain(upstream, local, data, broken);
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
