//! Evaluates the arguments of a command when the command asks for them: expressions, nodes, numbers and counts.
//!
//! An expression makes new nodes, a node must exist already (`existing` finds it), and the nodes of a number are removed
//! again. Every error points at its word.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::existing::{self, expression_at, list_error, values_of};
use super::{Argument, ArgumentKind, Arguments, NodeCondition};
use crate::command::Command;
use chainrule_engine::graph::{Node, Order};
use chainrule_language::{self as language, Expression, Span};
use chainrule_program::values::Value;
use chainrule_report::diagnostic::{Diagnostic, Result, backtick_list};
use chainrule_report::{Kind, count_text};
use chainrule_session::{Evaluated, Session, kind_of};

impl Arguments<'_> {
    /// Builds the expression of an argument, if one is typed. Its value must be a number.
    pub fn expression(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<Option<Evaluated>> {
        let Some(span) = self.span_of(argument) else {
            return Ok(None);
        };
        let expression = language::expression(self.text, span)
            .map_err(|error| self.syntax_error(session, argument, error))?;
        let (value, notes) = session.evaluate(self.text, &expression)?;
        let node = match value {
            Value::Node(node) => node,
            Value::List(list) => return Err(list_error(self.text, span, list.shape())),
        };
        self.check_node(session, argument, &node, span)?;
        Ok(Some((node, notes)))
    }

    /// Returns the node that an argument names.
    pub fn node(&self, session: &mut Session, argument: &Argument) -> Result<Rc<Node>> {
        session.lend_names_of_walk();
        let place = self.place(argument);
        let found = existing::node(session, self.text, place)?;
        self.check_node(session, argument, &found, place)?;
        Ok(found)
    }

    /// Returns the nodes that an argument names, each once. A list stands for its items.
    pub fn nodes(&self, session: &mut Session, argument: &Argument) -> Result<Vec<Rc<Node>>> {
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
    pub(crate) fn check_node(
        &self,
        session: &Session,
        argument: &Argument,
        node: &Rc<Node>,
        place: Span,
    ) -> Result<()> {
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
    ) -> Result<Option<(f64, Span)>> {
        let Some((_, span)) = self.first_word(argument) else {
            return Ok(None);
        };
        let typed = span.of(self.text);
        // Most numbers are plain, and building a node for one costs more than a small step.
        if typed.starts_with(|first: char| first.is_ascii_digit())
            && let Ok(number) = typed.parse()
        {
            return Ok(Some((number, span)));
        }
        let expression = expression_at(session, self.text, span)?;
        Ok(Some((number_of(session, self.text, &expression)?, span)))
    }

    /// Returns the whole number of an argument, from 1 to `most`.
    pub fn count(
        &self,
        session: &mut Session,
        argument: &Argument,
        most: u64,
    ) -> Result<Option<u64>> {
        let Some((value, span)) = self.number(session, argument)? else {
            return Ok(None);
        };
        if (1.0..=most as f64).contains(&value) && value.fract() == 0.0 {
            return Ok(Some(value as u64));
        }
        let (typed, at_most) = (span.of(self.text), count_text(most));
        let message = if value > most as f64 {
            format!("`{typed}` is too many: at most {at_most} are possible")
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
    Diagnostic::new(message).help("name its numbers, as in `NAME = 2`, and use the names")
}

/// The error for a computed node where a leaf is needed. It names leaves below the node.
pub(crate) fn not_a_leaf_error(
    session: &Session,
    command: &Command,
    node: &Rc<Node>,
) -> Diagnostic {
    let leaves = leaves_below(session, node, 8);
    let name = command.name;
    let needs_leaf = |it: &&&Argument| it.condition == NodeCondition::Leaf;
    let keyword = command.arguments.iter().find(needs_leaf);
    let (before, rest) = match (keyword.and_then(|it| it.keyword), command.arguments) {
        (Some(keyword), _) => (format!("… {keyword}"), ""),
        (None, [only]) if only.kind == ArgumentKind::Nodes => (format!(":{name}"), ""),
        (None, _) => (format!(":{name}"), " …"),
    };
    let help = match leaves.first() {
        Some(first) => {
            let all = backtick_list(&leaves);
            format!("it depends on {all}: as in `{before} {first}{rest}`")
        }
        None => "a leaf is made by `NAME = 2`".to_string(),
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

/// Returns the number of an expression, and removes the nodes that were built for it.
pub(crate) fn number_of(session: &mut Session, text: &str, expression: &Expression) -> Result<f64> {
    let evaluated = session.evaluate_numbers(text, expression)?;
    match evaluated.numbers.as_slice() {
        [only] if evaluated.shape.is_number() => Ok(*only),
        _ => Err(list_error(text, expression.span, &evaluated.shape)),
    }
}
