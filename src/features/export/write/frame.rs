//! Fills in the template of an exported program, one of the files `frame.*`, in which `$code` and other words stand for
//! parts of the program. One part is the user's function, with its own parameters as arguments. It calls the leaves
//! function, which every program has and which takes all leaves.

use std::rc::Rc;

use super::dialect::library;
use super::identifiers::Identifiers;
use super::writer::Writer;
use super::{Computation, Dialect, bare, first_line, join_items, quote, variable_name};
use chainrule_engine::graph::Node;

/// The name of the leaves function in a program without a function of the user's.
const ALONE: &str = "f";
/// The name of the leaves function beside a function of the user's.
const OF_LEAVES: &str = "of_leaves";

/// Returns the file with the program of a computation: these lines in the template of the language. `parts` has the parts
/// that only this template has.
pub(super) fn file(
    writer: &Writer,
    computation: &Computation,
    lines: &[String],
    parts: &[(&str, &str)],
) -> String {
    let (session, dialect) = (writer.session, writer.dialect);
    let code = &*lines.join("\n");
    let frame = match dialect {
        Dialect::C => include_str!("frame.c"),
        Dialect::Jax => include_str!("frame.jax.py"),
        Dialect::Python | Dialect::NumPy => include_str!("frame.py"),
    };
    let root = &computation.root;
    let (label, expression) = (session.label(root), session.expression(root));
    let has_formula = !expression.is_empty() && expression != label;
    let definition = has_formula.then(|| format!("{label} = {expression}"));
    // Only functions of JAX take more arguments than leaves: those that the template calls `$more`.
    let more_part = parts.iter().find(|(name, _)| *name == "more");
    let more = more_part.map_or("", |(_, arguments)| arguments);
    let (leaves_function, user_function) = user_function(writer, computation, more);
    let leaves = &computation.leaves;
    let names = leaves.iter().map(|it| quote(&variable_name(session, it)));
    let start = leaves.iter().map(|leaf| bare(dialect, leaf.data()));
    let common_parts = [
        ("firstline", &*first_line()),
        ("definition", definition.as_ref().unwrap_or(&label)),
        ("code", code),
        ("label", &quote(&label)),
        ("name", leaves_function),
        ("function", &user_function),
        ("library", &library(dialect, [code, frame])),
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

/// Returns the name of the leaves function, and the definition of the user's function, which is empty if the root is no
/// call of one. The leaves function takes the arguments `more` after the leaves: nothing, or text that begins with a comma.
fn user_function(writer: &Writer, computation: &Computation, more: &str) -> (&'static str, String) {
    let Some(call) = &computation.function else {
        return (ALONE, String::new());
    };
    let dialect = writer.dialect;
    // The leaves function is called `of_leaves` here, so the user's function may be called `f`.
    let reserved_words = dialect.reserved_words().filter(|word| *word != ALONE);
    let mut identifiers = Identifiers::except(dialect, reserved_words);
    let name = identifiers.of_function(&call.name);
    let label_of = |leaf: &Rc<Node>| variable_name(writer.session, leaf);
    let labels: Vec<String> = call.parameters.iter().map(label_of).collect();
    let mut arguments: Vec<String> = labels.iter().map(|it| identifiers.of(it)).collect();
    let mut point = Vec::new();
    for leaf in &computation.leaves {
        let mut parameters = call.parameters.iter();
        let number = bare(dialect, leaf.data());
        point.push(match parameters.position(|it| Rc::ptr_eq(it, leaf)) {
            Some(index) => arguments[index].clone(),
            // In Python, leaves that are no parameters are arguments with default values, so that a call can change them.
            // C has no default arguments.
            None if dialect.has_tape() => {
                let variable = identifiers.of(&label_of(leaf));
                arguments.push(format!("{variable}={number}"));
                variable
            }
            None => number,
        });
    }
    let (items, parameters) = (join_items(&point), arguments.join(", "));
    let text = match dialect {
        Dialect::C => format!(
            "
double {name}(double {})
{{
    const double leaves[LEAVES] = {{{items}}};
    double grad[LEAVES];
    return {OF_LEAVES}(leaves, grad);
}}
",
            arguments.join(", double ")
        ),
        Dialect::Python | Dialect::NumPy => {
            format!("\ndef {name}({parameters}):\n    return {OF_LEAVES}([{items}])[0]\n")
        }
        // The arguments replace some of the `params`.
        Dialect::Jax => {
            let pairs = labels.iter().zip(&arguments);
            let entries = pairs.map(|(label, argument)| format!("{}: {argument}", quote(label)));
            let replaced = entries.collect::<Vec<_>>().join(", ");
            let result = format!("{OF_LEAVES}({{**params, {replaced}}}{more})");
            format!("\ndef {name}({parameters}):\n    return {result}\n\n")
        }
    };
    (OF_LEAVES, text)
}
