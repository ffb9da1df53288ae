//! Runs the passes of `:grad` and `:backward`. A [`Pass`] has the grads of one sweep, or the sums of the grads of several
//! sweeps, with their order and roots.

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::backward::gradients;
use super::factory::Graph;
use super::node::Node;
use super::order::Order;

/// The largest number of sweeps that wait to be added up. Without a limit, many tiny sweeps over a huge graph would
/// pile up.
const MAX_WAITING: usize = 1_000;

/// The grads from one sweep over a graph, or the sum of several. Clones share the grads, so cloning is cheap.
///
/// Sweeps wait before they are added up: until the sum is needed, until there are `MAX_WAITING` of them, or until they
/// have as many nodes together as the sum. If each small sweep were added at once, it would cost as much as the whole sum.
#[derive(Clone, Debug)]
pub struct Pass {
    sum: Rc<SweptGraph>,
    /// The sweeps still to be added to the sum, first to last.
    waiting: Vec<Rc<SweptGraph>>,
    /// `sum` plus `waiting`, computed when first asked for.
    whole: OnceCell<Rc<SweptGraph>>,
    clock: u64,
}

/// An order with the grads of its nodes, and the roots of the sweeps that they come from.
#[derive(Clone, Debug)]
struct SweptGraph {
    order: Order,
    grads: Vec<f64>,
    /// The number of sweeps that reached each node. Empty after a single sweep, which reaches all nodes.
    sweeps: Vec<u32>,
    /// Each root once, however many sweeps began there; the root of the last sweep is last.
    roots: Vec<Rc<Node>>,
    /// Nodes that keep their grads although the roots above them are gone.
    kept: Vec<Rc<Node>>,
}

impl SweptGraph {
    /// A copy with only the nodes for which `stays` holds and the nodes below them.
    fn restricted_to(&self, stays: impl Fn(&Node) -> bool) -> SweptGraph {
        let staying = |nodes: &[Rc<Node>]| -> Vec<Rc<Node>> {
            nodes.iter().filter(|node| stays(node)).cloned().collect()
        };
        let (roots, kept) = (staying(&self.roots), staying(self.order.nodes()));
        let order = Order::below(roots.iter().chain(&kept));
        let marked = order.mark_nodes();
        let mut grads = vec![0.0; order.nodes().len()];
        let mut sweeps = vec![0; order.nodes().len()];
        for (own_slot, node) in self.order.nodes().iter().enumerate() {
            if let Some(slot) = marked.find(node) {
                (grads[slot], sweeps[slot]) = (self.grads[own_slot], self.sweep_count(own_slot));
            }
        }
        SweptGraph {
            order,
            grads,
            sweeps,
            roots,
            kept,
        }
    }

    /// Adds to this single sweep the grads that an earlier graph has for the nodes where `stays` holds. Returns false and
    /// changes nothing if one of them is no leaf of this sweep, or if a root of the earlier graph stays.
    fn add_leaves_of(&mut self, earlier: &SweptGraph, stays: impl Fn(&Node) -> bool) -> bool {
        if earlier.roots.iter().any(|root| stays(root)) {
            return false;
        }
        let marked = self.order.mark_nodes();
        let mut grads = vec![0.0; self.grads.len()];
        let mut sweeps = vec![1; self.grads.len()];
        let mut kept = Vec::new();
        for (own_slot, node) in earlier.order.nodes().iter().enumerate() {
            if stays(node) {
                let Some(slot) = marked.find(node).filter(|_| node.is_leaf()) else {
                    return false;
                };
                grads[slot] += earlier.grads[own_slot];
                sweeps[slot] += earlier.sweep_count(own_slot);
                kept.push(Rc::clone(node));
            }
        }
        for (grad, own) in grads.iter_mut().zip(&self.grads) {
            *grad += own;
        }
        (self.grads, self.sweeps, self.kept) = (grads, sweeps, kept);
        true
    }

    fn sweep_count(&self, slot: usize) -> u32 {
        self.sweeps.get(slot).copied().unwrap_or(1)
    }

    /// The sum of this and further sweeps. They are added one after the other.
    fn add_sweeps(&self, others: &[Rc<SweptGraph>]) -> SweptGraph {
        let later = others.iter().flat_map(|other| &other.roots);
        let roots = distinct(self.roots.iter().chain(later));
        // If the order of the sum or of the last sweep has all of these nodes, it is the order below them.
        let has_all = |order: &&Order| {
            let mut wanted = roots.iter().chain(&self.kept);
            wanted.all(|node| order.slot(node).is_some())
        };
        let newest = others.last().map(|other| &other.order);
        let mut known = std::iter::once(&self.order).chain(newest);
        let order = match known.find(has_all) {
            Some(order) => order.clone(),
            None => Order::below(roots.iter().chain(&self.kept)),
        };
        let mut grads = vec![0.0; order.nodes().len()];
        let mut sweeps = vec![0; order.nodes().len()];
        let marked = order.mark_nodes();
        for swept in std::iter::once(self).chain(others.iter().map(|other| &**other)) {
            for (own_slot, node) in swept.order.nodes().iter().enumerate() {
                let slot = marked.slot(node);
                grads[slot] += swept.grads[own_slot];
                sweeps[slot] += swept.sweep_count(own_slot);
            }
        }
        SweptGraph {
            order,
            grads,
            sweeps,
            roots,
            kept: self.kept.clone(),
        }
    }
}

/// The distinct ones of these nodes, each at its last place.
fn distinct<'n>(nodes: impl DoubleEndedIterator<Item = &'n Rc<Node>>) -> Vec<Rc<Node>> {
    let mut seen = FxHashSet::default();
    let last_ones = nodes.rev().filter(|node| seen.insert(node.id()));
    let mut distinct: Vec<Rc<Node>> = last_ones.cloned().collect();
    distinct.reverse();
    distinct
}

impl Pass {
    /// Runs a new pass from `root`, a node of this graph.
    pub fn run(root: &Rc<Node>, graph: &Graph) -> Pass {
        Pass::run_in_order(Order::below([root]), root, graph.clock())
    }

    /// Runs a new pass from `root`, which is the first node of this order.
    fn run_in_order(order: Order, root: &Rc<Node>, clock: u64) -> Pass {
        let grads = match order.count_pass_then_sections() {
            Some(sections) => {
                let mut grads = vec![0.0; order.nodes().len()];
                sections.backward(order.flat(), &order.data(), &mut grads);
                grads
            }
            None => gradients(&order, root, |_| {}),
        };
        Pass::from_sweep(order, grads, root, clock)
    }

    /// The pass of a single sweep with these grads.
    pub fn from_sweep(order: Order, grads: Vec<f64>, root: &Rc<Node>, clock: u64) -> Pass {
        let swept = SweptGraph {
            order,
            grads,
            sweeps: Vec::new(),
            roots: vec![Rc::clone(root)],
            kept: Vec::new(),
        };
        Pass {
            sum: Rc::new(swept),
            waiting: Vec::new(),
            whole: OnceCell::new(),
            clock,
        }
    }

    /// Runs a new pass at the current data, with one sweep from the last root.
    pub fn refresh(&mut self, graph: &Graph) {
        let root = Rc::clone(self.root());
        let whole = self.whole();
        let order = if whole.roots.len() == 1 && whole.kept.is_empty() {
            whole.order.clone()
        } else {
            Order::below([&root])
        };
        *self = Pass::run_in_order(order, &root, graph.clock());
    }

    /// Adds one more sweep, from `root`, to the grads.
    pub fn accumulate(&mut self, root: &Rc<Node>, graph: &Graph) {
        self.add(Pass::run(root, graph));
    }

    /// Adds the grads of a pass that has just run.
    fn add(&mut self, sweep: Pass) {
        self.clock = sweep.clock;
        if self.whole.get().is_some() {
            // The cached sum is about to become stale. It becomes the new sum, so that it is not computed again.
            self.add_waiting();
        }
        self.waiting.push(sweep.sum);
        let nodes = self.waiting.iter().map(|swept| swept.grads.len());
        if self.waiting.len() >= MAX_WAITING || nodes.sum::<usize>() >= self.sum.grads.len() {
            self.add_waiting();
        }
    }

    /// Adds a sweep and forgets earlier graphs: only nodes for which `stays` holds, and the nodes below them, keep their
    /// grads.
    pub fn accumulate_and_forget(
        &mut self,
        root: &Rc<Node>,
        graph: &Graph,
        stays: impl Fn(&Node) -> bool,
    ) {
        let whole = Rc::clone(self.whole());
        if whole.roots.iter().all(|earlier| stays(earlier)) {
            return self.accumulate(root, graph);
        }
        let mut sweep = Pass::run(root, graph);
        if Rc::make_mut(&mut sweep.sum).add_leaves_of(&whole, &stays) {
            *self = sweep;
            return;
        }
        self.sum = Rc::new(whole.restricted_to(stays));
        self.waiting.clear();
        self.whole = OnceCell::new();
        self.add(sweep);
    }

    /// Sets the grad of a node, as if no sweep had reached it.
    pub fn set(&mut self, node: &Node, grad: f64) {
        if !self.waiting.is_empty() {
            self.add_waiting();
        }
        let sum = Rc::make_mut(&mut self.sum);
        if sum.sweeps.is_empty() {
            sum.sweeps = vec![1; sum.grads.len()];
        }
        if let Some(slot) = sum.order.slot(node) {
            (sum.grads[slot], sum.sweeps[slot]) = (grad, 0);
        }
    }

    /// Replaces the sum and the waiting sweeps by their sum.
    fn add_waiting(&mut self) {
        self.sum = Rc::clone(self.whole());
        self.whole.take();
        self.waiting.clear();
    }

    /// The sum of all sweeps.
    fn whole(&self) -> &Rc<SweptGraph> {
        if self.waiting.is_empty() {
            return &self.sum;
        }
        let whole = || Rc::new(self.sum.add_sweeps(&self.waiting));
        self.whole.get_or_init(whole)
    }

    /// The order that the sweeps followed.
    pub fn order(&self) -> &Order {
        &self.whole().order
    }

    /// The grads, in the order of [`Pass::order`].
    pub fn grads(&self) -> &[f64] {
        &self.whole().grads
    }

    /// A node's grad, or `None` if the node is outside the pass.
    pub fn grad(&self, node: &Node) -> Option<f64> {
        let whole = self.whole();
        whole.order.slot(node).map(|slot| whole.grads[slot])
    }

    /// The root of the last sweep.
    pub fn root(&self) -> &Rc<Node> {
        let last = self.waiting.last().unwrap_or(&self.sum);
        last.roots.last().expect("a pass begins with a root")
    }

    /// The roots of the sweeps, each once.
    pub fn roots(&self) -> &[Rc<Node>] {
        &self.whole().roots
    }

    /// Whether the grads come from a single sweep, which has reached all nodes.
    pub fn is_single(&self) -> bool {
        self.whole().sweeps.is_empty()
    }

    /// The number of sweeps that reached a node.
    pub fn sweeps_at(&self, node: &Node) -> usize {
        let whole = self.whole();
        let slot = whole.order.slot(node);
        slot.map_or(0, |slot| whole.sweep_count(slot) as usize)
    }

    /// The graph's clock at the last sweep.
    pub fn clock(&self) -> u64 {
        self.clock
    }
}
