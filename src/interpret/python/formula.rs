//! A body of assignments as one formula: what a name was given stands where the name is used.
//!
//! Only trees and their text: what is Python in a body has been rewritten before.

use crate::syntax;
use crate::syntax::{Cut, Expression, Head, Item, ItemKind, Span, Statement, SyntaxError};

/// The most items of a formula: names that are used twice double it.
const MOST_ITEMS: usize = 10_000;

/// What is wrong with a statement of a body.
pub(super) struct Wrong {
    pub(super) message: String,
    pub(super) help: String,
}

impl Wrong {
    fn new(message: &str, help: &str) -> Wrong {
        let (message, help) = (message.to_string(), help.to_string());
        Wrong { message, help }
    }
}

impl From<SyntaxError> for Wrong {
    fn from(error: SyntaxError) -> Wrong {
        Wrong::new(&error.message, &error.help)
    }
}

/// Notes what the names of an assignment stand for from now on.
pub(super) fn assign<'t>(
    statement: &'t str,
    known: &mut Vec<(&'t str, Vec<Item<'t>>)>,
) -> Result<(), Wrong> {
    let whole = Cut {
        span: Span::new(0, statement.len()),
        silenced: false,
    };
    let other = || {
        let message = "a body has assignments and a `return`, and this is neither";
        Wrong::new(
            message,
            "leave the line out, or give what it computes a name: `y = …`",
        )
    };
    let Statement::Binding(binding) = syntax::statement(statement, &whole)? else {
        return Err(other());
    };
    if !binding.widths.is_empty() || binding.targets.len() != binding.values.len() {
        return Err(other());
    }
    let mut given = Vec::with_capacity(binding.values.len());
    for (target, value) in binding.targets.iter().zip(binding.values) {
        let mut items = put_in(&value, known)?;
        if let Some(operator) = binding.compound {
            let itself = syntax::expression(target.name, Span::new(0, target.name.len()))?;
            items.splice(0..0, put_in(&itself, known)?);
            items.push(Item {
                kind: ItemKind::Apply(Head::Operator(operator), 2),
                span: value.span,
            });
        }
        given.push((target.name, items));
    }
    for (name, items) in given {
        known.retain(|(known, _)| *known != name);
        known.push((name, items));
    }
    Ok(())
}

/// The items of an expression, with what names stand for in their places. They may become too many, or a loop in the
/// expression may bind a name that one of them uses.
pub(super) fn put_in<'t>(
    expression: &Expression<'t>,
    known: &[(&'t str, Vec<Item<'t>>)],
) -> Result<Vec<Item<'t>>, Wrong> {
    let names = expression.names();
    let mut items = Vec::with_capacity(expression.items.len());
    for (at, item) in expression.items.iter().enumerate() {
        let is_free = names.iter().any(|&(_, place)| place == at);
        let stands_for = match item.kind {
            ItemKind::Name(name) if is_free => known.iter().find(|(known, _)| *known == name),
            _ => None,
        };
        match stands_for {
            Some((_, value)) => {
                let in_value = |name: &str| {
                    let named = |item: &Item| matches!(item.kind, ItemKind::Name(it) if it == name);
                    value.iter().any(named)
                };
                let hidden =
                    |item: &Item| matches!(item.kind, ItemKind::Variable(it) if in_value(it));
                if expression.items.iter().any(hidden) {
                    let message =
                        "the variable of this loop has the name of something that is used in it";
                    return Err(Wrong::new(
                        message,
                        "give the variable of the loop another name",
                    ));
                }
                items.extend_from_slice(value);
            }
            None => items.push(*item),
        }
        if items.len() > MOST_ITEMS {
            let message =
                format!("as one formula this would have more than {MOST_ITEMS} operations");
            return Err(Wrong::new(
                &message,
                "give what is used several times a function of its own",
            ));
        }
    }
    Ok(items)
}
