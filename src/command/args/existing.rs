//! Finds the existing nodes that words and expressions refer to. A word may be a name, `a@1`, `@9`, `w[2]`, or a bracketed
//! expression with the text of a node.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use chainrule_engine::graph::structure::find_alike;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language::{self as language, Expression, ItemKind, Span};
use chainrule_program::Environment as _;
use chainrule_program::values::{ListShape, Value};
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::{Session, explain};

/// Finds the node that a word refers to.
pub(crate) fn node(session: &mut Session, text: &str, word: Span) -> Result<Rc<Node>> {
    let expression = expression_at(session, text, word)?;
    node_of(session, text, &expression)
}

/// Reads the expression at a place of a text.
pub(crate) fn expression_at(session: &Session, text: &str, span: Span) -> Result<Expression> {
    language::expression(text, span).map_err(|error| explain(session, error))
}

/// Finds the node that an expression refers to.
pub(crate) fn node_of(
    session: &mut Session,
    text: &str,
    expression: &Expression,
) -> Result<Rc<Node>> {
    match value_of(session, text, expression)? {
        Value::Node(node) => Ok(node),
        Value::List(list) => Err(list_error(text, expression.span, list.shape())),
    }
}

/// Finds the node, or the list of nodes, that an expression refers to.
pub(crate) fn value_of(
    session: &mut Session,
    text: &str,
    expression: &Expression,
) -> Result<Value> {
    let mut values = values_of(session, text, std::slice::from_ref(expression))?;
    Ok(values.remove(0))
}

/// Finds the existing nodes that each of these expressions refers to. An expression that is not a plain reference is built
/// for the comparison only: its new nodes are exchanged for existing ones with the same formula, and removed again. One
/// search serves all expressions, because it visits the whole graph.
pub(super) fn values_of(
    session: &mut Session,
    text: &str,
    expressions: &[Expression],
) -> Result<Vec<Value>> {
    let newest = session.newest_id();
    let mut values = Vec::with_capacity(expressions.len());
    let mut built = Vec::new();
    for expression in expressions {
        let (value, _) = session.evaluate(text, expression)?;
        // A plain reference makes no node, or only a constant such as `pi`, which the caller gets as it is.
        if !is_reference(expression) {
            let new = value.nodes().iter().filter(|node| node.id() > newest);
            built.extend(new.map(|node| (Rc::clone(node), expression.span)));
        }
        values.push(value);
    }
    if built.is_empty() {
        return Ok(values);
    }
    let exchanged = exchange_new_nodes(session, values, built, newest);
    session.program_mut().rewind(newest);
    exchanged
}

/// Exchanges new nodes in values for nodes up to `newest` with the same formula. `built` has each new node with the place
/// of its expression. Takes all new nodes, so that they are dropped on return and a rewind may free their ids.
fn exchange_new_nodes(
    session: &Session,
    values: Vec<Value>,
    built: Vec<(Rc<Node>, Span)>,
    newest: NodeId,
) -> Result<Vec<Value>> {
    let (new, places): (Vec<Rc<Node>>, Vec<Span>) = built.into_iter().unzip();
    let existing = find_existing(session, &new, newest);
    let mut replacements: FxHashMap<NodeId, Rc<Node>> = FxHashMap::default();
    for ((node, place), found) in new.iter().zip(places).zip(existing) {
        let Some(found) = found else {
            let message = format!("there is no node `{}`", session.expression(node));
            let help = "`:grad` lists the nodes of a graph";
            return Err(Diagnostic::new(message).at(place).help(help));
        };
        replacements.insert(node.id(), found);
    }
    let exchange = |node: &Rc<Node>| Rc::clone(replacements.get(&node.id()).unwrap_or(node));
    let exchange_all = |value: Value| {
        let nodes = value.nodes().iter().map(exchange).collect();
        Value::of_shape(nodes, value.shape())
    };
    Ok(values.into_iter().map(exchange_all).collect())
}

/// Whether an expression is a name, `a@1`, `@9` or `$2`.
fn is_reference(expression: &Expression) -> bool {
    use ItemKind::{Former, Id, Name, Result};
    matches!(
        expression.items.as_slice(),
        [only] if matches!(only.kind, Name(_) | Former(..) | Id(_) | Result(_))
    )
}

/// The error for a list where one number or one node is expected: `:grad w`.
pub(super) fn list_error(text: &str, span: Span, shape: &ListShape) -> Diagnostic {
    let typed = span.of(text);
    let help = if shape.size() == 0 {
        "`LIST.append(2)` gives a list an item".to_string()
    } else {
        list_help(typed, shape)
    };
    let message = format!("`{typed}` is {shape}, and a number is needed here");
    Diagnostic::new(message).at(span).help(help)
}

/// An item of a list, and a sum of all items: `w[0]` and `sum(w)`, `(u + v)[0][0]` and `sum(flat(u + v))`.
fn list_help(typed: &str, shape: &ListShape) -> String {
    let is_name = language::is_name(typed);
    let depth = shape.lengths().map_or(1, |lengths| lengths.len());
    let list = if is_name {
        typed.to_string()
    } else {
        format!("({typed})")
    };
    let index = "[0]".repeat(depth);
    let sum = if is_name && depth == 1 {
        format!("sum({typed})")
    } else {
        format!("sum(flat({typed}))")
    };
    format!("an item of it is a number: `{list}{index}`, and so is `{sum}`")
}

/// For each of these nodes, a node up to `newest` with the same formula. Prefers nodes of the last pass, then older nodes.
fn find_existing(session: &Session, nodes: &[Rc<Node>], newest: NodeId) -> Vec<Option<Rc<Node>>> {
    let passes = session.pass().into_iter();
    let passed = passes.flat_map(|pass| pass.order().nodes().iter().rev().cloned());
    let older = |node: &Rc<Node>| node.id() <= newest;
    let living = session.program().graph.living().nodes().filter(older);
    find_alike(&passed.chain(living).collect::<Vec<_>>(), nodes)
}
