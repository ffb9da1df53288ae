//! The first screen of `:help`: every command in a few words, by what people want to do.
//!
//! It fits a window of 80 columns and 24 lines with the prompt, which a test holds it to. The words stand with each
//! command; two that are one another's reverse share an entry.

use super::topics::TOPICS;
use super::{COMMANDS, Command, Group, prose};
use crate::report::{Block, Menu, MenuGroup, Piece, Prose, Report};

/// How the first screen tells of a command, under the heading of its group.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// How it is typed and a few words, after the commands that the list has before it.
    Own(&'static str, &'static str),
    /// The same, but before this command of its group: what goes together stands side by side.
    Before(&'static Command, &'static str, &'static str),
    /// The entry of this command tells of both: `:next :prev`.
    With(&'static Command),
}

/// The report.
pub(super) fn report() -> Report {
    let mut start = prose::line("Type ");
    start.extend([
        Piece::typed("a, b = 2, -3"),
        Piece::plain(" then "),
        Piece::typed("L = a*b + a"),
        Piece::plain(" then "),
        Piece::typed(":grad L"),
        Piece::plain(", or be shown around: "),
        Piece::typed(":tour"),
    ]);
    let names: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    let blocks = vec![
        Block::Prose(Prose::paragraph(start)),
        Block::Menu(menu()),
        row(
            ":help NAME",
            "on a command, an operation (`tanh`, `/`), a setting, or one of:",
        ),
        Block::Prose(Prose {
            column: 2,
            line: vec![Piece::formula(names.join(" "))],
            ..Prose::default()
        }),
        row(
            ":help search WORD",
            "finds it anywhere; commands may be shortened: `:gr L`",
        ),
    ];
    prose::report("help", "", blocks)
}

/// Something to type and what it does, running on.
fn row(typed: &str, words: &str) -> Block {
    let mut line = vec![Piece::typed(typed), Piece::plain("  ")];
    line.extend(prose::line(words));
    Block::Prose(Prose {
        column: 2,
        line,
        ..Prose::default()
    })
}

/// Every command, in its group.
fn menu() -> Menu {
    let group = |group: Group| {
        let mut shown: Vec<(&str, &str, &str)> = Vec::new();
        for command in COMMANDS.iter().filter(|command| command.group == group) {
            let (next, typed, words) = match command.entry {
                Entry::Own(typed, words) => (None, typed, words),
                Entry::Before(next, typed, words) => (Some(next.name), typed, words),
                Entry::With(_) => continue,
            };
            let place = shown.iter().position(|(name, ..)| next == Some(name));
            shown.insert(place.unwrap_or(shown.len()), (command.name, typed, words));
        }
        let entries = shown.iter();
        let entries = entries.map(|(_, typed, words)| (typed.to_string(), words.to_string()));
        MenuGroup {
            key: group.key(),
            heading: group.heading(),
            entries: entries.collect(),
        }
    };
    Menu {
        groups: Group::ALL.map(group).into(),
    }
}
