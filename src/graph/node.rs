//! Nodes: what one holds, and how it is dropped. The factory `Graph` makes them.
//!
//! What always holds: an operation and its operands never change after creation, only a leaf's data does; a node is
//! made after its operands, so ascending ids are an evaluation order and descending ids a backward order; operands
//! are ordered and may repeat; a node does not know its name. Dropping is a loop, whatever the depth.

use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use crate::ops::{Op, TABLE};

/// The number of a node, in order of creation, from 1. With 64 bits a node would take 80 bytes of memory where it takes
/// 64, and a graph of millions of nodes would be as much slower to go through. A session that has made four billion
/// nodes, few of which are alive, is told so before a number would come twice: see [`LAST_NUMBER`].
pub type NodeId = u32;

/// No expression is built that may need a higher number. What lies above is more than any statement makes.
pub const LAST_NUMBER: NodeId = NodeId::MAX - (1 << 28);

/// A node, shared as `Rc<Node>`.
pub struct Node {
    id: NodeId,
    /// Where the node stands in the order that was laid out last; see `order`.
    pub(super) position: Cell<u32>,
    data: Cell<f64>,
    pub(super) origin: Origin,
}

/// A row of the table of operations, by its place there: with a reference to it a node would take 80 bytes where it
/// takes 64, a line of the cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpRow(u8);

const _: () = assert!(TABLE.len() <= 1 << u8::BITS, "a row has a number");

impl OpRow {
    pub(super) fn of(op: &'static Op) -> OpRow {
        OpRow(op.index() as u8)
    }

    /// The operation.
    fn op(self) -> &'static Op {
        &TABLE[usize::from(self.0)]
    }
}

impl Deref for OpRow {
    type Target = Op;

    fn deref(&self) -> &Op {
        self.op()
    }
}

/// Where a node's data comes from. One or two operands stand inline: few nodes have more, and all would be larger.
pub(super) enum Origin {
    Leaf {
        frozen: Cell<bool>,
    },
    Literal {
        point: bool,
    },
    Named(&'static str),
    Unary {
        varies: bool,
        op: OpRow,
        operands: [Rc<Node>; 1],
    },
    Binary {
        varies: bool,
        op: OpRow,
        operands: [Rc<Node>; 2],
    },
    Many {
        varies: bool,
        op: OpRow,
        operands: Box<[Rc<Node>]>,
    },
}

/// How a constant was written, so that labels can show it so.
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
    /// A node with a number of its own, which only the factory knows.
    pub(super) fn new(id: NodeId, data: f64, origin: Origin) -> Rc<Node> {
        LIVE.set(LIVE.get() + 1);
        Rc::new(Node {
            id,
            position: Cell::new(0),
            data: Cell::new(data),
            origin,
        })
    }

    /// Its number.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// Its present value.
    pub fn data(&self) -> f64 {
        self.data.get()
    }

    /// Is it a leaf?
    pub fn is_leaf(&self) -> bool {
        matches!(self.origin, Origin::Leaf { .. })
    }

    /// Is it a leaf that `:step` does not move?
    pub fn is_frozen(&self) -> bool {
        matches!(&self.origin, Origin::Leaf { frozen } if frozen.get())
    }

    /// Is it a leaf that `:step` moves?
    pub fn is_free(&self) -> bool {
        matches!(&self.origin, Origin::Leaf { frozen } if !frozen.get())
    }

    /// How it was written, if it is a literal or a number taken from a node.
    pub fn spelling(&self) -> Option<Spelling> {
        match self.origin {
            Origin::Literal { point: false } => Some(Spelling::Plain),
            Origin::Literal { point: true } => Some(Spelling::Point),
            Origin::Named(name) => Some(Spelling::Named(name)),
            _ => None,
        }
    }

    /// Is there a leaf at or below it? Without one it is constant: no row, no gradient.
    pub fn varies(&self) -> bool {
        match self.origin {
            Origin::Leaf { .. } => true,
            Origin::Literal { .. } | Origin::Named(_) => false,
            Origin::Unary { varies, .. }
            | Origin::Binary { varies, .. }
            | Origin::Many { varies, .. } => varies,
        }
    }

    /// Its operation; leaves and literals have none.
    pub fn op(&self) -> Option<&'static Op> {
        match self.origin {
            Origin::Leaf { .. } | Origin::Literal { .. } | Origin::Named(_) => None,
            Origin::Unary { op, .. } | Origin::Binary { op, .. } | Origin::Many { op, .. } => {
                Some(op.op())
            }
        }
    }

    /// Its operands, in order.
    pub fn operands(&self) -> &[Rc<Node>] {
        match &self.origin {
            Origin::Leaf { .. } | Origin::Literal { .. } | Origin::Named(_) => &[],
            Origin::Unary { operands, .. } => operands,
            Origin::Binary { operands, .. } => operands,
            Origin::Many { operands, .. } => operands,
        }
    }

    /// Only for what recomputes, `forward`, and for leaves through `Graph::set`.
    pub(super) fn put(&self, data: f64) {
        CHANGES.set(CHANGES.get() + 1);
        self.data.set(data);
    }
}

thread_local! {
    static CHANGES: Cell<u64> = const { Cell::new(0) };
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// Is it other data? One NaN is as good as another.
pub(super) fn differ(before: f64, after: f64) -> bool {
    before.to_bits() != after.to_bits() && !(before.is_nan() && after.is_nan())
}

/// Counts every change of a node's data: a copy of them is good as long as there was none.
pub(super) fn changes() -> u64 {
    CHANGES.get()
}

/// How many nodes of this thread are alive: what a test of leaks asks.
pub fn live_nodes() -> usize {
    LIVE.get()
}

impl fmt::Debug for Node {
    /// Operands by their numbers: a derived implementation would recurse through the whole graph.
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

impl Drop for Node {
    /// A loop over what would be the last reference: the derived drop of a chain of a million recurses and aborts.
    fn drop(&mut self) {
        LIVE.set(LIVE.get() - 1);
        let mut waiting: Vec<Rc<Node>> = Vec::new();
        release(&mut self.origin, &mut waiting);
        while let Some(node) = waiting.pop() {
            if let Some(mut node) = Rc::into_inner(node) {
                // Its operands leave first, so its own drop finds none.
                release(&mut node.origin, &mut waiting);
            }
        }
    }
}

/// Moves the operands that nobody else holds into `waiting`; the others are let go on the spot.
fn release(origin: &mut Origin, waiting: &mut Vec<Rc<Node>>) {
    let mut take = |operands: &mut dyn Iterator<Item = Rc<Node>>| {
        for operand in operands {
            if Rc::strong_count(&operand) == 1 && !operand.operands().is_empty() {
                waiting.push(operand);
            }
        }
    };
    match std::mem::replace(origin, Origin::Literal { point: false }) {
        Origin::Leaf { .. } | Origin::Literal { .. } | Origin::Named(_) => {}
        Origin::Unary { operands, .. } => take(&mut operands.into_iter()),
        Origin::Binary { operands, .. } => take(&mut operands.into_iter()),
        Origin::Many { operands, .. } => take(&mut operands.into_vec().into_iter()),
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
        let mut stack = vec![graph.leaf(1.0, false)];
        for _ in 0..1_000_000 {
            let one = graph.constant(1.0, Spelling::Plain);
            stack.push(one);
            let sum = graph.apply(plus, &mut stack, 2);
            stack.push(sum);
        }
        assert_eq!(stack[0].data(), 1_000_001.0);
        assert_eq!(live_nodes() - before, 2_000_001);
        drop(stack);
        assert_eq!(live_nodes(), before);
    }

    #[test]
    fn a_node_keeps_its_size() {
        // Memory per line of a script is mostly this; 56 with the two counts of Rc, 64 with what the allocator adds.
        assert_eq!(size_of::<Node>(), 40);
    }
}
