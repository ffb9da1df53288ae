//! Reads the uncertainties that are typed: `x = 5 ± 0.1`, `:set x ± 2%`.
//!
//! A width is evaluated to a number when the statement runs. `bind` and the machine call this file.

use std::rc::Rc;

use crate::state::Session;
use crate::uncertainty::{Uncertainty, Widths};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language as language;
use chainrule_language::{Binding, ItemKind, Span, Width};
use chainrule_program::error;
use chainrule_program::error::{Error, fail};
use chainrule_program::values::{ListShape, Value};
use chainrule_report::Note;

/// The numbers of a width, one for each leaf of a value with this data and this shape. Leaves no nodes behind.
pub fn evaluate_widths(
    session: &mut Session,
    text: &str,
    width: &Width,
    data: &[f64],
    shape: &ListShape,
) -> Result<(Vec<f64>, Vec<Note>), Error> {
    let typed = session.evaluate_numbers(text, &width.operand)?;
    let span = width.operand.span;
    if !typed.shape.is_number() && shape.is_number() {
        return Err(error::list_for_number(&typed.shape, span));
    }
    let mut places = Vec::with_capacity(data.len());
    if !add_places((&typed.shape, 0), shape, &mut places) {
        let message = format!("the value is {shape}, its uncertainty {}", typed.shape);
        let help = "one number holds for all items: `NAME = [5, 6] ± 0.1`";
        return Err(fail(span, message, help));
    }
    // A width with `%` has only literals, so its numbers are the literals in order.
    let items = width.operand.items.iter().enumerate();
    let literals = items.filter(|(_, item)| matches!(item.kind, ItemKind::Number(_)));
    let has_sign = |(place, _)| width.per_cent.contains(&place);
    let are_per_cent: Vec<bool> = literals.map(has_sign).collect();
    let mut widths = Vec::with_capacity(data.len());
    for (number, at) in data.iter().zip(places) {
        let is_per_cent = are_per_cent.get(at) == Some(&true);
        let deviation = finite_deviation(*number, typed.numbers[at], is_per_cent, span)?;
        widths.push(deviation);
    }
    Ok((widths, typed.notes))
}

/// Adds for each number of a value the place of its width. A number among the widths holds for all items of its list.
/// Returns false if the two shapes differ in another way. `first` is the place of the first width.
fn add_places(
    (widths, first): (&ListShape, usize),
    value: &ListShape,
    places: &mut Vec<usize>,
) -> bool {
    if widths.is_number() {
        places.extend(std::iter::repeat_n(first, value.size()));
        return true;
    }
    let mut pairs = (0..).map_while(|at| widths.item(at).zip(value.item(at)));
    widths.count() == value.count()
        && pairs.all(|((item, place), (of_value, _))| {
            add_places((&item, first + place), &of_value, places)
        })
}

impl Session {
    /// The leaf of `(5 ± 0.1)`: frozen, and without a name.
    pub(crate) fn uncertain_leaf(
        &mut self,
        number: &Value,
        width: &Value,
        is_per_cent: bool,
        span: Span,
    ) -> Result<Value, Error> {
        let (Some(number), Some(width)) = (number.node(), width.node()) else {
            let message = "within an expression only a number has an uncertainty, not a list";
            let help = "a list gets a name: `NAME = [5, 6] ± 0.1`";
            return Err(fail(span, message, help));
        };
        if number.varies() {
            let message =
                "only a new leaf has an uncertainty of its own, and this depends on leaves";
            let help = "the uncertainty of a computed value follows from its leaves: `:set LEAF ± 0.1` gives one to a leaf";
            return Err(fail(span, message, help));
        }
        let deviation = finite_deviation(number.data(), width.data(), is_per_cent, span)?;
        let leaf = self.program.graph.leaf(number.data(), true);
        if deviation > 0.0 {
            let uncertain = &mut self.names_mut().uncertain;
            uncertain.set(&leaf, Uncertainty::of_typed(deviation, is_per_cent));
        }
        Ok(leaf.into())
    }

    /// The uncertainties of the leaves that a binding has made, which are newer than `newest_before`.
    pub(crate) fn binding_widths(
        &mut self,
        text: &str,
        binding: &Binding,
        values: &[Value],
        newest_before: NodeId,
        notes: &mut Vec<Note>,
    ) -> Result<Widths, Error> {
        // In `x, y = [5, 6] ± 0.1` the names share the items of one list, which has one width.
        let is_shared = binding.values.len() < binding.targets.len();
        let mut all = Vec::new();
        for (at, typed) in binding.values.iter().enumerate() {
            let Some(width) = &typed.width else {
                continue;
            };
            let value_span = typed.expression.span;
            let (parts, shape) = if is_shared {
                (values, ListShape::list(values.iter().map(Value::shape)))
            } else {
                (&values[at..=at], values[at].shape().clone())
            };
            let nodes: Vec<&Rc<Node>> = parts.iter().flat_map(Value::nodes).collect();
            let is_new = |node: &Node| node.is_leaf() && node.id() > newest_before;
            let span = value_span.to(width.span);
            if let Some(node) = nodes.iter().find(|node| !is_new(node)) {
                let target = binding.targets[at].name;
                let texts = [value_span, width.span].map(|it| it.of(text));
                let help = self.advice_on_old_node(target, texts, node);
                let message = format!(
                    "only a new leaf has an uncertainty of its own, and `{target}` is not one"
                );
                return Err(fail(span, message, help));
            }
            if nodes
                .iter()
                .any(|node| self.names.uncertain.width(node).is_some())
            {
                let message = format!("`{}` has two uncertainties", span.of(text));
                return Err(fail(span, message, "leave one of them out"));
            }
            let data: Vec<f64> = nodes.iter().map(|node| node.data()).collect();
            let (deviations, width_notes) = evaluate_widths(self, text, width, &data, &shape)?;
            notes.extend(width_notes);
            for (node, deviation) in nodes.into_iter().zip(deviations) {
                let uncertainty = Uncertainty::of_typed(deviation, !width.per_cent.is_empty());
                all.push((Rc::clone(node), uncertainty));
            }
        }
        Ok(all)
    }

    /// The text to type instead of `target = value ± width`, as `node` is no new leaf.
    fn advice_on_old_node(
        &self,
        target: &str,
        [value, width]: [&str; 2],
        node: &Rc<Node>,
    ) -> String {
        if !node.is_leaf() {
            let help = "the uncertainty of a computed value follows from its leaves";
            return format!("{help}: `{target} = …` without it, then `:budget {target}`");
        }
        let typed_name = Some(value.to_string()).filter(|it| language::is_name(it));
        let leaf = typed_name.unwrap_or_else(|| self.label(node));
        format!("`:set {leaf} {width}`")
    }
}

/// The standard deviation of a number with this width. Refuses one that is negative or not finite.
fn finite_deviation(number: f64, width: f64, is_per_cent: bool, at: Span) -> Result<f64, Error> {
    // The product is rounded before it is divided: 10 % of 6 is 0.6 to the bit.
    let deviation = if is_per_cent {
        width * number.abs() / 100.0
    } else {
        width
    };
    if deviation.is_finite() && deviation >= 0.0 {
        // -0 is 0.
        return Ok(deviation.abs());
    }
    let typed = language::literal(deviation, false);
    let message = format!("an uncertainty is 0 or more, and this is {typed}");
    Err(fail(
        at,
        message,
        "as in `NAME = 5 ± 0.1` or `NAME = 5 ± 2%`",
    ))
}
