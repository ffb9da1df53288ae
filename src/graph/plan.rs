//! A plan: the graph below a root lowered once into flat arrays, for passes that are repeated.
//!
//! The same order, the same rows and the same rule of adding as the sweep over nodes, so the numbers are the same to
//! the bit; a test compares the two on both sides of `NEWEST_FIRST`. It works on a copy of the data: nodes stay as
//! they are.

use std::rc::Rc;

use super::backward::chain;
use super::node::Node;
use super::order::Order;
use crate::ops::{Op, Rule};

/// Flat arrays over the nodes of an order, in that order: slot 0 is the root. Constants stand behind them.
#[derive(Debug)]
pub struct Plan {
    order: Order,
    steps: Vec<Step>,
    operands: Vec<u32>,
    data: Vec<f64>,
    grads: Vec<f64>,
}

/// A computed node: its slot, its operation, and where its operands' slots are listed.
#[derive(Clone, Copy, Debug)]
struct Step {
    op: &'static Op,
    slot: u32,
    first: u32,
    count: u32,
}

impl Plan {
    /// Lowers the graph below `root`.
    pub fn of(root: &Rc<Node>) -> Plan {
        let order = Order::below([root]);
        let mut data: Vec<f64> = order.nodes().iter().map(|node| node.data()).collect();
        let mut steps = Vec::new();
        let mut operands = Vec::new();
        for (slot, node) in order.nodes().iter().enumerate() {
            let Some(op) = node.op() else { continue };
            let first = operands.len() as u32;
            for operand in node.operands() {
                if operand.varies() {
                    operands.push(Order::slot(operand) as u32);
                } else {
                    operands.push(data.len() as u32);
                    data.push(operand.data());
                }
            }
            steps.push(Step {
                op,
                slot: slot as u32,
                first,
                count: node.operands().len() as u32,
            });
        }
        let grads = vec![0.0; order.nodes().len()];
        Plan {
            order,
            steps,
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
        let mut many = Vec::new();
        for step in self
            .steps
            .iter()
            .rev()
            .filter(|step| step.slot as usize != kept)
        {
            let slots = &self.operands[step.first as usize..(step.first + step.count) as usize];
            let value = match (step.op.rule, slots) {
                (Rule::Unary { value, .. }, &[x]) => value(self.data[x as usize]),
                (Rule::Binary { value, .. }, &[x, y]) => {
                    value(self.data[x as usize], self.data[y as usize])
                }
                (_, slots) => {
                    gather(&mut many, slots, &self.data);
                    step.op.value(&many)
                }
            };
            self.data[step.slot as usize] = value;
        }
    }

    /// One sweep from the root.
    pub fn backward(&mut self) {
        self.grads.fill(0.0);
        let Some(root) = self.grads.first_mut() else {
            return;
        };
        *root = 1.0;
        let mut values = Vec::new();
        for step in &self.steps {
            let slots = &self.operands[step.first as usize..(step.first + step.count) as usize];
            let upstream = self.grads[step.slot as usize];
            let out = self.data[step.slot as usize];
            gather(&mut values, slots, &self.data);
            let broken = out.is_nan() && values.iter().any(|value| value.is_nan());
            for (operand, &slot) in slots.iter().enumerate() {
                if let Some(grad) = self.grads.get_mut(slot as usize) {
                    *grad += chain(upstream, step.op.local(&values, operand, out), out, broken);
                }
            }
        }
    }
}

fn gather(values: &mut Vec<f64>, slots: &[u32], data: &[f64]) {
    values.clear();
    values.extend(slots.iter().map(|&slot| data[slot as usize]));
}
