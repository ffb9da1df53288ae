//! What the arguments of a command mean, for `:help NAME`: each of them in a line.
//!
//! Most follow from their kind; what one means to a certain command stands in a table. How they are cut is not here.

use super::Command;
use super::args::{Argument, Takes};

/// What certain arguments mean to certain commands.
const MEANINGS: &[(&str, &str, &str)] = &[
    (
        "backward",
        "T",
        "where the pass starts: any expression; left out, what was shown last",
    ),
    ("check", "all", "check every node, not the leaves alone"),
    (
        "config",
        "KEY",
        "a setting, or `save`; left out, all are listed",
    ),
    (
        "config",
        "VALUE",
        "what it is to be, or `default`; left out, it is shown",
    ),
    ("del", "NAME", "names and functions, separated by blanks"),
    (
        "del",
        "FORMER",
        "`a@5`, `unnamed` or `f(x)`: what the node is shown as from then on",
    ),
    ("digits", "N", "1 to 17; left out, what it is now is shown"),
    (
        "explain",
        "NODE",
        "the node whose gradient it is: a name, or `(a*b)`",
    ),
    (
        "grad",
        "T",
        "where the pass starts: any expression; left out, what was shown last",
    ),
    (
        "graph",
        "FILE",
        "a picture: `.svg .png .html .dot .mmd .json`; left out, it is drawn here",
    ),
    (
        "guess",
        "VALUE",
        "what you think it is, as an expression; `?` asks for a hint",
    ),
    (
        "help",
        "WHAT",
        "a command, operation, constant, setting or topic",
    ),
    (
        "help",
        "WORD",
        "a word to look for; several must all be there",
    ),
    ("load", "FILE", "a script; its name ends in `.calc`"),
    ("next", "N|all", "how many stops, or `all`; left out, one"),
    (
        "nudge",
        "NODE",
        "the node that is bumped: a name, or `(a*b)`",
    ),
    (
        "nudge",
        "H",
        "by how much; left out, as much as loses fewest digits",
    ),
    ("nudge", "central", "take the slope over both sides"),
    ("ops", "NAME", "these operations only: `tanh`, `/`"),
    (
        "plot",
        "T",
        "an expression or a function's name, or several with commas between",
    ),
    (
        "plot",
        "FILE",
        "a picture or its numbers: `.svg .png .csv`; left out, it is drawn here",
    ),
    ("plot", "steps", "T over the steps that `:step` has taken"),
    ("prev", "N", "how many stops; left out, one"),
    ("redo", "N", "how many changes; left out, one"),
    ("save", "FILE", "where to; its name ends in `.calc`"),
    (
        "set",
        "LEAF VALUE, …",
        "leaves and what they become: `a 3`, `a = 3`, `a 3, b a/2`",
    ),
    (
        "step",
        "RATE",
        "how much of its grad a leaf moves; below 0 it climbs",
    ),
    ("step", "N", "how many passes and steps; left out, one"),
    ("time", "STATEMENT", "anything that can be typed"),
    (
        "tour",
        "WHERE",
        "`next`, `back`, `end` or the number of a stop; left out, where you are",
    ),
    ("tree", "json", "as nested JSON, the way the posts print it"),
    ("undo", "N", "how many changes; left out, one"),
    (
        "walk",
        "T",
        "where the pass starts; left out, the open walk is shown, or one begins",
    ),
    (
        "walk",
        "forward",
        "go through the values, from the leaves up",
    ),
    ("walk", "end", "close the walk"),
    ("wrong", "RULE", "which mistake; left out, they are listed"),
];

/// The arguments of a command as they are typed, and what each means.
pub(super) fn told(command: &Command) -> Vec<(String, String)> {
    command
        .arguments
        .iter()
        .map(|argument| (argument.usage(), meaning(command, argument).to_string()))
        .collect()
}

fn meaning(command: &Command, argument: &Argument) -> &'static str {
    let known = MEANINGS
        .iter()
        .find(|(of, name, _)| *of == command.name && *name == argument.name);
    if let Some((.., meaning)) = known {
        return meaning;
    }
    match argument.kind {
        Takes::Expression if argument.keyword == Some("of") => {
            "the root: any expression; left out, that of the last pass, or what was shown"
        }
        Takes::Expression => "any expression; left out, what was shown last",
        Takes::Node => "a name, `a@1`, `@9`, or `(a*b)`: the node that reads so",
        Takes::Nodes => "names, `a@1`, `@9`, or `(a*b)`, separated by blanks",
        Takes::Names => "names, separated by blanks",
        Takes::Number => "a number, or an expression in brackets",
        Takes::Count => "a whole number",
        Takes::Settings => "leaves and what they become",
        Takes::File => "a path; in quotes if it holds a blank, `;` or `#`",
        Takes::Statement => "anything that can be typed",
        Takes::Topic => "a word",
        Takes::Flag => "a word that says it all",
        Takes::Range => "from where to where: `x=-5..5`, or `-5..5` where one thing can move",
    }
}
