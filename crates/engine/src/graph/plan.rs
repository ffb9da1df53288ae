//! Many passes from one root with data other than that of the nodes, for `:step`, `:check`, `:plot` and `:nudge`.

use std::rc::Rc;

use super::node::Node;
use super::order::Order;

/// The graph below a root in flat arrays, with data of its own. Slot 0 is that of the root.
#[derive(Debug)]
pub struct Plan {
    order: Order,
    data: Vec<f64>,
    grads: Vec<f64>,
}

impl Plan {
    /// The graph below `root`, starting at its current data.
    pub fn of(root: &Rc<Node>) -> Plan {
        let order = Order::below([root]);
        Plan {
            data: order.data(),
            grads: vec![0.0; order.nodes().len()],
            order,
        }
    }

    /// The order that its slots belong to.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The data, by slot.
    pub fn data(&self) -> &[f64] {
        &self.data[..self.order.nodes().len()]
    }

    /// The root's data.
    pub fn root_data(&self) -> f64 {
        self.data.first().copied().unwrap_or(f64::NAN)
    }

    /// Changes the data of a slot: that of a leaf, or of an inner node that is treated as a leaf.
    pub fn set(&mut self, slot: usize, data: f64) {
        self.data[slot] = data;
    }

    /// The grads of the last [`Plan::backward`], by slot.
    pub fn grads(&self) -> &[f64] {
        &self.grads
    }

    /// Recomputes every computed node, operands first. The slot `kept` keeps its data: an inner node that is treated as a
    /// leaf.
    pub fn forward(&mut self, kept: Option<usize>) {
        let (sections, graph) = (self.order.sections(), self.order.flat());
        sections.forward(graph, &mut self.data, kept);
    }

    /// One backward sweep from the root.
    pub fn backward(&mut self) {
        let (sections, graph) = (self.order.sections(), self.order.flat());
        sections.backward(graph, &self.data, &mut self.grads);
    }
}
