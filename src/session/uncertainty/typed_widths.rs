//! Reads the uncertainties that are typed: `x = 5 ± 0.1`, `:set x ± 2%`.
//!
//! A width is evaluated to a number when the statement runs. `bind` and the machine call this file.

use std::rc::Rc;

use super::{Uncertainty, Widths};
use crate::session::Session;
use crate::session::error::{self, Error, fail};
use crate::session::values::{ListShape, Value};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language::{self as language, Binding, ItemKind, Span, Width};
use chainrule_report::Note;

impl Session {
    /// The numbers of a width for leaves with this data and of this shape: one for each. It leaves no nodes behind.
    pub fn widths(
        &mut self,
        text: &str,
        width: &Width,
        data: &[f64],
        shape: &ListShape,
    ) -> Result<(Vec<f64>, Vec<Note>), Error> {
        let (numbers, of, notes) = self.evaluate_numbers(text, &width.operand)?;
        let at = width.operand.span;
        if !of.is_number() && shape.is_number() {
            return Err(error::list_for_number(&of, at));
        }
        if !of.is_number() && of != *shape {
            let message = format!("the value is {shape}, its uncertainty {of}");
            let help = "one number holds for all items: `[5, 6] ± 0.1`";
            return Err(fail(at, message, help));
        }
        // With per cent, the numbers of the value are the literals.
        let items = width.operand.items.iter().enumerate();
        let literals = items.filter(|(_, item)| matches!(item.kind, ItemKind::Number(_)));
        let is_per_cent = |(at, _)| width.per_cent.contains(&at);
        let per_cent: Vec<bool> = literals.map(is_per_cent).collect();
        let width_of = |(data, at): (&f64, usize)| match per_cent.get(at) {
            // The product is rounded less: 10 % of 6 is 0.6 to the bit.
            Some(true) => numbers[at] * data.abs() / 100.0,
            _ => numbers[at],
        };
        let each = data.iter().zip((0..numbers.len()).cycle());
        let widths: Vec<f64> = each.map(width_of).collect();
        widths
            .iter()
            .try_for_each(|width| check_width(*width, at))?;
        // -0 is 0.
        Ok((widths.iter().map(|width| width.abs()).collect(), notes))
    }

    /// The leaf of `(5 ± 0.1)`: frozen, and without a name.
    pub(in crate::session) fn uncertain_leaf(
        &mut self,
        number: &Value,
        width: &Value,
        per_cent: bool,
        span: Span,
    ) -> Result<Value, Error> {
        let (Value::Node(number), Value::Node(width)) = (number, width) else {
            let message = "within an expression only a number has an uncertainty, not a list";
            let help = "a list gets a name: `x = [5, 6] ± 0.1`";
            return Err(fail(span, message, help));
        };
        if number.varies() {
            let message =
                "only a new leaf has an uncertainty of its own, and this depends on leaves";
            let help = "the uncertainty of a computed value follows from its leaves: `:set x ± 0.1` gives one to a leaf";
            return Err(fail(span, message, help));
        }
        let width = if per_cent {
            width.data() * number.data().abs() / 100.0
        } else {
            width.data()
        };
        check_width(width, span)?;
        let leaf = self.graph.leaf(number.data(), true);
        if width > 0.0 {
            let uncertain = &mut self.names_mut().uncertain;
            uncertain.set(&leaf, Uncertainty::of_typed(width, per_cent));
        }
        Ok(leaf.into())
    }

    /// The uncertainties of the leaves that a binding has made. `made` is the newest node from before.
    pub(in crate::session) fn binding_widths(
        &mut self,
        text: &str,
        binding: &Binding,
        values: &[Value],
        made: NodeId,
        notes: &mut Vec<Note>,
    ) -> Result<Widths, Error> {
        let mut all = Vec::new();
        if binding.widths.is_empty() {
            return Ok(all);
        }
        // A single value for several names has been taken apart.
        let parts = match binding.widths.len() {
            1 => vec![values],
            _ => values.chunks(1).collect(),
        };
        for (at, (width, parts)) in binding.widths.iter().zip(parts).enumerate() {
            let Some(width) = width else {
                continue;
            };
            let nodes: Vec<&Rc<Node>> = parts.iter().flat_map(Value::nodes).collect();
            let is_new = |node: &&Rc<Node>| node.is_leaf() && node.id() > made;
            if let Some(node) = nodes.iter().find(|node| !is_new(node)) {
                let (value, target) = (&binding.values[at], binding.targets[at].name);
                let message = format!(
                    "only a new leaf has an uncertainty of its own, and `{target}` is not one"
                );
                let help = if node.is_leaf() {
                    let typed = value.span.of(text);
                    let is_name = language::is_name(typed);
                    let leaves = if is_name { typed } else { &*self.label(node) };
                    format!("`:set {leaves} {}`", width.span.of(text))
                } else {
                    let help = "the uncertainty of a computed value follows from its leaves";
                    format!("{help}: leave it out, then `:budget {target}`")
                };
                return Err(fail(value.span.to(width.span), message, help));
            }
            if nodes.iter().any(|node| self.uncertainty(node).is_some()) {
                let span = binding.values[at].span.to(width.span);
                let message = format!("`{}` has two uncertainties", span.of(text));
                return Err(fail(span, message, "leave one of them out"));
            }
            let data: Vec<f64> = nodes.iter().map(|node| node.data()).collect();
            let shape = match parts {
                [one] if binding.targets.len() == binding.values.len() => one.shape().clone(),
                parts => ListShape::list(parts.iter().map(Value::shape)),
            };
            let (widths, found) = self.widths(text, width, &data, &shape)?;
            notes.extend(found);
            let per_cent = !width.per_cent.is_empty();
            let typed = |width| Uncertainty::of_typed(width, per_cent);
            let uncertainties = widths.into_iter().map(typed);
            all.extend(nodes.into_iter().map(Rc::clone).zip(uncertainties));
        }
        Ok(all)
    }
}

/// A width is finite and not negative.
fn check_width(width: f64, at: Span) -> Result<(), Error> {
    if width.is_finite() && width >= 0.0 {
        return Ok(());
    }
    let number = chainrule_language::literal(width, false);
    let message = format!("an uncertainty is 0 or more, and this is {number}");
    Err(fail(at, message, "as in `x = 5 ± 0.1` or `x = 5 ± 2%`"))
}
