//! Commands: `:word …`. Each is one static in a file of its own.
//!
//! Dispatch, prefixes, aliases, "did you mean", `:help`, completion and the table in the manual all read [`COMMANDS`].
//! To add a command, add a file, a `mod` line, an entry of the list and a page in `docs/commands/`. Commands change the
//! session and answer with a report; they know nothing about terminals, files or formats.

/// A page of the manual as text.
macro_rules! page {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/", $name, ".md"))
    };
}

pub mod args;
mod back;
pub(crate) mod by_hand;
pub(crate) mod change;
pub(crate) mod goals;
pub(crate) mod gradients;
pub mod help;
pub(crate) mod look;
pub(crate) mod node_table;
mod prelude;
pub(crate) mod program;
mod signatures;
mod understand;

pub use self::change::MOST_STEPS;
pub use self::look::graph::MOST_DRAWN;
pub use self::look::plot::MOST_CURVES;
pub use self::look::tree::{DEEPEST_JSON, DEEPEST_TEXT};
pub(crate) use self::program::data::pasted_names;
pub(crate) use self::program::play::LESSON_TABLES;
pub use self::program::save::load_report;
pub use self::program::time::time_report;
pub use self::signatures::Signature;

use std::ops::Deref;

use self::args::suggestions::Offers;
use self::args::{Argument, ArgumentKind, Arguments};
use crate::session::{Contents, Session};
use chainrule_language::Span;
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::diagnostic::{Diagnostic, Result, Translation, backtick_list};
use chainrule_report::{Block, DataSheet, Fact, Line, Note, Picture, Report, plural, say};

/// Every command, in the order of `:help`.
pub static COMMANDS: &[&Command] = &[
    &gradients::grad::COMMAND,
    &gradients::grad::BACKWARD,
    &gradients::grad::ZERO,
    &by_hand::walk::COMMAND,
    &by_hand::next::COMMAND,
    &by_hand::next::PREV,
    &by_hand::guess::COMMAND,
    &understand::explain::COMMAND,
    &understand::formula::COMMAND,
    &understand::nudge::COMMAND,
    &understand::check::COMMAND,
    &understand::assert::COMMAND,
    &understand::wrong::COMMAND,
    &understand::topo::COMMAND,
    &look::graph::COMMAND,
    &look::plot::COMMAND,
    &look::tree::COMMAND,
    &change::set::COMMAND,
    &change::step::COMMAND,
    &change::freeze::COMMAND,
    &change::freeze::THAW,
    &look::vars::COMMAND,
    &goals::budget::COMMAND,
    &goals::solve::COMMAND,
    &goals::fit::COMMAND,
    &goals::minimize::COMMAND,
    &goals::export::COMMAND,
    &back::undo::COMMAND,
    &back::undo::REDO,
    &back::undo::LOG,
    &back::del::COMMAND,
    &back::del::RESET,
    &program::save::COMMAND,
    &program::save::LOAD,
    &program::data::COMMAND,
    &program::config::COMMAND,
    &program::time::COMMAND,
    &help::COMMAND,
    &program::play::COMMAND,
    &program::quit::COMMAND,
];

/// The definition of a command. Its names, arguments and summary stand at the head of its page.
#[derive(Debug)]
pub struct Command {
    signature: &'static Signature,
    /// Runs the command.
    pub run: fn(&mut Session, &Arguments) -> Result<Reply>,
    /// The words that completion offers for some of the arguments.
    offers: &'static [(&'static Argument, Offers)],
}

impl Deref for Command {
    type Target = Signature;

    fn deref(&self) -> &Signature {
        self.signature
    }
}

/// The groups of commands in the order of `:help`, each with its key on pages and in JSON, and its heading in text.
pub(crate) const GROUPS: [(&str, &str); 8] = [
    ("differentiate", "gradients"),
    ("understand", "examine"),
    ("walk", "by hand"),
    ("change", "change"),
    ("look", "look"),
    ("goals", "at work"),
    ("back", "undo"),
    ("session", "session"),
];

/// The answer to a statement.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The report to show; `None` for a silenced statement.
    pub report: Option<Report>,
    /// Further reports of a statement with several answers, such as `:next 3`. In JSON each is an object of its own.
    pub more: Vec<Report>,
    /// Notes, shown even if the statement is silenced.
    pub notes: Vec<Note>,
    /// Work for the shell. (A box keeps replies small, because every statement moves one.)
    pub effect: Option<Box<Effect>>,
    /// The definition of a function that the interpreter runs instead of showing a report.
    pub definition: Option<Box<str>>,
    /// Whether a check has failed: the script goes on, but ends with status 1.
    pub has_failed: bool,
    /// Whether Ctrl-C stopped the work, whose results so far stay. A script ends with status 130.
    pub is_interrupted: bool,
    /// The line that was run instead of the statement. All places are in this line then.
    pub translated: Option<Box<Translation>>,
}

/// Work that only the shell can do, because it runs statements, ends the run or concerns the terminal.
#[derive(Clone, Debug)]
pub enum Effect {
    /// End the run.
    Quit,
    /// Run a file as one change.
    Load(FileRequest),
    /// Run a statement and report how long it took.
    Time(Span),
    /// Play a lesson, or move in the current one. Without a current lesson the report is shown.
    Play(LessonMove, Span),
}

/// A move of `:play`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonMove {
    /// To the place where the user left the lesson.
    On,
    /// To the beginning of a built-in lesson.
    BuiltIn(&'static BuiltInLesson),
    /// To the beginning of a script.
    File(FileRequest),
    /// To the next statement.
    Next,
    /// To the statement before.
    Back,
    /// To the statement with this number, counted from 1.
    Step(usize),
    /// Out of the lesson.
    Stop,
}

/// A lesson that is part of the program.
#[derive(Debug, PartialEq, Eq)]
pub struct BuiltInLesson {
    /// Its name for `:play`.
    pub name: &'static str,
    /// The script.
    pub text: &'static str,
}

/// A file name given to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRequest {
    /// The path without quotes.
    pub path: String,
    /// The word that names it.
    pub span: Span,
}

/// The ending of a file name in lower case: `svg`.
pub(crate) fn ending(path: &str) -> String {
    let ending = path.rsplit('.').next().unwrap_or_default();
    ending.to_ascii_lowercase()
}

impl Reply {
    /// Makes a reply that only shows a report.
    pub fn show(report: Report) -> Reply {
        Reply {
            report: Some(report),
            ..Reply::default()
        }
    }

    /// Makes a reply that leaves the rest to the shell.
    pub(crate) fn effect(effect: Effect) -> Reply {
        Reply {
            effect: Some(effect.into()),
            ..Reply::default()
        }
    }

    /// Writes a picture into a file, and answers with the given line and count: `drew 3 shares`.
    pub(crate) fn report_drawing(
        session: &Session,
        kind: &'static str,
        file: &FileRequest,
        (line, count): (Line, usize),
        picture: Picture,
    ) -> Result<Reply> {
        let confirmation = say!("{} into {:typed}", line, &*file.path);
        let facts = vec![("path", file.path.clone().into()), ("count", count.into())];
        let reply = Reply::show(Report::confirming(kind, facts, confirmation));
        reply.write(session, file, Contents::Picture(Box::new(picture)))
    }

    /// Writes a file. If the host keeps a copy of the old file, the report says so.
    pub(crate) fn write(
        mut self,
        session: &Session,
        file: &FileRequest,
        contents: Contents,
    ) -> Result<Reply> {
        let backup = session
            .host()
            .write(&file.path, contents, session.settings())
            .map_err(|error| error.at(file.span))?;
        if let (Some(report), Some(copy)) = (&mut self.report, backup) {
            let line = say!("the file that was there is kept as {:typed}", &copy);
            report.blocks.push(Block::Line(line));
            report.facts.push(("backup", Fact::Text(copy)));
        }
        Ok(self)
    }

    /// Moves the tables of an answer into a file, with all their rows: `:grad L FILE.csv`. The lines around them stay.
    /// The interpreter calls this after a command that answers with a table.
    pub(crate) fn write_tables(mut self, session: &Session, file: &FileRequest) -> Result<Reply> {
        let mut report = self.report.unwrap_or_default();
        let reports = std::iter::once(&report).chain(&self.more);
        let sheets: Vec<DataSheet> = reports.flat_map(Report::sheets).collect();
        if sheets.is_empty() {
            let message = "this answer has no table, so nothing was written";
            let help = "without the file the answer is shown";
            return Err(Diagnostic::new(message).at(file.span).help(help));
        }
        let rows = sheets.iter().map(|sheet| sheet.rows.len()).sum();
        let is_no_table = |block: &Block| !matches!(block, Block::Table(_));
        for part in std::iter::once(&mut report).chain(&mut self.more) {
            part.blocks.retain(is_no_table);
        }
        let line = say!("wrote {} into {:typed}", plural(rows, "row"), &*file.path);
        report.is_confirmation |= report.blocks.is_empty();
        report.blocks.insert(0, Block::Line(line));
        let facts = [("path", file.path.clone().into()), ("count", rows.into())];
        report.facts.extend(facts);
        self.report = Some(report);
        self.write(session, file, Contents::Tables(sheets))
    }

    /// Adds notes.
    #[must_use]
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = Note>) -> Reply {
        self.notes.extend(notes);
        self
    }
}

/// Finds the command for a word: a name, an alias, or the beginning of exactly one name.
pub fn find(word: &str) -> Result<&'static Command> {
    let mut all = COMMANDS.iter().copied();
    let by_name = all.clone().find(|command| command.name == word);
    let by_alias = || all.find(|command| command.aliases.contains(&word));
    if let Some(command) = by_name.or_else(by_alias) {
        return Ok(command);
    }
    let mut begun = COMMANDS.to_vec();
    begun.retain(|command| command.name.starts_with(word));
    match begun.as_slice() {
        [only] if !word.is_empty() => Ok(only),
        [] => {
            let help = match nearest(word, COMMANDS.iter().map(|command| command.name)) {
                Some(near) => format!("did you mean `:{near}`?"),
                None => "`:help` lists all commands".to_string(),
            };
            Err(Diagnostic::new(format!("unknown command `:{word}`")).help(help))
        }
        several => {
            let listed = backtick_list(several.iter().map(|command| format!(":{}", command.name)));
            let message = format!("`:{word}` begins several commands");
            Err(Diagnostic::new(message).help(format!("which one: {listed}?")))
        }
    }
}

impl Command {
    const fn new(
        signature: &'static Signature,
        run: fn(&mut Session, &Arguments) -> Result<Reply>,
        offers: &'static [(&'static Argument, Offers)],
    ) -> Command {
        Command {
            signature,
            run,
            offers,
        }
    }

    /// Whether it takes words that are not names of the session, such as topics and files.
    pub fn takes_words(&self) -> bool {
        use ArgumentKind::{File, Names, Word, Words};
        let mut kinds = self.arguments.iter().map(|argument| argument.kind);
        kinds.any(|kind| matches!(kind, Word | Words | File | Names))
    }

    /// Whether the rest of the line is a statement of its own.
    pub(crate) fn takes_statement(&self) -> bool {
        matches!(self.arguments, [only] if only.kind == ArgumentKind::Statement)
    }

    /// Returns the session of its page. Lines that a user types begin with `∂> `, the others are answers.
    pub fn example(&self) -> &'static str {
        let rest = self.text.split_once("```session\n").map(|(_, rest)| rest);
        let parts = rest.and_then(|rest| rest.split_once("\n```"));
        parts.map_or("", |(session, _)| session)
    }

    /// Returns the words that completion offers for an argument.
    pub fn offers(&self, argument: &Argument) -> Offers {
        let entry = self.offers.iter().find(|(it, _)| it.name == argument.name);
        entry.map_or(Offers::Usual, |(_, offers)| *offers)
    }

    /// Returns the syntax: `:grad [T] [wrt NODE…]`.
    pub fn usage(&self) -> String {
        let arguments = self.arguments.iter().map(|it| format!(" {}", it.usage));
        format!(":{}{}", self.name, arguments.collect::<String>())
    }
}
