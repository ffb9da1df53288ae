//! Descriptions of a command's arguments for `:help NAME`, one line each.
//!
//! An argument without a description of its own gets that of its kind.

use super::{Argument, ArgumentKind};
use crate::commands::Command;
use crate::report::{Line, markdown_line};

/// Each argument's syntax and meaning.
pub(crate) fn told(command: &Command) -> Vec<(String, Line)> {
    command
        .arguments
        .iter()
        .map(|argument| (argument.usage(), markdown_line(meaning(argument))))
        .collect()
}

pub(super) fn meaning(argument: &Argument) -> &'static str {
    argument.meaning.unwrap_or(match argument.kind {
        ArgumentKind::Expression => "any expression; by default, the target: see `:help target`",
        ArgumentKind::Node => "a name, `a@1`, `@9`, or `(a*b)`: the node with this text",
        ArgumentKind::Nodes => "names, `a@1`, `@9`, or `(a*b)`, separated by blanks",
        ArgumentKind::Names => "names, separated by blanks",
        ArgumentKind::Number => "a number, or an expression in brackets",
        ArgumentKind::Count => "a whole number",
        ArgumentKind::Settings => "leaves and their new values",
        ArgumentKind::Correlations => "two leaves and a number, separated by commas",
        ArgumentKind::Relations => {
            "expressions with `=`, `<=` or `>=` between them, separated by commas"
        }
        ArgumentKind::Model => "data and a model, with `~` between them",
        ArgumentKind::File => "a path; in quotes if it contains a blank, `;` or `#`",
        ArgumentKind::Statement => "any statement",
        ArgumentKind::Topic => "a word",
        ArgumentKind::Flag => "a keyword without a value",
        ArgumentKind::Range => "the range: `x=-5..5`, or `-5..5` if only one thing can move",
    })
}
