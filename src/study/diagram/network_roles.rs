//! The roles of leaves in a network: weights, biases, and boxes of their own.
//!
//! The graph alone does not show them: `w*x` is a product of two leaves. Frozen leaves are data. Of two free ones, the
//! weight is the one whose name begins with `w`, or the first one if neither does; the other one is an input. A free leaf
//! that is added to a sum with terms other than leaves is a bias. A leaf with any other use is a box, even if it also has
//! a role.

use std::rc::Rc;

use chainrule_engine::graph::{FullGraph, Node};

/// The roles of all leaves.
pub(super) struct LeafRoles<'g> {
    whole: &'g FullGraph,
    /// Leaves whose name begins with `w`.
    named_as_weights: Vec<bool>,
    /// Leaves that a leaf multiplies as their weight.
    inputs: Vec<bool>,
    /// Sums with a term that is more than a leaf, or a sum of leaves.
    sums: Vec<bool>,
    /// Products with a weight, and sums of such products.
    weighted: Vec<bool>,
    /// Leaves with a use that is not that of a weight or a bias, which makes them boxes.
    pub(super) boxed: Vec<bool>,
}

impl<'g> LeafRoles<'g> {
    /// Finds the roles. `label` returns the name of a leaf.
    pub(super) fn new(whole: &'g FullGraph, label: impl Fn(usize) -> String) -> LeafRoles<'g> {
        let count = whole.nodes.len();
        let is_named_as_weight =
            |place: usize| whole.nodes[place].is_free() && label(place).starts_with(['w', 'W']);
        let mut roles = LeafRoles {
            whole,
            named_as_weights: (0..count).map(is_named_as_weight).collect(),
            inputs: vec![false; count],
            sums: vec![false; count],
            weighted: vec![false; count],
            boxed: vec![false; count],
        };
        for user in (0..count).rev() {
            roles.sums[user] = roles.is_sum_with_terms(user);
            roles.weighted[user] = roles.weight(user).is_some() || roles.has_weights(user);
            if let Some(weight) = roles.weight(user)
                && let Some(input) = whole.place(&whole.nodes[user].operands()[1 - weight])
            {
                roles.inputs[input] = whole.nodes[input].is_leaf();
            }
        }
        for user in 0..count {
            let weight = roles.weight(user);
            for (position, operand) in whole.nodes[user].operands().iter().enumerate() {
                if operand.is_leaf()
                    && weight != Some(position)
                    && let Some(place) = whole.place(operand)
                    && !roles.is_bias(user, place)
                {
                    roles.boxed[place] = true;
                }
            }
        }
        roles
    }

    fn is_among(&self, nodes: &[bool], node: &Node) -> bool {
        self.whole.place(node).is_some_and(|place| nodes[place])
    }

    /// Returns the position of the operand of a product that is the weight of the other one.
    pub(super) fn weight(&self, user: usize) -> Option<usize> {
        let node = &self.whole.nodes[user];
        let [one, other] = node.operands() else {
            return None;
        };
        let multiplies = node.op().is_some_and(|op| op.name == "multiplication");
        if !multiplies || one.id() == other.id() || !one.varies() || !other.varies() {
            return None;
        }
        let has_name = |factor| self.is_among(&self.named_as_weights, factor);
        match [one.is_free(), other.is_free()] {
            [true, true] => Some(usize::from(has_name(other) && !has_name(one))),
            [first, second] => first.then_some(0).or(second.then_some(1)),
        }
    }

    /// Returns whether a node is a sum with a term that is more than a leaf, or a sum of leaves. Its operands are known
    /// already.
    fn is_sum_with_terms(&self, user: usize) -> bool {
        let adds =
            |node: &Node| (node.op()).is_some_and(|op| matches!(op.name, "addition" | "sum"));
        let node = &self.whole.nodes[user];
        let is_term = |operand: &Rc<Node>| {
            let has_terms = || self.is_among(&self.sums, operand);
            operand.varies() && !operand.is_leaf() && (!adds(operand) || has_terms())
        };
        adds(node) && node.operands().iter().any(is_term)
    }

    /// Returns whether a node is a sum with a weighted term. Its operands are known already.
    fn has_weights(&self, user: usize) -> bool {
        let mut operands = self.whole.nodes[user].operands().iter();
        self.sums[user] && operands.any(|operand| self.is_among(&self.weighted, operand))
    }

    /// Returns whether a node is a function of a weighted sum, as `tanh(w*x + b)`.
    pub(super) fn is_neuron(&self, node: &Node) -> bool {
        let [sum] = node.operands() else {
            return false;
        };
        self.is_among(&self.sums, sum) && self.is_among(&self.weighted, sum)
    }

    /// Returns whether a leaf is a bias of the sum that it is added to. An input that is added is no bias: it goes past its
    /// weights.
    pub(super) fn is_bias(&self, user: usize, leaf: usize) -> bool {
        self.sums[user] && self.whole.nodes[leaf].is_free() && !self.inputs[leaf]
    }
}
