//! Nodes: what a node holds, and how it is dropped. `Graph` (in `factory`) creates them.
//!
//! Invariants: an operation and its operands never change after creation; only a leaf's data does. A node is created
//! after its operands, so ascending ids are a topological order for evaluation and descending ids one for a backward
//! pass. Operands are ordered and may repeat. A node does not know its name. Nodes are dropped in a loop, however deep
//! the graph is.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use crate::ops::{Op, TABLE};

/// A node's number, counted from 1 in the order of creation. It has 32 bits because with 64 a node would take 80 bytes
/// of memory instead of 64, which slows down every pass over a large graph. A session that has used up nearly all four
/// billion numbers gets an error before one is given twice; see [`LAST_NUMBER`].
pub type NodeId = u32;

/// No expression is built if it might need a higher number. The numbers above are a reserve that no statement can use
/// up.
pub const LAST_NUMBER: NodeId = NodeId::MAX - (1 << 28);

/// A node. It is always held as `Rc<Node>`.
pub struct Node {
    id: NodeId,
    /// Scratch space for searches and orders: the index of the node in a list of theirs. The next search overwrites it, so a
    /// reader checks that the list has the node at this index.
    pub(super) mark: Cell<u32>,
    data: Cell<f64>,
    pub(super) kind: NodeKind,
}

/// The kind of a node, with its operands. One or two operands are stored inline: few nodes have more, and a larger array
/// would enlarge every node. An operation is stored as its row in the table, in 8 bits. With a reference a node would take
/// 80 bytes instead of 64, and also with a [`Spelling`] in place of `Literal` and `Named`. A level of 0 means that no
/// operand varies; see [`Node::level`].
pub(super) enum NodeKind {
    Leaf {
        frozen: Cell<bool>,
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

/// The fields that all nodes with an operation have.
struct OpParts<'n> {
    /// The row of the operation in the table.
    row: u8,
    level: u32,
    /// Whether a rule of differentiation built the node.
    generated: &'n Cell<bool>,
}

/// A sequence of nodes, which a list and an operation on its items share.
pub struct NodeArray {
    nodes: Vec<Rc<Node>>,
    /// How the array was made, in a type of its maker. It may hold arrays, and nodes of this array, but no other nodes: they
    /// would live as long as the array and be dropped by recursion.
    origin: Option<Box<dyn Any>>,
}

impl NodeArray {
    /// The nodes, in order.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.nodes
    }

    /// The nodes, to replace some or to add others. The origin is forgotten.
    pub fn nodes_mut(&mut self) -> &mut Vec<Rc<Node>> {
        self.origin = None;
        &mut self.nodes
    }

    /// How the array was made.
    pub fn origin(&self) -> Option<&dyn Any> {
        self.origin.as_deref()
    }

    /// Remembers how the array was made.
    pub fn set_origin(&mut self, origin: Box<dyn Any>) {
        self.origin = Some(origin);
    }
}

impl From<Vec<Rc<Node>>> for NodeArray {
    fn from(nodes: Vec<Rc<Node>>) -> NodeArray {
        NodeArray {
            nodes,
            origin: None,
        }
    }
}

impl fmt::Debug for NodeArray {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(&self.nodes).finish()
    }
}

/// How a constant was written, so that labels can repeat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `10`, or a number that was taken from a node
    Plain,
    /// `10.0`
    Point,
    /// `pi`
    Named(&'static str),
}

impl Node {
    /// Creates a node with an id of its own, which only the factory can choose.
    pub(super) fn new(id: NodeId, data: f64, kind: NodeKind) -> Rc<Node> {
        LIVE.set(LIVE.get() + 1);
        Rc::new(Node {
            id,
            mark: Cell::new(0),
            data: Cell::new(data),
            kind,
        })
    }

    /// The node's number.
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

    /// Whether the node is a leaf that `:step` leaves alone.
    pub fn is_frozen(&self) -> bool {
        matches!(&self.kind, NodeKind::Leaf { frozen } if frozen.get())
    }

    /// Whether the node is a leaf that `:step` moves.
    pub fn is_free(&self) -> bool {
        matches!(&self.kind, NodeKind::Leaf { frozen } if !frozen.get())
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
        self.is_leaf() || self.level() > 0
    }

    /// The node's level. A leaf is on level 0, and a computed node that varies is one above its highest operand that varies.
    /// The level of a constant is 0.
    pub fn level(&self) -> u32 {
        self.op_parts().map_or(0, |parts| parts.level)
    }

    /// Whether a rule of differentiation built the node. All other nodes were typed.
    pub fn is_generated(&self) -> bool {
        self.op_parts().is_some_and(|parts| parts.generated.get())
    }

    /// Remembers that a rule of differentiation built the node.
    pub fn mark_generated(&self) {
        if let Some(parts) = self.op_parts() {
            parts.generated.set(true);
        }
    }

    /// The lowest level that a user of this node can be on. 0 if this node is a constant.
    pub(super) fn level_above(&self) -> u32 {
        if self.varies() { self.level() + 1 } else { 0 }
    }

    /// The node's operation. Leaves, literals and named constants have none.
    pub fn op(&self) -> Option<&'static Op> {
        self.op_parts().map(|parts| &TABLE[usize::from(parts.row)])
    }

    /// The fields that all nodes with an operation have.
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

    /// The array of its operands, if its operation takes any number of them.
    pub fn array(&self) -> Option<&Rc<NodeArray>> {
        match &self.kind {
            NodeKind::Many { operands, .. } => Some(operands),
            _ => None,
        }
    }

    /// Stores new data. Only `Graph::recompute` (computed nodes) and `Graph::set` (leaves) may call this.
    pub(super) fn store_data(&self, data: f64) {
        self.data.set(data);
    }
}

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };

    /// The origins that wait to be dropped, while an array is being dropped.
    static DROPPED: Cell<Option<Vec<Box<dyn Any>>>> = const { Cell::new(None) };
}

/// The number of nodes of this thread that are alive. Tests use it to find leaks.
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
        if let Some(mut waiting) = DROPPED.take() {
            waiting.push(origin);
            return DROPPED.set(Some(waiting));
        }
        let mut next = Some(origin);
        while let Some(last) = next {
            DROPPED.set(DROPPED.take().or_else(|| Some(Vec::new())));
            drop(last);
            let mut waiting = DROPPED.take().unwrap_or_default();
            next = waiting.pop();
            DROPPED.set(next.is_some().then_some(waiting));
        }
    }
}

impl Drop for Node {
    /// Drops the nodes below in a loop: the derived drop would recurse and overflow the stack on a chain of a million
    /// nodes.
    fn drop(&mut self) {
        LIVE.set(LIVE.get() - 1);
        let mut waiting: Vec<Rc<Node>> = Vec::new();
        release(&mut self.kind, &mut waiting);
        while let Some(node) = waiting.pop() {
            if let Some(mut node) = Rc::into_inner(node) {
                // The operands are moved out first; otherwise the node's own drop would recurse.
                release(&mut node.kind, &mut waiting);
            }
        }
    }
}

/// Moves operands that have no other owner into `waiting`, and releases the others.
fn release(kind: &mut NodeKind, waiting: &mut Vec<Rc<Node>>) {
    let is_last_with_operands =
        |operand: &Rc<Node>| Rc::strong_count(operand) == 1 && !operand.operands().is_empty();
    let mut take = |operands: &mut dyn Iterator<Item = Rc<Node>>| {
        waiting.extend(operands.filter(is_last_with_operands));
    };
    match std::mem::replace(kind, NodeKind::Literal { has_point: false }) {
        NodeKind::Leaf { .. } | NodeKind::Literal { .. } | NodeKind::Named(_) => {}
        NodeKind::Unary { operands, .. } => take(&mut operands.into_iter()),
        NodeKind::Binary { operands, .. } => take(&mut operands.into_iter()),
        NodeKind::Many { operands, .. } => {
            if let Some(mut array) = Rc::into_inner(operands) {
                take(&mut std::mem::take(&mut array.nodes).into_iter());
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
