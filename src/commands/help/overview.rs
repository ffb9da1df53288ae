//! The first screen of `:help`: every command, grouped by purpose, and the topics, grouped by the pages of the manual.
//!
//! With the prompt it fits a window of 80 columns and 24 lines, which a test checks.

use super::page_parts;
use super::topics::TOPICS;
use crate::commands::{COMMANDS, GROUPS};
use chainrule_report::{Block, Facts, Line, Prose, Report, join, markdown_line, say};

/// The column in which commands and topics begin.
const COLUMN: usize = 13;

/// The first screen.
pub(super) fn report() -> Report {
    let start =
        say!("Type `a, b = 2, -3` then `L = a*b + a` then `:grad L`, or take the tour: `:tour`");
    let mut blocks = vec![Block::Prose(Prose::paragraph(start))];
    let mut facts = Facts::new();
    for (key, heading) in GROUPS {
        let commands = COMMANDS.iter().filter(|command| command.group == key);
        let entries = commands.map(|command| command.entry);
        let typed = entries.clone().map(|(typed, _)| say!("{:typed}", typed));
        blocks.push(group_block(heading, join(typed, "  ")));
        let entry =
            |(typed, what): (&str, &str)| vec![("typed", typed.into()), ("what", what.into())];
        facts.push((key, entries.map(entry).collect()));
    }
    let about = "on a command, operation (`tanh`, `/`), setting or topic:";
    blocks.push(row(":help NAME", about));
    for group in TOPICS.chunk_by(|one, other| one.group == other.group) {
        let names: Vec<&str> = group.iter().map(|topic| topic.name).collect();
        blocks.push(group_block(
            group[0].group,
            say!("{:formula}", names.join(" ")),
        ));
    }
    let about = "finds a word anywhere; you may shorten commands: `:gr L`";
    blocks.push(row(":help search WORD", about));
    let mut report = page_parts::report("", blocks);
    report.facts.extend(facts);
    report
}

/// The entries of a group, beside its heading.
fn group_block(heading: &str, line: Line) -> Block {
    Block::Prose(Prose {
        term: say!("{:heading}", heading),
        column: COLUMN,
        line,
    })
}

/// Something to type and what it does, as a paragraph.
fn row(typed: &str, words: &str) -> Block {
    Block::Prose(Prose {
        column: 2,
        line: say!("{:typed}  {}", typed, markdown_line(words)),
        ..Prose::default()
    })
}
