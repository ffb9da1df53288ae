//! Reads what only Python has into trees of the calculator: `a if b else c`, `a and b`, options of functions.
//!
//! Functions of modules keep their paths, because this crate does not know which names are functions.

use pest::iterators::Pair;

use super::expression::{Operand, OperandKind, Reader, expressions};
use super::name::name_in_tree;
use crate::grammar::Rule;
use crate::precedence;
use crate::tree::{Head, ItemKind, Literal, Span};

/// Options of functions of modules that change nothing here, and the number of items of `linspace`.
const OPTIONS: [&str; 4] = ["dtype", "requires_grad", "device", "num"];

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
            _ => {
                let is_truth = |operand: Operand, end: usize| {
                    let state = self.state.borrow();
                    operand.kind == OperandKind::Truth
                        || matches!(
                            state.items[end - 1].kind,
                            ItemKind::Apply(Head::Operator(operator), 2)
                                if operator.level == precedence::level::COMPARISON
                        )
                };
                if !is_truth(left, right.first) || !is_truth(right, self.item_count()) {
                    // For numbers that are no conditions, Python returns one of the two.
                    self.refuse_at(span.start);
                }
                match rule {
                    Rule::py_and => self.operator("*", span),
                    _ => self.apply(Head::Function("max", 0), 2, span),
                }
                OperandKind::Truth
            }
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

    /// `not a`, which is `a == 0`
    pub(super) fn negate_truth(&self, sign: Span, operand: Operand) -> Operand {
        self.refuse_unless_python(sign.end);
        self.push(Literal::plain(0.0), sign);
        self.operator("==", sign);
        Operand {
            kind: OperandKind::Truth,
            span: sign.to(operand.span),
            ..operand
        }
    }

    /// `, dtype=float`, which changes nothing; `, b=2`. The number of items of `linspace` is an operand.
    pub(super) fn option(&self, pair: Pair<'_, Rule>) -> Option<OperandKind> {
        let mut inner = pair.into_inner();
        let word = self.span(&inner.next()?);
        let name = name_in_tree(word.of(self.text));
        let sign = self.span(&inner.next()?);
        if OPTIONS.contains(&name) {
            self.refuse_unless_python(sign.start);
            if name != "num" {
                return None;
            }
        }
        let Some(value) = expressions(inner).next() else {
            self.refuse_at(sign.end);
            return None;
        };
        let kind = self.operand(value.into_inner()).kind;
        if name != "num" {
            self.apply(Head::Named(name), 1, word);
        }
        Some(kind)
    }
}
