//! Reads what only Python has into trees of the calculator: `a if b else c`, `w[-1]`, `w[1:3]`, options of functions.
//!
//! Functions of modules keep their paths, because this crate does not know which names are functions.

use pest::iterators::Pair;

use super::expression::{Operand, OperandKind, Reader, expressions};
use crate::grammar::Rule;
use crate::precedence;
use crate::tree::{Head, Item, ItemKind, Literal, Span};

/// The longest list that can stand once more in `len(…)`, in items.
const LONGEST: usize = 50;

/// Options of functions of modules that change nothing here, and the number of items of `linspace`.
const OPTIONS: [&str; 4] = ["dtype", "requires_grad", "device", "num"];

fn number(value: i64) -> ItemKind<'static> {
    ItemKind::Number(Literal {
        value: value as f64,
        point: false,
    })
}

impl<'t> Reader<'t> {
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
                self.apply(Head::Function("if", 0), 3, left.sign);
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
        self.push(number(0), sign);
        self.operator("==", sign);
        Operand {
            kind: OperandKind::Truth,
            span: sign.to(operand.span),
            ..operand
        }
    }

    /// `, dtype=float`. Only `num`, the number of items of `linspace`, is an operand.
    pub(super) fn option(&self, pair: Pair<'_, Rule>) -> Option<OperandKind> {
        let mut inner = pair.into_inner();
        let name = inner.next()?.as_str();
        let sign = self.span(&inner.next()?);
        self.refuse_unless_python(sign.start);
        if !OPTIONS.contains(&name) {
            self.refuse_at(sign.start);
        }
        let number = expressions(inner).next().filter(|_| name == "num")?;
        Some(self.operand(number.into_inner()).kind)
    }

    /// Python's `w[0]`, `w[-1]`, `W[0, 1]` and `w[1:3]`: positions count from 0, or from the end.
    pub(super) fn index_from_zero(&self, list: Operand, pair: Pair<'_, Rule>, span: Span) {
        let inside: Vec<Pair<'_, Rule>> = pair.into_inner().collect();
        let colon = |pair: &Pair<'_, Rule>| pair.as_rule() == Rule::py_colon;
        if let Some(place) = inside.iter().position(colon) {
            if inside[place + 1..].iter().any(colon) {
                self.refuse("@slice with steps", &[("all", span), ("left", list.span)]);
            }
            let [begin, end] = [&inside[..place], &inside[place..]]
                .map(|side| expressions(side.iter().cloned()).next());
            return self.slice(list, [begin, end], span);
        }
        for position in expressions(inside.into_iter()) {
            let (owner, first) = (self.copy_items(list.first), self.item_count());
            self.position(position, span);
            self.count_from_one(&owner, first, span);
            self.apply(Head::Index, 2, span);
        }
    }

    fn position(&self, pair: Pair<'_, Rule>, span: Span) {
        let position = self.operand(pair.into_inner());
        if matches!(position.kind, OperandKind::Comparison | OperandKind::Truth) {
            self.refuse("@chosen items", &[("all", span)]);
        }
    }

    /// `w[1:3]` is `w[2..3]`.
    fn slice(&self, list: Operand, sides: [Option<Pair<'_, Rule>>; 2], span: Span) {
        let owner = self.copy_items(list.first);
        let [begin, end] = sides;
        let (mut low, mut high) = (Some(0), None);
        match begin {
            None => self.push(number(1), span),
            Some(begin) => {
                let first = self.item_count();
                self.position(begin, span);
                low = self.whole_number(first);
                self.count_from_one(&owner, first, span);
            }
        }
        match end {
            None => self.push_place_from_end(&owner, 0, span),
            Some(end) => {
                let first = self.item_count();
                self.position(end, span);
                high = self.whole_number(first);
                if let Some(back) = high.filter(|&high| high < 0) {
                    self.truncate_items(first);
                    self.push_place_from_end(&owner, -back, span);
                }
            }
        }
        let is_empty = match (low, high) {
            (_, Some(0)) => true,
            (Some(low), Some(high)) => (low < 0) == (high < 0) && low >= high,
            _ => false,
        };
        if is_empty {
            self.refuse("@empty slice", &[("all", span)]);
        }
        self.apply(Head::Range, 2, span);
        self.apply(Head::Index, 2, span);
    }

    /// Turns a position that counts from 0, the items from `first` on, into one that counts from 1.
    fn count_from_one(&self, owner: &[Item<'t>], first: usize, span: Span) {
        match self.whole_number(first) {
            Some(back @ ..0) => {
                self.truncate_items(first);
                self.push_place_from_end(owner, -back - 1, span);
            }
            Some(place) => {
                self.truncate_items(first);
                self.push(number(place + 1), span);
            }
            // The last position is `len(w) - 1` in Python and `len(w)` here.
            None if self.ends_with_minus_one() => self.truncate_items(self.item_count() - 2),
            None => {
                self.push(number(1), span);
                self.operator("+", span);
            }
        }
    }

    fn ends_with_minus_one(&self) -> bool {
        let state = self.state.borrow();
        let [.., one, minus] = state.items.as_slice() else {
            return false;
        };
        let is_minus = |operator| Some(operator) == precedence::infix_operator("-");
        one.kind == number(1)
            && matches!(minus.kind, ItemKind::Apply(Head::Operator(operator), 2) if is_minus(operator))
    }

    /// `len(w) - 1`, or `len(w)` for 0.
    fn push_place_from_end(&self, owner: &[Item<'t>], back: i64, span: Span) {
        if owner.len() > LONGEST {
            self.refuse("@long list", &[("all", span)]);
            return self.push(number(1), span);
        }
        self.state.borrow_mut().items.extend_from_slice(owner);
        self.apply(Head::Function("len", 0), 1, span);
        if back > 0 {
            self.push(number(back), span);
            self.operator("-", span);
        }
    }

    /// The items from `first` on as a whole number, if they are one.
    fn whole_number(&self, first: usize) -> Option<i64> {
        match self.state.borrow().items[first..] {
            [
                Item {
                    kind: ItemKind::Number(Literal { value, .. }),
                    ..
                },
            ] if value.fract() == 0.0 && value.abs() < 1e15 => Some(value as i64),
            _ => None,
        }
    }

    /// Copies the items from `first` on, or as many as show that they are too many.
    fn copy_items(&self, first: usize) -> Vec<Item<'t>> {
        let items = &self.state.borrow().items[first..];
        items[..items.len().min(LONGEST + 1)].to_vec()
    }

    fn truncate_items(&self, length: usize) {
        self.state.borrow_mut().items.truncate(length);
    }
}
