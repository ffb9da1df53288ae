//! `:help [WHAT]`: shows one screen to begin with, or finds and makes a page about a command, operation, function,
//! constant, setting or topic.
//!
//! All texts come from the manual and from the tables of commands, operations, functions and settings. `overview` makes
//! the first screen, `operation_page` makes the pages of operations, and `search` answers `:help search`.

mod operation_page;
mod overview;
mod search;
pub mod topics;

pub use self::operation_page::{general_form, operand_list};

use self::operation_page::has_name;
use self::topics::{TOPICS, Topic};
use super::COMMANDS;
use crate::command::args::Argument;
use crate::command::args::suggestions::{Offers, Word};
use crate::command::prelude::*;
use crate::command::signatures::help::{ALL, SEARCH, SIGNATURE, TOPICS as ALL_TOPICS, WHAT};
use chainrule_engine::ops;
use chainrule_engine::ops::{Op, TABLE};
use chainrule_program::functions::{LIBRARY, LibraryFunction};
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::{Prose, markdown_blocks, markdown_line, term_rows};
use chainrule_session::settings::{SETTINGS, SettingRow};

/// The command `:help`.
pub(crate) static COMMAND: Command =
    Command::new(SIGNATURE, run, &[(WHAT, Offers::Words(suggestions))]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    if arguments.has(ALL) {
        return Ok(Reply::show(overview::all_report()));
    }
    if arguments.has(ALL_TOPICS) {
        return Ok(Reply::show(overview::topics_report()));
    }
    let Some(span) = arguments.span_of(WHAT).or(arguments.span_of(SEARCH)) else {
        return Ok(Reply::show(overview::report()));
    };
    let typed = span.of(arguments.text);
    let words: Vec<&str> = typed.split_whitespace().collect();
    // `chain rule` is the topic `chain-rule`. Failing that, the first word that has a page counts.
    let by_word = || words.iter().find_map(|it| find_exact_page(strip_colon(it)));
    let page = || find_page(&words.join("-")).or_else(by_word);
    let is_own = session.names().find(typed).is_some() || session.functions().get(typed).is_some();
    let shown = if arguments.has(SEARCH) {
        search::report(&words)
    } else {
        page().or_else(|| search::report(&words).filter(|_| !is_own))
    };
    if let Some(report) = shown {
        return Ok(Reply::show(report));
    }
    Err(Diagnostic::new(format!("there is no help on `{typed}`"))
        .at(span)
        .help(no_page_help(session, strip_colon(typed))))
}

/// Returns a word without the colon of a command.
fn strip_colon(word: &str) -> &str {
    word.strip_prefix(':')
        .filter(|rest| !rest.is_empty())
        .unwrap_or(word)
}

/// Something that has a page of help.
struct Subject {
    /// `command`, `topic`, `operation`, `function`, `constant` or `setting`, as in JSON.
    kind: &'static str,
    /// Its name, then its other names.
    names: Vec<&'static str>,
    summary: &'static str,
    /// Makes the page. The page of an operation has no plot: a search in all pages would draw every one.
    make_page: Box<dyn Fn() -> Report>,
}

/// Everything that has a page. If a name belongs to several subjects, the first one is meant.
fn subjects() -> impl Iterator<Item = Subject> {
    let commands = COMMANDS.iter().map(|&it| Subject {
        kind: "command",
        names: [&[it.name], it.aliases].concat(),
        summary: it.summary,
        make_page: Box::new(|| command_page(it)),
    });
    let topics = TOPICS.iter().map(|it| Subject {
        kind: "topic",
        names: [&[it.name], &it.also[..]].concat(),
        summary: it.summary,
        make_page: Box::new(|| topic_page(it)),
    });
    let operations = TABLE.iter().map(|it| Subject {
        kind: "operation",
        names: [&[it.spelling, it.name], it.aliases].concat(),
        summary: it.summary,
        make_page: Box::new(|| help_report(it.name, operation_page::text_blocks(it))),
    });
    let functions = LIBRARY.iter().map(|it| Subject {
        kind: "function",
        names: vec![it.name],
        summary: it.summary,
        make_page: Box::new(|| function_page(it)),
    });
    let constants = ops::CONSTANTS.iter().map(|(name, value, summary)| Subject {
        kind: "constant",
        names: vec![name],
        summary,
        make_page: Box::new(|| constant_page(name, *value, summary)),
    });
    let settings = SETTINGS.iter().map(|it| Subject {
        kind: "setting",
        names: vec![it.key],
        summary: it.summary,
        make_page: Box::new(|| setting_page(it)),
    });
    let others = operations.chain(functions).chain(constants).chain(settings);
    commands.chain(topics).chain(others)
}

/// Finds the page about a word. With a colon, the word is a command if there is such a command. Without a colon, an exact
/// name wins over a command that the word only abbreviates.
fn find_page(word: &str) -> Option<Report> {
    let command = super::find(strip_colon(word)).ok();
    let is_command = word.starts_with(':') && command.is_some();
    let exact = find_exact_page(strip_colon(word)).filter(|_| !is_command);
    exact.or_else(|| command.map(command_page))
}

/// Finds the page about a name. `tanh'`, `tanh()` and `tanh(x)` all mean `tanh`.
fn find_exact_page(word: &str) -> Option<Report> {
    let bare = word.split(['(', '\'', '’']).next().unwrap_or_default();
    for name in [word, bare] {
        if let Some(subject) = subjects().find(|it| it.names.contains(&name)) {
            return Some(match subject.kind {
                "operation" => page_of_operations(name),
                _ => (subject.make_page)(),
            });
        }
    }
    None
}

/// The words that completion offers: commands and topics, and all other names after the user has typed a letter.
fn suggestions(_: &Session, _: &[&str]) -> Vec<Word> {
    let mut words = Vec::new();
    for subject in subjects() {
        let is_main = matches!(subject.kind, "command" | "topic");
        // An alias of a command or a topic would only repeat its summary in the list.
        let count = if is_main { 1 } else { subject.names.len() };
        words.extend(subject.names.iter().take(count).map(|name| Word {
            is_offered_by_letter: !is_main,
            ..Word::new(*name, say!("{}", subject.summary))
        }));
    }
    words
}

/// The help of the error for a word without a page.
fn no_page_help(session: &Session, word: &str) -> String {
    if session.names().find(word).is_some() || session.functions().get(word).is_some() {
        return format!("`{word}` is a name of yours: `:vars` lists them");
    }
    let known = suggestions(session, &[]);
    match nearest(word, known.iter().map(|known| &*known.text)) {
        Some(near) => format!("did you mean `:help {near}`?"),
        None => "`:help` shows what there is".to_string(),
    }
}

fn command_page(command: &'static Command) -> Report {
    let summary = markdown_line(command.summary);
    let heading = say!("{:typed}   {}", command.usage(), summary);
    let row = |it: &&Argument| (it.usage.to_owned(), markdown_line(it.meaning));
    let mut rows: Vec<_> = command.arguments.iter().map(row).collect();
    if !command.aliases.is_empty() {
        let aliases = command.aliases.iter().map(|alias| format!("`:{alias}`"));
        let line = aliases.collect::<Vec<_>>().join(" ");
        rows.push(("also".to_string(), markdown_line(&line)));
    }
    if let Some(op) = TABLE.iter().find(|op| has_name(op, command.name)) {
        let (spelling, name) = (op.spelling, command.name);
        let line = format!("`:help {spelling}` on `{name}` in expressions");
        rows.push(("see".to_string(), markdown_line(&line)));
    }
    let mut blocks = term_rows(rows);
    if !blocks.is_empty() {
        blocks.push(gap());
    }
    blocks.extend(markdown_blocks(command.text));
    report_with_heading(command.name, heading, blocks)
}

fn topic_page(topic: &Topic) -> Report {
    let heading = say!("{:heading}   {}", topic.name, topic.summary);
    report_with_heading(topic.name, heading, markdown_blocks(topic.text))
}

/// The page of all operations with this name or spelling. `-` names two, subtraction and negation, which share a page.
fn page_of_operations(name: &str) -> Report {
    let operations: Vec<&Op> = TABLE.iter().filter(|op| has_name(op, name)).collect();
    let mut blocks = Vec::new();
    for op in &operations {
        if !blocks.is_empty() {
            blocks.push(gap());
        }
        blocks.extend(operation_page::blocks(op));
    }
    help_report(operations.last().map_or("", |op| op.name), blocks)
}

fn function_page(function: &LibraryFunction) -> Report {
    let form = format!("{}({})", function.name, function.arguments);
    let heading = say!("{:formula}   {}", form, function.summary);
    let row = |term: &str, code: String| (term.to_owned(), markdown_line(&format!("`{code}`")));
    let rows = vec![
        row("example", function.example.to_string()),
        row("see", format!(":help {}", function.topic)),
    ];
    report_with_heading(function.name, heading, term_rows(rows))
}

fn constant_page(name: &'static str, value: f64, summary: &str) -> Report {
    let heading = say!("{:formula} = {}   {}", name, value, summary);
    let more = format!(
        "You may bind the name yourself: `{name} = 3`; `:del {name}` brings the constant back."
    );
    let mut report = report_with_heading(name, heading, vec![paragraph(&more)]);
    report.facts.push(("value", Fact::Number(value)));
    report
}

fn setting_page(setting: &SettingRow) -> Report {
    let heading = say!("{:heading}   {}", setting.key, setting.summary);
    let (key, allowed) = (setting.key, setting.allowed_values());
    let more = format!(
        "A setting: {allowed}. `:config {key}` shows it, `:config {key} VALUE` changes it, `:config save` keeps it."
    );
    report_with_heading(key, heading, vec![paragraph(&more)])
}

/// Makes a page with a heading above its body.
fn report_with_heading(name: &str, heading: Line, body: Vec<Block>) -> Report {
    let mut blocks = vec![Block::Prose(Prose::paragraph(heading)), gap()];
    blocks.extend(body);
    help_report(name, blocks)
}

fn paragraph(text: &str) -> Block {
    Block::Prose(Prose::paragraph(markdown_line(text)))
}

pub(crate) fn gap() -> Block {
    Block::Line(Line::new())
}

/// Makes a page of help: blocks for people, and the lines of the blocks for programs.
fn help_report(name: &str, blocks: Vec<Block>) -> Report {
    let facts = vec![
        ("what", Fact::Text(name.to_string())),
        ("text", Fact::List(text_lines(&blocks))),
    ];
    Report::new(&COMMAND, facts, blocks)
}

/// Returns the lines of text in blocks, for programs. Tables and pictures have none: programs get them as data.
pub(crate) fn text_lines(blocks: &[Block]) -> Vec<Fact> {
    let mut text = Vec::new();
    for block in blocks {
        match block {
            Block::Line(line) => text.push(Fact::Sentence(line.clone())),
            Block::Prose(prose) => text.push(Fact::Sentence(prose.whole())),
            Block::Code(code) => text.extend(code.lines().map(|line| Fact::Text(line.to_string()))),
            _ => {}
        }
    }
    text
}
