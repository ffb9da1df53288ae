//! The backward pass: the chain rule as a loop over a topological order.
//!
//! `pass_on` is the only place where a node's contribution is added to a grad. It names no operation: local derivatives
//! come from the rows of the table. It hands each contribution to a visitor, which ignores it (`:grad`, `:step`) or
//! records it (`:walk`). A sweep without a visitor that repeats earlier ones runs on flat arrays instead
//! (`flat`), with the same bits.

use std::borrow::Cow;
use std::cell::{LazyCell, OnceCell};
use std::ops::AddAssign;
use std::rc::Rc;

use super::flat::ContributionBuffer;
use super::node::Node;
use super::order::Order;
use crate::ops::chain;

/// So many sweeps wait at most before they are added up.
const MOST_WAITING: usize = 1_000;

/// The grads from one sweep over a graph, or the sum of several. Cloning is cheap: what was swept is shared.
///
/// A sweep that is added takes the time of its own graph: sweeps are added up once somebody asks for the sum, or when
/// those that wait are many or have as many nodes as the sum.
#[derive(Clone, Debug)]
pub struct Pass {
    sum: Rc<SweptGraph>,
    /// The sweeps that are still to be added to the sum, first to last.
    waiting: Vec<Rc<SweptGraph>>,
    /// The sum with them, once it has been asked for.
    whole: OnceCell<Rc<SweptGraph>>,
    clock: u64,
}

/// An order with the grads of its nodes, and the roots of the sweeps that they come from.
#[derive(Clone, Debug)]
struct SweptGraph {
    order: Order,
    grads: Vec<f64>,
    /// How many of the sweeps reached each node; empty after one sweep, which reaches all.
    sweeps: Vec<u32>,
    roots: Vec<Rc<Node>>,
    /// Nodes that keep their grads although the roots above them are gone.
    kept: Vec<Rc<Node>>,
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

impl SweptGraph {
    /// The grads of one sweep.
    fn of(order: Order, grads: Vec<f64>, root: &Rc<Node>) -> SweptGraph {
        SweptGraph {
            order,
            grads,
            sweeps: Vec::new(),
            roots: vec![Rc::clone(root)],
            kept: Vec::new(),
        }
    }

    /// How many of the sweeps reached each node.
    fn sweeps(&self) -> Cow<'_, [u32]> {
        match self.sweeps.as_slice() {
            [] => Cow::Owned(vec![1; self.grads.len()]),
            sweeps => Cow::Borrowed(sweeps),
        }
    }

    /// The nodes above all others.
    fn tops(&self) -> impl Iterator<Item = &Rc<Node>> {
        self.roots.iter().chain(&self.kept)
    }

    /// The grads of the nodes that stay and of what is below them, without the graphs above.
    fn below(&self, stays: impl Fn(&Node) -> bool) -> SweptGraph {
        let staying = |nodes: &[Rc<Node>]| -> Vec<Rc<Node>> {
            let nodes = nodes.iter().filter(|node| stays(node));
            nodes.map(Rc::clone).collect()
        };
        let (roots, kept) = (staying(&self.roots), staying(self.order.nodes()));
        let order = Order::below(roots.iter().chain(&kept));
        let places = order.nodes().iter().map(|node| self.order.position(node));
        let places: Vec<usize> = places.flatten().collect();
        let sweeps = self.sweeps();
        SweptGraph {
            grads: places.iter().map(|&place| self.grads[place]).collect(),
            sweeps: places.iter().map(|&place| sweeps[place]).collect(),
            order,
            roots,
            kept,
        }
    }

    /// Adds the grads of other sweeps, one after the other.
    fn add(&mut self, others: &[Rc<SweptGraph>]) {
        let roots = || others.iter().flat_map(|other| &other.roots);
        let are_below = roots().all(|root| self.order.position(root).is_some());
        self.roots.extend(roots().cloned());
        self.sweeps = self.sweeps().into_owned();
        if !are_below {
            let wider = Order::below(self.tops());
            let mut grads = vec![0.0; wider.nodes().len()];
            let mut sweeps = vec![0; wider.nodes().len()];
            add(&mut grads, &wider, &self.order, &self.grads);
            add(&mut sweeps, &wider, &self.order, &self.sweeps);
            (self.order, self.grads, self.sweeps) = (wider, grads, sweeps);
        }
        for other in others {
            add(&mut self.grads, &self.order, &other.order, &other.grads);
            add(&mut self.sweeps, &self.order, &other.order, &other.sweeps());
        }
    }
}

impl Pass {
    /// A new pass from `root`. `clock` is the graph's clock at this moment.
    pub fn from(root: &Rc<Node>, clock: u64) -> Pass {
        Pass::in_order(Order::below([root]), root, clock)
    }

    /// A new pass from `root`, below which everything stands in this order.
    fn in_order(order: Order, root: &Rc<Node>, clock: u64) -> Pass {
        let mut grads = vec![0.0; order.nodes().len()];
        match order.flat_for_a_sweep() {
            Some(flat) => {
                let data = flat.data(order.nodes());
                flat.backward(&data, &mut grads, &mut ContributionBuffer::of(flat));
            }
            None => gradients_into(&mut grads, &order, root, |_| {}),
        }
        Pass::of_walk(order, grads, root, clock)
    }

    /// A pass whose only sweep the user has walked through node by node.
    pub fn of_walk(order: Order, grads: Vec<f64>, root: &Rc<Node>, clock: u64) -> Pass {
        Pass {
            sum: Rc::new(SweptGraph::of(order, grads, root)),
            waiting: Vec::new(),
            whole: OnceCell::new(),
            clock,
        }
    }

    /// Repeats all sweeps at the current data.
    pub fn refresh(&mut self, clock: u64) {
        let roots = self.roots().to_vec();
        let (first, more) = roots.split_first().expect("a pass begins with a root");
        let order = if more.is_empty() {
            self.order().clone()
        } else {
            Order::below([first])
        };
        *self = Pass::in_order(order, first, clock);
        for root in more {
            self.accumulate(root, clock);
        }
    }

    /// Adds one more sweep, from `root`, to the grads. `clock` is the graph's clock at this moment.
    pub fn accumulate(&mut self, root: &Rc<Node>, clock: u64) {
        self.clock = clock;
        if self.whole.get().is_some() {
            self.settle();
        }
        let order = Order::below([root]);
        let grads = gradients(&order, root, |_| {});
        self.waiting
            .push(Rc::new(SweptGraph::of(order, grads, root)));
        let nodes = self.waiting.iter().map(|swept| swept.grads.len());
        if self.waiting.len() >= MOST_WAITING || nodes.sum::<usize>() >= self.sum.grads.len() {
            self.settle();
        }
    }

    /// The same, and lets go of the graphs of earlier sweeps: of their nodes only those that stay keep their grads, and
    /// what is below them.
    pub fn accumulate_on(&mut self, root: &Rc<Node>, clock: u64, stays: impl Fn(&Node) -> bool) {
        let whole = self.whole();
        if !whole.roots.iter().all(|root| stays(root)) {
            self.sum = Rc::new(whole.below(stays));
            self.waiting.clear();
            self.whole = OnceCell::new();
        }
        self.accumulate(root, clock);
    }

    /// Sets the grads of some nodes to 0, as if no sweep had reached them.
    pub fn zero(&mut self, nodes: &[Rc<Node>]) {
        self.settle();
        let sum = Rc::make_mut(&mut self.sum);
        sum.sweeps = sum.sweeps().into_owned();
        for place in nodes.iter().filter_map(|node| sum.order.position(node)) {
            (sum.grads[place], sum.sweeps[place]) = (0.0, 0);
        }
    }

    /// Whether the grads are those of one sweep.
    pub(super) fn is_one_sweep(&self) -> bool {
        self.whole().sweeps.is_empty()
    }

    /// The nodes above all others of the pass.
    pub(super) fn tops(&self) -> impl Iterator<Item = &Rc<Node>> {
        self.whole().tops()
    }

    /// Adds up what waits, for good.
    fn settle(&mut self) {
        self.whole();
        if let Some(whole) = self.whole.take() {
            self.sum = whole;
            self.waiting.clear();
        }
    }

    /// The sum of all sweeps.
    fn whole(&self) -> &SweptGraph {
        if self.waiting.is_empty() {
            return &self.sum;
        }
        self.whole.get_or_init(|| {
            let mut whole = SweptGraph::clone(&self.sum);
            whole.add(&self.waiting);
            Rc::new(whole)
        })
    }

    /// The order that the sweeps followed.
    pub fn order(&self) -> &Order {
        &self.whole().order
    }

    /// The grads, in the order of [`Pass::order`].
    pub fn grads(&self) -> &[f64] {
        &self.whole().grads
    }

    /// A node's grad; none for nodes outside the pass.
    pub fn grad(&self, node: &Node) -> Option<f64> {
        let whole = self.whole();
        let position = whole.order.position(node)?;
        Some(whole.grads[position])
    }

    /// The root of the last sweep.
    pub fn root(&self) -> &Rc<Node> {
        let last = self.waiting.last().unwrap_or(&self.sum);
        last.roots.last().expect("a pass begins with a root")
    }

    /// The roots of all sweeps, first to last.
    pub fn roots(&self) -> &[Rc<Node>] {
        &self.whole().roots
    }

    /// How many of the sweeps reached each of these nodes.
    pub fn sweeps_of(&self, nodes: &[Rc<Node>]) -> Vec<usize> {
        let whole = self.whole();
        let sweeps = whole.sweeps();
        let of = |node: &Rc<Node>| whole.order.position(node).map_or(0, |at| sweeps[at]);
        nodes.iter().map(|node| of(node) as usize).collect()
    }

    /// How many of the sweeps reached a node.
    pub fn sweeps_at(&self, node: &Node) -> usize {
        let whole = self.whole();
        let place = whole.order.position(node);
        place.map_or(0, |at| whole.sweeps.get(at).map_or(1, |it| *it as usize))
    }

    /// The graph's clock at the last sweep.
    pub fn clock(&self) -> u64 {
        self.clock
    }
}

/// Adds the numbers of one order to those of an order that contains it.
fn add<T: Copy + AddAssign>(numbers: &mut [T], order: &Order, other: &Order, more: &[T]) {
    order.stamp_positions();
    for (node, number) in other.nodes().iter().zip(more) {
        numbers[Order::slot(node)] += *number;
    }
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
