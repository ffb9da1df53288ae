//! Reads what only Python has into trees of the calculator: `a if b else c`, `a and b`, options of functions.
//!
//! Functions of modules keep their paths, because this crate does not know which names are functions.

use pest::iterators::Pair;

use super::expression::{Operand, OperandKind, Reader};
use super::name::name_in_tree;
use crate::grammar::Rule;
use crate::lexer::words::strip_quotes;
use crate::precedence;
use crate::tree::{Head, Item, ItemKind, Literal, Span};

/// Options of functions of modules that change nothing here.
const IGNORED: [&str; 3] = ["dtype", "requires_grad", "device"];

impl Reader<'_> {
    /// Python's `a and b`, `a or b`, `a if b else c`.
    pub(super) fn word_operator(
        &self,
        left: Operand,
        rule: Rule,
        span: Span,
        right: Operand,
    ) -> Operand {
        let kind = match rule {
            Rule::py_if => {
                // The condition comes first.
                let mut state = self.state.borrow_mut();
                state.items[left.first..].rotate_left(right.first - left.first);
                OperandKind::Chosen
            }
            Rule::py_else => {
                if left.kind != OperandKind::Chosen {
                    self.refuse_at(span.start);
                }
                self.apply(Head::Choose, 3, left.sign);
                OperandKind::Other
            }
            _ => self.both_or_one(left, rule == Rule::py_and, span, right),
        };
        Operand {
            kind,
            span: left.span.to(right.span),
            last: right.last,
            sign: span,
            divides: None,
            first: left.first,
        }
    }

    /// `a and b`, `a or b`. Of a number that is no condition Python gives back one of the two, and code takes only the
    /// branch that decides.
    fn both_or_one(&self, left: Operand, both: bool, span: Span, right: Operand) -> OperandKind {
        let is_truth = |operand: Operand, end: usize| {
            let state = self.state.borrow();
            operand.kind == OperandKind::Truth
                || matches!(
                    state.items[end - 1].kind,
                    ItemKind::Apply(Head::Operator(operator), 2)
                        if operator.level == precedence::level::COMPARISON
                )
        };
        let left_is_truth = is_truth(left, right.first);
        let are_truths = left_is_truth && is_truth(right, self.item_count());
        if are_truths && !self.in_code.get() {
            if both {
                self.operator("*", span);
            } else {
                self.apply(Head::Function("max", 0), 2, span);
            }
            return OperandKind::Truth;
        }
        let mut state = self.state.borrow_mut();
        let decided = match state.items[left.first..right.first] {
            _ if left_is_truth => Item {
                kind: Literal::plain(f64::from(u8::from(!both))),
                span,
            },
            [only] => only,
            _ => {
                drop(state);
                self.refuse_at(span.start);
                return OperandKind::Truth;
            }
        };
        if both {
            state.items.push(decided);
        } else {
            state.items.insert(right.first, decided);
        }
        drop(state);
        self.apply(Head::Choose, 3, span);
        if are_truths {
            OperandKind::Truth
        } else {
            OperandKind::Other
        }
    }

    /// `not a`, which is `a == 0`
    pub(super) fn negate_truth(&self, sign: Span, operand: Operand) -> Operand {
        self.push(Literal::plain(0.0), sign);
        self.operator("==", sign);
        Operand {
            kind: OperandKind::Truth,
            span: sign.to(operand.span),
            ..operand
        }
    }

    /// `, dtype=float`, which changes nothing; `, b=2`. The number of items of `linspace` and the number of a `Value` are
    /// operands.
    pub(super) fn option(&self, pair: Pair<'_, Rule>) -> Option<OperandKind> {
        let mut inner = pair.into_inner();
        let word = self.span(&inner.next()?);
        let name = name_in_tree(word.of(self.text));
        let sign = self.span(&inner.next()?);
        let value = inner.next()?;
        if value.as_rule() == Rule::quoted {
            let label = strip_quotes(self.span(&value).of(self.text)).unwrap_or_default();
            match name {
                "dtype" | "device" => {}
                "label" => self.state.borrow_mut().label = Some((label, sign)),
                _ => {
                    self.push(ItemKind::Text(label), word);
                    self.apply(Head::Named(name), 1, word);
                    return Some(OperandKind::Bracket);
                }
            }
            return None;
        }
        let text = self.span(&value).of(self.text);
        // Whole numbers are something else.
        if IGNORED.contains(&name) && !text.contains("int") && !text.contains("long") {
            return None;
        }
        let kind = self.operand(value.into_inner()).kind;
        if name != "num" {
            self.apply(Head::Named(name), 1, word);
        }
        Some(kind)
    }

    /// `Value(data=2)` is `Value(2)`.
    pub(super) fn drop_name_of_number(&self) {
        let mut state = self.state.borrow_mut();
        let last = state.items.last().map(|item| item.kind);
        if let Some(ItemKind::Apply(Head::Named("data" | "value"), _)) = last {
            state.items.pop();
        }
    }
}
