//! The order of a pass: made here, followed by every engine, table and explanation.
//!
//! Up to [`NEWEST_FIRST`] nodes it is descending ids. Above, it is by level, operation and id, so that a plan can run
//! one loop for each level and operation. Both are functions of the graph alone; in both every user comes before its
//! operands, so going backwards through the order is an evaluation order. Constants are not in it.

use std::cell::Cell;
use std::cmp::Reverse;
use std::rc::Rc;

use super::node::Node;

/// The largest graph whose pass goes by descending ids.
pub const NEWEST_FIRST: usize = 2_000;

/// Nodes, users before operands.
#[derive(Clone, Debug)]
pub struct Order {
    nodes: Vec<Rc<Node>>,
    /// Tells whose positions the nodes carry at the moment: orders share nodes.
    serial: u64,
}

thread_local! {
    static NEXT: Cell<u64> = const { Cell::new(1) };
    static LAID_OUT: Cell<u64> = const { Cell::new(0) };
}

impl Order {
    /// Every node at and below the roots that is not constant.
    pub fn below<'n>(roots: impl IntoIterator<Item = &'n Rc<Node>>) -> Order {
        let mut nodes = collect(roots);
        if nodes.len() <= NEWEST_FIRST {
            nodes.sort_unstable_by_key(|node| Reverse(node.id()));
        } else {
            // Many nodes lie far apart: each is asked for its id once, not in every comparison.
            nodes.sort_by_cached_key(|node| Reverse(node.id()));
            sort_by_level(&mut nodes);
        }
        let serial = NEXT.replace(NEXT.get() + 1);
        let order = Order { nodes, serial };
        order.lay_out();
        order
    }

    /// The nodes, users before operands.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.nodes
    }

    /// The level of each node, in this order: a leaf is on level 0, a computed node one above its highest operand.
    pub fn levels(&self) -> Vec<u32> {
        self.lay_out();
        levels_of(&self.nodes)
    }

    /// Where a node stands, if it is in this order.
    pub fn position(&self, node: &Node) -> Option<usize> {
        self.lay_out();
        let position = node.position.get() as usize;
        self.nodes
            .get(position)
            .is_some_and(|found| std::ptr::eq(&raw const **found, node))
            .then_some(position)
    }

    /// Writes the positions into the nodes, unless they are there already. A sweep then finds its operands' grads
    /// without a table from ids.
    pub(super) fn lay_out(&self) {
        if LAID_OUT.replace(self.serial) != self.serial {
            stamp(&self.nodes);
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

/// Everything reachable, each once, with an explicit stack. A node counts as found when the position it carries leads
/// back to it, so nothing has to be cleared before or after.
fn collect<'n>(roots: impl IntoIterator<Item = &'n Rc<Node>>) -> Vec<Rc<Node>> {
    LAID_OUT.set(0);
    let mut found: Vec<Rc<Node>> = Vec::new();
    let visit = |node: &Rc<Node>, found: &mut Vec<Rc<Node>>| {
        let known = found
            .get(node.position.get() as usize)
            .is_some_and(|other| Rc::ptr_eq(other, node));
        if node.varies() && !known {
            node.position.set(found.len() as u32);
            found.push(Rc::clone(node));
        }
    };
    for root in roots {
        visit(root, &mut found);
    }
    let mut next = 0;
    while let Some(node) = found.get(next).map(Rc::clone) {
        for operand in node.operands() {
            visit(operand, &mut found);
        }
        next += 1;
    }
    found
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

/// Levels downwards; within a level by operation, within an operation newest first. The nodes come newest first.
fn sort_by_level(nodes: &mut [Rc<Node>]) {
    stamp(nodes);
    let levels = levels_of(nodes);
    nodes.sort_by_cached_key(|node| {
        let operation = node.op().map_or(0, |op| op.index() as u32 + 1);
        (
            Reverse(levels[Order::slot(node)]),
            operation,
            Reverse(node.id()),
        )
    });
}
