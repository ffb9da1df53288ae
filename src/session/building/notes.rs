//! Notes: what is worth knowing beside an answer. Sentences are made of pieces; numbers stay numbers.
//!
//! A note never stops anything and never changes anything.

use std::rc::Rc;

use crate::diagnostic::quoted;
use crate::graph::Node;
use crate::ops::{Domain, Op, Shape};
use crate::report::{Line, Note, Piece, say};
use crate::session::Session;
use crate::syntax::{Span, precedence};

/// A node at fault, and where in the expression it was made.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The node.
    pub node: Rc<Node>,
    /// What was typed for its operands, where there is a text.
    pub place: Option<Span>,
}

/// `1e-999` is 0.
pub(crate) fn vanished(text: &str, span: Span) -> Note {
    let literal: String = span.of(text).chars().take(40).collect();
    Note {
        message: say!(
            "{:formula} is too small for a 64-bit number and becomes 0",
            literal
        ),
        place: Some((span.into(), say!("is 0"))),
    }
}

/// `a = 5` while `L` goes on with the old one.
pub(crate) fn rebound(name: &str, former: &str, user: &str, data: Option<f64>) -> Note {
    let [name, former, user] = [name, former, user].map(quoted);
    let mut message = say!(
        "{:name} still uses the old {:name}, now {:name}; to change it in place: `:undo`, then ",
        user,
        &*name,
        former
    );
    match data {
        Some(data) => message.extend(say!("`:set {} `{}", name, data)),
        None => message.push(Piece::typed(format!(":set {name} VALUE"))),
    }
    Note::new(message)
}

/// `sin(x) = x` hides the sine.
pub(crate) fn hides_built_in(name: &str) -> Note {
    let name = quoted(name);
    Note::new(say!(
        "{:name} is now your function; the built-in one comes back with `:del {}`",
        &*name,
        name
    ))
}

/// `grad(L, z)` where L is made without z.
pub(crate) fn apart(root: &str, by: &str) -> Note {
    Note::new(say!(
        "{:name} does not use {:name}: the derivative is 0",
        root,
        by
    ))
}

impl Session {
    /// Which node is NaN or infinite, and why.
    pub(crate) fn fault_note(&self, fault: &Fault) -> Note {
        let mut message = self.fault_line(&fault.node);
        let node = &fault.node;
        let Some(place) = fault.place else {
            message.extend(say!(" (in {:formula})", self.label(node)));
            return Note::new(message);
        };
        // One operand: the place is what was typed for it. Several: the place is all of them.
        let shown = match node.operands() {
            [only] => only.data(),
            _ => node.data(),
        };
        Note {
            message,
            place: Some((place.into(), say!("is {}", shown))),
        }
    }

    /// `ln(-8.6436) is NaN: ln needs x > 0`
    pub(crate) fn fault_line(&self, node: &Rc<Node>) -> Line {
        let Some(op) = node.op() else {
            return say!("{:name}", self.label(node));
        };
        let values: Vec<f64> = node
            .operands()
            .iter()
            .map(|operand| operand.data())
            .collect();
        let mut line = applied(op, &values);
        line.extend(say!(" is {}: ", node.data()));
        let called = if op.shape == Shape::Call {
            op.spelling
        } else {
            op.name
        };
        match op.domain {
            Domain::Where { text, holds, hint } if !holds(&values) => {
                line.push(Piece::plain(format!("{called} needs {text}")));
                line.extend(hint.map(|hint| Piece::plain(format!("; {hint}"))));
            }
            _ if node.data().is_nan() => {
                line.push(Piece::plain(format!("{called} has no value there")));
            }
            _ => line.push(Piece::plain("the result is beyond the largest number")),
        }
        line
    }

    /// A node became NaN or infinite by a change of data, though its operands are finite.
    pub(crate) fn moved_note(&self, node: Rc<Node>) -> Note {
        self.fault_note(&Fault { node, place: None })
    }

    /// `x.grad` was read after data changed.
    pub(crate) fn stale_note(&self) -> Option<Note> {
        let root = self.label(self.pass.as_ref()?.root());
        Some(Note::new(say!(
            "the gradient is stale: data changed since the pass; `:grad {}` brings it up to date",
            root
        )))
    }
}

/// An operation on numbers, as it is written: `ln(-1)`, `1/0`, `(-8)^0.5`.
fn applied(op: &Op, values: &[f64]) -> Line {
    let mut line = Vec::new();
    match op.shape {
        Shape::Call => {
            line.push(Piece::formula(format!("{}(", op.spelling)));
            for (at, value) in values.iter().enumerate() {
                if at > 0 {
                    line.push(Piece::formula(", "));
                }
                line.push(Piece::Number(*value));
            }
            line.push(Piece::formula(")"));
        }
        Shape::Prefix => {
            line.push(Piece::formula(op.spelling));
            bracketed(&mut line, values.first());
        }
        Shape::Postfix => {
            bracketed(&mut line, values.first());
            line.push(Piece::formula(op.spelling));
        }
        Shape::Infix => {
            bracketed(&mut line, values.first());
            let spaced = precedence::between(op.spelling).is_some_and(|operator| operator.spaced);
            line.push(Piece::formula(if spaced {
                format!(" {} ", op.spelling)
            } else {
                op.spelling.to_string()
            }));
            bracketed(&mut line, values.get(1));
        }
    }
    line
}

fn bracketed(line: &mut Line, value: Option<&f64>) {
    let Some(&value) = value else { return };
    if value.is_sign_negative() {
        line.extend(say!("{:formula}{}{:formula}", "(", value, ")"));
    } else {
        line.push(Piece::Number(value));
    }
}
