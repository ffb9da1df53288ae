//! Local derivatives as formulas with the user's names: `1 - tanh(n)^2` for the row's `1 - out^2`.
//!
//! The formulas are texts in the rows of the table. Here their `x`, `y`, `z` and `out` are replaced by labels, and what
//! has only literal operands then is carried out.

use std::rc::Rc;

use crate::graph::Node;
use crate::ops::{Op, Rule};
use crate::session::Session;
use crate::syntax::{self, Head, Item, ItemKind, Literal, Span};

impl Session {
    /// The local derivative of a node with respect to an operand, as textbooks write it.
    pub fn local_formula(&self, node: &Rc<Node>, operand: usize) -> String {
        let Some(op) = node.op() else {
            return String::new();
        };
        let text = op.shown(operand);
        let Ok(mut expression) = syntax::expression(text, Span::new(0, text.len())) else {
            return text.to_string();
        };
        let items = &mut expression.items;
        let mut labels: Vec<Option<String>> = (items.iter())
            .map(|item| match item.kind {
                ItemKind::Name(name) => self.stands_for(op, node, operand, name),
                _ => None,
            })
            .collect();
        if let [Some(only)] = labels.as_slice() {
            return only.clone();
        }
        for (label, alone) in labels.iter_mut().zip(arguments(items)) {
            *label = label
                .take()
                .map(|label| if alone { label } else { bracketed(&label) });
        }
        for (item, label) in items.iter_mut().zip(&labels) {
            let Some(label) = label else { continue };
            item.kind = match literal(label) {
                Some(value) => number(value),
                None => ItemKind::Name(label),
            };
        }
        syntax::infix(&folded(items))
    }

    /// The label that replaces a row's `x`, `y`, `z` or `out`.
    fn stands_for(&self, op: &Op, node: &Rc<Node>, operand: usize, name: &str) -> Option<String> {
        let operands = node.operands();
        let of_many = matches!(op.rule, Rule::Many { .. });
        let place = match name {
            "out" => return Some(self.label(node)),
            "x" if of_many => operand,
            "y" if of_many && operands.len() == 2 => 1 - operand,
            "y" if of_many && op.shown(operand) == "y" => {
                return Some(self.others(op, node, operand));
            }
            "y" if of_many => return Some("…".to_string()),
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return None,
        };
        operands.get(place).map(|operand| self.label(operand))
    }

    /// The operation on all operands but one: `prod(a, c)`, of many `prod(a, c, d, …)`.
    fn others(&self, op: &Op, node: &Rc<Node>, operand: usize) -> String {
        let (before, rest) = node.operands().split_at(operand);
        let others = || before.iter().chain(&rest[1..]);
        let mut listed: Vec<String> = others()
            .take(LISTED)
            .map(|other| self.label(other))
            .collect();
        if listed.is_empty() {
            return op.value(&[]).to_string();
        }
        if others().nth(LISTED).is_some() {
            listed.push("…".to_string());
        }
        format!("{}({})", op.spelling, listed.join(", "))
    }
}

/// The number that a label is, if it is one.
fn literal(label: &str) -> Option<f64> {
    let digits = label.trim_start_matches('(').trim_end_matches(')');
    let number = digits.trim_start_matches('-');
    let plain = number.starts_with(|c: char| c.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// Carries out what has literal operands and a short result: `2*x^(2 - 1)` becomes `2*x`.
fn folded<'t>(items: &[Item<'t>]) -> Vec<Item<'t>> {
    let mut out: Vec<Item> = Vec::with_capacity(items.len());
    // Where each operand that waits begins, and its value if it is a literal.
    let mut waiting: Vec<(usize, Option<f64>)> = Vec::new();
    for item in items {
        let ItemKind::Apply(head, count) = item.kind else {
            let value = match item.kind {
                ItemKind::Number(literal) => Some(literal.value),
                _ => None,
            };
            waiting.push((out.len(), value));
            out.push(*item);
            continue;
        };
        let operands = waiting.split_off(waiting.len().saturating_sub(count as usize));
        let start = operands.first().map_or(out.len(), |first| first.0);
        let mut result = (start, None);
        match (head, operands.as_slice()) {
            (Head::Operator(operator), &[(left, x), (right, y)]) => {
                match simplified(operator.spelling, x, y) {
                    Some(Simplified::Number(value)) => {
                        out.truncate(left);
                        let kind = number(value);
                        out.push(Item { kind, ..*item });
                        result.1 = Some(value);
                    }
                    Some(Simplified::Left) => {
                        out.truncate(right);
                        result.1 = x;
                    }
                    Some(Simplified::Right) => {
                        out.drain(left..right);
                        result.1 = y;
                    }
                    None => out.push(*item),
                }
            }
            _ => out.push(*item),
        }
        waiting.push(result);
    }
    out
}

/// What is left of an operation with literal operands.
enum Simplified {
    Number(f64),
    Left,
    Right,
}

fn simplified(sign: &str, x: Option<f64>, y: Option<f64>) -> Option<Simplified> {
    let value = match (sign, x, y) {
        ("*" | "^", _, Some(1.0)) => return Some(Simplified::Left),
        ("*", Some(1.0), _) => return Some(Simplified::Right),
        ("*", Some(0.0), _) => 0.0,
        ("^", _, Some(0.0)) => 1.0,
        ("*", Some(x), Some(y)) => x * y,
        ("+", Some(x), Some(y)) => x + y,
        ("-", Some(x), Some(y)) => x - y,
        _ => return None,
    };
    let short = value.to_string().len() <= LONGEST_LITERAL;
    short.then_some(Simplified::Number(value))
}

fn number(value: f64) -> ItemKind<'static> {
    let point = false;
    ItemKind::Number(Literal { value, point })
}

/// A longer number than this is no simpler than how it was computed.
const LONGEST_LITERAL: usize = 6;

/// The most operands that a formula lists.
const LISTED: usize = 3;

/// For each item, whether it is a whole argument of a call, so that it needs no brackets of its own.
fn arguments(items: &[Item]) -> Vec<bool> {
    let mut alone = vec![false; items.len()];
    let mut stack: Vec<usize> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if let ItemKind::Apply(head, count) = item.kind {
            let operands = stack.split_off(stack.len().saturating_sub(count as usize));
            for operand in operands {
                alone[operand] = matches!(head, Head::Function(..));
            }
        }
        stack.push(at);
    }
    alone
}

/// A label as a part of a formula: in brackets unless it binds as tightly as a call.
fn bracketed(label: &str) -> String {
    if has_outside_brackets(label, "+-*/%^<>=! ") {
        format!("({label})")
    } else {
        label.to_string()
    }
}

/// Whether one of these signs occurs in a text outside all brackets.
pub(crate) fn has_outside_brackets(text: &str, signs: &str) -> bool {
    let mut depth = 0_usize;
    text.chars().any(|character| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && signs.contains(character)
    })
}

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
