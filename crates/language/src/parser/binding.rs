//! Reads a binding, `a, b = 2, -3`: its names, its values with their uncertainties, and the range of its leaf. Reads values
//! with uncertainties elsewhere, too: `5 ± 0.1`, `(5 ± 0.1)`, `1.25(3)`, `5 ± 2%`.

use std::collections::HashMap;

use super::expression::{Parsed, Reader, expressions};
use super::name::name_in_tree;
use super::statement::next_if;
use crate::grammar::{Pair, Pairs, Rule};
use crate::number;
use crate::precedence::{self, Operator};
use crate::tree::{
    Binding, BindingTarget, Bounds, Expression, Head, Item, ItemKind, MeasuredExpression, Name,
    Span, Width,
};

/// Parses `EXPRESSION [± OPERAND]`: the argument of a command that accepts an uncertainty.
///
/// # Errors
/// If the text is something else; the error says what was expected and where.
pub fn measured_expression(text: &str, span: Span) -> Parsed<MeasuredExpression> {
    let source = Reader::new(text, span)?;
    source.measured_expression(&mut source.pairs(Rule::lone_value)?)
}

impl Reader<'_> {
    pub(super) fn binding(&self, pair: Pair<'_>) -> Parsed<Binding> {
        // Most bindings have one name and one value.
        let mut binding = Binding {
            targets: Vec::with_capacity(1),
            values: Vec::with_capacity(1),
            ..Binding::default()
        };
        let mut operator = None;
        let mut inner = pair.into_inner().peekable();
        while let Some(part) = inner.next() {
            match part.as_rule() {
                Rule::frozen => binding.is_frozen = true,
                Rule::name => binding.targets.push(self.target(&part)),
                Rule::quoted => {
                    let target = binding.targets.last_mut().expect("it follows a name");
                    target.heading = Some(self.span(&part));
                }
                Rule::py_annotation => {}
                Rule::assign => operator = operator_of(&part),
                Rule::bounds => binding.bounds = Some(self.bounds(part)?),
                // An expression. The text of its uncertainty is the next part.
                _ => {
                    let typed_width = inner.next_if(|next| next.as_rule() == Rule::width);
                    let value = self.bound_value(part, typed_width, operator)?;
                    binding.values.push(value);
                }
            }
        }
        self.check_binding(&binding, operator)?;
        if let Some(operator) = operator {
            for (target, value) in binding.targets.iter().zip(&mut binding.values) {
                value.expression = value.expression.compound(&[target.item()], operator);
            }
        }
        Ok(binding)
    }

    /// Reads a value of a binding and its uncertainty: the given `width`, or that of `1.25(3)` or `(5 ± 0.1)`. After an
    /// operator such as `+=`, these two are an error and an operand.
    fn bound_value(
        &self,
        value: Pair<'_>,
        width: Option<Pair<'_>>,
        operator: Option<&Operator>,
    ) -> Parsed<MeasuredExpression> {
        if width.is_some() || operator.is_some() {
            let typed_width = width.map(|width| self.width(width));
            return Ok(MeasuredExpression {
                expression: self.expression(value)?,
                width: typed_width.transpose()?,
            });
        }
        match short_width(self.text, self.span(&value)) {
            Some(measured) => Ok(measured),
            None => Ok(split_width(self.expression(value)?)),
        }
    }

    /// Reads an expression and its uncertainty: `5 ± 0.1` or `(5 ± 0.1)`.
    pub(super) fn measured_expression(&self, pairs: &mut Pairs<'_>) -> Parsed<MeasuredExpression> {
        let outer = self.value(pairs)?;
        let inner = split_width(outer.expression);
        Ok(MeasuredExpression {
            width: outer.width.or(inner.width),
            ..inner
        })
    }

    /// Reads an expression and the uncertainty after it.
    pub(super) fn value(&self, pairs: &mut Pairs<'_>) -> Parsed<MeasuredExpression> {
        let expression = self.expression(self.next_pair(pairs)?)?;
        let width = next_if(pairs, Rule::width).map(|width| self.width(width));
        Ok(MeasuredExpression {
            expression,
            width: width.transpose()?,
        })
    }

    /// Reads an uncertainty. Only literals may have a `%`, alone or in a list.
    pub(super) fn width(&self, pair: Pair<'_>) -> Parsed<Width> {
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
    pub(super) fn lone_value(&self, pairs: &mut Pairs<'_>) -> Parsed<Expression> {
        let typed = self.value(pairs)?;
        let mut value = typed.expression;
        let Some(width) = typed.width else {
            return Ok(value);
        };
        let has_only_numbers = value.items.iter().all(|item| {
            use ItemKind::{Apply, Number};
            matches!(item.kind, Number(_) | Apply(Head::Operator(_), _))
        });
        if !has_only_numbers {
            return Err(self.error_at(width.span.start));
        }
        let is_per_cent = !width.per_cent.is_empty();
        let kind = ItemKind::Apply(Head::Uncertain { is_per_cent }, 2);
        let span = width.span;
        value.items.extend(width.operand.items);
        value.items.push(Item { kind, span });
        value.span = value.span.to(span);
        Ok(value)
    }

    /// Refuses a binding that adds a list to a list in Python, that has a name twice, or whose numbers of names and of
    /// values differ. One value for several names is accepted: it may be a list, which the session divides among the
    /// names.
    fn check_binding(&self, binding: &Binding, operator: Option<&Operator>) -> Parsed<()> {
        let (names, values) = (&binding.targets, &binding.values);
        let name = names[0].span;
        let value = &values[0].expression;
        let root = value.items.last();
        let is_list = root.is_some_and(|root| root.kind.is_written_list());
        // In Python, `x += [1]` would make the list longer.
        if self.is_python && is_list && operator == precedence::infix_operator("+") {
            let all = name.to(value.span);
            return self.error("@joined", &[("all", all)]);
        }
        self.check_different(names, "@name")?;
        let can_be_divided = values.len() == 1 && operator.is_none();
        if values.len() == names.len() || can_be_divided {
            return Ok(());
        }
        let row = match names.len() {
            1 => "@values",
            _ => "@names",
        };
        let all_values = self.region.starting_at(value.span.start);
        self.error(row, &[("name", name), ("found", all_values)])
    }

    /// Refuses names if two of them are the same.
    pub(super) fn check_different(&self, targets: &[BindingTarget], row: &str) -> Parsed<()> {
        // Nearly all bindings have one name. Without a map they are read faster.
        if targets.len() < 2 {
            return Ok(());
        }
        let mut seen = HashMap::new();
        for target in targets {
            if let Some(first) = seen.insert(target.name, target.span) {
                return self.error(row, &[("next", target.span), ("first", first)]);
            }
        }
        Ok(())
    }

    /// Reads the range of a binding, and its step if it has one.
    fn bounds(&self, pair: Pair<'_>) -> Parsed<Bounds> {
        let span = self.span(&pair);
        let mut inner = expressions(pair.into_inner());
        let range = self.next_pair(&mut inner)?;
        let range_span = self.span(&range);
        let (sides, _) = self.sides(range, Rule::range)?;
        let Ok(ends) = <[Expression; 2]>::try_from(sides) else {
            return self.error("@range", &[("all", range_span)]);
        };
        let step = inner.next().map(|step| self.expression(step)).transpose()?;
        Ok(Bounds { ends, step, span })
    }

    /// Reads the names among some pairs.
    pub(super) fn targets(&self, pairs: Pairs<'_>) -> Vec<BindingTarget> {
        let names = pairs.filter(|pair| pair.as_rule() == Rule::name);
        names.map(|pair| self.target(&pair)).collect()
    }

    /// A name that is bound or defined.
    pub(super) fn target(&self, pair: &Pair<'_>) -> BindingTarget {
        let span = self.span(pair);
        let name = name_in_tree(span.of(self.text));
        BindingTarget {
            name,
            span,
            heading: None,
        }
    }
}

/// The operator of `+=`.
pub(super) fn operator_of(assign: &Pair<'_>) -> Option<&'static Operator> {
    let sign = assign.as_str().strip_suffix('=')?;
    (!sign.is_empty()).then(|| precedence::infix_operator(sign))?
}

/// Divides `(5 ± 0.1)`, if it is the whole value, into 5 and the uncertainty. Leaves all other values whole.
fn split_width(mut expression: Expression) -> MeasuredExpression {
    let is_number = |item: &Item<Name>| matches!(item.kind, ItemKind::Number(_));
    let mut width = None;
    if let [first, second, root] = expression.items[..]
        && let ItemKind::Apply(Head::Uncertain { is_per_cent }, _) = root.kind
        && is_number(&first)
        && is_number(&second)
    {
        expression.items.truncate(1);
        width = Some(Width {
            operand: second.into(),
            span: root.span,
            // The operand has only one item.
            per_cent: if is_per_cent { vec![0] } else { Vec::new() },
        });
    }
    MeasuredExpression { expression, width }
}

/// Reads `1.25(3)`, if it is the whole value, as `1.25 ± 0.03`. Tables of measurements use this notation.
fn short_width(text: &str, span: Span) -> Option<MeasuredExpression> {
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
    let expression = literal(number, span.ending_at(open))?;
    let width = Width {
        operand: literal(&format!("{digits}e-{}", decimals.len()), brackets)?,
        span: brackets,
        per_cent: Vec::new(),
    };
    Some(MeasuredExpression {
        expression,
        width: Some(width),
    })
}
