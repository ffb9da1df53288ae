//! `:help [what]`: one screen of everything, or one command, operation or topic.
//!
//! Everything it says comes from the lists of commands, topics and operations; nothing is told here alone.

use super::args::{Argument, Arguments, Takes};
use super::offers::{Offers, Word};
use super::ops::{answers, derivatives, written};
use super::topics::{TOPICS, Topic};
use super::{COMMANDS, Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::ops::{self, Domain, Op, TABLE};
use crate::report::{Block, Cell, Column, Fact, Line, Piece, Report, Table};
use crate::session::Session;
use crate::suggest::nearest;

/// The command.
pub const COMMAND: Command = Command {
    name: "help",
    aliases: &["h", "?"],
    group: Group::Session,
    arguments: &[Argument::optional("WHAT", Takes::Topic).offering(Offers::Words(known))],
    summary: "help on all, or a command, operation or topic",
    details: "Commands may be written with or without their colon.",
    example: "
∂> :help relu
relu(x)   `x` where it is positive, else 0
  derivatives  if(x > 0, 1, 0)
  at x = 0     the derivative is taken as 0
  example      relu(-2)
∂> :help rebinding
rebinding   what a = 5 does when a is used already

a = 5 makes a new leaf. What was built from the old a keeps it, shown as a@1
from then on. To change the value under everything that uses it: :set a 5
",
    run,
};

fn run(_: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some((word, span)) = arguments.word("WHAT") else {
        return Ok(Reply::show(overview()));
    };
    let bare = word.strip_prefix(':').unwrap_or(word);
    let command = super::find(bare).ok().filter(|found| {
        // A name that is spelled out wins over a command that it only begins.
        word.starts_with(':')
            || found.name == bare
            || found.aliases.contains(&bare)
            || !is_known(bare)
    });
    if let Some(command) = command {
        return Ok(Reply::show(on_command(command)));
    }
    if let Some(topic) = TOPICS.iter().find(|topic| topic.name == bare) {
        return Ok(Reply::show(on_topic(topic)));
    }
    let operations: Vec<&'static Op> = TABLE.iter().filter(|op| answers(op, bare)).collect();
    if !operations.is_empty() {
        return Ok(Reply::show(on_operations(&operations)));
    }
    if let Some((name, value, summary)) = ops::CONSTANTS.iter().find(|(name, ..)| *name == bare) {
        let line = vec![
            Piece::formula(*name),
            Piece::plain(" = "),
            Piece::Number(*value),
            Piece::plain(format!("   {summary}")),
        ];
        let mut report = report(bare, vec![Block::Line(line)]);
        report.facts.push(("value", Fact::Number(*value)));
        return Ok(Reply::show(report));
    }
    let known = COMMANDS
        .iter()
        .map(|command| command.name)
        .chain(TOPICS.iter().map(|topic| topic.name));
    let known = known
        .chain(TABLE.iter().flat_map(|op| [op.spelling, op.name]))
        .chain(ops::function_names());
    let help = nearest(bare, known).map_or_else(
        || "`:help` lists commands and topics, `:ops` the operations".to_string(),
        |near| format!("did you mean `:help {near}`?"),
    );
    Err(Diagnostic::new(format!("there is no help on `{word}`"))
        .at(span)
        .help(help))
}

/// All that there is help on.
fn known(session: &Session, given: &[&str]) -> Vec<Word> {
    let about = |summary: &str| vec![Piece::plain(summary)];
    let topics = TOPICS
        .iter()
        .map(|topic| Word::new(topic.name, about(topic.summary)));
    let commands = COMMANDS
        .iter()
        .map(|command| Word::new(command.name, about(command.summary)));
    let constants = ops::CONSTANTS
        .iter()
        .map(|(name, _, summary)| Word::new(*name, about(summary)));
    let operations = super::ops::words(session, given).into_iter();
    let rest = operations.chain(constants).map(Word::begun);
    topics.chain(commands).chain(rest).collect()
}

fn is_known(word: &str) -> bool {
    TOPICS.iter().any(|topic| topic.name == word)
        || TABLE.iter().any(|op| answers(op, word))
        || ops::constant(word).is_some()
}

/// What is asked about, and for machines the same lines as people read; tables they get as tables.
fn report(what: &str, blocks: Vec<Block>) -> Report {
    let mut text = Vec::new();
    for block in &blocks {
        match block {
            Block::Line(line) => text.push(Fact::Text(words(line))),
            Block::Code(code) => text.extend(code.lines().map(|line| Fact::Text(line.to_string()))),
            Block::Table(_) | Block::Tree(_) | Block::Graph(_) | Block::Plot(_) => {}
        }
    }
    let facts = vec![
        ("what", Fact::Text(what.to_string())),
        ("text", Fact::List(text)),
    ];
    Report {
        kind: "help",
        facts,
        blocks,
        confirmation: false,
    }
}

/// The words of a line. (The one number that help shows is a fact of its own.)
fn words(line: &Line) -> String {
    let word = |piece: &Piece| match piece {
        Piece::Plain(text)
        | Piece::Name(text)
        | Piece::Formula(text)
        | Piece::Typed(text)
        | Piece::Heading(text)
        | Piece::Dim(text) => text.clone(),
        Piece::Number(_) | Piece::Short(_) | Piece::Course(_) => "…".to_string(),
    };
    line.iter().map(word).collect()
}

/// How many topics the overview names on one line.
const TOPICS_A_LINE: usize = 4;

/// What people see first: a line for each command, by what people want to do.
fn overview() -> Report {
    let mut blocks = vec![Block::Line(vec![
        Piece::plain("  start with  "),
        Piece::typed("a, b = 2, -3"),
        Piece::plain("  then  "),
        Piece::typed("L = a*b + a"),
        Piece::plain("  then  "),
        Piece::typed(":grad L"),
    ])];
    let row = |typed: &str, what: &str| {
        vec![
            Cell::Formula(typed.to_string()),
            Cell::Text(what.to_string()),
        ]
    };
    for group in Group::ALL {
        let members = COMMANDS.iter().filter(|command| command.group == group);
        let mut rows: Vec<Vec<Cell>> = members
            .map(|command| row(&usage(command), command.summary))
            .collect();
        if group == Group::Session {
            let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
            for (line, some) in topics.chunks(TOPICS_A_LINE).enumerate() {
                let typed = if line == 0 { ":help TOPIC" } else { "" };
                rows.push(row(typed, &some.join(", ")));
            }
        }
        blocks.push(Block::Table(two_columns(
            group.key(),
            group.heading(),
            rows,
        )));
    }
    report("", blocks)
}

fn usage(command: &Command) -> String {
    let aliases: String = command
        .aliases
        .iter()
        .filter(|alias| alias.len() == 1)
        .map(|alias| format!(" [:{alias}]"))
        .collect();
    format!("{}{aliases}", command.usage())
}

fn two_columns(key: &'static str, heading: &str, rows: Vec<Vec<Cell>>) -> Table {
    let columns = vec![Column::new("typed", heading), Column::new("what", "")];
    Table {
        key,
        columns,
        rows,
        omitted: None,
    }
}

fn on_command(command: &'static Command) -> Report {
    let mut blocks = vec![Block::Line(vec![
        Piece::typed(command.usage()),
        Piece::plain(format!("   {}", command.summary)),
    ])];
    if !command.aliases.is_empty() {
        let aliases: Vec<String> = command
            .aliases
            .iter()
            .map(|alias| format!(":{alias}"))
            .collect();
        blocks.push(Block::Line(vec![
            Piece::dim("also "),
            Piece::typed(aliases.join(" ")),
        ]));
    }
    blocks.push(Block::Line(Vec::new()));
    blocks.extend(wrapped(command.details));
    blocks.push(Block::Line(Vec::new()));
    blocks.push(Block::Code(command.example.trim().to_string()));
    report(command.name, blocks)
}

fn on_topic(topic: &Topic) -> Report {
    let heading = vec![
        Piece::Heading(topic.name.to_string()),
        Piece::plain(format!("   {}", topic.summary)),
    ];
    report(
        topic.name,
        vec![
            Block::Line(heading),
            Block::Line(Vec::new()),
            Block::Code(topic.text.trim().to_string()),
        ],
    )
}

fn on_operations(operations: &[&'static Op]) -> Report {
    let mut blocks = Vec::new();
    for op in operations {
        blocks.push(Block::Line(vec![
            Piece::formula(written(op)),
            Piece::plain(format!("   {}", op.summary)),
        ]));
        let mut fact = |what: &str, text: Piece| {
            blocks.push(Block::Line(vec![Piece::dim(format!("  {what:<13}")), text]));
        };
        fact("derivatives", Piece::formula(derivatives(op)));
        if let Domain::Where { text, .. } = op.domain {
            fact("defined for", Piece::formula(text));
        }
        for kink in op.kinks {
            fact(&format!("at {}", kink.at), Piece::plain(kink.convention));
        }
        if !op.aliases.is_empty() {
            fact("also", Piece::formula(op.aliases.join(" ")));
        }
        fact("example", Piece::typed(op.example));
    }
    report(operations[0].name, blocks)
}

/// Prose in lines that fit a terminal of 80 columns.
fn wrapped(text: &str) -> Vec<Block> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line from the start");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= 78 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
        .into_iter()
        .map(|line| Block::Line(vec![Piece::plain(line)]))
        .collect()
}
