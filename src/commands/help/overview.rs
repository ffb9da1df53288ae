//! Makes the first screen of `:help`: tasks, the commands to begin with, and where to find the rest. Also makes the answers
//! of `:help all`, every command by its purpose and the topics to begin with, and of `:help topics`, every topic by its page.
//!
//! A test checks that the first screen and `:help all`, with the prompt, fit a window of 80 columns and 24 lines.

use super::topics::TOPICS;
use super::{gap, help_report};
use crate::commands::{COMMANDS, GROUPS, find};
use chainrule_report::{
    Block, Fact, Facts, Line, Prose, Report, join, markdown_line, say, term_rows,
};

/// A line to type, and what it does.
type Entry = (&'static str, &'static str);

/// The column in which the words behind a task or a line to type begin.
const COLUMN: usize = 23;

/// The column in which the commands of a group begin in `:help all`.
const GROUP_COLUMN: usize = 13;

/// A line to type for what users come with.
const TASKS: [Entry; 4] = [
    ("g(x) = (3x^2+1)^5; g'", "a derivative"),
    (":formula x^2 sin x steps", "homework, in steps"),
    ("a, b = 2, -3; L = a*b + a; :walk L", "a graph by hand"),
    (":data FILE; :fit y ~ a + b*x", "a table of data"),
];

/// The commands on the first screen.
#[rustfmt::skip]
const FIRST_COMMANDS: [&str; 10] = [
    "grad", "set", "formula", "plot", "graph", "walk", "guess", "fit", "budget", "solve",
];

/// Where the first screen leads, and `:help all` from its second row on.
#[rustfmt::skip]
const MORE: [Entry; 5] = [
    (":help all", "every command, and the first topics"),
    (":help topics", "every topic, one per line"),
    (":help NAME", "on a command, operation (`tanh`, `/`), setting or topic"),
    (":help search WORD", "finds a word anywhere; you may shorten commands: `:gr L`"),
    (":tour", "a first lesson; `:play` lists all"),
];

/// The topics in `:help all`: those that a beginner needs.
#[rustfmt::skip]
const FIRST_TOPICS: [&str; 15] = [
    "numbers", "operations", "functions", "lists", "python",
    "derivatives", "gradients", "by-hand", "training", "glossary",
    "data-files", "uncertainties", "fitting", "keys", "files",
];

/// The first screen.
pub(super) fn report() -> Report {
    let task = |&(typed, task): &Entry| heading_row(task, COLUMN, say!("{:typed}", typed));
    let commands = FIRST_COMMANDS.iter().filter_map(|name| find(name).ok());
    let entries: Vec<_> = commands.map(|command| command.entry).collect();
    let mut blocks: Vec<Block> = TASKS.iter().map(task).collect();
    for rows in [&entries[..], &MORE] {
        blocks.push(gap());
        blocks.extend(rows.iter().map(entry_row));
    }
    let mut report = help_report("", blocks);
    report.facts.push(("tasks", entry_facts(&TASKS)));
    report.facts.push(("commands", entry_facts(&entries)));
    report
}

/// Every command, in the groups of their purposes, and the topics to begin with.
pub(super) fn all_report() -> Report {
    let (mut blocks, mut facts) = (Vec::new(), Facts::new());
    for (key, heading) in GROUPS {
        let commands = COMMANDS.iter().filter(|command| command.group == key);
        let entries: Vec<_> = commands.map(|command| command.entry).collect();
        let typed = entries.iter().map(|(typed, _)| say!("{:typed}", *typed));
        blocks.push(heading_row(heading, GROUP_COLUMN, join(typed, "  ")));
        facts.push((key, entry_facts(&entries)));
    }
    let topics = FIRST_TOPICS.map(|name| say!("{:formula}", name));
    blocks.push(heading_row("topics", GROUP_COLUMN, join(topics, "  ")));
    blocks.extend(MORE[1..].iter().map(entry_row));
    let mut report = help_report("all", blocks);
    report.facts.extend(facts);
    report
}

/// Lines to type and what they do, for programs.
fn entry_facts(entries: &[Entry]) -> Fact {
    let entry = |&(typed, what): &Entry| vec![("typed", typed.into()), ("what", what.into())];
    entries.iter().map(entry).collect()
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

/// Makes a row of lines to type, or of topics, behind their heading.
fn heading_row(heading: &str, column: usize, line: Line) -> Block {
    let term = say!("{:heading}", heading);
    Block::Prose(Prose { term, column, line })
}

/// Makes a row of a line to type, and what it does.
fn entry_row(&(typed, what): &Entry) -> Block {
    Block::Prose(Prose {
        term: say!("{:typed}", typed),
        column: COLUMN,
        line: markdown_line(what),
    })
}
