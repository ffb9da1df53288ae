//! The uncertainties of bound and set values: `x = 5 ± 0.1`, `:set x ± 2%`.
//!
//! A width is a number at the moment when the statement runs, and belongs to a new leaf.

use std::rc::Rc;

use super::Bound;
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, NodeId};
use crate::report::Note;
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::values::{ListShape, Value};
use crate::syntax::{Binding, Expression, ItemKind, Span, Width};

impl Session {
    /// The numbers of a width for leaves with this data and of this shape: one for each. It leaves no nodes behind.
    pub fn widths(
        &mut self,
        text: &str,
        width: &Width,
        data: &[f64],
        shape: &ListShape,
    ) -> Result<(Vec<f64>, Vec<Note>), Error> {
        let made = self.graph.made();
        let (value, notes) = self.evaluate(text, &width.operand)?;
        let numbers: Vec<f64> = value.nodes().iter().map(|node| node.data()).collect();
        let of = value.shape().clone();
        drop(value);
        self.rewind(made);
        if !of.is_number() && of != *shape {
            return Err(other_shape(shape, &of, width.operand.span));
        }
        let per_cent = per_cent(width);
        let each = numbers.iter().zip(per_cent).cycle().zip(data);
        let widths: Vec<f64> = each
            .map(|((&number, per_cent), data)| {
                match number * data.abs() {
                    _ if !per_cent => number,
                    // The product is rounded less: 10 % of 6 is 0.6 to the bit.
                    product if product.is_finite() => product / 100.0,
                    _ => number / 100.0 * data.abs(),
                }
            })
            .collect();
        match widths
            .iter()
            .find(|width| !width.is_finite() || **width < 0.0)
        {
            Some(wrong) => Err(no_width(*wrong, width.operand.span)),
            // -0 is 0.
            None => Ok((widths.iter().map(|width| width.abs()).collect(), notes)),
        }
    }

    /// The uncertainties of the leaves that a binding has made. `made` is the newest node from before.
    pub(super) fn bound_widths(
        &mut self,
        text: &str,
        binding: &Binding,
        values: &Bound,
        made: NodeId,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<(Rc<Node>, f64)>, Error> {
        let mut all = Vec::new();
        // A single value for several names has been taken apart.
        let parts = match binding.widths.len() {
            1 => vec![values.as_slice()],
            _ => values.chunks(1).collect(),
        };
        for (at, (width, parts)) in binding.widths.iter().zip(parts).enumerate() {
            let Some(width) = width else {
                continue;
            };
            let nodes: Vec<&Rc<Node>> = parts.iter().flat_map(Value::nodes).collect();
            let is_new = |node: &&Rc<Node>| node.is_leaf() && node.id() > made;
            if let Some(node) = nodes.iter().find(|node| !is_new(node)) {
                return Err(no_new_leaf(text, binding, at, width, node));
            }
            let data: Vec<f64> = nodes.iter().map(|node| node.data()).collect();
            let shape = match parts {
                [one] if binding.targets.len() == binding.values.len() => one.shape().clone(),
                parts => ListShape::list(parts.iter().map(Value::shape)),
            };
            let (widths, found) = self.widths(text, width, &data, &shape)?;
            notes.extend(found);
            all.extend(nodes.into_iter().map(Rc::clone).zip(widths));
        }
        Ok(all)
    }
}

/// For each number of a width, whether it is per cent.
fn per_cent(width: &Width) -> impl Iterator<Item = bool> + Clone {
    let places = width.per_cent.clone();
    // With per cent, the numbers of the value are the literals; without, none is asked for by place.
    let numbers = (width.operand.items.iter().enumerate())
        .filter(|(_, item)| matches!(item.kind, ItemKind::Number(_)))
        .map(move |(at, _)| places.contains(&at));
    let known: Vec<bool> = if width.per_cent.is_empty() {
        Vec::new()
    } else {
        numbers.collect()
    };
    known.into_iter().chain(std::iter::repeat(false))
}

/// `b = 3a ± 0.1`, `y = x ± 0.1`: what is not a new leaf.
fn no_new_leaf(text: &str, binding: &Binding, at: usize, width: &Width, node: &Node) -> Error {
    let target = binding.targets[at].name;
    let quote = |span: Span| {
        span.of(text)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let value: &Expression = &binding.values[at];
    let (typed, width_typed) = (quote(value.span), quote(width.span));
    let sign = binding.compound.map_or("", |operator| operator.spelling);
    if node.is_leaf() && value.items.len() == 1 && binding.compound.is_none() {
        return Diagnostic::new(format!("`{typed}` is a leaf that there is already"))
            .at(value.span.to(width.span))
            .help(format!(
                "it gets an uncertainty by `:set {typed} {width_typed}`"
            ))
            .into();
    }
    Diagnostic::new(format!("a leaf has an uncertainty, and `{target}` is computed"))
        .at(value.span.to(width.span))
        .help(format!(
            "the uncertainty of a computed value follows from its leaves: `{target} {sign}= {typed}`, then `:budget {target}`"
        ))
        .into()
}

/// `5 ± -1`, `5 ± nan`
fn no_width(number: f64, span: Span) -> Error {
    let number = crate::syntax::literal(number, false);
    Diagnostic::new(format!("an uncertainty is 0 or more, and this is {number}"))
        .at(span)
        .help("as in `x = 5 ± 0.1` or `x = 5 ± 2%`")
        .into()
}

/// `[1, 2, 3] ± [0.1, 0.2]`
fn other_shape(shape: &ListShape, width: &ListShape, span: Span) -> Error {
    if shape.is_number() {
        return error::list_for_number(width, span);
    }
    let message = match (shape.lengths().as_deref(), width.lengths().as_deref()) {
        (Some([items]), Some([widths])) => format!("{items} items, and {widths} uncertainties"),
        _ => format!("the value is {shape}, its uncertainty {width}"),
    };
    Diagnostic::new(message)
        .at(span)
        .help("one number holds for all items: `[5, 6] ± 0.1`")
        .into()
}
