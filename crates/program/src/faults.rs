//! Says why a node is NaN or infinite.

use std::rc::Rc;

use crate::environment::Environment;
use chainrule_engine::graph::{Body, Node, values};
use chainrule_engine::ops::{Domain, Op, Shape};
use chainrule_language::{Span, precedence};
use chainrule_report::{Line, Note, Piece, say};

/// A node that is NaN or infinite, and its place in the expression.
pub(crate) struct Fault {
    pub(crate) node: Rc<Node>,
    /// The span of its operands, if they were typed.
    pub(crate) place: Option<Span>,
}

impl Fault {
    /// The note on the fault.
    pub(crate) fn note(&self, session: &dyn Environment) -> Note {
        fault_note(session, &self.node, self.place)
    }
}

/// The note that a node is NaN or infinite, and why. `place` is the span of its operands, if they were typed.
pub fn fault_note(session: &dyn Environment, node: &Rc<Node>, place: Option<Span>) -> Note {
    let message = fault_line(session, node);
    let Some(place) = place else {
        let whole = say!("{} (in {:formula})", message, session.label(node));
        return Note::new(whole).as_fault();
    };
    // The span is that of the only operand, or of the whole operation.
    let shown = match node.operands() {
        [only] => only.data(),
        _ => node.data(),
    };
    (Note::new(message).at(place, say!("is {}", shown))).as_fault()
}

/// The reason why a node is NaN or infinite: `ln(-8.6436) is NaN: ln needs x > 0`.
pub fn fault_line(session: &dyn Environment, node: &Rc<Node>) -> Line {
    let Some(op) = node.op() else {
        return say!("{:name} is {}", session.label(node), node.data());
    };
    let values = values(node.operands());
    if let Some(body) = Body::of(node) {
        return no_solution_line(body, &values);
    }
    let called = if op.shape == Shape::Call {
        op.spelling
    } else {
        op.name
    };
    let why = match op.domain {
        Domain::Where { text, holds, hint } if !holds(&values) => {
            let needs = match op.shape {
                // The condition names `x` or `y`, and the operation shows which operand that is.
                Shape::Infix => format!("x{}y needs {text}", op.spelling),
                _ => format!("{called} needs {text}"),
            };
            match hint {
                Some(hint) => format!("{needs}; {hint}"),
                None => needs,
            }
        }
        _ if node.data().is_nan() => format!("{called} has no value there"),
        _ => "the result is beyond the largest number".to_string(),
    };
    say!(
        "{} is {}: {}",
        operation_line(op, &values),
        node.data(),
        why
    )
}

/// The reason why an equation has no solution with these operands, as far as the search has seen.
pub(crate) fn no_solution_line(body: &Body, operands: &[f64]) -> Line {
    if let [from, to] = *body.start {
        return say!("no solution found in {:short}..{:short}", from, to);
    }
    let (nearest, [left, right]) = body.nearest_miss(operands);
    say!(
        "no solution found: nearest is {:name} = {:short}, where the sides are {:short} and {:short}",
        &*body.letter,
        nearest,
        left,
        right
    )
}

/// An operation on numbers, as typed: `ln(-1)`, `1/0`, `(-8)^0.5`.
fn operation_line(op: &Op, values: &[f64]) -> Line {
    let sign = op.spelling;
    match (op.shape, values) {
        (Shape::Prefix, [value]) => say!("{:formula}{}", sign, number_in_brackets(*value)),
        (Shape::Postfix, [value]) => say!("{}{:formula}", number_in_brackets(*value), sign),
        (Shape::Infix, [left, right]) => {
            let spaced =
                precedence::infix_operator(sign).is_some_and(|operator| operator.has_spaces);
            let gap = if spaced { " " } else { "" };
            say!(
                "{}{:formula}{}",
                number_in_brackets(*left),
                format!("{gap}{sign}{gap}"),
                number_in_brackets(*right)
            )
        }
        _ => {
            let mut line = say!("{:formula}", format!("{sign}("));
            for (place, value) in values.iter().enumerate() {
                line.extend((place > 0).then(|| Piece::formula(", ")));
                line.push(Piece::Number(*value));
            }
            line.push(Piece::formula(")"));
            line
        }
    }
}

fn number_in_brackets(value: f64) -> Line {
    if value.is_sign_negative() {
        say!("{:formula}{}{:formula}", "(", value, ")")
    } else {
        say!("{}", value)
    }
}
