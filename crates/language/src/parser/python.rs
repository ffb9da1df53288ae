//! Reads what only Python has into trees of the calculator: `a if b else c`, `a and b`, options of functions.
//!
//! Functions of modules keep their paths, because this crate does not know which names are functions.

use pest::iterators::Pair;

use super::expression::{Done, Operand, OperandKind, TreeReader};
use super::name::name_in_tree;
use crate::grammar::Rule;
use crate::lexer::words::strip_quotes;
use crate::precedence;
use crate::tree::{Head, Item, ItemKind, Literal, Span};

/// Options of functions of modules that change nothing here.
const IGNORED: [&str; 3] = ["dtype", "requires_grad", "device"];

impl TreeReader<'_, '_> {
    /// Python's `a and b`, `a or b`, `a if b else c`. Returns the kind of the whole.
    pub(super) fn word_operator(
        &mut self,
        left: Operand,
        rule: Rule,
        sign: Span,
        right: Operand,
    ) -> Done<OperandKind> {
        match (rule, left.kind) {
            (Rule::py_if, OperandKind::Chosen) => Err(self.source.error_at(sign.start)),
            (Rule::py_if, _) => {
                // The condition comes first.
                self.apply(Head::Then, 1, right.span);
                self.items[left.first..].rotate_left(right.first - left.first);
                self.apply(Head::Else, 1, sign);
                Ok(OperandKind::Chosen)
            }
            (Rule::py_else, OperandKind::Chosen) => {
                self.apply(Head::Choose, 3, left.sign);
                Ok(OperandKind::Other)
            }
            (Rule::py_else, _) => Err(self.source.error_at(sign.start)),
            _ => self.both_or_one(left, rule == Rule::py_and, sign, right),
        }
    }

    /// `a and b`, `a or b`. Of a number that is no condition Python gives back one of the two, and code takes only the
    /// branch that decides.
    fn both_or_one(
        &mut self,
        left: Operand,
        both: bool,
        sign: Span,
        right: Operand,
    ) -> Done<OperandKind> {
        let is_truth = |operand: Operand, end: usize| {
            operand.kind == OperandKind::Truth
                || matches!(
                    self.items[end - 1].kind,
                    ItemKind::Apply(Head::Operator(operator), 2)
                        if operator.level == precedence::level::COMPARISON
                )
        };
        let left_is_truth = is_truth(left, right.first);
        let are_truths = left_is_truth && is_truth(right, self.items.len());
        if are_truths && !self.in_code {
            if both {
                self.operator("*", sign);
            } else {
                self.apply(Head::Function("max", 0), 2, sign);
            }
            return Ok(OperandKind::Truth);
        }
        let decided = match self.items[left.first..right.first] {
            _ if left_is_truth => Item {
                kind: Literal::plain(f64::from(u8::from(!both))),
                span: sign,
            },
            [only] => only,
            _ => return Err(self.source.error_at(sign.start)),
        };
        let mark = |head, span| Item {
            kind: ItemKind::Apply(head, 1),
            span,
        };
        let (then, otherwise) = (mark(Head::Then, left.span), mark(Head::Else, sign));
        if both {
            self.items.insert(right.first, then);
            self.items.extend([otherwise, decided]);
        } else {
            let at = right.first..right.first;
            self.items.splice(at, [then, decided, otherwise]);
        }
        self.apply(Head::Choose, 3, sign);
        let truth = are_truths.then_some(OperandKind::Truth);
        Ok(truth.unwrap_or_default())
    }

    /// `, dtype=float`, which changes nothing; `, b=2`. The number of items of `linspace` and the number of a `Value` are
    /// operands.
    pub(super) fn option(&mut self, pair: Pair<'_, Rule>) -> Done<bool> {
        let mut inner = pair.into_inner();
        let [Some(word), Some(sign), Some(value)] = std::array::from_fn(|_| inner.next()) else {
            return Ok(false);
        };
        let [word, sign, typed] = [&word, &sign, &value].map(|part| self.source.span(part));
        let (name, text) = (name_in_tree(word.of(self.text)), typed.of(self.text));
        if value.as_rule() == Rule::quoted {
            let label = strip_quotes(text).unwrap_or_default();
            match name {
                "dtype" | "device" => {}
                "label" => self.label = Some((label, sign)),
                _ => {
                    self.push(ItemKind::Text(label), word);
                    self.apply(Head::Named(name), 1, word);
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        // Whole numbers are something else.
        if IGNORED.contains(&name) && !text.contains("int") && !text.contains("long") {
            return Ok(false);
        }
        self.operand(value.into_inner())?;
        if name != "num" {
            self.apply(Head::Named(name), 1, word);
        }
        Ok(true)
    }

    /// `Value(data=2)` is `Value(2)`.
    pub(super) fn drop_name_of_number(&mut self) {
        let last = self.items.last().map(|item| item.kind);
        if let Some(ItemKind::Apply(Head::Named("data" | "value"), _)) = last {
            self.items.pop();
        }
    }
}
