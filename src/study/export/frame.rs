//! Fills in the template of an exported program, one of the files `frame.*`, in which `$code` and other words stand for
//! parts of the program.

use super::computation::Computation;
use super::dialect::{Dialect, library};
use super::user_function::user_function;
use super::{bare, first_line, join_items, quote, variable_name};
use crate::session::Session;

/// Returns the file with the program of a computation: these lines in the template of the language. `parts` has the parts
/// that only this template has.
pub(super) fn file(
    session: &Session,
    computation: &Computation,
    dialect: Dialect,
    lines: &[String],
    parts: &[(&str, &str)],
) -> String {
    let code = &*lines.join("\n");
    let frame = match dialect {
        Dialect::C => include_str!("frame.c"),
        Dialect::Jax => include_str!("frame.jax.py"),
        Dialect::Python => include_str!("frame.py"),
    };
    let root = &computation.root;
    let (label, expression) = (session.label(root), session.expression(root));
    let definition = if expression.is_empty() || expression == label {
        label.clone()
    } else {
        format!("{label} = {expression}")
    };
    // Only functions of JAX take more arguments than leaves: those that the template calls `$more`.
    let more = parts.iter().find(|(name, _)| *name == "more");
    let more_arguments = more.map_or("", |(_, arguments)| arguments);
    let (leaves_function, user_function) =
        user_function(session, computation, dialect, more_arguments);
    let leaves = &computation.leaves;
    let names = leaves.iter().map(|it| quote(&variable_name(session, it)));
    let start = leaves.iter().map(|leaf| bare(dialect, leaf.data()));
    let common_parts = [
        ("firstline", &*first_line()),
        ("definition", &definition),
        ("code", code),
        ("label", &quote(&label)),
        ("name", leaves_function),
        ("function", &user_function),
        ("library", &library(dialect, [code])),
        ("count", &leaves.len().to_string()),
        ("names", &join_items(&names.collect::<Vec<_>>())),
        ("start", &join_items(&start.collect::<Vec<_>>())),
    ];
    fill_frame(frame, &[&common_parts, parts].concat())
}

/// Returns a template with its parts: `$names` stands for the part with the name `names`, of small letters only.
pub(super) fn fill_frame(frame: &str, parts: &[(&str, &str)]) -> String {
    let mut pieces = frame.split('$');
    let mut filled = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let name = &piece[..piece.len() - rest.len()];
        let part = parts.iter().find(|part| part.0 == name);
        filled += part.expect("each name in a template has a part").1;
        filled += rest;
    }
    // Empty parts leave empty lines, and at most two of these in a row are usual in Python.
    while filled.contains("\n\n\n\n") {
        filled = filled.replace("\n\n\n\n", "\n\n\n");
    }
    filled
}
