//! Descriptions of a command's arguments for `:help NAME`, one line each.
//!
//! An argument without a description of its own gets that of its kind.

use super::{Argument, ArgumentKind};
use crate::commands::Command;

/// Each argument's syntax and meaning.
pub(crate) fn told(command: &Command) -> Vec<(String, String)> {
    command
        .arguments
        .iter()
        .map(|argument| (argument.usage(), meaning(argument).to_string()))
        .collect()
}

fn meaning(argument: &Argument) -> &'static str {
    argument.meaning.unwrap_or(match argument.kind {
        ArgumentKind::Expression if argument.keyword == Some("of") => {
            "the root: any expression; left out, that of the last pass, or what was shown"
        }
        ArgumentKind::Expression => "any expression; left out, what was shown last",
        ArgumentKind::Node => "a name, `a@1`, `@9`, or `(a*b)`: the node that reads so",
        ArgumentKind::Nodes => "names, `a@1`, `@9`, or `(a*b)`, separated by blanks",
        ArgumentKind::Names => "names, separated by blanks",
        ArgumentKind::Number => "a number, or an expression in brackets",
        ArgumentKind::Count => "a whole number",
        ArgumentKind::Settings => "leaves and what they become",
        ArgumentKind::Correlations => "two leaves and a number, separated by commas",
        ArgumentKind::Relations => {
            "expressions with `=`, `<=` or `>=` between, separated by commas"
        }
        ArgumentKind::Model => "data and a model, with `~` between",
        ArgumentKind::File => "a path; in quotes if it holds a blank, `;` or `#`",
        ArgumentKind::Statement => "anything that can be typed",
        ArgumentKind::Topic => "a word",
        ArgumentKind::Flag => "a word that says it all",
        ArgumentKind::Range => {
            "from where to where: `x=-5..5`, or `-5..5` where one thing can move"
        }
    })
}
