//! Which leaves of a graph act as weights, which as biases, and which are boxes of their own.
//!
//! A graph does not say so: `w*x` is a product of two leaves. Frozen leaves are data. Of two free ones, the weight is the
//! one whose name begins with `w`, else the one in fewer products, else the first. A leaf may have several roles: a
//! weight whose square is added to a loss is an input of the loss as well.

use crate::graph::{FullGraph, Node};

/// The roles of all leaves.
pub(super) struct LeafRoles<'g> {
    whole: &'g FullGraph,
    /// Which nodes have names.
    named: &'g [bool],
    /// In how many products each node is.
    products: Vec<u32>,
    /// Leaves whose name begins with `w`.
    called: Vec<bool>,
    /// Leaves that a leaf multiplies as their weight, and leaves that multiply a leaf.
    fed: Vec<bool>,
    weighs: Vec<bool>,
    /// Sums that have a term which is more than a free leaf, in themselves or in the sum that they are part of.
    sums: Vec<bool>,
    /// Leaves with a use that makes them boxes.
    boxed: Vec<bool>,
}

impl<'g> LeafRoles<'g> {
    /// Finds the roles. `label` gives the name of a leaf.
    pub(super) fn new(
        whole: &'g FullGraph,
        named: &'g [bool],
        label: impl Fn(usize) -> String,
    ) -> LeafRoles<'g> {
        let count = whole.nodes.len();
        let called = |(place, node): (usize, &std::rc::Rc<Node>)| {
            node.is_free() && label(place).starts_with(['w', 'W'])
        };
        let mut roles = LeafRoles {
            whole,
            named,
            products: vec![0; count],
            called: whole.nodes.iter().enumerate().map(called).collect(),
            fed: vec![false; count],
            weighs: vec![false; count],
            sums: vec![false; count],
            boxed: vec![false; count],
        };
        let products = || (0..count).filter_map(|user| Some((user, roles.factors(user)?)));
        let products: Vec<(usize, [usize; 2])> = products().collect();
        for &place in products.iter().flat_map(|(_, factors)| factors) {
            roles.products[place] += 1;
        }
        for &(user, factors) in &products {
            if factors.iter().all(|&place| whole.nodes[place].is_leaf())
                && let Some(position) = roles.weight(user)
            {
                roles.weighs[factors[position]] = true;
                roles.fed[factors[1 - position]] = true;
            }
        }
        roles.find_sums();
        roles.find_boxed();
        roles
    }

    /// The two factors of a product.
    fn factors(&self, user: usize) -> Option<[usize; 2]> {
        let node = &self.whole.nodes[user];
        let [one, other] = node.operands() else {
            return None;
        };
        let multiplies = node.op().is_some_and(|op| op.name == "multiplication");
        let places = [self.whole.place(one)?, self.whole.place(other)?];
        (multiplies && places[0] != places[1]).then_some(places)
    }

    /// Which operand of a node is the weight of the other.
    pub(super) fn weight(&self, user: usize) -> Option<usize> {
        let factors = self.factors(user)?;
        let node = |position: usize| &self.whole.nodes[factors[position]];
        if !(node(0).varies() && node(1).varies()) {
            return None;
        }
        // A leaf that other leaves multiply is an input here too.
        let may = |position: usize| {
            let place = factors[position];
            let alone = !node(1 - position).is_leaf();
            node(position).is_free() && !(alone && self.fed[place] && !self.weighs[place])
        };
        match [may(0), may(1)] {
            [true, true] => {
                let rank = |position: usize| {
                    let place = factors[position];
                    (!self.called[place], self.products[place])
                };
                Some(usize::from(rank(1) < rank(0)))
            }
            [first, second] => first.then_some(0).or(second.then_some(1)),
        }
    }

    /// Whether a leaf is a bias of the sum it is added in. A leaf that leaves multiply goes around them here.
    pub(super) fn is_bias(&self, user: usize, leaf: usize) -> bool {
        self.sums[user] && self.whole.nodes[leaf].is_free() && !self.fed[leaf]
    }

    /// Whether a leaf has a use that is not that of a weight or a bias.
    pub(super) fn is_boxed(&self, leaf: usize) -> bool {
        self.boxed[leaf]
    }

    fn adds(&self, place: usize) -> bool {
        let op = self.whole.nodes[place].op();
        op.is_some_and(|op| matches!(op.name, "addition" | "sum"))
    }

    fn find_sums(&mut self) {
        let whole = self.whole;
        let operands = |place: usize| {
            let operands = whole.nodes[place].operands().iter();
            operands.filter_map(|operand| whole.place(operand))
        };
        let part = |roles: &Self, place: usize| roles.adds(place) && !roles.named[place];
        for user in (0..whole.nodes.len()).rev() {
            let is_term = |place: usize| {
                let node = &whole.nodes[place];
                let term = node.varies() && !node.is_free();
                term && (!part(self, place) || self.sums[place])
            };
            self.sums[user] = self.adds(user) && operands(user).any(is_term);
        }
        for user in 0..whole.nodes.len() {
            if self.sums[user] {
                for place in operands(user) {
                    if part(self, place) {
                        self.sums[place] = true;
                    }
                }
            }
        }
    }

    fn find_boxed(&mut self) {
        for user in 0..self.whole.nodes.len() {
            let weight = self.weight(user);
            for (position, operand) in self.whole.nodes[user].operands().iter().enumerate() {
                if operand.is_leaf()
                    && weight != Some(position)
                    && let Some(place) = self.whole.place(operand)
                    && !self.is_bias(user, place)
                {
                    self.boxed[place] = true;
                }
            }
        }
    }
}
