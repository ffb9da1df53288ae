//! `:help [what]`: one screen about everything, or a page about a command, operation, constant, setting or topic.
//!
//! All texts come from the tables of commands, operations and settings and from the manual. `overview` makes the first
//! screen, `operation_page` the pages of operations, `search` answers `:help search`.

mod operation_page;
mod overview;
pub(crate) mod prose;
mod search;
pub mod topics;

pub use self::operation_page::written;

use self::operation_page::answers;
use self::topics::{TOPICS, Topic};
use super::args::signature;
use super::args::suggestions::{Offers, Word};
use super::args::{Argument, ArgumentKind, Arguments};
use super::{COMMANDS, Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::ops;
use crate::ops::{Op, TABLE};
use crate::report::{Block, Fact, Line, Prose, Report, say};
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

/// Everything that has a page, for completion: topics and commands, and once they are begun all other words.
fn known(_: &Session, _: &[&str]) -> Vec<Word> {
    let word = |name: &str, summary: &str| Word::new(name, say!("{}", summary));
    let topics = TOPICS.iter().map(|topic| word(topic.name, topic.summary));
    let commands = COMMANDS
        .iter()
        .map(|command| word(command.name, command.summary));
    let operations = TABLE.iter().flat_map(|op| {
        let names = [op.spelling, op.name].into_iter();
        names
            .chain(op.aliases.iter().copied())
            .map(|name| word(name, op.summary))
    });
    let lists = LIST_FUNCTIONS
        .iter()
        .map(|function| word(function.name, function.what));
    let draws = DRAWS.iter().map(|draw| word(draw.name, draw.summary));
    let constants = ops::CONSTANTS
        .iter()
        .map(|(name, _, summary)| word(name, summary));
    let settings = SETTINGS
        .iter()
        .map(|setting| word(setting.key, setting.summary));
    let rest = operations
        .chain(lists)
        .chain(draws)
        .chain(constants)
        .chain(settings);
    topics
        .chain(commands)
        .chain(rest.map(Word::begun))
        .collect()
}

/// What to suggest if there is no page.
fn way_out(session: &Session, word: &str) -> String {
    if session.names().find(word).is_some() || session.functions().get(word).is_some() {
        return format!("`{word}` is a name of yours: `:vars` lists them");
    }
    let known = known(session, &[]);
    match nearest(word, known.iter().map(|known| &*known.text)) {
        Some(near) => format!("did you mean `:help {near}`?"),
        None => format!("`:help search {word}` looks for it, `:help` shows what there is"),
    }
}

fn on_command(command: &'static Command) -> Report {
    let summary = prose::line(command.summary);
    let heading = say!("{:typed}   {}", command.usage(), summary);
    let mut rows = signature::told(command);
    if !command.aliases.is_empty() {
        let aliases = command.aliases.iter().map(|alias| format!("`:{alias}`"));
        let aliases: Vec<String> = aliases.collect();
        rows.push(("also".to_string(), aliases.join(" ")));
    }
    if let Some(op) = TABLE.iter().find(|op| answers(op, command.name)) {
        let see = format!(
            "`:help {}` on `{}` in expressions",
            op.spelling, command.name
        );
        rows.push(("see".to_string(), see));
    }
    let mut blocks = prose::rows(&rows);
    if !rows.is_empty() {
        blocks.push(prose::gap());
    }
    blocks.extend(topics::blocks(command.text()));
    headed(command.name, heading, blocks)
}

fn on_topic(topic: &Topic) -> Report {
    let heading = say!("{:heading}   {}", topic.name, topic.summary);
    headed(topic.name, heading, topic.blocks())
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
    let mut rows = vec![("example", format!("`{}`", function.example))];
    rows.extend(function.also.map(|also| ("also", format!("`{also}`"))));
    rows.push(("see", "`:help lists`".to_string()));
    headed(function.name, heading, prose::rows(&rows))
}

fn on_constant(name: &'static str, value: f64, summary: &str) -> Report {
    let heading = say!("{:formula} = {}   {}", name, value, summary);
    let more = format!(
        "You may bind the name yourself: `{name} = 3`; `:del {name}` brings the constant back."
    );
    let mut report = headed(name, heading, vec![prose::paragraph(&more)]);
    report.facts.push(("value", Fact::Number(value)));
    report
}

fn on_setting(setting: &Choice) -> Report {
    let heading = say!("{:heading}   {}", setting.key, setting.summary);
    let more = format!(
        "A setting: {1}. `:config {0}` shows it, `:config {0} VALUE` changes it, `:config save` keeps it.",
        setting.key,
        setting.possible()
    );
    headed(setting.key, heading, vec![prose::paragraph(&more)])
}

/// A page below its heading.
fn headed(what: &str, heading: Line, below: Vec<Block>) -> Report {
    let mut blocks = vec![Block::Prose(Prose::paragraph(heading)), prose::gap()];
    blocks.extend(below);
    prose::report("help", what, blocks)
}
