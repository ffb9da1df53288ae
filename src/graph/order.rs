//! The order of a pass: made here, followed by every engine, table and explanation.
//!
//! Up to [`NEWEST_FIRST`] nodes it is descending ids. Above, it is by level and operation, so that a plan can run one
//! loop for each of them, and within these as operands are needed, so that neighbours have neighbours as operands: a
//! network over a hundred samples becomes rows of a hundred. Both are functions of the graph alone; in both every user
//! comes before its operands, so going backwards through the order is an evaluation order. Constants are not in it.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::rc::{Rc, Weak};

use super::node::Node;

/// The largest graph whose pass goes by descending ids.
pub const NEWEST_FIRST: usize = 2_000;

/// Nodes, users before operands.
#[derive(Clone, Debug)]
pub struct Order {
    laid: Rc<OrderedNodes>,
}

#[derive(Debug)]
struct OrderedNodes {
    nodes: Vec<Rc<Node>>,
    /// Tells whose positions the nodes carry at the moment: orders share nodes.
    serial: u64,
}

/// Tells orders apart, and whether one is still there.
#[derive(Debug)]
pub(super) struct Identity(Weak<OrderedNodes>);

impl Identity {
    pub(super) fn is_of(&self, order: &Order) -> bool {
        std::ptr::eq(self.0.as_ptr(), Rc::as_ptr(&order.laid))
    }

    pub(super) fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
    }
}

thread_local! {
    static NEXT: Cell<u64> = const { Cell::new(1) };
    static CARRIED: Cell<u64> = const { Cell::new(0) };
    /// The last order below a single root, as long as somebody has it. What is below a root never changes, and a pass
    /// is followed by more of the same root.
    static LAST: RefCell<Weak<OrderedNodes>> = const { RefCell::new(Weak::new()) };
}

impl Order {
    /// Every node at and below the roots that is not constant.
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
            LAST.set(Rc::downgrade(&order.laid));
        }
        order
    }

    /// The same, whatever order was made last.
    pub(super) fn made_anew<'n>(roots: impl IntoIterator<Item = &'n Rc<Node>>) -> Order {
        let mut found = Found::default();
        found.collect(roots);
        let mut nodes = found.nodes_in_order();
        nodes.shrink_to_fit();
        let laid = Rc::new(OrderedNodes {
            nodes,
            serial: NEXT.replace(NEXT.get() + 1),
        });
        let order = Order { laid };
        order.lay_out();
        order
    }

    /// The order below a root, if it is the one that was made last.
    fn last_below(root: &Rc<Node>) -> Option<Order> {
        let laid = LAST.with_borrow(Weak::upgrade)?;
        // In an order below a single root that root comes first.
        let same = laid.nodes.first().is_some_and(|top| Rc::ptr_eq(top, root));
        let order = same.then_some(Order { laid })?;
        order.lay_out();
        Some(order)
    }

    /// Something by which this order is known as long as anything holds it.
    pub(super) fn identity(&self) -> Identity {
        Identity(Rc::downgrade(&self.laid))
    }

    /// The nodes, users before operands.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.laid.nodes
    }

    /// The level of each node, in this order: a leaf is on level 0, a computed node one above its highest operand.
    pub fn levels(&self) -> Vec<u32> {
        self.lay_out();
        levels_of(self.nodes())
    }

    /// Where a node stands, if it is in this order.
    pub fn position(&self, node: &Node) -> Option<usize> {
        self.lay_out();
        let position = node.position.get() as usize;
        self.nodes()
            .get(position)
            .is_some_and(|found| std::ptr::eq(&raw const **found, node))
            .then_some(position)
    }

    /// Writes the positions into the nodes, unless they are there already. A sweep then finds its operands' grads
    /// without a table from ids.
    pub(super) fn lay_out(&self) {
        if CARRIED.replace(self.laid.serial) != self.laid.serial {
            stamp(self.nodes());
        }
    }

    /// Where an operand stands. Only right after [`Order::lay_out`], and only for nodes of this order.
    pub(super) fn slot(node: &Node) -> usize {
        node.position.get() as usize
    }
}

fn stamp(nodes: &[Rc<Node>]) {
    for (position, node) in nodes.iter().enumerate() {
        node.position.set(position as u32);
    }
}

/// Says that somebody else writes into the positions that nodes carry.
pub(super) fn take_positions() {
    CARRIED.set(0);
}

/// Nodes as they were found, and which are operands of which: where nodes lie far apart each is asked once.
#[derive(Default)]
struct Found {
    nodes: Vec<Rc<Node>>,
    /// The operands of all nodes, by where they were found.
    operands: Vec<u32>,
    /// Where those of each node end.
    ends: Vec<u32>,
}

impl Found {
    /// Everything reachable, each once, with an explicit stack. A node counts as found when the position it carries
    /// leads back to it, so nothing has to be cleared before or after.
    fn collect<'n>(&mut self, roots: impl IntoIterator<Item = &'n Rc<Node>>) {
        take_positions();
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

    /// Where a node was found; constants are not looked for.
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

    /// Places, newest first.
    fn newest_first(&self) -> Vec<u32> {
        const NOBODY: u32 = u32::MAX;
        let ids = || self.nodes.iter().map(|node| node.id());
        let (oldest, newest) = (ids().min().unwrap_or(0), ids().max().unwrap_or(0));
        let span = (newest - oldest) as usize + 1;
        if span / 8 > self.nodes.len() {
            let mut keyed: Vec<(u32, u32)> = ids().zip(0..).collect();
            keyed.sort_unstable_by_key(|&(id, _)| Reverse(id));
            return keyed.into_iter().map(|(_, place)| place).collect();
        }
        // Numbers are given in turn, so mostly there is a node for each: no need to compare.
        let mut places = vec![NOBODY; span];
        for (id, place) in ids().zip(0..) {
            places[(id - oldest) as usize] = place;
        }
        let known = places.into_iter().rev();
        known.filter(|&place| place != NOBODY).collect()
    }

    /// Levels downwards; within a level by operation; within an operation as they are used by those before: the left
    /// operands, then the others, first used first. So neighbours have neighbours as operands. What nobody uses comes
    /// last, newest first.
    fn levelled(mut self) -> Vec<Rc<Node>> {
        const NEVER: u64 = u32::MAX as u64;
        const RIGHT: u64 = 1 << 31;
        let newest = self.newest_first();
        let mut levels = vec![0_u32; newest.len()];
        for &place in newest.iter().rev() {
            let operands = self.operands(place as usize).iter();
            let level = operands.map(|&operand| levels[operand as usize] + 1).max();
            levels[place as usize] = level.unwrap_or(0);
        }
        // From here on there is less in memory at a time: a graph may take most of what there is.
        let (mut order, ends) = by_level(&newest, &levels);
        drop((newest, levels));
        let operation = |node: &Rc<Node>| node.op().map_or(0, |op| op.index() as u64 + 1);
        let keys = self.nodes.iter().map(|node| operation(node) << 32 | NEVER);
        let mut keys: Vec<u64> = keys.collect();
        let (mut used, mut start) = (0, 0);
        let mut sorted = Vec::new();
        for end in ends {
            let level = &mut order[start as usize..end as usize];
            start = end;
            // Among those that nobody uses the newest stay first.
            let keyed = |(turn, &place): (u32, &u32)| (keys[place as usize], turn, place);
            sorted.clear();
            sorted.extend((0..).zip(&*level).map(keyed));
            sorted.sort_unstable();
            for (to, &(_, _, place)) in level.iter_mut().zip(&sorted) {
                *to = place;
                for (side, &operand) in self.operands(place as usize).iter().enumerate() {
                    let key = &mut keys[operand as usize];
                    if *key & NEVER == NEVER {
                        let side = if side == 0 { 0 } else { RIGHT };
                        *key = *key & !NEVER | side | used;
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

/// Places by level, the highest first and otherwise as they come, and where each level ends.
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
    // Backwards, each to the end of what is left of its level; so ends become starts.
    for &place in places.iter().rev() {
        let left = &mut ends[(highest - levels[place as usize]) as usize];
        *left -= 1;
        sorted[*left as usize] = place;
    }
    ends.push(end);
    ends.remove(0);
    (sorted, ends)
}

/// Puts in each place what stands where the order says, without room for a second list.
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

/// The levels of nodes that stand users first and carry their positions: a leaf is on level 0, a computed node one
/// above its highest operand.
fn levels_of(nodes: &[Rc<Node>]) -> Vec<u32> {
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
