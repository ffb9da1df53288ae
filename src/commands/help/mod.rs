//! `:help [what]`: one screen about everything, or a page about a command, operation, constant, setting or topic.
//!
//! All texts come from the tables of commands, operations and settings and from the manual. `overview` makes the first
//! screen, `operation_page` the pages of operations, `search` answers `:help search`.

mod operation_page;
mod overview;
pub(crate) mod prose;
mod search;
pub mod topics;

use self::topics::{TOPICS, Topic};
use super::args::signature;
use super::args::suggestions::{Offers, Word};
use super::args::{Argument, ArgumentKind, Arguments};
use super::look::ops::answers;
use super::{COMMANDS, Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::ops;
use crate::ops::{Op, TABLE};
use crate::report::{Block, Fact, Prose, Report, say};
use crate::session::Session;
use crate::session::random::DRAWS;
use crate::session::settings::{Choice, SETTINGS};
use crate::session::{LIST_FUNCTIONS, ListFunction};

/// The command `:help`.
pub const COMMAND: Command = Command {
    name: "help",
    aliases: &["h", "?"],
    group: Group::Session,
    looks: false,
    entry: (":help grad", "help on one topic"),
    arguments: &[
        Argument::optional("WHAT", ArgumentKind::Topic)
            .means("a command, operation, constant, setting or topic")
            .offering(Offers::Words(known)),
        Argument::after("search", "WORD", ArgumentKind::Names)
            .means("a word to look for; several words must all occur"),
    ],
    summary: "an overview, or help on a command, operation or topic",
    page: page!("commands/help"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let words: Vec<&str> = arguments
        .words("WORD")
        .iter()
        .map(|span| span.of(arguments.text))
        .collect();
    if !words.is_empty() {
        return Ok(Reply::show(search::report(&words)));
    }
    let Some((word, span)) = arguments.word("WHAT") else {
        return Ok(Reply::show(overview::report()));
    };
    let bare = match word.strip_prefix(':') {
        Some(rest) if !rest.is_empty() => rest,
        _ => word,
    };
    if let Some(report) = page(word, bare) {
        return Ok(Reply::show(report));
    }
    Err(Diagnostic::new(format!("there is no help on `{word}`"))
        .at(span)
        .help(way_out(session, bare)))
}

/// The page about a word, if there is one. A topic's exact name wins over a command that the word only abbreviates.
fn page(word: &str, bare: &str) -> Option<Report> {
    let command = super::find(bare).ok();
    let colon = word.starts_with(':');
    if let Some(command) = command.filter(|found| colon || found.name == bare) {
        return Some(on_command(command));
    }
    // `functions` is a topic and also an alias of `:funcs`; the topic wins.
    if let Some(topic) = TOPICS.iter().find(|topic| topic.answers(bare)) {
        return Some(on_topic(topic));
    }
    if let Some(command) = command.filter(|found| found.aliases.contains(&bare)) {
        return Some(on_command(command));
    }
    // `tanh'`, `tanh()` and `tanh(x)` all mean `tanh`.
    let called = bare
        .split(['(', '\'', '’'])
        .next()
        .filter(|name| !name.is_empty());
    for name in [Some(bare), called].into_iter().flatten() {
        let operations: Vec<&'static Op> = TABLE.iter().filter(|op| answers(op, name)).collect();
        if !operations.is_empty() {
            return Some(on_operations(&operations));
        }
    }
    if let Some(function) = called.and_then(ListFunction::named) {
        return Some(on_list_function(function));
    }
    let constant = ops::CONSTANTS.iter().find(|(name, ..)| *name == bare);
    if let Some(&(name, value, summary)) = constant {
        return Some(on_constant(name, value, summary));
    }
    if let Some(setting) = SETTINGS.iter().find(|setting| setting.key == bare) {
        return Some(on_setting(setting));
    }
    command.map(on_command)
}

/// Everything that has a page, for completion.
fn known(session: &Session, given: &[&str]) -> Vec<Word> {
    let about = |summary: &str| say!("{}", summary);
    let topics = TOPICS
        .iter()
        .map(|topic| Word::new(topic.name, about(topic.summary)));
    let commands = COMMANDS
        .iter()
        .map(|command| Word::new(command.name, about(command.summary)));
    let settings = SETTINGS
        .iter()
        .map(|setting| Word::new(setting.key, about(setting.summary)));
    let constants = ops::CONSTANTS
        .iter()
        .map(|(name, _, summary)| Word::new(*name, about(summary)));
    let lists = LIST_FUNCTIONS
        .iter()
        .map(|function| Word::new(function.name, about(function.what)));
    let operations = super::look::ops::words(session, given).into_iter();
    let draws = (DRAWS.iter()).map(|draw| Word::new(draw.name, about(draw.summary)));
    let rest = operations
        .chain(lists)
        .chain(draws)
        .chain(constants)
        .chain(settings)
        .map(Word::begun);
    topics.chain(commands).chain(rest).collect()
}

/// What to suggest if there is no page.
fn way_out(session: &Session, word: &str) -> String {
    let known = COMMANDS
        .iter()
        .map(|command| command.name)
        .chain(TOPICS.iter().map(|topic| topic.name))
        .chain(TABLE.iter().flat_map(|op| [op.spelling, op.name]))
        .chain(ops::function_names())
        .chain(LIST_FUNCTIONS.iter().map(|function| function.name))
        .chain(DRAWS.iter().map(|draw| draw.name))
        .chain(SETTINGS.iter().map(|setting| setting.key));
    if session.names().find(word).is_some() {
        return format!("`{word}` is a name of yours: `:vars` lists them");
    }
    if session.functions().get(word).is_some() {
        return format!("`{word}` is a function of yours: `:funcs` lists them");
    }
    match nearest(word, known) {
        Some(near) => format!("did you mean `:help {near}`?"),
        None => format!("`:help search {word}` looks for it, `:help` shows what there is"),
    }
}

fn on_command(command: &'static Command) -> Report {
    let summary = prose::line(command.summary);
    let heading = say!("{:typed}   {}", command.usage(), summary);
    let mut blocks = vec![Block::Prose(Prose::paragraph(heading))];
    let mut rows = signature::told(command);
    if !command.aliases.is_empty() {
        let aliases: Vec<String> = command
            .aliases
            .iter()
            .map(|alias| format!("`:{alias}`"))
            .collect();
        rows.push(("also".to_string(), aliases.join(" ")));
    }
    if let Some(op) = TABLE.iter().find(|op| answers(op, command.name)) {
        let see = format!(
            "`:help {}` on `{}` in expressions",
            op.spelling, command.name
        );
        rows.push(("see".to_string(), see));
    }
    blocks.push(prose::gap());
    blocks.extend(prose::rows(&rows));
    if !rows.is_empty() {
        blocks.push(prose::gap());
    }
    blocks.extend(topics::blocks(command.text()));
    prose::report("help", command.name, blocks)
}

fn on_topic(topic: &Topic) -> Report {
    let heading = say!("{:heading}   {}", topic.name, topic.summary);
    let mut blocks = vec![Block::Prose(Prose::paragraph(heading)), prose::gap()];
    blocks.extend(topic.blocks());
    prose::report("help", topic.name, blocks)
}

fn on_operations(operations: &[&'static Op]) -> Report {
    let mut blocks = Vec::new();
    for (place, op) in operations.iter().enumerate() {
        if place > 0 {
            blocks.push(prose::gap());
        }
        blocks.extend(operation_page::blocks(op));
    }
    prose::report("help", operations[0].name, blocks)
}

fn on_list_function(function: &ListFunction) -> Report {
    let heading = say!("{:formula}   {}", function.usage(), function.what);
    let mut rows = vec![("example".to_string(), format!("`{}`", function.example))];
    if let Some(also) = function.also {
        rows.push(("also".to_string(), format!("`{also}`")));
    }
    rows.push(("see".to_string(), "`:help lists`".to_string()));
    let mut blocks = vec![Block::Prose(Prose::paragraph(heading)), prose::gap()];
    blocks.extend(prose::rows(&rows));
    prose::report("help", function.name, blocks)
}

fn on_constant(name: &'static str, value: f64, summary: &str) -> Report {
    let line = say!("{:formula} = {}   {}", name, value, summary);
    let more = prose::paragraph(&format!(
        "You may bind the name yourself: `{name} = 3`; `:del {name}` brings the constant back."
    ));
    let mut report = prose::report(
        "help",
        name,
        vec![Block::Prose(Prose::paragraph(line)), prose::gap(), more],
    );
    report.facts.push(("value", Fact::Number(value)));
    report
}

fn on_setting(setting: &Choice) -> Report {
    let heading = say!("{:heading}   {}", setting.key, setting.summary);
    let more = prose::paragraph(&format!(
        "A setting: {1}. `:config {0}` shows it, `:config {0} VALUE` changes it, `:config save` keeps it.",
        setting.key,
        setting.possible()
    ));
    prose::report(
        "help",
        setting.key,
        vec![Block::Prose(Prose::paragraph(heading)), prose::gap(), more],
    )
}
