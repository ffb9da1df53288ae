//! The first screen of `:help`: every command, grouped by purpose, and the topics to begin with; and `:help topics`: every
//! topic, grouped by the pages of the manual.
//!
//! With the prompt the first screen fits a window of 80 columns and 24 lines, which a test checks.

use super::page_parts;
use super::topics::TOPICS;
use crate::commands::{COMMANDS, GROUPS};
use chainrule_report::{Block, Facts, Line, Prose, Report, join, markdown_line, say, term_rows};

/// The column in which commands and topics begin.
const COLUMN: usize = 13;

/// The topics on the first screen: those that a beginner needs.
#[rustfmt::skip]
const FIRST_TOPICS: [&str; 15] = [
    "numbers", "operations", "functions", "lists", "python",
    "derivatives", "gradients", "by-hand", "training", "glossary",
    "data-files", "uncertainties", "fitting", "keys", "files",
];

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
    let topics = FIRST_TOPICS.map(|name| say!("{:formula}", name));
    blocks.push(group_block("topics", join(topics, "  ")));
    blocks.push(row(":help topics", "every topic, one per line"));
    let about = "finds a word anywhere; you may shorten commands: `:gr L`";
    blocks.push(row(":help search WORD", about));
    let mut report = page_parts::report("", blocks);
    report.facts.extend(facts);
    report
}

/// Every topic with its summary, below the heading of its page.
pub(super) fn topics_report() -> Report {
    let mut blocks = Vec::new();
    for group in TOPICS.chunk_by(|one, other| one.group == other.group) {
        let heading = say!("{:heading}", group[0].group);
        blocks.push(Block::Prose(Prose::paragraph(heading)));
        let rows = group
            .iter()
            .map(|topic| (topic.name.to_owned(), markdown_line(topic.summary)));
        blocks.extend(term_rows(rows.collect()));
    }
    page_parts::report("topics", blocks)
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
