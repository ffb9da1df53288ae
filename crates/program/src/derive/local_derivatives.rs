//! Builds local derivatives: the derivative of one operation with respect to one of its operands, from the texts in the
//! table of operations. The names of a text stand for operands, for the result, `out`, and for parts such as `rest`.

use std::convert::Infallible;
use std::rc::Rc;

use super::builder::{Builder, Purpose};
use crate::texts::{TextItem, value_of_text};
use chainrule_engine::graph::{Body, Node, Spelling};
use chainrule_engine::ops::{self, Op, Rule, Shape};

// Operations on all operands, for the parts `ties`, `total` and `length` of the texts.
const TOTAL: &Op = ops::row("sum");
const HYPOT: &Op = ops::row("hypot");
const DIVIDE: &Op = ops::row("division");
const NEGATE: &Op = ops::row("negation");

/// Whether the table has the text that people learn for this number of operands: functions of many have it for two.
pub fn has_learned_text(op: &Op, count: usize) -> bool {
    match op.rule {
        Rule::Many { .. } => count == 2,
        Rule::Carried => false,
        _ => true,
    }
}

/// The `scale` of a text: 1, or a power of two that makes the length of the operands a number with all its digits.
fn scale(node: &Node) -> f64 {
    let length = match node.operands() {
        [x, y] => x.data().hypot(y.data()),
        _ => node.data(),
    };
    match length {
        long if long > 1e290 => 2f64.powi(-200),
        short if short < 1e-290 && short > 0.0 => 2f64.powi(200),
        _ => 1.0,
    }
}

/// The local derivatives of a node while they are built, and the parts that they share: a node with a thousand operands
/// has a thousand of them.
pub(super) struct LocalDerivatives<'n> {
    pub(super) node: &'n Rc<Node>,
    op: &'static Op,
    /// Their numbers if the node is NaN; otherwise empty.
    pub(super) numbers: Vec<f64>,
    /// The operation on the first operand, on the first two, and so on.
    before: Vec<Rc<Node>>,
    /// The operation on the last operand, on the last two, and so on.
    after: Vec<Rc<Node>>,
    /// The node for `ties`, `total` or `length` in the text of the derivative.
    shared: Option<Rc<Node>>,
    /// All of them, if the node carries an equation.
    of_solution: Vec<Rc<Node>>,
}

impl LocalDerivatives<'_> {
    /// Returns `None` for a leaf or a constant.
    pub(super) fn of(node: &Rc<Node>) -> Option<LocalDerivatives<'_>> {
        let is_nan = node.data().is_nan();
        Some(LocalDerivatives {
            node,
            op: node.op()?,
            numbers: if is_nan { node.locals() } else { Vec::new() },
            before: Vec::new(),
            after: Vec::new(),
            shared: None,
            of_solution: Vec::new(),
        })
    }
}

impl Builder<'_> {
    /// The local derivative of a node with respect to an operand.
    pub(super) fn local(&mut self, locals: &mut LocalDerivatives, position: usize) -> Rc<Node> {
        if let Some(body) = Body::of(locals.node) {
            if locals.of_solution.is_empty() {
                locals.of_solution = self.locals_of_solution(body, locals.node);
            }
            return Rc::clone(&locals.of_solution[position]);
        }
        let (op, count) = (locals.op, locals.node.operands().len());
        let is_learned = op.shape == Shape::Call && has_learned_text(op, count);
        let text = if self.purpose == Purpose::Formula && is_learned {
            op.learned_text(position)
        } else {
            op.derivable_text(position, count)
        };
        self.build_text(text, |builder, name| {
            builder.named_part(locals, position, name)
        })
    }

    /// The local derivatives of a node that carries an equation F = 0 of an unknown y: `-F_x/F_y` for each operand x. They
    /// are built on the stand-ins, and the node itself replaces that for y.
    fn locals_of_solution(&mut self, body: &Body, node: &Rc<Node>) -> Vec<Rc<Node>> {
        let stand_ins = [&body.stand_ins[..], std::slice::from_ref(&body.unknown)].concat();
        let real = [node.operands(), std::slice::from_ref(node)].concat();
        let slopes = self.derivatives(std::slice::from_ref(&body.root), &stand_ins);
        let mut by_operands = self.replace(&slopes, &stand_ins, &real);
        let by_unknown = by_operands.pop().expect("the unknown comes last");
        let mut local = |by_operand: Rc<Node>| {
            let quotient = self.simplify(DIVIDE, &[by_operand, Rc::clone(&by_unknown)]);
            self.simplify(NEGATE, &[quotient])
        };
        by_operands.into_iter().map(&mut local).collect()
    }

    /// Builds the node of a text. `named` returns the nodes of its names.
    fn build_text(
        &mut self,
        text: &'static str,
        mut named: impl FnMut(&mut Self, &'static str) -> Rc<Node>,
    ) -> Rc<Node> {
        let Ok(node) = value_of_text::<_, Infallible>(text, |part| match part {
            TextItem::Number(number) => Ok(self.constant(number)),
            TextItem::Name(name) => Ok(named(self, name)),
            TextItem::Operation(op, operands) => Ok(self.simplify(op, &operands)),
        });
        node
    }

    /// The node of a name in the text of a local derivative.
    fn named_part(
        &mut self,
        locals: &mut LocalDerivatives,
        position: usize,
        name: &'static str,
    ) -> Rc<Node> {
        let (node, op) = (locals.node, locals.op);
        if let Some(operand) = op.operand_of_text(name, position) {
            return Rc::clone(&node.operands()[operand]);
        }
        match name {
            "out" => Rc::clone(node),
            "rest" => self.rest(locals, position),
            "scale" => self.constant(scale(node)),
            "length" if op.name == "hypot" && scale(node) == 1.0 => Rc::clone(node),
            "ties" | "total" | "length" => {
                if locals.shared.is_none() {
                    locals.shared = Some(self.of_all_operands(name, node));
                }
                locals.shared.clone().expect("it has been built")
            }
            constant => {
                let value = ops::constant(constant).expect("texts name no other constants");
                if self.purpose == Purpose::Formula {
                    return self.graph.constant(value, Spelling::Named(constant));
                }
                self.constant(value)
            }
        }
    }

    /// The number of operands that are equal to `out`, the sum of all `exp(x - out)`, or the length of all operands.
    fn of_all_operands(&mut self, name: &str, node: &Rc<Node>) -> Rc<Node> {
        let (op, each) = match name {
            "ties" => (TOTAL, "x == out"),
            "total" => (TOTAL, "exp(x - out)"),
            _ => (HYPOT, "x*scale"),
        };
        let mut all = Vec::with_capacity(node.operands().len());
        for operand in node.operands() {
            all.push(self.build_text(each, |builder, part| match part {
                "x" => Rc::clone(operand),
                "out" => Rc::clone(node),
                _ => builder.constant(scale(node)),
            }));
        }
        self.simplify(op, &all)
    }

    /// The operation on all operands except the one at `position`. The results on the operands before and after it are
    /// kept, so that all positions together cost as much as one.
    fn rest(&mut self, locals: &mut LocalDerivatives, position: usize) -> Rc<Node> {
        let (op, operands) = (locals.op, locals.node.operands());
        let LocalDerivatives { before, after, .. } = locals;
        for next in &operands[before.len()..position.max(before.len())] {
            let joined = match before.last() {
                Some(last) => self.simplify(op, &[Rc::clone(last), Rc::clone(next)]),
                None => Rc::clone(next),
            };
            before.push(joined);
        }
        let after_begin = operands.len() - after.len();
        let first_missing = (position + 1).min(after_begin);
        for next in operands[first_missing..after_begin].iter().rev() {
            let joined = match after.last() {
                Some(last) => self.join_groups(op, next, last),
                None => Rc::clone(next),
            };
            after.push(joined);
        }
        let all_before = position.checked_sub(1).map(|at| &before[at]);
        let count_after = operands.len() - 1 - position;
        let all_after = count_after.checked_sub(1).map(|at| &after[at]);
        match (all_before, all_after) {
            (Some(left), Some(right)) => self.join_groups(op, left, right),
            (Some(all), None) | (None, Some(all)) => Rc::clone(all),
            (None, None) => self.constant(op.value(&[])),
        }
    }
}
