//! The factory of nodes: it numbers them, lists the living ones, and changes the data of leaves.
//!
//! It also keeps the clock of data changes, by which a pass is known to be stale.

use std::cell::Cell;
use std::rc::Rc;

use super::forward::recompute_above;
use super::living::Living;
use super::node::{LAST_NUMBER, Node, NodeId, OpRow, Origin, Spelling};
use super::numbers::{apply_1, apply_2, apply_many};
use crate::ops::Op;

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
        let row = OpRow::of(op);
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
        let node = Node::new(self.made, data, origin);
        if node.varies() {
            self.living.add(&node);
        }
        node
    }
}
