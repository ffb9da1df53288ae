//! Local derivatives: a row's derivative text such as `y*x^(y - 1)`, with a node and its operands for `out`, `x`, `y`.
//!
//! They become nodes, which `derivative` makes derivatives of and `formula` shows to people. Each text is parsed once.
//! Functions and constants in it are always the built-in ones, even if the user has redefined `sin` or `pi`.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::builder::Builder;
use crate::session::functions::operation;
use chainrule_engine::graph::Node;
use chainrule_engine::ops::{self, Op, Rule};
use chainrule_language::{self as language, Expression, Head, ItemKind, Span};

thread_local! {
    /// The texts that have been parsed.
    static TEXTS: RefCell<FxHashMap<&'static str, Rc<Expression<'static>>>> = RefCell::default();
}

fn parse_text(text: &'static str) -> Rc<Expression<'static>> {
    let parsed = || {
        let read = language::expression(text, Span::new(0, text.len()));
        Rc::new(read.expect("the lock test reads every text of the table"))
    };
    TEXTS.with_borrow_mut(|known| Rc::clone(known.entry(text).or_insert_with(parsed)))
}

/// The position of the operand that is `x`, `y` or `z` in a text.
fn operand_position(op: &Op, position: usize, wanted: usize) -> usize {
    match (&op.rule, wanted) {
        (Rule::Many { .. }, 0) => position,
        (Rule::Many { .. }, _) => 1 - position.min(1),
        _ => wanted,
    }
}

/// The `scale` of a text: 1, or a power of two that makes the length of the operands a number with all its digits.
fn scale(node: &Node) -> f64 {
    let length = match node.operands() {
        [x, y] => x.data().hypot(y.data()),
        _ => node.data(),
    };
    if length > 1e290 {
        2f64.powi(-200)
    } else if length < 1e-290 && length > 0.0 {
        2f64.powi(200)
    } else {
        1.0
    }
}

/// The local derivatives of a node while they are built, and the parts that they share: a node of a thousand operands
/// has a thousand of them.
pub(super) struct LocalDerivatives<'n> {
    pub(super) node: &'n Rc<Node>,
    /// Their numbers if the node is NaN; none for any other.
    pub(super) numbers: Vec<f64>,
    /// The operation on the first operand alone, on the first two, and so on.
    before: Vec<Rc<Node>>,
    /// The operation on the last operand alone, on the last two, and so on.
    behind: Vec<Rc<Node>>,
    /// The `ties`, the `total` or the `length` of the text.
    shared: Option<Rc<Node>>,
}

impl LocalDerivatives<'_> {
    pub(super) fn of(node: &Rc<Node>) -> LocalDerivatives<'_> {
        let is_nan = node.data().is_nan();
        LocalDerivatives {
            node,
            numbers: if is_nan { node.locals() } else { Vec::new() },
            before: Vec::new(),
            behind: Vec::new(),
            shared: None,
        }
    }
}

impl Builder<'_> {
    /// The local derivative of a node with respect to an operand.
    pub(super) fn local(&mut self, locals: &mut LocalDerivatives, position: usize) -> Rc<Node> {
        let Some(op) = locals.node.op() else {
            return self.constant(0.0);
        };
        let count = locals.node.operands().len();
        // Textbook forms exist for up to two operands of a function of many.
        let is_long = matches!(op.rule, Rule::Many { .. }) && count != 2;
        let text = if self.textbook && !is_long {
            op.learned_text(position)
        } else {
            op.derivable_text(position, count)
        };
        let mut stack: Vec<Rc<Node>> = Vec::new();
        for item in &parse_text(text).items {
            let made = match item.kind {
                ItemKind::Number(literal) => self.constant(literal.value),
                ItemKind::Name(name) => self.named_part(op, locals, position, name),
                ItemKind::Apply(head, count) => {
                    let op = match head {
                        Head::Operator(operator) => Some(operation(operator)),
                        Head::Function(name, _) => ops::function(name, count as usize),
                        _ => None,
                    };
                    let operands = stack.split_off(stack.len() - count as usize);
                    self.simplify(op.expect("texts apply rows of the table"), &operands)
                }
                _ => unreachable!("texts have numbers, names and operations"),
            };
            stack.push(made);
        }
        stack.pop().expect("a text has a value")
    }

    /// What a name in a text stands for.
    fn named_part(
        &mut self,
        op: &'static Op,
        locals: &mut LocalDerivatives,
        position: usize,
        name: &'static str,
    ) -> Rc<Node> {
        let node = locals.node;
        let operands = node.operands();
        let operand = |wanted| Rc::clone(&operands[operand_position(op, position, wanted)]);
        match name {
            "x" => operand(0),
            "y" => operand(1),
            "z" => operand(2),
            "out" => Rc::clone(node),
            "rest" => self.rest(op, locals, position),
            "scale" => self.constant(scale(node)),
            "length" if op.name == "hypot" && scale(node) == 1.0 => Rc::clone(node),
            "ties" | "total" | "length" => {
                let shared = locals.shared.take().unwrap_or_else(|| match name {
                    "ties" => self.ties(operands, node),
                    "length" => self.length(operands, scale(node)),
                    _ => self.total(operands, node),
                });
                locals.shared.insert(shared).clone()
            }
            constant => self.named_constant(constant),
        }
    }

    /// The operation on all of these operands but one.
    fn rest(
        &mut self,
        op: &'static Op,
        locals: &mut LocalDerivatives,
        position: usize,
    ) -> Rc<Node> {
        let operands = locals.node.operands();
        let LocalDerivatives { before, behind, .. } = locals;
        for next in &operands[before.len()..position.max(before.len())] {
            let joined = match before.last() {
                Some(last) => self.simplify(op, &[Rc::clone(last), Rc::clone(next)]),
                None => Rc::clone(next),
            };
            before.push(joined);
        }
        let left = operands.len() - behind.len();
        for next in operands[(position + 1).min(left)..left].iter().rev() {
            let joined = match behind.last() {
                Some(last) => self.join_groups(op, next, last),
                None => Rc::clone(next),
            };
            behind.push(joined);
        }
        let before = position.checked_sub(1).map(|at| &before[at]);
        let behind = (operands.len() - position)
            .checked_sub(2)
            .map(|at| &behind[at]);
        match (before, behind) {
            (Some(before), Some(behind)) => self.join_groups(op, before, behind),
            (Some(all), None) | (None, Some(all)) => Rc::clone(all),
            (None, None) => self.constant(op.value(&[])),
        }
    }
}
