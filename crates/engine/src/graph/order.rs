//! Computes the topological order of a pass: each user comes before its operands, so a backward pass reads it forwards
//! and an evaluation reads it backwards. Every engine, table and explanation follows it, and no other code computes
//! one. Constants are not in it.
//!
//! With up to [`NEWEST_FIRST`] nodes, the order is that of descending ids. Larger graphs are sorted so that passes are
//! fast:
//!
//! - by level, so that all operands of a node come after it;
//! - in a level by operation, so that a plan can run one loop over all equal operations (SIMD);
//! - among equal operations by the first user, so that the operands of neighbours are neighbours, too: a network applied
//!   to a hundred samples becomes runs of a hundred nodes.
//!
//! Both orders depend on the graph alone.

use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::Reverse;
use std::rc::{Rc, Weak};

use super::flat::FlatGraph;
use super::node::{Node, NodeId};
use super::runs::Sections;
use crate::ops::MAX_OPERANDS;
use chainrule_stop as stop;

/// The lowest bit of the operation in [`Reached::key`]. The bits below hold the position.
const OPERATION_BIT: u32 = 24;
/// The position in the key of a root, which has no user.
const NO_USER: u32 = (1 << OPERATION_BIT) - 1;
const _: () = assert!(MAX_OPERANDS < NO_USER as usize);

/// The largest graph whose order is descending ids, which are easy to follow in `:topo`. In larger graphs the passes gain
/// more from neighbours with equal operations.
pub const NEWEST_FIRST: usize = 2_000;

/// The first pass over an order that uses sections, counted from 1: making them takes longer than two passes through the
/// nodes.
const FIRST_PASS_WITH_SECTIONS: u32 = 3;

/// The varying nodes at and below some roots, users before operands. Cloning is cheap: the list is shared.
#[derive(Clone, Debug, Default)]
pub struct Order {
    inner: Rc<OrderedNodes>,
}

/// The nodes of an order. All fields but the first two are computed when they are first needed.
#[derive(Debug, Default)]
struct OrderedNodes {
    nodes: Vec<Rc<Node>>,
    /// The id of the newest node, which is a root.
    newest: NodeId,
    /// The slots of all nodes by id, for nodes that carry the slot of another order.
    slots: OnceCell<Vec<(NodeId, u32)>>,
    /// Whether the nodes were marked again after another order or search had overwritten their slots.
    is_marked_again: Cell<bool>,
    /// The graph in flat arrays.
    flat: OnceCell<FlatGraph>,
    /// The sections that repeated passes execute.
    sections: OnceCell<Sections>,
    /// The number of passes that have followed this order, at most [`FIRST_PASS_WITH_SECTIONS`].
    passes: Cell<u32>,
}

impl AsRef<[Rc<Node>]> for Order {
    fn as_ref(&self) -> &[Rc<Node>] {
        self.nodes()
    }
}

thread_local! {
    /// The last order from a single root, while it is alive. The graph below a root never changes, and most passes
    /// start from the same root as the pass before, so this memo saves computing the order again.
    static LAST_ORDER: RefCell<Weak<OrderedNodes>> = const { RefCell::new(Weak::new()) };
}

impl Order {
    /// The order of all varying nodes at and below the roots.
    pub fn below<'n>(roots: impl IntoIterator<Item = &'n Rc<Node>>) -> Order {
        let varying: Vec<&Rc<Node>> = roots.into_iter().filter(|root| root.varies()).collect();
        let [root] = varying[..] else {
            return Order::compute(varying);
        };
        let last = LAST_ORDER.with_borrow(Weak::upgrade);
        // The root of an order made from a single root is its first node.
        let has_root = |inner: &Rc<OrderedNodes>| Rc::ptr_eq(&inner.nodes[0], root);
        if let Some(inner) = last.filter(has_root) {
            return Order { inner };
        }
        let order = Order::compute(varying);
        LAST_ORDER.set(Rc::downgrade(&order.inner));
        order
    }

    /// Computes the order below varying roots, without the memo.
    fn compute(varying: Vec<&Rc<Node>>) -> Order {
        let newest = varying.iter().map(|root| root.id()).max();
        let small = newest_first(varying.iter().copied(), Node::varies, NEWEST_FIRST);
        let mut nodes = small.unwrap_or_else(|| Search::collect_nodes(varying));
        nodes.shrink_to_fit();
        let inner = Rc::new(OrderedNodes {
            nodes,
            newest: newest.unwrap_or_default(),
            ..OrderedNodes::default()
        });
        Order { inner }
    }

    /// The nodes, users before operands.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.inner.nodes
    }

    /// The leaves for which `is_wanted` returns true, oldest first.
    pub fn leaves(&self, is_wanted: fn(&Node) -> bool) -> Vec<Rc<Node>> {
        let mut leaves = self.nodes().to_vec();
        leaves.retain(|node| node.is_leaf() && is_wanted(node));
        leaves.sort_by_key(|leaf| leaf.id());
        leaves
    }

    /// The graph in flat arrays.
    pub(super) fn flat(&self) -> &FlatGraph {
        self.inner.flat.get_or_init(|| {
            let marked = self.mark_nodes();
            FlatGraph::of(self.nodes(), |operand| marked.slot(operand))
        })
    }

    /// The data of all slots.
    pub(super) fn data(&self) -> Vec<f64> {
        self.flat().data(self.nodes())
    }

    /// The sections that repeated passes execute.
    pub(super) fn sections(&self) -> &Sections {
        let sections = || Sections::of(self.flat());
        self.inner.sections.get_or_init(sections)
    }

    /// Counts one more pass. Returns the sections for the pass [`FIRST_PASS_WITH_SECTIONS`] and all later ones.
    pub(super) fn count_pass_then_sections(&self) -> Option<&Sections> {
        let passes = self.inner.passes.get() + 1;
        self.inner.passes.set(passes.min(FIRST_PASS_WITH_SECTIONS));
        (passes >= FIRST_PASS_WITH_SECTIONS).then(|| self.sections())
    }

    /// Writes each node's slot into the node.
    pub(super) fn mark_nodes(&self) -> MarkedOrder<'_> {
        for (node, slot) in self.nodes().iter().zip(0..) {
            node.carried_index.set(slot);
        }
        MarkedOrder(self)
    }

    /// The slot of a node, if it is in this order. The node may carry a slot of another order, so the slot is checked.
    #[inline]
    pub fn slot(&self, node: &Node) -> Option<usize> {
        if let Some(slot) = MarkedOrder(self).find(node) {
            return Some(slot);
        }
        if node.id() > self.inner.newest {
            return None;
        }
        if !self.inner.is_marked_again.replace(true) {
            return self.mark_nodes().find(node);
        }
        // A node of another graph may have the same id.
        let is_it = |slot: &usize| std::ptr::eq(Rc::as_ptr(&self.nodes()[*slot]), node);
        self.slot_by_id(node).filter(is_it)
    }

    /// Finds the slot by the node's id.
    #[cold]
    fn slot_by_id(&self, node: &Node) -> Option<usize> {
        let slots = self.inner.slots.get_or_init(|| {
            let ids = self.nodes().iter().map(|listed| listed.id());
            let mut slots: Vec<(NodeId, u32)> = ids.zip(0..).collect();
            slots.sort_unstable();
            slots
        });
        let found = slots.binary_search_by_key(&node.id(), |&(id, _)| id);
        Some(slots[found.ok()?].1 as usize)
    }
}

/// An order whose nodes carry their slots. While it is in use, no code may make another order, find a slot in one or search
/// a graph, because that overwrites the slots.
pub(super) struct MarkedOrder<'o>(&'o Order);

impl<'o> MarkedOrder<'o> {
    pub(super) fn nodes(&self) -> &'o [Rc<Node>] {
        self.0.nodes()
    }

    /// The slot of a node, if it is in this order.
    #[inline]
    pub(super) fn find(&self, node: &Node) -> Option<usize> {
        let slot = node.carried_index.get() as usize;
        let listed = self.nodes().get(slot)?;
        std::ptr::eq(Rc::as_ptr(listed), node).then_some(slot)
    }

    /// The slot of a node of this order.
    #[inline]
    pub(super) fn slot(&self, node: &Rc<Node>) -> usize {
        let slot = node.carried_index.get() as usize;
        debug_assert!(Rc::ptr_eq(node, &self.nodes()[slot]), "slot overwritten");
        slot
    }
}

/// The wanted nodes at and below the roots, by descending ids. Returns `None` if there are more than `most`. The search
/// does not go below unwanted nodes.
pub(super) fn newest_first<'n>(
    roots: impl IntoIterator<Item = &'n Rc<Node>>,
    is_wanted: impl Fn(&Node) -> bool,
    most: usize,
) -> Option<Vec<Rc<Node>>> {
    let mut nodes = Vec::new();
    for root in roots.into_iter().filter(|root| is_wanted(root)) {
        add_if_new(&mut nodes, root);
    }
    let mut next = 0;
    while let Some(node) = nodes.get(next).map(Rc::clone) {
        for operand in node.operands() {
            if is_wanted(operand) {
                add_if_new(&mut nodes, operand);
            }
        }
        if nodes.len() > most {
            return None;
        }
        next += 1;
        stop::ask(next);
    }
    nodes.sort_unstable_by_key(|node| Reverse(node.id()));
    Some(nodes)
}

/// Adds a node to a list, unless the list has it already: then it is at the index that the node carries. An index that
/// is left from another search points elsewhere, so none must be cleared.
#[inline]
fn add_if_new(nodes: &mut Vec<Rc<Node>>, node: &Rc<Node>) {
    let known = nodes.get(node.carried_index.get() as usize);
    if !known.is_some_and(|known| Rc::ptr_eq(known, node)) {
        node.carried_index.set(nodes.len() as u32);
        nodes.push(Rc::clone(node));
    }
}

/// A search that goes through a graph level by level, highest first, so that it has seen all users of a node before it
/// comes to the node. Nodes know their levels, so the search visits each node once and never sorts all of them.
struct Search {
    reached: Vec<Reached>,
    /// For each level, the head of a linked list of the level's nodes: the index of the node reached last, or
    /// [`NO_NODE`]. The link of the list is [`Reached::before`].
    last: Vec<u32>,
}

/// A node that the search has reached. Until its level is searched, the node carries its index in [`Search::reached`].
struct Reached {
    /// `None` once the node is listed in the order.
    node: Option<Rc<Node>>,
    /// The operation in the highest 8 bits (0 for a leaf), then the node's position among the operands of its first
    /// user.
    key: u32,
    /// The index of the node of the same level that was reached just before it, or [`NO_NODE`].
    before: u32,
}

/// The end of a linked list: no index is as high.
const NO_NODE: u32 = u32::MAX;

impl Search {
    /// The varying nodes at and below the roots, each once, highest level first. Within a level: by operation; then
    /// first operands before second operands and so on, and roots last; then by the order of the users. So the operands
    /// of neighbours are neighbours. The newest roots are reached first.
    fn collect_nodes(mut roots: Vec<&Rc<Node>>) -> Vec<Rc<Node>> {
        roots.sort_unstable_by_key(|root| Reverse((root.level(), root.id())));
        let levels = roots.first().map_or(0, |root| root.level() + 1);
        let mut waiting_roots = roots.into_iter().peekable();
        let (reached, last) = (Vec::new(), vec![NO_NODE; levels as usize]);
        let mut search = Search { reached, last };
        let (mut nodes, mut sorted) = (Vec::new(), Vec::new());
        for level in (0..levels).rev() {
            while let Some(root) = waiting_roots.next_if(|root| root.level() == level) {
                search.reach(root, NO_USER);
            }
            search.sort_level(level, &mut sorted);
            for &(_, index) in &sorted {
                let waiting = search.reached[index as usize].node.take();
                let node = waiting.expect("each node is listed once");
                let varying = node.operands().iter().filter(|operand| operand.varies());
                for (position, operand) in (0..).zip(varying) {
                    search.reach(operand, position);
                }
                nodes.push(node);
            }
        }
        nodes
    }

    /// Adds a node as the operand at this position, unless it is reached already: then it is at the index that it
    /// carries.
    #[inline]
    fn reach(&mut self, node: &Rc<Node>, position: u32) {
        let listed = self.reached.get(node.carried_index.get() as usize);
        let known = listed.and_then(|reached| reached.node.as_ref());
        if known.is_some_and(|known| Rc::ptr_eq(known, node)) {
            return;
        }
        let index = self.reached.len() as u32;
        node.carried_index.set(index);
        let operation = node.op().map_or(0, |op| u32::from(op.row) + 1);
        self.reached.push(Reached {
            node: Some(Rc::clone(node)),
            key: operation << OPERATION_BIT | position,
            before: std::mem::replace(&mut self.last[node.level() as usize], index),
        });
    }

    /// Sorts the nodes of a level by their keys. Writes each key with the node's index into `sorted`, which keeps its
    /// memory from level to level.
    fn sort_level(&self, level: u32, sorted: &mut Vec<(u32, u32)>) {
        sorted.clear();
        let mut index = self.last[level as usize];
        while let Some(reached) = self.reached.get(index as usize) {
            sorted.push((reached.key, index));
            index = reached.before;
        }
        // The list begins with the node reached last.
        sorted.reverse();
        // A stable sort: nodes with the same key stay in the order in which they were reached. Most levels of a deep graph
        // are short and need none.
        if !sorted.is_sorted_by_key(|&(key, _)| key) {
            sorted.sort_by_key(|&(key, _)| key);
        }
    }
}
