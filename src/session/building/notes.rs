//! Words the notes that statements make in addition to their answers. A note neither stops nor changes anything.
//!
//! Numbers in a note stay numbers, because each view writes them in its own way.

use std::rc::Rc;

use crate::session::Session;
use chainrule_engine::graph::{Node, values};
use chainrule_engine::ops::{Domain, Op, Shape};
use chainrule_language::{Expression, Item, ItemKind, Span, precedence};
use chainrule_report::{Line, Note, Piece, say};

/// A node that is NaN or infinite, and its place in the expression.
pub(super) struct Fault {
    pub(super) node: Rc<Node>,
    /// The span of its operands, if they were typed.
    pub(super) place: Option<Span>,
}

/// The note on `123(4)` alone, a product that looks like a value with its uncertainty.
pub(crate) fn missing_sign_note(text: &str, expression: &Expression) -> Option<Note> {
    let [number, width, _] = expression.items[..] else {
        return None;
    };
    let is_number = |item: &Item<&str>| matches!(item.kind, ItemKind::Number(_));
    let between = text.get(number.span.end as usize..width.span.start as usize)?;
    if between != "(" || ![number, width].iter().all(is_number) {
        return None;
    }
    let typed = [number, width].map(|item| item.span.of(text));
    let advice = "an uncertainty is written with its sign:";
    Some(Note::new(say!("{} `{} ± {}`", advice, typed[0], typed[1])))
}

/// The note on `a = 5` while `L` still uses the old `a`. If the old `a` can be set instead, the note says how, with
/// `new_data` if it is known.
pub(crate) fn rebinding_note(
    name: &str,
    user: &str,
    can_be_set: bool,
    new_data: Option<f64>,
) -> Note {
    let before = format!("{name}@1");
    let line = say!(
        "{:name} still uses the old {:name}, now {:name}",
        user,
        name,
        before
    );
    if !can_be_set {
        return Note::new(line);
    }
    let set = match new_data {
        Some(data) => say!("`:set {} {}`", name, data),
        None => say!("`:set {} VALUE`", name),
    };
    Note::new(say!(
        "{}; to change it in place: take this back by `:undo`, then {}",
        line,
        set
    ))
}

impl Session {
    /// The note that a node is NaN or infinite, and why. `place` is the span of its operands, if they were typed.
    pub(crate) fn fault_note(&self, node: &Rc<Node>, place: Option<Span>) -> Note {
        let message = self.fault_line(node);
        let Some(place) = place else {
            return Note::new(say!("{} (in {:formula})", message, self.label(node)));
        };
        // The span is that of the only operand, or of the whole operation.
        let shown = match node.operands() {
            [only] => only.data(),
            _ => node.data(),
        };
        Note::new(message).at(place, say!("is {}", shown))
    }

    /// The reason why a node is NaN or infinite: `ln(-8.6436) is NaN: ln needs x > 0`.
    pub(crate) fn fault_line(&self, node: &Rc<Node>) -> Line {
        let Some(op) = node.op() else {
            return say!("{:name} is {}", self.label(node), node.data());
        };
        let values = values(node.operands());
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

    /// The note that `x.grad` was read after data changed.
    pub(crate) fn stale_note(&self) -> Option<Note> {
        let root = self.label(self.recent.pass.as_ref()?.root());
        Some(Note::new(say!(
            "the gradient is stale: data changed since the pass; `:grad {}` brings it up to date",
            root
        )))
    }
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
