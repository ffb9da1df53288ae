//! Reads values with uncertainties: `5 ± 0.1`, `(5 ± 0.1)`, `1.25(3)`, `5 ± 2%`.

use super::expression::{Parsed, Reader};
use super::statement::next_if;
use crate::grammar::{Pair, Pairs, Rule};
use crate::number;
use crate::tree::{Expression, Head, Item, ItemKind, Span, Width};

/// An expression, and the uncertainty after it.
pub(super) type ValueAndWidth<'t> = (Expression<'t>, Option<Width<'t>>);

/// Parses `EXPRESSION [± OPERAND]`: the argument of a command that accepts an uncertainty.
///
/// # Errors
/// If the text is something else; the error says what was expected and where.
pub fn value_and_width(text: &str, span: Span) -> Parsed<ValueAndWidth<'_>> {
    let source = Reader::new(text, span)?;
    source.value_and_width(&mut source.pairs(Rule::lone_value)?)
}

impl<'t> Reader<'t> {
    /// Reads an expression and its uncertainty: `5 ± 0.1` or `(5 ± 0.1)`.
    pub(super) fn value_and_width(&self, pairs: &mut Pairs<'_>) -> Parsed<ValueAndWidth<'t>> {
        let (expression, width) = self.value(pairs)?;
        let (value, inner_width) = split_width(expression);
        Ok((value, width.or(inner_width)))
    }

    /// Reads an expression and the uncertainty after it.
    pub(super) fn value(&self, pairs: &mut Pairs<'_>) -> Parsed<ValueAndWidth<'t>> {
        let value = self.expression(self.next_pair(pairs)?)?;
        let width = next_if(pairs, Rule::width);
        Ok((value, width.map(|width| self.width(width)).transpose()?))
    }

    /// Reads an uncertainty. Only literals may have a `%`, alone or in a list.
    pub(super) fn width(&self, pair: Pair<'_>) -> Parsed<Width<'t>> {
        let start = self.span(&pair).start;
        let mut inner = pair.into_inner();
        let _plus_minus = inner.next();
        let (operand, per_cent) = self.read(inner)?;
        let has_only_numbers = operand.items.iter().all(|item| {
            use ItemKind::{Apply, Number};
            matches!(item.kind, Number(_) | Apply(Head::List, _))
        });
        if !per_cent.is_empty() && !has_only_numbers {
            return self.error("@percent of a value", &[("operand", operand.span)]);
        }
        let span = operand.span.starting_at(start);
        Ok(Width {
            operand,
            span,
            per_cent,
        })
    }

    /// Reads a statement without `=`. `5 ± 0.1` means `(5 ± 0.1)`; only numbers and operators may stand before its `±`.
    pub(super) fn lone_value(&self, pairs: &mut Pairs<'_>) -> Parsed<Expression<'t>> {
        let (mut value, width) = self.value(pairs)?;
        let Some(width) = width else {
            return Ok(value);
        };
        let has_only_numbers = value.items.iter().all(|item| {
            use ItemKind::{Apply, Number};
            matches!(item.kind, Number(_) | Apply(Head::Operator(_), _))
        });
        if !has_only_numbers {
            return Err(self.error_at(width.span.start));
        }
        let head = Head::Uncertain {
            is_per_cent: !width.per_cent.is_empty(),
        };
        value.items.extend(width.operand.items);
        value.items.push(Item {
            kind: ItemKind::Apply(head, 2),
            span: width.span,
        });
        value.span = value.span.to(width.span);
        Ok(value)
    }
}

/// Divides `(5 ± 0.1)`, if it is the whole value, into 5 and the uncertainty. Leaves all other values whole.
pub(super) fn split_width(mut value: Expression<'_>) -> ValueAndWidth<'_> {
    let is_number = |item: &Item<&str>| matches!(item.kind, ItemKind::Number(_));
    if let [first, second, root] = value.items[..]
        && let ItemKind::Apply(Head::Uncertain { is_per_cent }, _) = root.kind
        && is_number(&first)
        && is_number(&second)
    {
        value.items.truncate(1);
        let width = Width {
            operand: second.into(),
            span: root.span,
            // The operand has only one item.
            per_cent: if is_per_cent { vec![0] } else { Vec::new() },
        };
        return (value, Some(width));
    }
    (value, None)
}

/// Reads `1.25(3)`, if it is the whole value, as `1.25 ± 0.03`. Tables of measurements use this notation.
pub(super) fn short_width(text: &str, span: Span) -> Option<(Expression<'_>, Width<'_>)> {
    let (number, digits) = span.of(text).strip_suffix(')')?.split_once('(')?;
    let (signed, decimals) = number.split_once('.')?;
    let whole = signed.strip_prefix('-').unwrap_or(signed);
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    if ![whole, decimals, digits].into_iter().all(are_digits) {
        return None;
    }
    let literal = |written: &str, place| {
        let kind = ItemKind::Number(number::value(written).ok()?);
        Some(Expression::from(Item { kind, span: place }))
    };
    let open = span.start + number.len() as u32;
    let brackets = span.starting_at(open);
    let value = literal(number, span.ending_at(open))?;
    let width = Width {
        operand: literal(&format!("{digits}e-{}", decimals.len()), brackets)?,
        span: brackets,
        per_cent: Vec::new(),
    };
    Some((value, width))
}
