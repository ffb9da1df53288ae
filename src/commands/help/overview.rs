//! Makes the first screen of `:help`, with every command, grouped by purpose, and the topics to begin with. Also makes the
//! answer of `:help topics`: every topic, grouped by the pages of the manual.
//!
//! A test checks that the first screen, with the prompt, fits a window of 80 columns and 24 lines.

use super::help_report;
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
        let (mut lines, mut entries) = (Vec::new(), Vec::new());
        for (typed, what) in commands.map(|command| command.entry) {
            lines.push(say!("{:typed}", typed));
            entries.push(vec![("typed", typed.into()), ("what", what.into())]);
        }
        blocks.push(group_block(heading, join(lines, "  ")));
        facts.push((key, entries.into_iter().collect()));
    }
    let help_name = "on a command, operation (`tanh`, `/`), setting or topic:";
    blocks.push(row(":help NAME", help_name));
    let topics = FIRST_TOPICS.map(|name| say!("{:formula}", name));
    blocks.push(group_block("topics", join(topics, "  ")));
    blocks.push(row(":help topics", "every topic, one per line"));
    let help_search = "finds a word anywhere; you may shorten commands: `:gr L`";
    blocks.push(row(":help search WORD", help_search));
    let mut report = help_report("", blocks);
    report.facts.extend(facts);
    report
}

/// Every topic with its summary, below the heading of its page.
pub(super) fn topics_report() -> Report {
    let mut blocks = Vec::new();
    for group in TOPICS.chunk_by(|a, b| a.group == b.group) {
        let heading = say!("{:heading}", group[0].group);
        blocks.push(Block::Prose(Prose::paragraph(heading)));
        let rows = group
            .iter()
            .map(|topic| (topic.name.to_owned(), markdown_line(topic.summary)));
        blocks.extend(term_rows(rows.collect()));
    }
    help_report("topics", blocks)
}

/// Makes the row of a group: its heading, and the entries in one line.
fn group_block(heading: &str, line: Line) -> Block {
    Block::Prose(Prose {
        term: say!("{:heading}", heading),
        column: COLUMN,
        line,
    })
}

/// Makes a row that says what a typed line does.
fn row(typed: &str, words: &str) -> Block {
    Block::Prose(Prose {
        column: 2,
        line: say!("{:typed}  {}", typed, markdown_line(words)),
        ..Prose::default()
    })
}
