//! The file of an exported program: a frame with its code and what else stands in it. Each language's frame is one of the
//! files `frame.*`.

use super::computation::Computation;
use super::dialect::{Dialect, library};
use super::mark;
use super::names_and_numbers::{bare, join_items, quote, variable_name};
use super::user_function::wrapper;
use crate::session::Session;

/// The program of a computation: these lines in the frame of its language, with the parts that several frames have and
/// these.
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
    let more = more.map_or("", |(_, arguments)| arguments);
    let (name, function) = wrapper(session, computation, dialect, more);
    let leaves = &computation.leaves;
    let names = leaves.iter().map(|it| quote(&variable_name(session, it)));
    let start = leaves.iter().map(|leaf| bare(dialect, leaf.data()));
    let of_several = [
        ("mark", &*mark()),
        ("definition", &definition),
        ("code", code),
        ("label", &quote(&label)),
        ("name", name),
        ("function", &function),
        ("library", &library(dialect, [code])),
        ("count", &leaves.len().to_string()),
        ("names", &join_items(&names.collect::<Vec<_>>())),
        ("start", &join_items(&start.collect::<Vec<_>>())),
    ];
    fill_frame(frame, &[&of_several, parts].concat())
}

/// A frame with its parts: `$names` in it stands for the part `names`.
pub(super) fn fill_frame(frame: &str, parts: &[(&str, &str)]) -> String {
    let mut pieces = frame.split('$');
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let name = &piece[..piece.len() - rest.len()];
        let part = parts.iter().find(|part| part.0 == name);
        out += part.expect("a frame has only parts that there are").1;
        out += rest;
    }
    // A part may be empty.
    while out.contains("\n\n\n\n") {
        out = out.replace("\n\n\n\n", "\n\n\n");
    }
    out
}
