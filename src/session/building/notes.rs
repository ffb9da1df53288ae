//! Words the notes that statements make in addition to their answers. A note neither stops nor changes anything.
//!
//! Numbers in a note stay numbers, because each view writes them in its own way.

use std::rc::Rc;

use super::lists::MAX_WHOLE;
use crate::session::{MovedRoot, Session};
use chainrule_engine::graph::{Node, values};
use chainrule_engine::ops::{Domain, Op, Shape};
use chainrule_language::{Expression, Item, ItemKind, Name, Span, digits_and_base, precedence};
use chainrule_report::{Line, Note, Piece, say};

/// Why whole numbers beyond [`MAX_WHOLE`] are rounded.
pub(super) const BEYOND_WHOLE: &str =
    "above 2^53 = 9007199254740992 not every whole number is a number here";

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
    let is_number = |item: &Item<Name>| matches!(item.kind, ItemKind::Number(_));
    let between = text.get(number.span.end as usize..width.span.start as usize)?;
    if between != "(" || ![number, width].iter().all(is_number) {
        return None;
    }
    let typed = [number, width].map(|item| item.span.of(text));
    let advice = "an uncertainty is written with its sign:";
    Some(Note::new(say!("{} `{} ± {}`", advice, typed[0], typed[1])))
}

/// The note on `9007199254740993`, a whole number that was rounded as it was read.
pub(super) fn rounded_number_note(typed: &str, value: f64) -> Option<Note> {
    if value < MAX_WHOLE {
        return None;
    }
    let plain = typed.replace('_', "");
    let (digits, base) = digits_and_base(&plain);
    let decimal = match base {
        10 => digits.to_owned(),
        _ => u64::from_str_radix(digits, base).ok()?.to_string(),
    };
    if !decimal.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let read = format!("{value:.0}");
    let is_rounded = decimal.trim_start_matches('0') != read;
    is_rounded.then(|| Note::new(say!("{} is read as {}: {}", typed, read, BEYOND_WHOLE)))
}

impl MovedRoot {
    fn is(&self, node: &Rc<Node>) -> bool {
        std::ptr::eq(self.node.as_ptr(), &raw const **node)
    }
}

impl Session {
    /// The note that a node is NaN or infinite, and why. `place` is the span of its operands, if they were typed.
    pub(crate) fn fault_note(&self, node: &Rc<Node>, place: Option<Span>) -> Note {
        let message = self.fault_line(node);
        let Some(place) = place else {
            let whole = say!("{} (in {:formula})", message, self.label(node));
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

    /// Remembers the root above a leaf that a line of Python is about to move: that of the last pass, or the target.
    pub(crate) fn remember_moved_root(&mut self, leaf: &Rc<Node>) {
        let pass = self.pass().filter(|_| self.has_grad(leaf));
        let aimed = || self.target_node(self.target()?);
        let Some(root) = pass.map(|it| Rc::clone(it.root())).or_else(aimed) else {
            return;
        };
        if self
            .recent
            .moved_root
            .as_ref()
            .is_none_or(|it| !it.is(&root))
        {
            self.recent.moved_root = Some(MovedRoot {
                node: Rc::downgrade(&root),
                data: root.data(),
                has_note: false,
            });
        }
    }

    /// Notes, once for the last root that moved, that Python would print another number for it.
    pub(crate) fn note_moved_root(&mut self, node: &Rc<Node>) {
        let Some(root) = &mut self.recent.moved_root else {
            return;
        };
        let data = root.data;
        if !root.is(node) || root.has_note || data.to_bits() == node.data().to_bits() {
            return;
        }
        root.has_note = true;
        let name = self.label(node);
        self.add_note(Note::new(say!(
            "Python would still print {}: it computes {:name} only where its line stands",
            data,
            name
        )));
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
