//! Nodes, and the factory that numbers them.
//!
//! What always holds: an operation and its operands never change after creation, only a leaf's data does; a node is
//! made after its operands, so ascending ids are an evaluation order and descending ids a backward order; operands
//! are ordered and may repeat; a node does not know its name. Dropping is a loop, whatever the depth.

use std::cell::Cell;
use std::ops::Deref;
use std::rc::Rc;

use super::forward::recompute_above;
use super::living::Living;
use super::numbers::{apply_1, apply_2, apply_many};
use crate::ops::{Op, TABLE};

/// The number of a node, in order of creation, from 1. With 64 bits a node would take 80 bytes of memory where it takes
/// 64, and a graph of millions of nodes would be as much slower to go through. A session that has made four billion
/// nodes, few of which are alive, is told so before a number would come twice: see [`LAST_NUMBER`].
pub type NodeId = u32;

/// No expression is built that may need a higher number. What lies above is more than any statement makes.
pub const LAST_NUMBER: NodeId = NodeId::MAX - (1 << 28);

/// A node, shared as `Rc<Node>`.
#[derive(Debug)]
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
pub(super) struct Row(u8);

const _: () = assert!(TABLE.len() <= 1 << u8::BITS, "a row has a number");

impl Row {
    fn of(op: &'static Op) -> Row {
        Row(op.index() as u8)
    }

    /// The operation.
    fn op(self) -> &'static Op {
        &TABLE[usize::from(self.0)]
    }
}

impl Deref for Row {
    type Target = Op;

    fn deref(&self) -> &Op {
        self.op()
    }
}

/// Where a node's data comes from. One or two operands stand inline: few nodes have more, and all would be larger.
#[derive(Debug)]
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
        op: Row,
        operands: [Rc<Node>; 1],
    },
    Binary {
        varies: bool,
        op: Row,
        operands: [Rc<Node>; 2],
    },
    Many {
        varies: bool,
        op: Row,
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

    /// Only for what recomputes, `forward`, and for leaves through [`Graph::set`].
    pub(super) fn put(&self, data: f64) {
        CHANGES.set(CHANGES.get() + 1);
        self.data.set(data);
    }
}

/// Why an operation finds its operands.
const THERE: &str = "the caller has made sure that the stack holds the operands";

/// The factory of nodes: numbers them, and keeps the clock of data changes.
#[derive(Debug, Default)]
pub struct Graph {
    made: NodeId,
    clock: u64,
    living: Living,
}

impl Graph {
    /// A leaf.
    pub fn leaf(&mut self, data: f64, frozen: bool) -> Rc<Node> {
        self.node(
            data,
            Origin::Leaf {
                frozen: Cell::new(frozen),
            },
        )
    }

    /// A literal, or a number taken from a node.
    pub fn constant(&mut self, data: f64, spelling: Spelling) -> Rc<Node> {
        let origin = match spelling {
            Spelling::Plain => Origin::Literal { point: false },
            Spelling::Point => Origin::Literal { point: true },
            Spelling::Named(name) => Origin::Named(name),
        };
        self.node(data, origin)
    }

    /// An operation on the last `count` nodes of `stack`, which it takes from there. The caller has made sure that
    /// the operation takes so many and that the stack holds them.
    pub fn apply(&mut self, op: &'static Op, stack: &mut Vec<Rc<Node>>, count: usize) -> Rc<Node> {
        debug_assert!(
            op.takes(count) && stack.len() >= count,
            "arity is checked when an expression is built"
        );
        let row = Row::of(op);
        // One arm per arity, so that operands move from the stack into the node without a box between.
        match count {
            1 => {
                let x = stack.pop().expect(THERE);
                let varies = x.varies();
                self.node(
                    apply_1(op, x.data()),
                    Origin::Unary {
                        varies,
                        op: row,
                        operands: [x],
                    },
                )
            }
            2 => {
                let y = stack.pop().expect(THERE);
                let x = stack.pop().expect(THERE);
                let varies = x.varies() || y.varies();
                self.node(
                    apply_2(op, x.data(), y.data()),
                    Origin::Binary {
                        varies,
                        op: row,
                        operands: [x, y],
                    },
                )
            }
            _ => {
                let operands: Box<[Rc<Node>]> = stack.drain(stack.len() - count..).collect();
                let varies = operands.iter().any(|operand| operand.varies());
                self.node(
                    apply_many(op, &operands),
                    Origin::Many {
                        varies,
                        op: row,
                        operands,
                    },
                )
            }
        }
    }

    /// Changes a leaf's data. Nodes above it are for `forward` to recompute.
    pub fn set(&mut self, leaf: &Node, data: f64) {
        debug_assert!(leaf.is_leaf(), "only a leaf's data changes");
        leaf.put(data);
        self.clock += 1;
    }

    /// Marks a leaf frozen or free; says whether it was frozen.
    pub fn freeze(&mut self, leaf: &Node, freeze: bool) -> bool {
        match &leaf.origin {
            Origin::Leaf { frozen } => frozen.replace(freeze),
            _ => false,
        }
    }

    /// Counts the changes of data: a pass that is older than the last one is stale.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Sets the clock back, for data that was put back and passes that are gone.
    pub fn rewind_clock(&mut self, clock: u64) {
        self.clock = self.clock.min(clock);
    }

    /// How many nodes were numbered so far.
    pub fn made(&self) -> NodeId {
        self.made
    }

    /// Takes numbers back: for a statement that failed and whose nodes are gone.
    pub fn rewind(&mut self, made: NodeId) {
        self.made = self.made.min(made);
        self.living.rewind(self.made);
    }

    /// The nodes that vary and that anything holds.
    pub fn living(&self) -> &Living {
        &self.living
    }

    #[cfg(test)]
    pub(super) fn living_mut(&mut self) -> &mut Living {
        &mut self.living
    }

    /// Goes on with higher numbers, for a test of where they end.
    #[cfg(test)]
    pub(crate) fn skip_numbers(&mut self, made: NodeId) {
        self.made = made;
    }

    /// After leaves have changed: recomputes exactly the nodes above them. Tells which changed and what its data was,
    /// operands first.
    pub fn recompute(&mut self, leaves: &[Rc<Node>], tell: impl FnMut(&Rc<Node>, f64)) {
        recompute_above(&mut self.living, leaves, tell);
    }

    /// How many more nodes can be numbered. The last ones are kept back for what is made beside expressions.
    pub fn numbers_left(&self) -> NodeId {
        LAST_NUMBER.saturating_sub(self.made)
    }

    fn node(&mut self, data: f64, origin: Origin) -> Rc<Node> {
        self.made += 1;
        LIVE.set(LIVE.get() + 1);
        let node = Rc::new(Node {
            id: self.made,
            position: Cell::new(0),
            data: Cell::new(data),
            origin,
        });
        if node.varies() {
            self.living.add(&node);
        }
        node
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
