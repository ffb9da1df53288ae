//! `Y [± S] ~ MODEL`: cut into its parts, and the names in it that have no value yet.
//!
//! Nothing is evaluated here.

use super::MODEL;
use crate::commands::args::Arguments;
use crate::commands::args::resolve::trimmed;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax::{self, Expression, Head, ItemKind, Span, Width};

/// What was typed.
pub(super) struct Parts<'t> {
    pub(super) data: Expression<'t>,
    pub(super) width: Option<Width<'t>>,
    pub(super) model: Expression<'t>,
}

/// Reads `Y [± S] ~ MODEL`.
pub(super) fn read<'t>(
    session: &Session,
    arguments: &Arguments<'t>,
) -> Result<Parts<'t>, Diagnostic> {
    let text = arguments.text;
    let whole = arguments.stretch(MODEL).unwrap_or(arguments.word);
    let example = "as in `:fit y ~ a + b*x`";
    let Some((left, right)) = sides(text, whole, "~") else {
        let help = match sides(text, whole, "=") {
            Some((left, right)) => {
                let [left, right] = [left, right].map(|side| trimmed(text, side).of(text));
                format!("write `:fit {left} ~ {right}`")
            }
            None => example.to_string(),
        };
        return Err(
            Diagnostic::new("`~` is expected between the data and the model")
                .at(whole)
                .help(help),
        );
    };
    let [left, right] = [left, right].map(|side| trimmed(text, side));
    for (side, what) in [(left, "the data are"), (right, "the model is")] {
        if side.start == side.end {
            return Err(Diagnostic::new(format!("{what} missing here"))
                .at(side)
                .help(example));
        }
    }
    let explained = |error| session.explain(error);
    let (data, width) = syntax::uncertain(text, left).map_err(explained)?;
    let model = match syntax::uncertain(text, right).map_err(explained)? {
        (model, None) => model,
        (_, Some(width)) => {
            let [left, typed] = [left, width.span].map(|span| span.of(text));
            return Err(
                Diagnostic::new("the data have an uncertainty, not the model")
                    .at(width.span)
                    .help(format!("write `:fit {left} {typed} ~ …`")),
            );
        }
    };
    Ok(Parts { data, width, model })
}

/// What stands before and behind a sign that is outside of brackets.
fn sides(text: &str, whole: Span, sign: &str) -> Option<(Span, Span)> {
    let mut depth = 0_i32;
    for (at, character) in whole.of(text).char_indices() {
        depth += i32::from("([".contains(character)) - i32::from(")]".contains(character));
        let at = whole.start as usize + at;
        if depth == 0 && text[at..].starts_with(sign) {
            let behind = Span::new(at + sign.len(), whole.end as usize);
            return Some((Span::new(whole.start as usize, at), behind));
        }
    }
    None
}

/// The names in the model that have no value and become leaves. One with an index is to be a list, and how long that
/// is nobody knows.
pub(super) fn new_names<'t>(session: &Session, model: &Expression<'t>) -> Vec<&'t str> {
    let mut names: Vec<&str> = Vec::new();
    let mut lists: Vec<&str> = Vec::new();
    for (name, at) in model.names() {
        if session.knows(name) || session.is_function(name) {
            continue;
        }
        let indexed = matches!(
            model.items.get(at + 2).map(|item| item.kind),
            Some(ItemKind::Apply(Head::Index, _))
        );
        let known = if indexed { &mut lists } else { &mut names };
        if !known.contains(&name) {
            known.push(name);
        }
    }
    names.retain(|name| !lists.contains(name));
    names
}
