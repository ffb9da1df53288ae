//! The topological order of a pass. It is computed only here; every engine, table and explanation follows it.
//!
//! In an order each user comes before its operands, so a backward pass reads it forwards and an evaluation reads it
//! backwards. Constants are not in it. Up to [`NEWEST_FIRST`] nodes the order is descending ids. Larger graphs are
//! sorted by level, then by operation, so that a plan can run one loop over all equal operations of a level (SIMD),
//! then by who uses them first, so that the operands of neighbours are neighbours too: a network applied to a hundred
//! samples becomes runs of a hundred nodes. Both orders depend on the graph alone.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::rc::{Rc, Weak};

use super::node::Node;
use crate::ops::{MOST_OPERANDS, TABLE};

/// The largest graph whose order is descending ids.
pub const NEWEST_FIRST: usize = 2_000;

/// The varying nodes at and below some roots, users before operands. Cloning is cheap: the list is shared.
#[derive(Clone, Debug)]
pub struct Order {
    inner: Rc<OrderedNodes>,
}

#[derive(Debug)]
struct OrderedNodes {
    nodes: Vec<Rc<Node>>,
    /// Identifies this order; see [`STAMPED_SERIAL`].
    serial: u64,
}

/// A handle by which an order can be recognized without keeping it alive.
#[derive(Debug)]
pub(super) struct Identity(Weak<OrderedNodes>);

impl Identity {
    pub(super) fn is_of(&self, order: &Order) -> bool {
        std::ptr::eq(self.0.as_ptr(), Rc::as_ptr(&order.inner))
    }

    pub(super) fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
    }
}

thread_local! {
    static NEXT_SERIAL: Cell<u64> = const { Cell::new(1) };
    static STAMPED_SERIAL: Cell<u64> = const { Cell::new(0) };
    /// The last order made from a single root, as long as it is alive. What is below a root never changes, and the next
    /// pass mostly starts from the same root, so this memo saves computing the order again.
    static LAST_ORDER: RefCell<Weak<OrderedNodes>> = const { RefCell::new(Weak::new()) };
}

impl Order {
    /// The order of all varying nodes at and below the roots.
    pub fn below<'n>(roots: impl IntoIterator<Item = &'n Rc<Node>>) -> Order {
        let mut roots = roots.into_iter().peekable();
        let first = roots.next();
        let single = roots.peek().is_none();
        if let Some(root) = first
            && single
            && let Some(order) = Order::last_below(root)
        {
            return order;
        }
        let order = Order::made_anew(first.into_iter().chain(roots));
        if single && !order.nodes().is_empty() {
            LAST_ORDER.set(Rc::downgrade(&order.inner));
        }
        order
    }

    /// The same, without looking at the order that was made last.
    pub(super) fn made_anew<'n>(roots: impl IntoIterator<Item = &'n Rc<Node>>) -> Order {
        let mut found = Found::default();
        found.collect(roots);
        let mut nodes = found.nodes_in_order();
        nodes.shrink_to_fit();
        let inner = Rc::new(OrderedNodes {
            nodes,
            serial: NEXT_SERIAL.replace(NEXT_SERIAL.get() + 1),
        });
        let order = Order { inner };
        order.stamp_positions();
        order
    }

    /// The order below a root, if it is the one that was made last.
    fn last_below(root: &Rc<Node>) -> Option<Order> {
        let inner = LAST_ORDER.with_borrow(Weak::upgrade)?;
        // The root of an order made from a single root is its first node.
        let same = inner.nodes.first().is_some_and(|top| Rc::ptr_eq(top, root));
        let order = same.then_some(Order { inner })?;
        order.stamp_positions();
        Some(order)
    }

    /// A handle by which this order is recognized as long as it is alive.
    pub(super) fn identity(&self) -> Identity {
        Identity(Rc::downgrade(&self.inner))
    }

    /// The nodes, users before operands.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.inner.nodes
    }

    /// The level of each node, in this order: a leaf is on level 0, a computed node one above its highest operand.
    pub fn levels(&self) -> Vec<u32> {
        self.stamp_positions();
        let nodes = self.nodes();
        let mut levels = vec![0; nodes.len()];
        for (position, node) in nodes.iter().enumerate().rev() {
            let operands = node.operands().iter().filter(|operand| operand.varies());
            levels[position] = operands
                .map(|operand| levels[Order::slot(operand)] + 1)
                .max()
                .unwrap_or(0);
        }
        levels
    }

    /// A node's place in this order, if it is in it.
    pub fn position(&self, node: &Node) -> Option<usize> {
        self.stamp_positions();
        let position = node.position.get() as usize;
        self.nodes()
            .get(position)
            .is_some_and(|found| std::ptr::eq(&raw const **found, node))
            .then_some(position)
    }

    /// Writes each node's place in this order into the node, unless it is there already. A sweep then finds the grads
    /// of operands without a hash map from ids.
    pub(super) fn stamp_positions(&self) {
        if STAMPED_SERIAL.replace(self.inner.serial) != self.inner.serial {
            for (position, node) in self.nodes().iter().enumerate() {
                node.position.set(position as u32);
            }
        }
    }

    /// An operand's place, for nodes of this order and only right after [`Order::stamp_positions`].
    pub(super) fn slot(node: &Node) -> usize {
        node.position.get() as usize
    }
}

/// Declares the places that nodes carry invalid, because the caller is about to overwrite them.
pub(super) fn invalidate_positions() {
    STAMPED_SERIAL.set(0);
}

/// Nodes in the order in which a search found them, with the edges between them. Nodes may lie anywhere in memory, so
/// each is visited once and everything after works on these arrays.
#[derive(Default)]
struct Found {
    nodes: Vec<Rc<Node>>,
    /// The operands of all nodes, one node after the other, as indices into `nodes`.
    operands: Vec<u32>,
    /// Where the operands of each node end.
    ends: Vec<u32>,
}

impl Found {
    /// Collects everything reachable, each node once, without recursion. A node has been found if `nodes` holds it at
    /// the place that it carries; this test needs no marks that would have to be cleared.
    fn collect<'n>(&mut self, roots: impl IntoIterator<Item = &'n Rc<Node>>) {
        invalidate_positions();
        for root in roots {
            self.visit(root);
        }
        let mut next = 0;
        while let Some(node) = self.nodes.get(next).map(Rc::clone) {
            for operand in node.operands() {
                if let Some(place) = self.visit(operand) {
                    self.operands.push(place);
                }
            }
            self.ends.push(self.operands.len() as u32);
            next += 1;
        }
    }

    /// A node's index, which is assigned at the first visit; none for constants.
    fn visit(&mut self, node: &Rc<Node>) -> Option<u32> {
        if !node.varies() {
            return None;
        }
        let place = node.position.get();
        let known = |other: &Rc<Node>| Rc::ptr_eq(other, node);
        if self.nodes.get(place as usize).is_some_and(known) {
            return Some(place);
        }
        let place = self.nodes.len() as u32;
        node.position.set(place);
        self.nodes.push(Rc::clone(node));
        Some(place)
    }

    fn operands(&self, place: usize) -> &[u32] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.operands[start as usize..self.ends[place] as usize]
    }

    fn nodes_in_order(mut self) -> Vec<Rc<Node>> {
        if self.nodes.len() > NEWEST_FIRST {
            return self.levelled();
        }
        self.nodes.sort_unstable_by_key(|node| Reverse(node.id()));
        self.nodes
    }

    /// The indices of the nodes by descending id.
    fn newest_first(&self) -> Vec<u32> {
        const NO_INDEX: u32 = u32::MAX;
        let ids = || self.nodes.iter().map(|node| node.id());
        let (oldest, newest) = (ids().min().unwrap_or(0), ids().max().unwrap_or(0));
        let span = (newest - oldest) as usize + 1;
        if span / 8 > self.nodes.len() {
            let mut keyed: Vec<(u32, u32)> = ids().zip(0..).collect();
            keyed.sort_unstable_by_key(|&(id, _)| Reverse(id));
            return keyed.into_iter().map(|(_, place)| place).collect();
        }
        // Ids are consecutive, so there is mostly a node for each: placing them takes linear time, without comparisons.
        let mut places = vec![NO_INDEX; span];
        for (id, place) in ids().zip(0..) {
            places[(id - oldest) as usize] = place;
        }
        let known = places.into_iter().rev();
        known.filter(|&place| place != NO_INDEX).collect()
    }

    /// Levels downwards; within a level by operation; within an operation as they are used by those before: the first
    /// operands, then the second ones and so on, first used first. So neighbours have neighbours as operands. What
    /// nobody uses comes last, newest first.
    fn levelled(mut self) -> Vec<Rc<Node>> {
        // A key has the operation in its first 8 bits, then the operand's place in 24 and its turn in 32.
        const OPERATION: u32 = 56;
        const PLACE: u32 = 32;
        const NEVER: u64 = (1 << OPERATION) - 1;
        const { assert!(TABLE.len() < 1 << 8 && MOST_OPERANDS < 1 << (OPERATION - PLACE)) };
        let newest = self.newest_first();
        let mut levels = vec![0_u32; newest.len()];
        for &place in newest.iter().rev() {
            let operands = self.operands(place as usize).iter();
            let level = operands.map(|&operand| levels[operand as usize] + 1).max();
            levels[place as usize] = level.unwrap_or(0);
        }
        // Each array is freed as soon as it is no longer needed: the graph alone may take most of the memory there is.
        let (mut order, ends) = by_level(&newest, &levels);
        drop((newest, levels));
        let operation = |node: &Rc<Node>| node.op().map_or(0, |op| op.index() as u64 + 1);
        let keys = self
            .nodes
            .iter()
            .map(|node| operation(node) << OPERATION | NEVER);
        let mut keys: Vec<u64> = keys.collect();
        let (mut used, mut start) = (0_u64, 0);
        let mut sorted = Vec::new();
        for end in ends {
            let level = &mut order[start as usize..end as usize];
            start = end;
            // `turn` keeps nodes without a user in their order, newest first.
            let keyed = |(turn, &place): (u32, &u32)| (keys[place as usize], turn, place);
            sorted.clear();
            sorted.extend((0..).zip(&*level).map(keyed));
            sorted.sort_unstable();
            for (to, &(_, _, place)) in level.iter_mut().zip(&sorted) {
                *to = place;
                for (at, &operand) in self.operands(place as usize).iter().enumerate() {
                    let key = &mut keys[operand as usize];
                    if *key & NEVER == NEVER {
                        *key = *key & !NEVER | (at as u64) << PLACE | used;
                        used += 1;
                    }
                }
            }
        }
        drop(keys);
        permute(&mut self.nodes, order);
        self.nodes
    }
}

/// A counting sort by level: indices with the highest level first, otherwise in the given order, and where each level
/// ends.
fn by_level(places: &[u32], levels: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let highest = levels.iter().max().copied().unwrap_or(0);
    let mut ends = vec![0; highest as usize + 1];
    for &level in levels {
        ends[(highest - level) as usize] += 1;
    }
    let mut end = 0;
    for level in &mut ends {
        end += *level;
        *level = end;
    }
    let mut sorted = vec![0; places.len()];
    // Fills each level from its end, so that what were ends have become starts afterwards.
    for &place in places.iter().rev() {
        let left = &mut ends[(highest - levels[place as usize]) as usize];
        *left -= 1;
        sorted[*left as usize] = place;
    }
    ends.push(end);
    ends.remove(0);
    (sorted, ends)
}

/// Moves to each place the thing whose index `order` holds there, following cycles, so that no second list is needed.
fn permute<T>(things: &mut [T], mut order: Vec<u32>) {
    for start in 0..order.len() {
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut order[place], place as u32) as usize;
            if from == start || from == place {
                break;
            }
            things.swap(place, from);
            place = from;
        }
    }
}
