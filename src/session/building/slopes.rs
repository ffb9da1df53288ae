//! Local derivatives as nodes: a row's derivative text such as `y*x^(y - 1)`, with a node and its operands for `out`,
//! `x`, `y`.
//!
//! Each text is parsed once. Functions and constants in it are always the built-in ones, even if the user has redefined
//! `sin` or `pi`. `derivative` decides which local derivatives are needed.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::terms::Builder;
use crate::graph::Node;
use crate::ops::algebra::{self, Terms};
use crate::ops::{self, Op, Rule};
use crate::session::functions::operation;
use crate::syntax::{self, Head, Item, ItemKind, Span};

/// The text of a local derivative, parsed: its instructions in postfix order.
type Slope = Rc<[SlopeStep]>;

/// One instruction of a text.
#[derive(Clone, Copy, Debug)]
enum SlopeStep {
    /// A number.
    Number(f64),
    /// `x`, `y`, `z`: the operand at this position. In a function of many, `x` is the operand in question and `y` the
    /// other one.
    Operand(usize),
    /// `out`
    Out,
    /// `ties`
    Ties,
    /// `total`
    Total,
    /// `rest`
    Rest,
    /// An operation on the last results, as many as it says.
    Apply(&'static Op, usize),
}

thread_local! {
    /// The texts that have been parsed.
    static SLOPES: RefCell<FxHashMap<&'static str, Slope>> = RefCell::default();
}

/// The instructions of a text.
fn read(text: &'static str) -> Slope {
    let parsed = || {
        let read = syntax::expression(text, Span::new(0, text.len()));
        let read = read.expect("the lock test reads every text of the table");
        read.items.iter().map(step).collect()
    };
    SLOPES.with_borrow_mut(|known| Rc::clone(known.entry(text).or_insert_with(parsed)))
}

fn step(item: &Item) -> SlopeStep {
    match item.kind {
        ItemKind::Number(literal) => SlopeStep::Number(literal.value),
        ItemKind::Name("x") => SlopeStep::Operand(0),
        ItemKind::Name("y") => SlopeStep::Operand(1),
        ItemKind::Name("z") => SlopeStep::Operand(2),
        ItemKind::Name("out") => SlopeStep::Out,
        ItemKind::Name("ties") => SlopeStep::Ties,
        ItemKind::Name("total") => SlopeStep::Total,
        ItemKind::Name("rest") => SlopeStep::Rest,
        ItemKind::Name(name) => {
            SlopeStep::Number(ops::constant(name).expect("texts name nothing else"))
        }
        ItemKind::Apply(Head::Operator(operator), count) => {
            SlopeStep::Apply(operation(operator), count as usize)
        }
        ItemKind::Apply(Head::Function(name, _), count) => {
            let op = ops::function(name, count as usize);
            SlopeStep::Apply(op.expect("texts call rows of the table"), count as usize)
        }
        _ => unreachable!("texts have numbers, names and operations"),
    }
}

/// A node whose local derivatives are built, and what they have in common: a node of a thousand operands has a thousand
/// of them.
pub(super) struct Turn<'n> {
    pub(super) node: &'n Rc<Node>,
    /// Their numbers if the node is NaN; none for any other.
    pub(super) numbers: Vec<f64>,
    /// The operation on the first operand alone, on the first two, and so on.
    before: Vec<Rc<Node>>,
    /// The operation on the last operand alone, on the last two, and so on.
    behind: Vec<Rc<Node>>,
    /// The `ties` or the `total` of the text.
    shared: Option<Rc<Node>>,
}

impl Turn<'_> {
    pub(super) fn of(node: &Rc<Node>) -> Turn<'_> {
        let is_nan = node.data().is_nan();
        Turn {
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
    pub(super) fn local(&mut self, turn: &mut Turn, position: usize) -> Rc<Node> {
        let node = turn.node;
        let Some(op) = node.op() else {
            return self.constant(0.0);
        };
        let operands = node.operands();
        let place = |wanted: usize| match (&op.rule, wanted) {
            (Rule::Many { .. }, 0) => position,
            (Rule::Many { .. }, _) => 1 - position.min(1),
            _ => wanted,
        };
        // Textbook forms exist for up to two operands of a function of many.
        let is_long = matches!(op.rule, Rule::Many { .. }) && operands.len() != 2;
        let text = if self.textbook && !is_long {
            op.learned_text(position)
        } else {
            op.derivable_text(position, operands.len())
        };
        let mut stack: Vec<Rc<Node>> = Vec::new();
        for step in &*read(text) {
            let term = match *step {
                SlopeStep::Number(value) => self.constant(value),
                SlopeStep::Operand(wanted) => Rc::clone(&operands[place(wanted)]),
                SlopeStep::Out => Rc::clone(node),
                SlopeStep::Ties | SlopeStep::Total => {
                    let shared = turn.shared.take().unwrap_or_else(|| match *step {
                        SlopeStep::Ties => algebra::ties(self, operands, node),
                        _ => algebra::total(self, operands, node),
                    });
                    turn.shared.insert(shared).clone()
                }
                SlopeStep::Rest => self.rest(op, turn, position),
                SlopeStep::Apply(op, count) => {
                    let taken = stack.split_off(stack.len() - count);
                    algebra::simplified(self, op, &taken)
                }
            };
            stack.push(term);
        }
        stack.pop().expect("a text has a value")
    }
    /// The operation on all of these operands but one.
    fn rest(&mut self, op: &'static Op, turn: &mut Turn, position: usize) -> Rc<Node> {
        let operands = turn.node.operands();
        let Turn { before, behind, .. } = turn;
        for next in &operands[before.len()..position.max(before.len())] {
            let joined = match before.last() {
                Some(last) => algebra::simplified(self, op, &[Rc::clone(last), Rc::clone(next)]),
                None => Rc::clone(next),
            };
            before.push(joined);
        }
        let left = operands.len() - behind.len();
        for next in operands[(position + 1).min(left)..left].iter().rev() {
            let joined = match behind.last() {
                Some(last) => algebra::joined(self, op, next, last),
                None => Rc::clone(next),
            };
            behind.push(joined);
        }
        let before = position.checked_sub(1).map(|at| &before[at]);
        let behind = (operands.len() - position)
            .checked_sub(2)
            .map(|at| &behind[at]);
        match (before, behind) {
            (Some(before), Some(behind)) => algebra::joined(self, op, before, behind),
            (Some(all), None) | (None, Some(all)) => Rc::clone(all),
            (None, None) => self.constant(op.value(&[])),
        }
    }
}
