//! Reads a binding, `a, b = 2, -3`: its names, its values with their uncertainties, and the range of its leaf.

use std::collections::HashMap;

use super::expression::{Parsed, Reader, expressions};
use super::name::name_in_tree;
use super::width::{ValueAndWidth, short_width, split_width};
use crate::grammar::{Pair, Pairs, Rule};
use crate::precedence::{self, Operator};
use crate::tree::{Binding, BindingTarget, Bounds, Expression};

impl<'t> Reader<'t> {
    pub(super) fn binding(&self, pair: Pair<'_>) -> Parsed<Binding<'t>> {
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
                    let last_name = binding.targets.len() - 1;
                    push_at(last_name, self.span(&part), &mut binding.headings);
                }
                Rule::assign => operator = operator_of(&part),
                Rule::bounds => binding.bounds = Some(self.bounds(part)?),
                // An expression. The text of its uncertainty is the next part.
                _ => {
                    let typed_width = inner.next_if(|next| next.as_rule() == Rule::width);
                    let (value, width) = self.bound_value(part, typed_width, operator)?;
                    if let Some(width) = width {
                        push_at(binding.values.len(), width, &mut binding.widths);
                    }
                    binding.values.push(value);
                }
            }
        }
        self.check_binding(&binding, operator)?;
        if let Some(operator) = operator {
            for (target, value) in binding.targets.iter().zip(&mut binding.values) {
                *value = value.compound(&[target.item()], operator);
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
    ) -> Parsed<ValueAndWidth<'t>> {
        if width.is_some() || operator.is_some() {
            let typed_width = width.map(|width| self.width(width));
            return Ok((self.expression(value)?, typed_width.transpose()?));
        }
        match short_width(self.text, self.span(&value)) {
            Some((number, digits)) => Ok((number, Some(digits))),
            None => Ok(split_width(self.expression(value)?)),
        }
    }

    /// Refuses a binding that adds a list to a list in Python, that has a name twice, or whose numbers of names and of
    /// values differ. One value for several names is accepted: it may be a list, which the session divides among the
    /// names.
    fn check_binding(&self, binding: &Binding<'t>, operator: Option<&Operator>) -> Parsed<()> {
        let (names, values) = (&binding.targets, &binding.values);
        let name = names[0].span;
        let value = &values[0];
        let is_list = value
            .items
            .last()
            .is_some_and(|root| root.kind.is_written_list());
        // In Python, `x += [1]` would make the list longer.
        if self.is_python && is_list && operator == precedence::infix_operator("+") {
            let all = name.to(value.span);
            let parts = [("all", all), ("left", value.span), ("right", name)];
            return self.error("@added", &parts);
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
    pub(super) fn check_different(&self, targets: &[BindingTarget<'t>], row: &str) -> Parsed<()> {
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
    fn bounds(&self, pair: Pair<'_>) -> Parsed<Bounds<'t>> {
        let span = self.span(&pair);
        let mut inner = expressions(pair.into_inner());
        let range = self.next_pair(&mut inner)?;
        let range_span = self.span(&range);
        let (sides, _) = self.sides(range, Rule::range)?;
        let Ok(ends) = <[Expression; 2]>::try_from(sides) else {
            return self.error("@range", &[("all", range_span)]);
        };
        let step = inner.next().map(|step| self.expression(step));
        Ok(Bounds {
            ends,
            step: step.transpose()?,
            span,
        })
    }

    /// Reads the names among some pairs.
    pub(super) fn targets(&self, pairs: Pairs<'_>) -> Vec<BindingTarget<'t>> {
        let names = pairs.filter(|pair| pair.as_rule() == Rule::name);
        names.map(|pair| self.target(&pair)).collect()
    }

    /// A name that is bound or defined.
    pub(super) fn target(&self, pair: &Pair<'_>) -> BindingTarget<'t> {
        let span = self.span(pair);
        BindingTarget {
            name: name_in_tree(span.of(self.text)),
            span,
        }
    }
}

/// Adds an entry at an index. The indices before it that have no entry yet get `None`.
fn push_at<T>(index: usize, entry: T, entries: &mut Vec<Option<T>>) {
    entries.resize_with(index, || None);
    entries.push(Some(entry));
}

/// The operator of `+=`.
pub(super) fn operator_of(assign: &Pair<'_>) -> Option<&'static Operator> {
    let sign = assign.as_str().strip_suffix('=')?;
    (!sign.is_empty()).then(|| precedence::infix_operator(sign))?
}
