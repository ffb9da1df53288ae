//! Repeats passes from one root with data of its own, for `:step`, `:check`, `:plot` and `:nudge`. The nodes keep their
//! data.

use std::rc::Rc;

use super::node::Node;
use super::order::Order;

/// The graph below a root in flat arrays, with data of its own. The root has slot 0.
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

    /// The order that defines the slots.
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

    /// The data of the two operands of the root.
    pub(super) fn root_operands(&self) -> [f64; 2] {
        let operands = self.order.flat().operands(0);
        [0, 1].map(|side| self.data[operands[side] as usize])
    }

    /// Changes the data in a slot: that of a leaf, or that of the node that [`Plan::forward`] treats as a leaf.
    pub fn set(&mut self, slot: usize, data: f64) {
        self.data[slot] = data;
    }

    /// The grads of the last [`Plan::backward`], by slot.
    pub fn grads(&self) -> &[f64] {
        &self.grads
    }

    /// Recomputes every computed node, operands first. The node in the slot `fixed` keeps its data, as if it were a leaf.
    pub fn forward(&mut self, fixed: Option<usize>) {
        let (sections, graph) = (self.order.sections(), self.order.flat());
        sections.forward(graph, &mut self.data, fixed);
    }

    /// The size of the terms of which the root consists, by a backward sweep: the sum of |data × grad| over all nodes. An
    /// error of rounding in each of them changes the root by about this sum times the machine epsilon.
    pub fn size_of_terms(&mut self) -> f64 {
        self.backward();
        let terms = self.data().iter().zip(self.grads());
        terms.map(|(data, grad)| (data * grad).abs()).sum()
    }

    /// Computes the grads by one backward sweep from the root.
    pub fn backward(&mut self) {
        let (sections, graph) = (self.order.sections(), self.order.flat());
        sections.backward(graph, &self.data, &mut self.grads);
    }
}
