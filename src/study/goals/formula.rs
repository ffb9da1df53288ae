//! Builds the formulas that a search needs besides those that the user typed: operations on nodes, item by item.

use std::rc::Rc;

use crate::session::Session;
use crate::session::values::{List, Value};
use chainrule_engine::graph::Node;
use chainrule_engine::ops::{self, Shape};
use chainrule_language::Span;
use chainrule_report::diagnostic::Diagnostic;

/// Returns the list of these nodes.
pub(crate) fn list_of(nodes: &[Rc<Node>]) -> Value {
    let items = nodes.iter().cloned().map(Value::from);
    List::from_items(items.collect()).into()
}

/// Applies an operator or a function, by its name, to these operands.
pub(crate) fn apply(
    session: &mut Session,
    name: &str,
    operands: Vec<Value>,
) -> Result<Value, Diagnostic> {
    let count = operands.iter().map(|value| value.nodes().len()).sum();
    let op = ops::operator(name, Shape::Infix).or_else(|| ops::function(name, count));
    let known = op.expect("callers name known operations");
    let applied = session.operation(known, operands);
    applied.map_err(|error| error.at(Span::default()))
}
