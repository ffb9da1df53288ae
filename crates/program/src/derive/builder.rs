//! Builds the nodes of derivatives in their simplest form, without duplicates (hash consing): `2*x^(2 - 1)*1` becomes
//! `2*x`. What a user types stays as it is.
//!
//! Equal nodes are recognized by operation and operands, among those built here and those that existed before. Each
//! rule looks at its operands and a few nodes below them, so nothing here recurses over a whole expression.
//!
//! A constant 0 absorbs every factor, as in a backward pass. `chain(a, b)` is `a*b`, except that an exact 0 times
//! infinity or NaN is 0. A factor that is 0 only for some inputs needs `chain`; [`Builder::chain_terms`] decides.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::error::{self, Error};
use crate::limits::{DERIVED_NODES, MAX_WHOLE};
use chainrule_engine::graph::structure::IndexedNodes;
use chainrule_engine::graph::{Carried, Graph, Node, NodeId, Spelling, values};
use chainrule_engine::ops::{self, Op};
use chainrule_stop as stop;

/// The approximate number of nodes in the first derivative of a node. A derivative may have [`DERIVED_NODES`] more.
const NODES_EACH: u32 = 6;

/// A key by which equal nodes are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NodeKey {
    /// The bits of a number.
    Number(u64),
    /// The row of an operation and the ids of its operands. Ids begin at 1, so that 0 stands for no operand.
    Operation(usize, [NodeId; 3]),
}

/// The sizes of numerical factors that are multiplied. Their products are far from overflow and underflow.
const COLLECTIBLE_FACTORS: std::ops::Range<f64> = 1e-20..1e20;

/// The most signs and numerical factors that [`Builder::split_factor`] takes off a term. More are rare.
const MAX_SPLIT_FACTORS: usize = 4;

// Operations that the rules look for or make.
const ADD: &Op = ops::row("addition");
const SUBTRACT: &Op = ops::row("subtraction");
const MULTIPLY: &Op = ops::row("multiplication");
const DIVIDE: &Op = ops::row("division");
const NEGATE: &Op = ops::row("negation");
const EQUAL: &Op = ops::row("equal");
const CHOOSE: &Op = ops::row("if");
const CHAIN: &Op = ops::row("chain");
const LN: &Op = ops::row("ln");

/// What nodes are built for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Their own numbers.
    #[default]
    Numbers,
    /// Other numbers, too: those of letters and parameters are samples.
    Samples,
    /// A formula, in which `pi` stays `pi`. Its letters may have samples.
    Formula,
}

/// Builds generated nodes. It knows the nodes at and below some roots, which it does not build again.
pub struct Builder<'g> {
    pub(crate) graph: &'g mut Graph,
    /// The nodes that existed before.
    pub(super) before: Rc<NodesBefore>,
    /// The nodes that are built here.
    known: FxHashMap<NodeKey, Rc<Node>>,
    /// The newest node before the statement.
    last_before_statement: NodeId,
    /// The newest node before this derivative.
    last_before_derivative: NodeId,
    /// The most nodes that the derivative may create.
    node_limit: u32,
    /// The most nodes that the statement may create.
    most_nodes: u32,
    /// What the nodes are built for.
    pub(crate) purpose: Purpose,
    /// Why the builder has stopped. Its results are then useless.
    pub(super) stopped: Option<Error>,
}

/// The nodes at and below some roots. The session keeps those of the last roots, because a script may differentiate one
/// root by a thousand leaves, one after the other.
#[derive(Debug, Default)]
pub struct NodesBefore {
    pub(crate) indexed: IndexedNodes,
    /// The place of each node that can be found again. Of equal nodes this is the oldest.
    places: FxHashMap<NodeKey, usize>,
}

impl NodesBefore {
    pub(crate) fn below(roots: &[Rc<Node>]) -> NodesBefore {
        let (indexed, nodes) = IndexedNodes::below(roots, 0);
        let mut places = FxHashMap::default();
        for (place, node) in nodes.iter().enumerate() {
            // A leaf equals only itself. A `2.0` is kept apart from a `2`, because generated constants print without a
            // point: the derivative of `x^3 + 2.0` is `3*x^2`.
            let found = match node.op() {
                Some(op) => key(op, node.operands()),
                None if node.is_leaf() || node.spelling() == Some(Spelling::Point) => None,
                None => Some(NodeKey::Number(node.data().to_bits())),
            };
            if let Some(key) = found {
                places.entry(key).or_insert(place);
            }
        }
        NodesBefore { indexed, places }
    }
}

/// The derivatives of a root by the nodes with these ids.
pub(super) type Grads = FxHashMap<NodeId, Rc<Node>>;

impl Builder<'_> {
    /// A builder for a statement, which makes at most this number of nodes. `last_before_statement` is the newest node
    /// before the statement.
    pub(crate) fn new(
        graph: &mut Graph,
        before: Rc<NodesBefore>,
        last_before_statement: NodeId,
        most_nodes: u32,
    ) -> Builder<'_> {
        // Nodes that existed before the statement can always be differentiated, so that the limit grows with their
        // number.
        let old = before.indexed.count_up_to(last_before_statement) as u32;
        let linear = old.saturating_mul(NODES_EACH);
        Builder {
            before,
            known: FxHashMap::default(),
            last_before_statement,
            last_before_derivative: graph.last_id(),
            node_limit: DERIVED_NODES.saturating_add(linear).min(most_nodes),
            most_nodes,
            purpose: Purpose::Numbers,
            graph,
            stopped: None,
        }
    }

    /// Ends the construction. Returns the error if the builder has stopped.
    pub(crate) fn finish(self) -> Result<(), Error> {
        self.stopped.map_or(Ok(()), Err)
    }

    /// Creates a node even if an equal one exists. After the builder has stopped, returns the first operand as a
    /// placeholder.
    pub(super) fn make(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let newest = self.graph.last_id();
        if newest - self.last_before_derivative >= self.node_limit {
            // The limit grows with the root, so the message has whole millions.
            let most = self.node_limit / 1_000_000 * 1_000_000;
            self.stopped = Some(error::too_many_nodes("derivative", most));
        } else if newest - self.last_before_statement >= self.most_nodes {
            self.stopped = Some(error::too_many_nodes("statement", self.most_nodes));
        }
        stop::ask(newest as usize);
        if self.stopped.is_some() {
            return Rc::clone(&operands[0]);
        }
        self.graph.apply(op, operands)
    }

    /// Creates a node that carries an equation.
    pub(super) fn carry(&mut self, carried: &Rc<dyn Carried>, operands: Vec<Rc<Node>>) -> Rc<Node> {
        let node = self.graph.carry(Rc::clone(carried), operands);
        node.mark_generated();
        node
    }

    /// The node with this key, if there is one.
    fn find_known(&self, key: &NodeKey) -> Option<Rc<Node>> {
        let place = self.before.places.get(key);
        let before = place.map(|place| self.before.indexed.node(*place));
        before.or_else(|| self.known.get(key).cloned())
    }

    /// A number as a node.
    pub(super) fn constant(&mut self, value: f64) -> Rc<Node> {
        let key = NodeKey::Number(value.to_bits());
        if let Some(known) = self.find_known(&key) {
            return known;
        }
        let node = self.graph.constant(value, Spelling::Plain);
        self.known.insert(key, Rc::clone(&node));
        node
    }

    /// The value of an operation whose operands are all constant, as a number, or as an operation if that is shorter to
    /// read.
    fn fold_constants(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let value = op.value(&values(operands));
        let is_exact = || [ADD, SUBTRACT, MULTIPLY, NEGATE].contains(&op) && is_whole(value);
        if self.purpose == Purpose::Formula && !is_exact() {
            return self.find_or_make(op, operands);
        }
        self.constant(value)
    }

    /// Returns the known node for this operation, or creates and remembers one. Does not simplify.
    fn find_or_make(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let key = key(op, operands);
        if let Some(known) = key.and_then(|key| self.find_known(&key)) {
            return known;
        }
        let node = self.make(op, operands);
        if self.stopped.is_none() {
            node.mark_generated();
            self.known.extend(key.map(|key| (key, Rc::clone(&node))));
        }
        node
    }
}

/// The rules that simplify an operation on nodes.
impl Builder<'_> {
    /// An operation in its simplest form.
    pub(super) fn simplify(&mut self, op: &'static Op, operands: &[Rc<Node>]) -> Rc<Node> {
        let is_number = |operand: &Rc<Node>| self.number(operand).is_some();
        if operands.iter().all(is_number) {
            return self.fold_constants(op, operands);
        }
        // By name, because constants such as `ADD` cannot be patterns.
        match (op.name, operands) {
            (
                "sum" | "prod" | "min" | "max" | "logsumexp" | "median_low" | "median_high",
                [only],
            ) => Rc::clone(only),
            ("addition" | "sum", [a, b]) => self.sum(a, b),
            ("subtraction", [a, b]) => {
                let minus_b = self.negation(b);
                self.sum(a, &minus_b)
            }
            ("multiplication" | "prod", [a, b]) => self.product(a, b, MULTIPLY),
            ("chain", [a, b]) => self.product(a, b, CHAIN),
            ("chain_ln", [a, b]) if self.number(b).is_some_and(|base| base != 0.0) => {
                let logarithm = self.fold_constants(LN, std::slice::from_ref(b));
                self.product(a, &logarithm, CHAIN)
            }
            ("division", [a, b]) => self.quotient(a, b),
            ("negation", [a]) => self.negation(a),
            ("power", [_, y]) if self.number(y) == Some(0.0) => self.constant(1.0),
            ("power", [x, y]) if self.number(y) == Some(1.0) => Rc::clone(x),
            ("if", [condition, yes, no]) => self.choice(condition, yes, no),
            _ => self.find_or_make(op, operands),
        }
    }

    /// A sum in which like terms are collected.
    pub(super) fn sum(&mut self, a: &Rc<Node>, b: &Rc<Node>) -> Rc<Node> {
        // `(p + 2q) + q` is `p + 3q`.
        if let Some((op, [p, q])) = operation_of(a)
            && op == ADD
        {
            if let Some(together) = self.join_like_terms(q, b) {
                return self.plain_sum(p, &together);
            }
            if let Some(together) = self.join_like_terms(p, b) {
                return self.plain_sum(&together, q);
            }
        }
        self.plain_sum(a, b)
    }

    /// A sum that does not look into sums among its operands. Drops zeros, joins like terms, and subtracts a term that
    /// has a minus.
    fn plain_sum(&mut self, a: &Rc<Node>, b: &Rc<Node>) -> Rc<Node> {
        match (self.number(a), self.number(b)) {
            (Some(_), Some(_)) => return self.fold_constants(ADD, &[Rc::clone(a), Rc::clone(b)]),
            (Some(0.0), _) => return Rc::clone(b),
            (_, Some(0.0)) => return Rc::clone(a),
            _ => {}
        }
        if let Some(together) = self.join_like_terms(a, b) {
            return together;
        }
        let (from, taken) = match (self.is_negative(a), self.is_negative(b)) {
            // `-3 + -x` is written `-x - 3`.
            (true, true) if self.number(a).is_some() => (b, a),
            (_, true) => (a, b),
            (true, false) => (b, a),
            (false, false) => return self.find_or_make(ADD, &[Rc::clone(a), Rc::clone(b)]),
        };
        let positive = match self.number(taken) {
            // Not by `negation`, which may leave a long literal as it is.
            Some(number) => self.constant(-number),
            None => self.negation(taken),
        };
        self.find_or_make(SUBTRACT, &[Rc::clone(from), positive])
    }

    /// `2q + q` as `3q`. A sum that cancels stays, because `q - q` is not 0 if `q` is infinite.
    fn join_like_terms(&mut self, a: &Rc<Node>, b: &Rc<Node>) -> Option<Rc<Node>> {
        let ((m, p), (n, q)) = (self.split_factor(a), self.split_factor(b));
        let (p, q) = (p?, q?);
        (Rc::ptr_eq(&p, &q) && m + n != 0.0).then(|| self.scale_term(m + n, &p))
    }

    /// A number times a term that is not a number.
    fn scale_term(&mut self, factor: f64, term: &Rc<Node>) -> Rc<Node> {
        if factor == 1.0 {
            Rc::clone(term)
        } else if factor == -1.0 {
            self.find_or_make(NEGATE, std::slice::from_ref(term))
        } else {
            let number = self.constant(factor);
            self.find_or_make(MULTIPLY, &[number, Rc::clone(term)])
        }
    }

    /// The negative of a term: `y - x` for `x - y`, `3*x` for `-3*x`.
    fn negation(&mut self, a: &Rc<Node>) -> Rc<Node> {
        if self.number(a).is_some() {
            return self.fold_constants(NEGATE, std::slice::from_ref(a));
        }
        if let Some((op, [x, y])) = operation_of(a)
            && op == SUBTRACT
        {
            let exchanged = [Rc::clone(y), Rc::clone(x)];
            return self.find_or_make(SUBTRACT, &exchanged);
        }
        match self.split_factor(a) {
            (factor, Some(rest)) => self.scale_term(-factor, &rest),
            (factor, None) => self.constant(-factor),
        }
    }

    /// A product by `op`, multiplication or `chain`, with its numerical factors collected in front.
    fn product(&mut self, a: &Rc<Node>, b: &Rc<Node>, op: &'static Op) -> Rc<Node> {
        match (self.number(a), self.number(b)) {
            (Some(_), Some(_)) => return self.fold_constants(op, &[Rc::clone(a), Rc::clone(b)]),
            (Some(0.0), _) | (_, Some(0.0)) => return self.constant(0.0),
            _ => {}
        }
        let ((m, p), (n, q)) = (self.split_factor(a), self.split_factor(b));
        if !COLLECTIBLE_FACTORS.contains(&(m * n).abs()) {
            return self.find_or_make(op, &[Rc::clone(a), Rc::clone(b)]);
        }
        match (p, q) {
            (Some(p), Some(q)) => {
                let rest = self.find_or_make(op, &[p, q]);
                self.scale_term(m * n, &rest)
            }
            (Some(rest), None) | (None, Some(rest)) => self.scale_term(m * n, &rest),
            (None, None) => self.constant(m * n),
        }
    }

    /// A quotient, with the minus of the numerator in front.
    fn quotient(&mut self, a: &Rc<Node>, b: &Rc<Node>) -> Rc<Node> {
        match (self.number(a), self.number(b)) {
            (_, Some(1.0)) => return Rc::clone(a),
            (Some(0.0), _) => return self.constant(0.0),
            _ => {}
        }
        match self.split_factor(a) {
            (-1.0, Some(rest)) => {
                let quotient = self.find_or_make(DIVIDE, &[rest, Rc::clone(b)]);
                self.scale_term(-1.0, &quotient)
            }
            _ => self.find_or_make(DIVIDE, &[Rc::clone(a), Rc::clone(b)]),
        }
    }

    /// `if(condition, yes, no)`, or the branch that is known to be chosen.
    fn choice(&mut self, condition: &Rc<Node>, yes: &Rc<Node>, no: &Rc<Node>) -> Rc<Node> {
        // Equal bits, because `==` holds for 0 and -0 but not for NaN.
        let bits = |term| self.number(term).map(f64::to_bits);
        let are_same = Rc::ptr_eq(yes, no) || bits(yes).is_some() && bits(yes) == bits(no);
        match (!condition.varies()).then(|| condition.data()) {
            Some(number) if number.is_nan() => self.constant(f64::NAN),
            Some(0.0) => Rc::clone(no),
            Some(_) => Rc::clone(yes),
            None if are_same => Rc::clone(yes),
            None => self.find_or_make(
                CHOOSE,
                &[Rc::clone(condition), Rc::clone(yes), Rc::clone(no)],
            ),
        }
    }

    /// A local derivative times an upstream one. By the rule of a backward pass, an exact 0 absorbs infinity and NaN.
    /// The plain product suffices if a factor is a finite number or both are equal, and textbooks always write it.
    pub(super) fn chain_terms(&mut self, local: &Rc<Node>, upstream: &Rc<Node>) -> Rc<Node> {
        let is_finite = |term: &Rc<Node>| self.number(term).is_some_and(f64::is_finite);
        let is_square = Rc::ptr_eq(local, upstream);
        let is_plain = is_finite(local) || is_finite(upstream) || is_square;
        let op = if is_plain { MULTIPLY } else { CHAIN };
        self.product(local, upstream, op)
    }

    /// A term that becomes NaN if `of` is NaN, so that a NaN never leads to a plausible number.
    pub(super) fn unless_nan(&mut self, term: &Rc<Node>, of: &Rc<Node>) -> Rc<Node> {
        let is_number = self.simplify(EQUAL, &[Rc::clone(of), Rc::clone(of)]);
        let nan = self.constant(f64::NAN);
        self.choice(&is_number, term, &nan)
    }

    /// Combines the results of an operation on the first and on the remaining operands. For a product, `rest` is made
    /// of local derivatives, in which an exact 0 absorbs infinity.
    pub(super) fn join_groups(
        &mut self,
        op: &'static Op,
        first: &Rc<Node>,
        rest: &Rc<Node>,
    ) -> Rc<Node> {
        match op.name {
            "prod" => self.chain_terms(first, rest),
            _ => self.simplify(op, &[Rc::clone(first), Rc::clone(rest)]),
        }
    }

    /// The number of a node, if it is constant. For a formula these are the whole numbers: `pi`, `1/3` and `sqrt(2)` stay
    /// as they are.
    pub(super) fn number(&self, node: &Node) -> Option<f64> {
        let is_constant = if self.purpose == Purpose::Formula {
            is_whole(node.data())
                && matches!(node.spelling(), Some(Spelling::Plain | Spelling::Point))
        } else {
            !node.varies()
        };
        is_constant.then(|| node.data())
    }

    /// Whether a term is written with a minus in front.
    fn is_negative(&self, a: &Rc<Node>) -> bool {
        if let Some(number) = self.number(a) {
            return number < 0.0;
        }
        match operation_of(a) {
            Some((op, _)) if op == NEGATE => true,
            Some((op, [factor, _])) if op == MULTIPLY => {
                self.number(factor).is_some_and(|number| number < 0.0)
            }
            _ => false,
        }
    }

    /// Splits a term into a number and the rest, which is `None` for a number alone.
    fn split_factor(&self, term: &Rc<Node>) -> (f64, Option<Rc<Node>>) {
        let is_collected = |number: f64| COLLECTIBLE_FACTORS.contains(&number.abs());
        match self.number(term) {
            Some(number) if is_collected(number) => return (number, None),
            Some(_) => return (1.0, Some(Rc::clone(term))),
            None => {}
        }
        let (mut factor, mut rest) = (1.0, term);
        for _ in 0..MAX_SPLIT_FACTORS {
            let (number, below) = match operation_of(rest) {
                Some((op, [a])) if op == NEGATE => (-1.0, a),
                Some((op, [a, b])) if op == MULTIPLY => match (self.number(a), self.number(b)) {
                    (Some(number), None) => (number, b),
                    (None, Some(number)) => (number, a),
                    _ => break,
                },
                _ => break,
            };
            let product = factor * number;
            if self.number(below).is_some() || ![number, product].into_iter().all(is_collected) {
                break;
            }
            (factor, rest) = (product, below);
        }
        (factor, Some(Rc::clone(rest)))
    }
}

/// Whether all whole numbers up to this one are exact.
fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() < MAX_WHOLE
}

/// The operation of a node and its operands.
fn operation_of(node: &Node) -> Option<(&'static Op, &[Rc<Node>])> {
    Some((node.op()?, node.operands()))
}

/// The key of an operation; `None` if it has more operands than a key can hold.
fn key(op: &'static Op, operands: &[Rc<Node>]) -> Option<NodeKey> {
    let mut ids = [0; 3];
    if operands.len() > ids.len() {
        return None;
    }
    for (place, operand) in ids.iter_mut().zip(operands) {
        *place = operand.id();
    }
    if op.is_commutative() && ids[0] > ids[1] {
        ids.swap(0, 1);
    }
    Some(NodeKey::Operation(op.row.into(), ids))
}
