//! Evaluates the arguments of a command when the command asks for them: expressions, nodes, numbers and counts.
//!
//! An expression makes new nodes, a node must exist already, and the nodes of a number are removed again. Every error
//! points at its word.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Argument, ArgumentKind, Arguments, NodeCondition};
use crate::commands::Command;
use crate::session::values::{ListShape, Value};
use crate::session::{Evaluated, Session};
use crate::study::kind_of;
use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_language::{self as language, Expression, ItemKind, Span};
use chainrule_report::diagnostic::{Diagnostic, backtick_list};
use chainrule_report::{Kind, count_text};

impl Arguments<'_> {
    /// Builds the expression of an argument, if one is typed. Its value must be a number.
    pub fn expression(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<Option<Evaluated>, Diagnostic> {
        let Some(span) = self.span_of(argument) else {
            return Ok(None);
        };
        let expression = language::expression(self.text, span)
            .map_err(|error| self.syntax_error(session, argument, error))?;
        let (value, mut notes) = session.evaluate(self.text, &expression)?;
        notes.extend(session.stale_guard_notes(value.nodes()));
        let node = match value {
            Value::Node(node) => node,
            Value::List(list) => return Err(list_error(self.text, span, list.shape())),
        };
        self.check_node(session, argument, &node, span)?;
        Ok(Some((node, notes)))
    }

    /// Returns the node that an argument names.
    pub fn node(&self, session: &mut Session, argument: &Argument) -> Result<Rc<Node>, Diagnostic> {
        let place = self.place(argument);
        let found = node(session, self.text, place)?;
        self.check_node(session, argument, &found, place)?;
        Ok(found)
    }

    /// Returns the nodes that an argument names, each once. A list stands for its items.
    pub fn nodes(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<Vec<Rc<Node>>, Diagnostic> {
        let words = self.words(argument);
        let mut expressions = Vec::with_capacity(words.len());
        for &word in words {
            expressions.push(expression_at(session, self.text, word)?);
        }
        let values = values_of(session, self.text, &expressions)?;
        let (mut nodes, mut known) = (Vec::new(), FxHashSet::default());
        for (&span, value) in words.iter().zip(values) {
            if value.nodes().is_empty() {
                return Err(list_error(self.text, span, value.shape()));
            }
            for node in value.nodes() {
                self.check_node(session, argument, node, span)?;
                nodes.extend(known.insert(node.id()).then(|| Rc::clone(node)));
            }
        }
        Ok(nodes)
    }

    /// Refuses a node that does not meet the condition in the signature.
    pub(super) fn check_node(
        &self,
        session: &Session,
        argument: &Argument,
        node: &Rc<Node>,
        place: Span,
    ) -> Result<(), Diagnostic> {
        match argument.condition {
            NodeCondition::Varying if !node.varies() => Err(no_leaf_error(session, node).at(place)),
            NodeCondition::Leaf if !node.is_leaf() => {
                Err(not_a_leaf_error(session, self.command, node).at(place))
            }
            _ => Ok(()),
        }
    }

    /// Returns the number of an argument and its place.
    pub fn number(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<Option<(f64, Span)>, Diagnostic> {
        let Some((_, span)) = self.first_word(argument) else {
            return Ok(None);
        };
        let expression = expression_at(session, self.text, span)?;
        Ok(Some((number_of(session, self.text, &expression)?, span)))
    }

    /// Returns the whole number of an argument, from 1 to `most`.
    pub fn count(
        &self,
        session: &mut Session,
        argument: &Argument,
        most: u64,
    ) -> Result<Option<u64>, Diagnostic> {
        let Some((value, span)) = self.number(session, argument)? else {
            return Ok(None);
        };
        let typed = span.of(self.text);
        let at_most = count_text(most);
        let message = if value > most as f64 {
            format!("`{typed}` is too many: at most {at_most} are possible")
        } else if value >= 1.0 && value.fract() == 0.0 {
            return Ok(Some(value as u64));
        } else {
            format!("`{typed}` is not a count")
        };
        let help = format!("a whole number from 1 to {at_most} is expected");
        Err(Diagnostic::new(message).at(span).help(help))
    }
}

/// The error for a root that is a constant.
pub(crate) fn no_leaf_error(session: &Session, root: &Rc<Node>) -> Diagnostic {
    let label = session.label(root);
    let message = format!("`{label}` has no leaf below it to differentiate by");
    Diagnostic::new(message).help("name its numbers, as in `a = 2`, and use the names")
}

/// The error for a computed node where a leaf is needed. It names leaves below the node.
pub(crate) fn not_a_leaf_error(
    session: &Session,
    command: &Command,
    node: &Rc<Node>,
) -> Diagnostic {
    let leaves = leaves_below(session, node, 8);
    let rest = match command.arguments {
        [only] if only.kind == ArgumentKind::Nodes => "",
        _ => " …",
    };
    let help = match leaves.first() {
        Some(first) => {
            let (all, name) = (backtick_list(&leaves), command.name);
            format!("it depends on {all}: as in `:{name} {first}{rest}`")
        }
        None => "a leaf is made by `a = 2`".to_string(),
    };
    let kind = match kind_of(node) {
        Kind::Constant => "a constant",
        kind => kind.word(),
    };
    let label = session.label(node);
    let message = format!("`{label}` is {kind}, and only leaves can be changed");
    Diagnostic::new(message).help(help)
}

/// The labels of the first leaves below a node, at most `most`.
pub(crate) fn leaves_below(session: &Session, node: &Rc<Node>, most: usize) -> Vec<String> {
    let order = Order::below([node]);
    let leaves = order.nodes().iter().rev().filter(|it| it.is_leaf());
    leaves.take(most).map(|leaf| session.label(leaf)).collect()
}

/// The error for a list where one number or one node is expected: `:grad w`.
fn list_error(text: &str, span: Span, shape: &ListShape) -> Diagnostic {
    let typed = span.of(text);
    let is_name = language::is_name(typed);
    let depth = shape.lengths().map_or(1, |lengths| lengths.len());
    let index = "[0]".repeat(depth);
    let item = if is_name {
        format!("{typed}{index}")
    } else {
        format!("({typed}){index}")
    };
    let help = if shape.size() == 0 {
        "`x.append(2)` gives the list `x` an item".to_string()
    } else if is_name && depth == 1 {
        format!("an item of it is a number: `{item}`, and so is `sum({typed})`")
    } else {
        format!("an item of it is a number: `{item}`, and so is `sum(flat({typed}))`")
    };
    Diagnostic::new(format!("`{typed}` is {shape}, and a number is needed here"))
        .at(span)
        .help(help)
}

/// Returns the number of an expression, and removes the nodes that were built for it.
pub(crate) fn number_of(
    session: &mut Session,
    text: &str,
    expression: &Expression,
) -> Result<f64, Diagnostic> {
    let evaluated = session.evaluate_numbers(text, expression)?;
    match evaluated.numbers.as_slice() {
        [only] if evaluated.shape.is_number() => Ok(*only),
        _ => Err(list_error(text, expression.span, &evaluated.shape)),
    }
}

/// Finds the node that a word refers to: a name, `a@1`, `@9`, `w[2]`, or the existing node with the text of a bracketed
/// expression.
pub(crate) fn node(session: &mut Session, text: &str, word: Span) -> Result<Rc<Node>, Diagnostic> {
    let expression = expression_at(session, text, word)?;
    node_of(session, text, &expression)
}

fn expression_at<'t>(
    session: &Session,
    text: &'t str,
    span: Span,
) -> Result<Expression<'t>, Diagnostic> {
    language::expression(text, span).map_err(|error| session.explain(error))
}

/// Finds the node that an expression refers to.
pub(crate) fn node_of(
    session: &mut Session,
    text: &str,
    expression: &Expression,
) -> Result<Rc<Node>, Diagnostic> {
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
) -> Result<Value, Diagnostic> {
    let mut values = values_of(session, text, std::slice::from_ref(expression))?;
    Ok(values.remove(0))
}

/// Finds the nodes that each of these expressions refers to. An expression that is no name is built, and each new node is
/// replaced by an existing node with the same formula. One search finds all of those.
fn values_of(
    session: &mut Session,
    text: &str,
    expressions: &[Expression],
) -> Result<Vec<Value>, Diagnostic> {
    let newest = session.newest_id();
    let mut values = Vec::with_capacity(expressions.len());
    let (mut built, mut spans) = (Vec::new(), Vec::new());
    for expression in expressions {
        let (value, _) = session.evaluate(text, expression)?;
        if !is_reference(expression) {
            let new = value.nodes().iter().filter(|node| node.id() > newest);
            built.extend(new.cloned());
            spans.resize(built.len(), expression.span);
        }
        values.push(value);
    }
    if built.is_empty() {
        return Ok(values);
    }
    let existing = session.find_alike(&built, newest);
    if let Some(at) = existing.iter().position(Option::is_none) {
        let wanted = session.expression(&built[at]);
        drop((values, built));
        session.rewind(newest);
        return Err(unknown_node_error(&wanted, spans[at], newest));
    }
    let ids = built.iter().map(|node| node.id());
    let existing: FxHashMap<NodeId, Rc<Node>> = ids.zip(existing.into_iter().flatten()).collect();
    drop(built);
    for value in &mut values {
        let is_new = |node: &Rc<Node>| existing.contains_key(&node.id());
        if value.nodes().iter().any(is_new) {
            let find = |node: &Rc<Node>| Rc::clone(existing.get(&node.id()).unwrap_or(node));
            let nodes = value.nodes().iter().map(find).collect();
            *value = Value::of_shape(nodes, value.shape());
        }
    }
    session.rewind(newest);
    Ok(values)
}

/// Whether an expression is a name, `a@1`, `@9` or `$2`.
fn is_reference(expression: &Expression) -> bool {
    use ItemKind::{Former, Id, Name, Result};
    matches!(
        expression.items.as_slice(),
        [only] if matches!(only.kind, Name(_) | Former(..) | Id(_) | Result(_))
    )
}

fn unknown_node_error(wanted: &str, word: Span, newest: NodeId) -> Diagnostic {
    let help = if newest == 0 {
        "there are no nodes yet: `a = 2` makes a leaf"
    } else {
        "`:grad` lists the nodes of a graph"
    };
    Diagnostic::new(format!("there is no node `{wanted}`"))
        .at(word)
        .help(help)
}
