//! Defines nodes and arrays of nodes, evaluates a node from the data of its operands, and drops nodes without recursion.
//! `Graph` (in `factory`) creates nodes.
//!
//! Invariants: a node's operation and operands never change after its creation. A node is created after its operands, so
//! ascending ids are a topological order for evaluation and descending ids one for a backward pass. Operands are ordered
//! and may repeat. A node does not know its name. Nodes are dropped in a loop, however deep the graph is.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use super::rule::{Carried, NodeRule};
use crate::ops::{Op, at_row};

/// A node's id. Nodes are numbered from 1 in the order of creation. An id has 32 bits, because an id of 64 bits would
/// enlarge a node from 64 to 80 bytes of memory and slow down every pass over a large graph. A session that has used nearly
/// all four billion ids gets an error before an id is given twice; see [`LAST_ID`].
pub type NodeId = u32;

/// The highest id for the nodes of expressions: an expression that might need more is not built. The ids above are a
/// reserve for other nodes, which no statement can use up.
pub const LAST_ID: NodeId = NodeId::MAX - (1 << 28);

/// A node. It is always held as `Rc<Node>`.
pub struct Node {
    id: NodeId,
    /// The index of the node in the list that the last search or order has made. The next one overwrites it, so a reader
    /// must check that its list has the node at this index.
    pub(super) carried_index: Cell<u32>,
    data: Cell<f64>,
    pub(super) kind: NodeKind,
}

/// The kind of a node, with its operands. One or two operands are stored inline: few nodes have more, and a larger array
/// would enlarge every node. An operation is stored as its row in the table, in 8 bits. With a reference in its place, or
/// with a [`Spelling`] in place of `Literal` and `Named`, a node would take 80 bytes instead of 64. A level of 0 means that
/// no operand varies; see [`Node::level`].
pub(super) enum NodeKind {
    Leaf {
        frozen: Cell<bool>,
        /// Whether it was made of a condition, as by `x = True`.
        is_condition: bool,
    },
    Literal {
        has_point: bool,
    },
    Named(&'static str),
    Unary {
        generated: Cell<bool>,
        level: u32,
        op: u8,
        operands: [Rc<Node>; 1],
    },
    Binary {
        generated: Cell<bool>,
        level: u32,
        op: u8,
        operands: [Rc<Node>; 2],
    },
    Many {
        generated: Cell<bool>,
        level: u32,
        op: u8,
        operands: Rc<NodeArray>,
    },
}

/// The fields that nodes with an operation have, besides their operands.
struct OpParts<'n> {
    /// The row of the operation in the table.
    row: u8,
    level: u32,
    /// Whether a rule of differentiation built the node.
    generated: &'n Cell<bool>,
}

/// A sequence of nodes, which a list shares with the operations on its items.
#[derive(Debug)]
pub struct NodeArray {
    nodes: Vec<Rc<Node>>,
    /// How the array was made, in a type of the code that made it. It may hold arrays, and nodes of this array. Other nodes
    /// would live as long as the array and be dropped by recursion.
    origin: Option<Box<dyn Any>>,
    /// The rule of the operation on the nodes, if it is one that its node carries.
    pub(super) carried: Option<Rc<dyn Carried>>,
}

impl NodeArray {
    /// The nodes, in order.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.nodes
    }

    /// The nodes, for changes. Forgets the origin.
    pub fn nodes_mut(&mut self) -> &mut Vec<Rc<Node>> {
        self.origin = None;
        &mut self.nodes
    }

    /// How the array was made.
    pub fn origin(&self) -> Option<&dyn Any> {
        self.origin.as_deref()
    }

    /// Sets how the array was made.
    pub fn set_origin(&mut self, origin: Box<dyn Any>) {
        self.origin = Some(origin);
    }
}

impl From<Vec<Rc<Node>>> for NodeArray {
    fn from(nodes: Vec<Rc<Node>>) -> NodeArray {
        NodeArray {
            nodes,
            origin: None,
            carried: None,
        }
    }
}

/// How a constant was written, so that labels can repeat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `10`, or a number taken from a node
    Plain,
    /// `10.0`
    Point,
    /// `pi`
    Named(&'static str),
}

impl Node {
    /// Creates a node. Only the factory may call this, because it chooses the ids.
    pub(super) fn new(id: NodeId, data: f64, kind: NodeKind) -> Rc<Node> {
        if COUNTS_LIVE {
            LIVE.set(LIVE.get() + 1);
        }
        Rc::new(Node {
            id,
            carried_index: Cell::new(0),
            data: Cell::new(data),
            kind,
        })
    }

    /// The node's id.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// The node's current value.
    pub fn data(&self) -> f64 {
        self.data.get()
    }

    /// Whether the node is a leaf.
    pub fn is_leaf(&self) -> bool {
        matches!(self.kind, NodeKind::Leaf { .. })
    }

    /// Whether the node is a leaf that was made of a condition and still is 1 or 0.
    pub fn is_condition_leaf(&self) -> bool {
        let is_made_of_condition = matches!(
            self.kind,
            NodeKind::Leaf {
                is_condition: true,
                ..
            }
        );
        is_made_of_condition && matches!(self.data(), 0.0 | 1.0)
    }

    /// Whether the node is computed from leaves.
    pub fn is_computed(&self) -> bool {
        self.level() > 0
    }

    /// Whether the node is a leaf that `:step` leaves alone.
    pub fn is_frozen(&self) -> bool {
        matches!(&self.kind, NodeKind::Leaf { frozen, .. } if frozen.get())
    }

    /// Whether the node is a leaf that `:step` moves.
    pub fn is_free(&self) -> bool {
        matches!(&self.kind, NodeKind::Leaf { frozen, .. } if !frozen.get())
    }

    /// How the node was written, if it is a constant without operands.
    pub fn spelling(&self) -> Option<Spelling> {
        match self.kind {
            NodeKind::Literal { has_point: false } => Some(Spelling::Plain),
            NodeKind::Literal { has_point: true } => Some(Spelling::Point),
            NodeKind::Named(name) => Some(Spelling::Named(name)),
            _ => None,
        }
    }

    /// Whether a leaf is at or below the node. A node that does not vary is a constant: tables leave it out and it has
    /// no grad.
    pub fn varies(&self) -> bool {
        self.is_leaf() || self.is_computed()
    }

    /// The node's level: 0 for a leaf and for a constant. For other nodes, one more than the highest level among the
    /// varying operands.
    pub fn level(&self) -> u32 {
        self.op_parts().map_or(0, |parts| parts.level)
    }

    /// Whether a rule of differentiation built the node. The user typed all other nodes.
    pub fn is_generated(&self) -> bool {
        self.op_parts().is_some_and(|parts| parts.generated.get())
    }

    /// Marks the node as built by a rule of differentiation.
    pub fn mark_generated(&self) {
        if let Some(parts) = self.op_parts() {
            parts.generated.set(true);
        }
    }

    /// The lowest level that a user of this node can have: 0 if this node is a constant.
    pub(super) fn level_above(&self) -> u32 {
        if self.varies() { self.level() + 1 } else { 0 }
    }

    /// The node's operation. Leaves, literals and named constants have none.
    pub fn op(&self) -> Option<&'static Op> {
        at_row(self.op_parts()?.row)
    }

    /// The fields of a node with an operation.
    #[inline]
    fn op_parts(&self) -> Option<OpParts<'_>> {
        match &self.kind {
            NodeKind::Leaf { .. } | NodeKind::Literal { .. } | NodeKind::Named(_) => None,
            NodeKind::Unary {
                op,
                level,
                generated,
                ..
            }
            | NodeKind::Binary {
                op,
                level,
                generated,
                ..
            }
            | NodeKind::Many {
                op,
                level,
                generated,
                ..
            } => Some(OpParts {
                row: *op,
                level: *level,
                generated,
            }),
        }
    }

    /// The node's operands, in order.
    pub fn operands(&self) -> &[Rc<Node>] {
        match &self.kind {
            NodeKind::Leaf { .. } | NodeKind::Literal { .. } | NodeKind::Named(_) => &[],
            NodeKind::Unary { operands, .. } => operands,
            NodeKind::Binary { operands, .. } => operands,
            NodeKind::Many { operands, .. } => &operands.nodes,
        }
    }

    /// The array of the operands, if the operation takes any number of them.
    pub fn array(&self) -> Option<&Rc<NodeArray>> {
        match &self.kind {
            NodeKind::Many { operands, .. } => Some(operands),
            _ => None,
        }
    }

    /// The rule that the node carries.
    pub fn carried(&self) -> Option<&Rc<dyn Carried>> {
        self.array()?.carried.as_ref()
    }

    /// The operation, with the rule that the node carries.
    #[inline]
    pub(super) fn rule(&self) -> Option<NodeRule<'_>> {
        let (op, carried) = (self.op()?, self.carried());
        Some(NodeRule { op, carried })
    }

    /// The local derivatives by all operands, left to right. A leaf or literal has none.
    pub fn locals(&self) -> Vec<f64> {
        let locals = |rule: NodeRule| rule.locals(&values(self.operands()), self.data());
        self.rule().map(locals).unwrap_or_default()
    }

    /// Visits each operand that varies, left to right, with its position and the local derivative by it.
    #[inline]
    pub fn each_local(&self, visit: impl FnMut(usize, &Rc<Node>, f64)) {
        if let Some(rule) = self.rule() {
            let data_of = |operand: &Rc<Node>| operand.data();
            let varies = |operand: &Rc<Node>| operand.varies();
            rule.each_local(self.operands(), self.data(), data_of, varies, visit);
        }
    }

    /// The node's value from the current data of its operands. Leaves and constants without operands keep their data.
    pub(super) fn compute(&self) -> f64 {
        match self.rule() {
            Some(rule) => value(rule, self.operands()),
            None => self.data(),
        }
    }

    /// Stores new data. Only `Graph::recompute` may call this for computed nodes, and `Graph::set` for leaves.
    pub(super) fn store_data(&self, data: f64) {
        self.data.set(data);
    }
}

/// The data of some nodes.
pub fn values(nodes: &[Rc<Node>]) -> Vec<f64> {
    nodes.iter().map(|node| node.data()).collect()
}

/// The most operands whose data is collected in an array.
const FEW: usize = 32;

/// The value of an operation on these nodes. Few operands need no list of their data.
#[inline]
pub(super) fn value(rule: NodeRule, operands: &[Rc<Node>]) -> f64 {
    match operands {
        [x] => rule.value(&[x.data()]),
        [x, y] => rule.value(&[x.data(), y.data()]),
        _ if operands.len() <= FEW => {
            let mut data = [0.0; FEW];
            for (place, operand) in data.iter_mut().zip(operands) {
                *place = operand.data();
            }
            rule.value(&data[..operands.len()])
        }
        _ => rule.value(&values(operands)),
    }
}

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };

    /// The origins that wait to be dropped. `None` unless an array is being dropped.
    static WAITING_ORIGINS: Cell<Option<Vec<Box<dyn Any>>>> = const { Cell::new(None) };
}

/// Tests count the nodes that are alive.
const COUNTS_LIVE: bool = cfg!(debug_assertions);

/// The number of nodes of this thread that are alive, to find leaks. Always 0 in a release build.
pub fn live_nodes() -> usize {
    LIVE.get()
}

impl fmt::Debug for Node {
    /// Shows operands by id: a derived implementation would recurse through the whole graph.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let operands: Vec<NodeId> = self.operands().iter().map(|below| below.id).collect();
        f.debug_struct("Node")
            .field("id", &self.id)
            .field("data", &self.data())
            .field("op", &self.op().map(|op| op.name))
            .field("operands", &operands)
            .finish_non_exhaustive()
    }
}

impl Drop for NodeArray {
    /// Drops origins in a loop, because recursion would overflow the stack: an origin may hold the array before it, which
    /// has an origin too, and so on.
    fn drop(&mut self) {
        let Some(origin) = self.origin.take() else {
            return;
        };
        let waiting = WAITING_ORIGINS.take();
        let is_outermost = waiting.is_none();
        let mut all_waiting = waiting.unwrap_or_default();
        all_waiting.push(origin);
        WAITING_ORIGINS.set(Some(all_waiting));
        if is_outermost {
            // The arrays that an origin holds add their own origins to the list.
            while let Some(mut left) = WAITING_ORIGINS.take()
                && let Some(next) = left.pop()
            {
                WAITING_ORIGINS.set(Some(left));
                drop(next);
            }
        }
    }
}

impl Drop for Node {
    /// Drops the nodes below in a loop: the derived drop would recurse and overflow the stack on a chain of a million
    /// nodes.
    fn drop(&mut self) {
        if COUNTS_LIVE {
            LIVE.set(LIVE.get() - 1);
        }
        let mut waiting: Vec<Rc<Node>> = Vec::new();
        release(&mut self.kind, &mut waiting);
        while let Some(node) = waiting.pop() {
            if let Some(mut node) = Rc::into_inner(node) {
                // The operands are moved out before the node is dropped here, because its own `drop` would recurse.
                release(&mut node.kind, &mut waiting);
            }
        }
    }
}

/// Takes the operands out of a node that is dropped. Moves those that have no other owner, and operands of their own, into
/// `waiting`, and drops the references to all others.
fn release(kind: &mut NodeKind, waiting: &mut Vec<Rc<Node>>) {
    let take = |operand: Rc<Node>| {
        if Rc::strong_count(&operand) == 1 && !operand.operands().is_empty() {
            waiting.push(operand);
        }
    };
    // A literal has no operands, so nothing is left to drop in the place of this kind.
    match std::mem::replace(kind, NodeKind::Literal { has_point: false }) {
        NodeKind::Leaf { .. } | NodeKind::Literal { .. } | NodeKind::Named(_) => {}
        NodeKind::Unary { operands, .. } => operands.into_iter().for_each(take),
        NodeKind::Binary { operands, .. } => operands.into_iter().for_each(take),
        NodeKind::Many { operands, .. } => {
            if let Some(mut array) = Rc::into_inner(operands) {
                std::mem::take(&mut array.nodes).into_iter().for_each(take);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::ops::{Shape, operator};

    #[test]
    fn a_chain_of_a_million_drops_without_recursion() {
        let before = live_nodes();
        let plus = operator("+", Shape::Infix).expect("there is a sum");
        let mut graph = Graph::default();
        let mut sum = graph.leaf(1.0, false);
        for _ in 0..1_000_000 {
            let one = graph.constant(1.0, Spelling::Plain);
            sum = graph.apply_2(plus, sum, one);
        }
        assert_eq!(sum.data(), 1_000_001.0);
        assert_eq!(live_nodes() - before, 2_000_001);
        drop(sum);
        assert_eq!(live_nodes(), before);
    }

    #[test]
    fn a_node_keeps_its_size() {
        // This is most of the memory a line of a script takes: 40 bytes, 56 with the two counts of `Rc`, 64 with what
        // the allocator adds.
        assert_eq!(size_of::<Node>(), 40);
    }
}
