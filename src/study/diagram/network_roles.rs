//! Finds the roles of leaves in a network: weights, biases, and boxes of their own.
//!
//! The graph alone does not show the roles: `w*x` is a product of two leaves. Frozen leaves are data. If two free leaves
//! are multiplied, the leaf whose name begins with `w` is the weight, or the first leaf if both names or none do; the other
//! leaf is an input. A free leaf that is added to a sum with terms other than leaves is a bias. A leaf with any other use
//! is a box, even if it also has a role.

use std::rc::Rc;

use chainrule_engine::graph::{FullGraph, Node};

/// The roles of all leaves.
pub(super) struct LeafRoles<'g> {
    whole: &'g FullGraph,
    /// Leaves whose name begins with `w`.
    named_as_weights: Vec<bool>,
    /// Leaves that a leaf multiplies as their weight.
    inputs: Vec<bool>,
    /// Sums with a term that is neither a leaf nor a sum of leaves.
    sums: Vec<bool>,
    /// Products with a weight, and sums of such products.
    weighted: Vec<bool>,
    /// Leaves that are boxes, because they have a use other than that of a weight or a bias.
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
            boxed: Vec::new(),
        };
        // From the oldest node on, so that the roles of operands are known.
        for user in (0..count).rev() {
            roles.sums[user] = roles.is_sum_with_terms(user);
            roles.weighted[user] = roles.weight(user).is_some() || roles.has_weights(user);
            if let Some(weight) = roles.weight(user)
                && let Some(input) = whole.place(&whole.nodes[user].operands()[1 - weight])
            {
                roles.inputs[input] = whole.nodes[input].is_leaf();
            }
        }
        roles.boxed = roles.boxed_leaves();
        roles
    }

    /// Returns for each node whether it is a leaf with a use other than that of a weight or a bias. The other roles must be
    /// known.
    fn boxed_leaves(&self) -> Vec<bool> {
        let mut boxed = vec![false; self.whole.nodes.len()];
        for (user, node) in self.whole.nodes.iter().enumerate() {
            let weight = self.weight(user);
            for (position, operand) in node.operands().iter().enumerate() {
                if operand.is_leaf()
                    && weight != Some(position)
                    && let Some(place) = self.whole.place(operand)
                    && !self.is_bias(user, place)
                {
                    boxed[place] = true;
                }
            }
        }
        boxed
    }

    /// Returns whether a node is among the nodes with a role.
    fn is_among(&self, nodes: &[bool], node: &Node) -> bool {
        self.whole.place(node).is_some_and(|place| nodes[place])
    }

    /// Returns the position of the weight among the two operands of a product, if the node is a product with a weight. A
    /// square has no weight.
    pub(super) fn weight(&self, user: usize) -> Option<usize> {
        let node = &self.whole.nodes[user];
        let [left, right] = node.operands() else {
            return None;
        };
        let multiplies = node.op().is_some_and(|op| op.name == "multiplication");
        if !multiplies || left.id() == right.id() || !left.varies() || !right.varies() {
            return None;
        }
        let has_name = |factor| self.is_among(&self.named_as_weights, factor);
        match [left.is_free(), right.is_free()] {
            [true, true] => Some(usize::from(has_name(right) && !has_name(left))),
            [true, false] => Some(0),
            [false, true] => Some(1),
            [false, false] => None,
        }
    }

    /// Returns whether a node is a sum with a term that is neither a leaf nor a sum of leaves. The roles of its operands
    /// must be known.
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

    /// Returns whether a node is a sum with a weighted term. The roles of its operands must be known.
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

    /// Returns whether a leaf is a bias of a sum with the leaf as a term. An input that is added is no bias, but a shortcut
    /// past its weights.
    pub(super) fn is_bias(&self, user: usize, leaf: usize) -> bool {
        self.sums[user] && self.whole.nodes[leaf].is_free() && !self.inputs[leaf]
    }
}
