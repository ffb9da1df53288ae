//! A plan: the graph below a root lowered once into flat arrays, for passes that are repeated.
//!
//! It works on a copy of the data: nodes stay as they are. How it is gone through is `flat`'s affair.

mod cut;
mod grouped;
mod lowered;
mod parts;
mod repeats;
mod run;

pub(super) use self::repeats::{copy, copy_is_good};

use std::rc::Rc;

use self::lowered::FlatGraph;
use self::run::ContributionBuffer;
use super::node::Node;
use super::order::Order;

/// Flat arrays over the nodes of an order, in that order: slot 0 is the root. Constants stand behind them.
#[derive(Debug)]
pub struct Plan {
    order: Order,
    lowered: Rc<FlatGraph>,
    data: Vec<f64>,
    grads: Vec<f64>,
    amounts: ContributionBuffer,
}

impl Plan {
    /// Lowers the graph below `root`.
    pub fn of(root: &Rc<Node>) -> Plan {
        let order = Order::below([root]);
        let lowered = repeats::lowered(&order);
        Plan {
            data: lowered.data(&order),
            grads: vec![0.0; order.nodes().len()],
            amounts: ContributionBuffer::default(),
            order,
            lowered,
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
        self.lowered.forward(&mut self.data, None);
    }

    /// The same but for one slot, which keeps the data it was given: an inner node taken for a leaf.
    pub fn forward_but(&mut self, kept: usize) {
        self.lowered.forward(&mut self.data, Some(kept));
    }

    /// One sweep from the root.
    pub fn backward(&mut self) {
        let amounts = &mut self.amounts;
        self.lowered.backward(&self.data, &mut self.grads, amounts);
    }
}
