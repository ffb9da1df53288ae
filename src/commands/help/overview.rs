//! The first screen of `:help`: every command, grouped by purpose, and the topics, grouped by the pages of the manual.
//!
//! With the prompt it fits a window of 80 columns and 24 lines, which a test checks.

use super::prose;
use super::topics::TOPICS;
use crate::commands::{COMMANDS, Group};
use crate::report::{Block, Menu, MenuGroup, Prose, Report, say};

/// The most lines that commands take; with more, some are shown without their words.
const MOST: usize = 10;

/// The column in which the names of topics begin.
const COLUMN: usize = 13;

/// The first screen.
pub(super) fn report() -> Report {
    let start =
        say!("Type `a, b = 2, -3` then `L = a*b + a` then `:grad L`, or take the tour: `:tour`");
    let mut blocks = vec![Block::Prose(Prose::paragraph(start)), Block::Menu(menu())];
    let about = "on a command, operation (`tanh`, `/`), setting or topic:";
    blocks.push(row(":help NAME", about));
    for group in TOPICS.chunk_by(|one, other| one.group == other.group) {
        let names: Vec<&str> = group.iter().map(|topic| topic.name).collect();
        blocks.push(Block::Prose(Prose {
            term: say!("{:heading}", group[0].group),
            column: COLUMN,
            line: say!("{:formula}", names.join(" ")),
        }));
    }
    let about = "finds a word anywhere; you may shorten commands: `:gr L`";
    blocks.push(row(":help search WORD", about));
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
fn menu() -> Menu {
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
        most: MOST,
    }
}
