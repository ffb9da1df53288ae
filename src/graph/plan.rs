//! A plan: the graph below a root lowered once into flat arrays, for passes that are repeated.
//!
//! The same order, the same rows and the same rule of adding as the sweep over nodes, so the numbers are the same to
//! the bit; a test compares the two on both sides of `NEWEST_FIRST`. Neighbours in the order that share an operation
//! are one run, gone through by one loop of the row. It works on a copy of the data: nodes stay as they are.

use std::rc::Rc;

use super::node::Node;
use super::order::Order;
use crate::ops::{Run, Stride, TABLE};

/// Fewer neighbours in step than this are not worth a loop of their own.
const IN_STEP: usize = 6;

/// Flat arrays over the nodes of an order, in that order: slot 0 is the root. Constants stand behind them.
#[derive(Debug)]
pub struct Plan {
    order: Order,
    runs: Vec<Stretch>,
    /// The operands' slots, run by run, node by node.
    operands: Vec<u32>,
    data: Vec<f64>,
    grads: Vec<f64>,
}

/// A run as it is kept. Where its operands are listed follows from the runs before it.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    first: u32,
    count: u32,
    arity: u16,
    /// The row of the operation in the table.
    row: u8,
    stride: Stride,
}

impl Stretch {
    fn slots(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// How many operands are listed for it.
    fn listed(self) -> usize {
        self.count as usize * usize::from(self.arity)
    }

    fn run(self, operands: &[u32]) -> Run<'_> {
        Run {
            first: self.first as usize,
            count: self.count as usize,
            operands,
            stride: self.stride,
        }
    }
}

impl Plan {
    /// Lowers the graph below `root`.
    pub fn of(root: &Rc<Node>) -> Plan {
        let order = Order::below([root]);
        let varying = order.nodes().len();
        let mut data: Vec<f64> = order.nodes().iter().map(|node| node.data()).collect();
        let mut runs: Vec<Stretch> = Vec::new();
        let mut operands = Vec::new();
        let mut slot = 0;
        for block in order.nodes().chunk_by(|one, next| alike(one, next)) {
            let first = slot;
            slot += block.len();
            let Some(op) = block[0].op() else { continue };
            let start = operands.len();
            for operand in block.iter().flat_map(|node| node.operands()) {
                if operand.varies() {
                    operands.push(Order::slot(operand) as u32);
                } else {
                    operands.push(data.len() as u32);
                    data.push(operand.data());
                }
            }
            let block = Stretch {
                first: first as u32,
                count: block.len() as u32,
                // `MOST_OPERANDS` and the length of the table are far below.
                arity: block[0].operands().len() as u16,
                row: op.index() as u8,
                stride: Stride::Scattered,
            };
            cut(block, &operands[start..], varying, &mut runs);
        }
        let grads = vec![0.0; varying];
        Plan {
            order,
            runs,
            operands,
            data,
            grads,
        }
    }

    /// The nodes it was made from, in slot order.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The root's data.
    pub fn root_data(&self) -> f64 {
        self.data.first().copied().unwrap_or(f64::NAN)
    }

    /// Changes the data of a slot in the plan: a leaf's, or that of a node taken for one.
    pub fn set(&mut self, slot: usize, data: f64) {
        self.data[slot] = data;
    }

    /// The grads of the last [`Plan::backward`], in slot order.
    pub fn grads(&self) -> &[f64] {
        &self.grads
    }

    /// Recomputes every computed node, operands first.
    pub fn forward(&mut self) {
        self.forward_but(usize::MAX);
    }

    /// The same but for one slot, which keeps the data it was given: an inner node taken for a leaf.
    pub fn forward_but(&mut self, kept: usize) {
        let mut left = &self.operands[..];
        for stretch in self.runs.iter().rev() {
            let listed;
            (left, listed) = left.split_at(left.len() - stretch.listed());
            let op = &TABLE[usize::from(stretch.row)];
            if !stretch.slots().contains(&kept) {
                op.forward(stretch.run(listed), &mut self.data);
                continue;
            }
            // Node by node: later ones of the run may depend on the one that is kept.
            let nodes = listed.chunks_exact(usize::from(stretch.arity));
            for (slot, operands) in stretch.slots().zip(nodes).rev() {
                let one = Run {
                    first: slot,
                    count: 1,
                    operands,
                    stride: Stride::Scattered,
                };
                if slot != kept {
                    op.forward(one, &mut self.data);
                }
            }
        }
    }

    /// One sweep from the root.
    pub fn backward(&mut self) {
        self.grads.fill(0.0);
        let Some(root) = self.grads.first_mut() else {
            return;
        };
        *root = 1.0;
        let mut left = &self.operands[..];
        for stretch in &self.runs {
            let listed;
            (listed, left) = left.split_at(stretch.listed());
            let op = &TABLE[usize::from(stretch.row)];
            op.backward(stretch.run(listed), &self.data, &mut self.grads);
        }
    }
}

/// Do they belong in one block: the same operation on as many operands?
fn alike(one: &Node, next: &Node) -> bool {
    match (one.op(), next.op()) {
        (Some(op), Some(other)) => {
            std::ptr::eq(op, other) && one.operands().len() == next.operands().len()
        }
        (None, None) => true,
        _ => false,
    }
}

/// Cuts a block into runs: wherever enough neighbours keep step, they are one of their own.
fn cut(block: Stretch, operands: &[u32], varying: usize, runs: &mut Vec<Stretch>) {
    let arity = usize::from(block.arity);
    let count = block.count as usize;
    let mut put = |from: usize, to: usize, stride| {
        if from < to {
            runs.push(Stretch {
                first: block.first + from as u32,
                count: (to - from) as u32,
                stride,
                ..block
            });
        }
    };
    let (mut at, mut scattered) = (0, 0);
    while arity <= 2 && at + IN_STEP <= count {
        let rest = &operands[at * arity..];
        let (stride, length) = match arity {
            1 => unary_in_step(rest),
            _ => binary_in_step(rest),
        };
        let end = block.first as usize + at + length;
        if length >= IN_STEP && keeps_apart(rest, arity, stride, end..varying, length) {
            put(scattered, at, Stride::Scattered);
            put(at, at + length, stride);
            scattered = at + length;
        }
        // The last one may keep step with what follows.
        at += if length >= IN_STEP {
            length
        } else {
            length.max(2) - 1
        };
    }
    put(scattered, count, Stride::Scattered);
}

/// How many nodes from the first one on keep step.
fn unary_in_step(operands: &[u32]) -> (Stride, usize) {
    let follows = |pair: &&[u32]| pair[0] + 1 == pair[1];
    let length = 1 + operands.windows(2).take_while(follows).count();
    (Stride::Both, length)
}

/// The same for two operands, and in which way they do.
fn binary_in_step(operands: &[u32]) -> (Stride, usize) {
    let pairs = operands.as_chunks::<2>().0;
    let [x, y] = pairs[0];
    let (stride, by) = match pairs.get(1) {
        Some(&[left, right]) if left == x + 1 && right == y + 1 => (Stride::Both, [1, 1]),
        Some(&[left, right]) if left == x + 1 && right == y => (Stride::Left, [1, 0]),
        Some(&[left, right]) if left == x && right == y + 1 => (Stride::Right, [0, 1]),
        _ => return (Stride::Scattered, 1),
    };
    let kept = |(place, [left, right]): &(u32, &[u32; 2])| {
        *left == x + place * by[0] && *right == y + place * by[1]
    };
    let length = (0..).zip(pairs).take_while(kept).count();
    (stride, length)
}

/// Does what the loop of such a run takes for granted hold? See [`Stride`].
fn keeps_apart(
    operands: &[u32],
    arity: usize,
    stride: Stride,
    behind: std::ops::Range<usize>,
    length: usize,
) -> bool {
    let range = |side: usize, steps: bool| {
        let start = operands[side] as usize;
        start..start + if steps { length } else { 1 }
    };
    let x = range(0, stride != Stride::Right);
    let y = range(arity - 1, stride != Stride::Left);
    let fits = |side: &std::ops::Range<usize>| {
        side.start >= behind.start && (side.end <= behind.end || side.start >= behind.end)
    };
    fits(&x) && fits(&y) && (x == y || x.end <= y.start || y.end <= x.start)
}
