//! Creates nodes and gives each an id, lists the nodes that are alive, and changes the data of leaves.
//!
//! The [`Graph`] also has a clock that counts changes of data. A pass remembers the clock, and is stale once the clock has
//! moved on.

use std::cell::Cell;
use std::rc::Rc;

use super::living::LivingNodes;
use super::node::{LAST_ID, Node, NodeArray, NodeId, NodeKind, Spelling, value, values};
use super::rule::{Carried, NodeRule};
use crate::ops::{Op, SOLVE, same_number};

/// Creates all nodes of a session, and counts changes of data.
#[derive(Debug, Default)]
pub struct Graph {
    last_id: NodeId,
    clock: u64,
    pub(super) living: LivingNodes,
}

impl Graph {
    /// Creates a leaf.
    pub fn leaf(&mut self, data: f64, is_frozen: bool) -> Rc<Node> {
        self.leaf_of(data, is_frozen, false)
    }

    /// Creates a leaf, perhaps of a condition, as `x = True` does.
    pub fn leaf_of(&mut self, data: f64, is_frozen: bool, is_condition: bool) -> Rc<Node> {
        let frozen = Cell::new(is_frozen);
        let kind = NodeKind::Leaf {
            frozen,
            is_condition,
        };
        self.node(data, kind)
    }

    /// Creates a constant: a literal, a named number, or a number taken from a node.
    pub fn constant(&mut self, data: f64, spelling: Spelling) -> Rc<Node> {
        let kind = match spelling {
            Spelling::Plain => NodeKind::Literal { has_point: false },
            Spelling::Point => NodeKind::Literal { has_point: true },
            Spelling::Named(name) => NodeKind::Named(name),
        };
        self.node(data, kind)
    }

    /// Applies an operation to nodes. The caller has checked that it takes this number of operands.
    pub fn apply(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        match operands {
            [x] => self.apply_1(op, Rc::clone(x)),
            [x, y] => self.apply_2(op, Rc::clone(x), Rc::clone(y)),
            _ => self.apply_many(op, Rc::new(operands.to_vec().into())),
        }
    }

    /// Applies an operation to one node.
    pub fn apply_1(&mut self, op: &'static Op, x: Rc<Node>) -> Rc<Node> {
        let operands = [x];
        let (level, data) = level_and_data(NodeRule::of(op), &operands);
        let kind = NodeKind::Unary {
            generated: Cell::new(false),
            level,
            op: op.row,
            operands,
        };
        self.node(data, kind)
    }

    /// Applies an operation to two nodes.
    pub fn apply_2(&mut self, op: &'static Op, x: Rc<Node>, y: Rc<Node>) -> Rc<Node> {
        let operands = [x, y];
        let (level, data) = level_and_data(NodeRule::of(op), &operands);
        let kind = NodeKind::Binary {
            generated: Cell::new(false),
            level,
            op: op.row,
            operands,
        };
        self.node(data, kind)
    }

    /// Applies an operation to the nodes of an array.
    pub fn apply_many(&mut self, op: &'static Op, operands: Rc<NodeArray>) -> Rc<Node> {
        let carried = operands.carried.as_ref();
        let (level, data) = level_and_data(NodeRule { op, carried }, operands.nodes());
        let kind = NodeKind::Many {
            generated: Cell::new(false),
            level,
            op: op.row,
            operands,
        };
        self.node(data, kind)
    }

    /// A node that carries an equation. Without operands it is a constant: its number.
    pub fn carry(&mut self, carried: Rc<dyn Carried>, operands: Vec<Rc<Node>>) -> Rc<Node> {
        if !operands.iter().any(|operand| operand.varies()) {
            return self.constant(carried.value(&values(&operands)), Spelling::Plain);
        }
        let mut array = NodeArray::from(operands);
        array.carried = Some(carried);
        self.apply_many(&SOLVE, Rc::new(array))
    }

    /// Changes a leaf's data. The nodes above it keep theirs until [`Graph::recompute`].
    pub fn set(&mut self, leaf: &Node, data: f64) {
        debug_assert!(leaf.is_leaf(), "only a leaf's data changes");
        leaf.store_data(data);
        self.clock += 1;
    }

    /// Freezes or unfreezes a leaf, and returns whether it was frozen before.
    pub fn set_frozen(&mut self, leaf: &Node, is_frozen: bool) -> bool {
        debug_assert!(leaf.is_leaf(), "only a leaf can be frozen");
        match &leaf.kind {
            NodeKind::Leaf { frozen, .. } => frozen.replace(is_frozen),
            _ => false,
        }
    }

    /// The number of changes of data. A pass that was made at a smaller number is stale.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Sets the clock back after a statement that failed. The caller has undone its changes of data and dropped its passes.
    pub fn rewind_clock(&mut self, clock: u64) {
        self.clock = self.clock.min(clock);
    }

    /// The id of the newest node, or 0 before the first.
    pub fn last_id(&self) -> NodeId {
        self.last_id
    }

    /// Takes back the ids above `last_id` after a statement that failed. The caller has dropped its nodes.
    pub fn rewind(&mut self, last_id: NodeId) {
        self.last_id = self.last_id.min(last_id);
        self.living.rewind(self.last_id);
    }

    /// The varying nodes that are alive.
    pub fn living(&self) -> &LivingNodes {
        &self.living
    }

    /// Frees the memory of dropped nodes if there may be many.
    pub fn free_dropped(&mut self) {
        self.living.compact_if_grown();
    }

    /// Skips ids up to this one, for tests that need the last id.
    pub fn skip_ids(&mut self, last_id: NodeId) {
        self.last_id = last_id;
    }

    /// Recomputes the nodes above these leaves, whose data has changed, and no others. Nodes that are newer than `newest`
    /// keep their data. Calls `visit` with each node that changes and its data before, operands before users.
    pub fn recompute(
        &mut self,
        leaves: &[Rc<Node>],
        newest: NodeId,
        mut visit: impl FnMut(&Rc<Node>, f64),
    ) {
        let last = newest.min(self.last_id);
        (self.living).visit_users(leaves, last, |node| update_data(node, &mut visit));
    }

    /// Recomputes all nodes that are newer than `newest_before`, whatever has changed. Calls `visit` as [`Graph::recompute`]
    /// does.
    pub fn recompute_newer(
        &mut self,
        newest_before: NodeId,
        mut visit: impl FnMut(&Rc<Node>, f64),
    ) {
        let newest_first = self.living.nodes().rev();
        let newer: Vec<_> = newest_first
            .take_while(|node| node.id() > newest_before)
            .collect();
        for node in newer.iter().rev() {
            update_data(node, &mut visit);
        }
    }

    /// Calls `visit` with the users of some nodes, oldest first. If `visit` returns true for a node, the users of that node
    /// are visited, too.
    pub fn visit_users(&mut self, nodes: &[Rc<Node>], visit: impl FnMut(&Rc<Node>) -> bool) {
        self.living.visit_users(nodes, self.last_id, visit);
    }

    /// The number of nodes that expressions may still create. Ids above [`LAST_ID`] are reserved for nodes made outside of
    /// expressions.
    pub fn ids_left(&self) -> NodeId {
        LAST_ID.saturating_sub(self.last_id)
    }

    fn node(&mut self, data: f64, kind: NodeKind) -> Rc<Node> {
        self.last_id += 1;
        let node = Node::new(self.last_id, data, kind);
        if node.varies() {
            self.living.add(&node);
        }
        node
    }
}

/// Recomputes the data of a node. If the data changes, calls `visit` with the data before and returns true.
#[inline]
fn update_data(node: &Rc<Node>, visit: &mut impl FnMut(&Rc<Node>, f64)) -> bool {
    let (before, data) = (node.data(), node.compute());
    if same_number(before, data) {
        return false;
    }
    node.store_data(data);
    visit(node, before);
    true
}

/// The level and the data of a new node.
#[inline]
fn level_and_data(rule: NodeRule, operands: &[Rc<Node>]) -> (u32, f64) {
    debug_assert!(
        rule.op.takes(operands.len()),
        "arity is checked when an expression is built"
    );
    let levels = operands.iter().map(|operand| operand.level_above());
    (levels.max().unwrap_or(0), value(rule, operands))
}
