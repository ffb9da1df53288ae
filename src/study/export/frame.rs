//! The file of an exported program: a frame, one of the files `frame.*`, in which `$code` and other words stand for parts
//! of the program.

use super::computation::Computation;
use super::dialect::{Dialect, library};
use super::first_line;
use super::names_and_numbers::{bare, join_items, quote, variable_name};
use super::user_function::user_function;
use crate::session::Session;

/// Returns the program of a computation: these lines in the frame of its language. `parts` has the parts that only this
/// frame has.
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
    let definition = match &*expression {
        other if !other.is_empty() && other != label => format!("{label} = {other}"),
        _ => label.clone(),
    };
    let more = parts.iter().find(|(name, _)| *name == "more");
    let more_arguments = more.map_or("", |(_, arguments)| arguments);
    let function = user_function(session, computation, dialect, more_arguments);
    let leaves = &computation.leaves;
    let names = leaves.iter().map(|it| quote(&variable_name(session, it)));
    let start = leaves.iter().map(|leaf| bare(dialect, leaf.data()));
    let common_parts = [
        ("firstline", &*first_line()),
        ("definition", &definition),
        ("code", code),
        ("label", &quote(&label)),
        ("name", function.leaves_function),
        ("function", &function.text),
        ("library", &library(dialect, [code])),
        ("count", &leaves.len().to_string()),
        ("names", &join_items(&names.collect::<Vec<_>>())),
        ("start", &join_items(&start.collect::<Vec<_>>())),
    ];
    fill_frame(frame, &[&common_parts, parts].concat())
}

/// Returns a frame with its parts: `$names` in it stands for the part `names`.
pub(super) fn fill_frame(frame: &str, parts: &[(&str, &str)]) -> String {
    let mut pieces = frame.split('$');
    let mut filled = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let name = &piece[..piece.len() - rest.len()];
        let part = parts.iter().find(|part| part.0 == name);
        filled += part.expect("a frame has only parts that there are").1;
        filled += rest;
    }
    // An empty part would leave too many empty lines.
    while filled.contains("\n\n\n\n") {
        filled = filled.replace("\n\n\n\n", "\n\n\n");
    }
    filled
}
