//! `def f(x):` and `f = lambda x: …` as functions of this language.
//!
//! A body of assignments and a `return` is one formula: what a name was given stands where the name is used. Other bodies
//! have no translation.

use super::Meaning;
use super::{arguments, rewritten};
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax;
use crate::syntax::{Cut, Expression, Head, Item, ItemKind, Span, Statement};

/// The longest definition that is looked at.
const MAX_TEXT: usize = 64 * 1024;

/// The most statements in a body, each of which is looked at on its own.
const MOST_STATEMENTS: usize = 200;

/// The most items of a formula: names that are used twice double it.
const MOST_ITEMS: usize = 10_000;

/// A statement of a body, and where it begins in the text.
struct BodyLine<'t> {
    text: &'t str,
    start: usize,
}

/// What a `def` means: a function, or what is wrong with a line in it.
/// `start` is the place of the definition in its chunk.
pub(super) fn meaning(session: &Session, text: &str, start: usize) -> Option<Meaning> {
    let rest = text.trim_start().strip_prefix("def")?;
    if text.len() > MAX_TEXT {
        return None;
    }
    let (name, rest) = rest.split_once('(')?;
    let parameters = arguments::all(rest);
    let behind = rest[parameters.len()..].strip_prefix(')')?;
    let colon = behind.find(':')?;
    let body = &behind[colon + 1..];
    let lines = lines(body, text.len() - body.len())?;
    for line in &lines {
        let code = line.text.strip_prefix("return ").unwrap_or(line.text);
        if let Err(Meaning::Refused(error)) = rewritten(session, code) {
            // A loop or a text with formats: the error is where it stands.
            let place = start + line.start;
            return Some(Meaning::Refused(Diagnostic {
                span: Some(place..place + line.text.len()),
                ..error
            }));
        }
    }
    let statements: Vec<&str> = lines.iter().map(|line| line.text).collect();
    let (last, before) = statements.split_last()?;
    let last = last
        .strip_prefix("return")
        .filter(|rest| rest.starts_with([' ', '(']))?;
    let statements: Vec<&str> = before.iter().copied().chain([last]).collect();
    function(session, name.trim(), parameters, &statements).map(Meaning::Line)
}

/// The statements of a body, without comments and texts that only describe it; `None` if there are too many.
fn lines(body: &str, start: usize) -> Option<Vec<BodyLine<'_>>> {
    let mut found = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let (line, length) = logical_line(rest);
        let at = start + body.len() - rest.len();
        rest = &rest[length..];
        let blanks = line.len() - line.trim_start().len();
        let text = line.trim();
        if !text.is_empty() && text != "pass" && !text.starts_with(['"', '\'']) {
            found.push(BodyLine {
                text,
                start: at + blanks,
            });
        }
        if found.len() > MOST_STATEMENTS {
            return None;
        }
    }
    Some(found)
}

/// The first statement of a text without its comment, and the length of what is done with it.
fn logical_line(text: &str) -> (&str, usize) {
    let mut depth = 0_usize;
    let mut quote: Option<&str> = None;
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some(end) = quote {
            at += if rest.starts_with(end) {
                quote = None;
                end.len()
            } else {
                first.len_utf8()
            };
            continue;
        }
        let quotes = ["\"\"\"", "'''", "\"", "'"];
        if let Some(begun) = quotes.into_iter().find(|quote| rest.starts_with(quote)) {
            quote = Some(begun);
            at += begun.len();
            continue;
        }
        match first {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '#' if depth == 0 => {
                let end = rest.find('\n').map_or(text.len(), |end| at + end + 1);
                return (&text[..at], end);
            }
            '\n' | ';' if depth == 0 && !text[..at].ends_with('\\') => {
                return (&text[..at], at + 1);
            }
            _ => {}
        }
        at += first.len_utf8();
    }
    (text, text.len())
}

/// The function with this body, whose last statement is what is returned: `f(x) = 3*x^2 - 4*x + 5`.
pub(super) fn function(
    session: &Session,
    name: &str,
    parameters: &str,
    body: &[&str],
) -> Option<String> {
    let parameters = names(parameters)?;
    let mut statements = Vec::with_capacity(body.len());
    for statement in body {
        statements.push(rewritten(session, statement.trim()).ok()?);
    }
    let (last, before) = statements.split_last()?;
    let mut known: Vec<(&str, Vec<Item>)> = Vec::new();
    for statement in before {
        assign(statement, &mut known)?;
    }
    let formula = syntax::expression(last, Span::new(0, last.len())).ok()?;
    let items = put_in(&formula, &known)?;
    let head = parameters.join(", ");
    Some(format!("{name}({head}) = {}", syntax::infix(&items)))
}

/// The names of parameters, without their types; `None` if one has a default or is no name.
fn names(parameters: &str) -> Option<Vec<&str>> {
    let parameters = parameters.trim().trim_end_matches(',');
    let names = parameters.split(',').map(|parameter| {
        let name = parameter.split(':').next().unwrap_or_default().trim();
        (syntax::is_name(name) && !parameter.contains('=')).then_some(name)
    });
    names.collect()
}

/// Notes what the names of an assignment stand for from now on.
fn assign<'t>(statement: &'t str, known: &mut Vec<(&'t str, Vec<Item<'t>>)>) -> Option<()> {
    let whole = Cut {
        span: Span::new(0, statement.len()),
        silenced: false,
    };
    let Statement::Binding(binding) = syntax::statement(statement, &whole).ok()? else {
        return None;
    };
    if !binding.widths.is_empty() || binding.targets.len() != binding.values.len() {
        return None;
    }
    let mut given = Vec::with_capacity(binding.values.len());
    for (target, value) in binding.targets.iter().zip(binding.values) {
        let mut items = put_in(&value, known)?;
        if let Some(operator) = binding.compound {
            let itself = syntax::expression(target.name, Span::new(0, target.name.len())).ok()?;
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
    Some(())
}

/// The items of an expression, with what names stand for in their places; `None` if they become too many, or if a loop
/// in the expression uses a name that one of them has.
fn put_in<'t>(
    expression: &Expression<'t>,
    known: &[(&'t str, Vec<Item<'t>>)],
) -> Option<Vec<Item<'t>>> {
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
                    return None;
                }
                items.extend_from_slice(value);
            }
            None => items.push(*item),
        }
        if items.len() > MOST_ITEMS {
            return None;
        }
    }
    Some(items)
}
