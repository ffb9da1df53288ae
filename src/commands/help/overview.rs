//! The first screen of `:help`: every command in a few words, grouped by purpose, and the topics.
//!
//! With the prompt it fits a window of 80 columns and 24 lines, which a test checks: the more topics there are, the
//! fewer lines the menu of commands may take; it shows fewer words then.

use super::prose;
use super::topics::TOPICS;
use crate::commands::{COMMANDS, Group};
use crate::report::{Block, Menu, MenuGroup, Prose, Report, say};

/// The lines of a screen, without those of the prompts before and after.
const LINES: usize = 22;
/// The lines that are neither menu nor names of topics.
const OTHERS: usize = 3;
/// A line of topics has at least this many columns filled.
const FILLED: usize = 66;

/// The first screen.
pub(crate) fn report() -> Report {
    let start =
        say!("Type `a, b = 2, -3` then `L = a*b + a` then `:grad L`, or take the tour: `:tour`");
    let names: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    let names = names.join(" ");
    let most = LINES.saturating_sub(OTHERS + names.len().div_ceil(FILLED));
    let blocks = vec![
        Block::Prose(Prose::paragraph(start)),
        Block::Menu(menu(most)),
        row(
            ":help NAME",
            "help on a command, operation (`tanh`, `/`), setting or topic:",
        ),
        Block::Prose(Prose {
            column: 2,
            line: say!("{:formula}", names),
            ..Prose::default()
        }),
        row(
            ":help search WORD",
            "finds a word anywhere; you may shorten commands: `:gr L`",
        ),
    ];
    prose::report("help", "", blocks)
}

/// Something to type and what it does, as a paragraph.
fn row(typed: &str, words: &str) -> Block {
    Block::Prose(Prose {
        column: 2,
        line: say!("{:typed}  {}", typed, prose::line(words)),
        ..Prose::default()
    })
}

/// All commands by group.
fn menu(most: usize) -> Menu {
    let group = |(group, key, heading): (Group, _, _)| {
        let commands = COMMANDS.iter().filter(|command| command.group == group);
        let entries = commands.map(|command| {
            let (typed, words) = command.entry;
            (typed.to_string(), words.to_string())
        });
        MenuGroup {
            key,
            heading,
            entries: entries.collect(),
        }
    };
    Menu {
        groups: Group::ALL.map(group).into(),
        most,
    }
}
