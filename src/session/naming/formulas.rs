//! Local derivatives as formulas with the user's names: `1 - tanh(n)^2` for the row's `1 - out^2`.
//!
//! The formulas are texts in the rows of the table. Here their `x`, `y`, `z` and `out` are replaced by labels, and what
//! has only literal operands then is carried out.

use std::cell::LazyCell;
use std::rc::Rc;

use super::atoms::{Term, written};
use super::labels::label_terms;
use crate::graph::Node;
use crate::ops::{Op, Rule};
use crate::session::Session;
use crate::syntax::{self, Head, ItemKind, Literal, Span};

impl Session {
    /// The local derivative of a node with respect to an operand, as textbooks write it.
    pub fn local_formula(&self, node: &Rc<Node>, operand: usize) -> String {
        self.local_formulas(node)(operand)
    }

    /// The local derivatives of a node, by the position of the operand. The label of the node is made once for all.
    pub fn local_formulas(&self, node: &Rc<Node>) -> impl Fn(usize) -> String {
        let out = LazyCell::new(|| label_terms(&self.names, node));
        move |operand| {
            let Some(op) = node.op() else {
                return String::new();
            };
            let text = op.learned_text(operand);
            let Ok(expression) = syntax::expression(text, Span::new(0, text.len())) else {
                return text.to_string();
            };
            let mut waiting: Vec<Vec<Term>> = Vec::new();
            for item in &expression.items {
                let made = match item.kind {
                    ItemKind::Apply(head, count) => {
                        let first = waiting.len().saturating_sub(count as usize);
                        applied(head, waiting.split_off(first))
                    }
                    ItemKind::Name("out") => out.clone(),
                    ItemKind::Name(name) => self.stands_for(op, node, operand, name),
                    kind => vec![Term::Item(kind)],
                };
                waiting.push(made);
            }
            written(&waiting.pop().unwrap_or_default())
        }
    }

    /// What replaces a row's `x`, `y` or `z`.
    fn stands_for(
        &self,
        op: &'static Op,
        node: &Rc<Node>,
        operand: usize,
        name: &str,
    ) -> Vec<Term> {
        let operands = node.operands();
        let of_many = matches!(op.rule, Rule::Many { .. });
        let place = match name {
            "x" if of_many => operand,
            "y" if of_many && operands.len() == 2 => 1 - operand,
            "y" if of_many && op.learned_text(operand) == "y" => {
                return self.others(op, node, operand);
            }
            "y" if of_many => return vec![Term::Name("…".to_string())],
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return vec![Term::Name(name.to_string())],
        };
        label_terms(&self.names, &operands[place])
    }

    /// The operation on all operands but one: `prod(a, c)`, of many `prod(a, c, d, …)`.
    fn others(&self, op: &'static Op, node: &Rc<Node>, operand: usize) -> Vec<Term> {
        let (before, rest) = node.operands().split_at(operand);
        let others = before.iter().chain(&rest[1..]);
        let count = node.operands().len() - 1;
        if count == 0 {
            return vec![number(op.value(&[]))];
        }
        let listed = others.take(LISTED);
        let mut terms: Vec<Term> = listed
            .flat_map(|other| label_terms(&self.names, other))
            .collect();
        if count > LISTED {
            terms.push(Term::Name("…".to_string()));
        }
        terms.push(Term::operation(op, count.min(LISTED + 1)));
        terms
    }
}

/// An operation on parts of a formula. What has only literals is carried out if the result is short, so that
/// `2*x^(2 - 1)` becomes `2*x`.
fn applied(head: Head<'static>, mut operands: Vec<Vec<Term>>) -> Vec<Term> {
    let literal = |terms: &Vec<Term>| match terms[..] {
        [Term::Item(ItemKind::Number(literal))] => Some(literal.value),
        _ => None,
    };
    let numbers: Vec<Option<f64>> = operands.iter().map(literal).collect();
    let sign = match head {
        Head::Operator(operator) => operator.spelling,
        _ => "",
    };
    let value = match (sign, &numbers[..]) {
        ("*" | "^", [_, Some(1.0)]) => return operands.swap_remove(0),
        ("*", [Some(1.0), _]) => return operands.swap_remove(1),
        ("*", [Some(0.0), _]) => Some(0.0),
        ("^", [_, Some(0.0)]) => Some(1.0),
        ("*", [Some(x), Some(y)]) => Some(x * y),
        ("+", [Some(x), Some(y)]) => Some(x + y),
        ("-", [Some(x), Some(y)]) => Some(x - y),
        _ => None,
    };
    if let Some(short) = value.filter(|value| value.to_string().len() <= LONGEST_LITERAL) {
        return vec![number(short)];
    }
    let count = operands.len() as u32;
    let mut terms: Vec<Term> = operands.into_iter().flatten().collect();
    terms.push(Term::Item(ItemKind::Apply(head, count)));
    terms
}

fn number(value: f64) -> Term {
    let point = false;
    Term::Item(ItemKind::Number(Literal { value, point }))
}

/// A longer number than this is no simpler than how it was computed.
const LONGEST_LITERAL: usize = 6;

/// The most operands that a formula lists.
const LISTED: usize = 3;

/// The notation for a derivative: `dL/d(a*b)`.
pub(crate) fn fraction(root: &str, node: &str) -> String {
    quotient('d', root, node)
}

/// The notation for a local derivative, in which the other operands stay as they are: `∂c/∂(a*b)`.
pub(crate) fn partial(node: &str, operand: &str) -> String {
    quotient('∂', node, operand)
}

fn quotient(sign: char, root: &str, node: &str) -> String {
    let bracketed = |label: &str| {
        // `a@1` needs no brackets either, unlike `w[2]` and `w@1[2]`.
        let (name, count) = label.split_once('@').unwrap_or((label, ""));
        if syntax::is_name(name) && count.bytes().all(|digit| digit.is_ascii_digit()) {
            label.to_string()
        } else {
            format!("({label})")
        }
    };
    format!("{sign}{}/{sign}{}", bracketed(root), bracketed(node))
}
