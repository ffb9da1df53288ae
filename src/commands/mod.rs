//! Commands: `:word …`. One constant struct in a file of its own for each; everything else follows from the list.
//!
//! Dispatch, prefixes, aliases, did-you-mean, `:help`, completion and the manual's table read [`COMMANDS`]. To add a
//! command: a file, a `mod` line and an entry of the list. Commands change the session and answer with a report; they
//! know no terminal, file or format.

pub mod args;
mod back;
mod by_hand;
pub(crate) mod change;
mod gradients;
pub mod help;
pub(crate) mod look;
pub(crate) mod program;
mod rows;
mod understand;

pub use self::change::step::MOST_STEPS;
pub use self::look::tree::DEEPEST;
pub use self::program::time::Took;

use std::ops::Range;

use self::args::{Argument, Arguments};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::report::{Note, Picture, Report};
use crate::session::{Mark, Session};
use crate::syntax::Span;

/// Every command, in the order of `:help`.
pub const COMMANDS: &[&Command] = &[
    &gradients::grad::COMMAND,
    &gradients::backward::COMMAND,
    &gradients::zero::COMMAND,
    &by_hand::walk::COMMAND,
    &by_hand::next::COMMAND,
    &by_hand::prev::COMMAND,
    &by_hand::guess::COMMAND,
    &understand::explain::COMMAND,
    &understand::nudge::COMMAND,
    &understand::check::COMMAND,
    &understand::wrong::COMMAND,
    &understand::topo::COMMAND,
    &look::graph::COMMAND,
    &look::plot::COMMAND,
    &look::tree::COMMAND,
    &change::set::COMMAND,
    &change::step::COMMAND,
    &change::freeze::COMMAND,
    &change::thaw::COMMAND,
    &look::vars::COMMAND,
    &look::funcs::COMMAND,
    &look::ops::COMMAND,
    &look::watch::COMMAND,
    &look::unwatch::COMMAND,
    &back::undo::COMMAND,
    &back::redo::COMMAND,
    &back::log::COMMAND,
    &back::del::COMMAND,
    &back::reset::COMMAND,
    &program::save::COMMAND,
    &program::load::COMMAND,
    &program::digits::COMMAND,
    &program::config::COMMAND,
    &program::time::COMMAND,
    &help::COMMAND,
    &program::tour::COMMAND,
    &program::quit::COMMAND,
];

/// A command.
#[derive(Debug)]
pub struct Command {
    /// The word after the colon.
    pub name: &'static str,
    /// Other words for it, which win over prefixes.
    pub aliases: &'static [&'static str],
    /// What people want to do with it.
    pub group: Group,
    /// How the first screen of `:help` shows it: what to type, and a few words. Longer ones cost room there.
    pub entry: (&'static str, &'static str),
    /// What it takes.
    pub arguments: &'static [Argument],
    /// One line.
    pub summary: &'static str,
    /// What more there is to know.
    pub details: &'static str,
    /// A session that a test replays, blank lines around it left out: typed lines begin with `∂> `, the others are the
    /// answers.
    pub example: &'static str,
    /// What it does.
    pub run: fn(&mut Session, &Arguments) -> Result<Reply, Diagnostic>,
}

/// What people want to do: the headings of `:help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Gradients
    Differentiate,
    /// Why they are what they are
    Understand,
    /// The pass by hand
    Walk,
    /// Leaves and steps
    Change,
    /// What there is
    Look,
    /// Taking back and forgetting
    Back,
    /// The session itself
    Session,
}

impl Group {
    /// All groups, in the order of `:help`.
    pub const ALL: [Group; 7] = [
        Group::Differentiate,
        Group::Understand,
        Group::Walk,
        Group::Change,
        Group::Look,
        Group::Back,
        Group::Session,
    ];

    /// The key of JSON.
    pub fn key(self) -> &'static str {
        match self {
            Group::Differentiate => "differentiate",
            Group::Understand => "understand",
            Group::Walk => "walk",
            Group::Change => "change",
            Group::Look => "look",
            Group::Back => "back",
            Group::Session => "session",
        }
    }

    /// The heading.
    pub fn heading(self) -> &'static str {
        match self {
            Group::Differentiate => "gradients",
            Group::Understand => "why so",
            Group::Walk => "by hand",
            Group::Change => "change",
            Group::Look => "look at",
            Group::Back => "take back",
            Group::Session => "session",
        }
    }
}

/// What a statement answers.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// What to show; a silenced statement has nothing.
    pub report: Option<Report>,
    /// What to show after it: a statement that answers several times, as `:next 3`, has an object for each in JSON.
    pub more: Vec<Report>,
    /// What it changed of what is watched, shown in any case.
    pub watched: Option<look::watch::Watched>,
    /// What is worth knowing beside it, shown in any case.
    pub notes: Vec<Note>,
    /// What is left for the shell to do.
    pub then: Then,
    /// A verdict was bad: the script goes on, and ends with status 1.
    pub failed: bool,
    /// Ctrl-C came, but what was done stands: a script ends with status 130.
    pub interrupted: bool,
    /// Where the session stood before, should Ctrl-C come while the answer is written.
    pub mark: Option<Box<Mark>>,
}

/// What is left for the shell to do, since it touches the outside.
#[derive(Clone, Debug, Default)]
pub enum Then {
    /// Nothing.
    #[default]
    GoOn,
    /// Leave.
    Quit,
    /// Write a session into a file, then show the report.
    Save {
        /// Which file.
        file: FileRequest,
        /// The script of the session.
        text: String,
    },
    /// Draw a picture into a file, then show the report.
    Draw {
        /// Which file; its ending says what kind of picture.
        file: FileRequest,
        /// What is on it.
        picture: Picture,
    },
    /// Run a file as one change, then show the report with what came of it.
    Load(FileRequest),
    /// Write settings into the init script, then show the report.
    KeepSettings {
        /// The statements that make them.
        text: String,
        /// What asked for it.
        span: Range<usize>,
    },
    /// Run a statement and say how long it took.
    Time(Span),
}

/// A file that a command was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRequest {
    /// As typed, without quotes.
    pub path: String,
    /// The word, for errors.
    pub span: Range<usize>,
}

impl Reply {
    /// An answer that only shows something.
    pub fn show(report: Report) -> Reply {
        Reply {
            report: Some(report),
            ..Reply::default()
        }
    }

    /// With notes.
    #[must_use]
    pub fn notes(mut self, notes: impl IntoIterator<Item = Note>) -> Reply {
        self.notes.extend(notes);
        self
    }
}

/// Why no command answers to a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// It begins several names.
    Ambiguous(Vec<&'static str>),
    /// Nothing begins so; perhaps this was meant.
    Unknown(Option<&'static str>),
}

/// The command a word means: a name, an alias, or the beginning of just one name.
pub fn find(word: &str) -> Result<&'static Command, Unanswered> {
    let exact = |command: &&&Command| command.name == word || command.aliases.contains(&word);
    if let Some(command) = COMMANDS.iter().find(exact) {
        return Ok(command);
    }
    let begun: Vec<&&Command> = COMMANDS
        .iter()
        .filter(|command| command.name.starts_with(word))
        .collect();
    match begun.as_slice() {
        [one] if !word.is_empty() => Ok(one),
        [] => Err(Unanswered::Unknown(nearest(
            word,
            COMMANDS.iter().map(|command| command.name),
        ))),
        several => Err(Unanswered::Ambiguous(
            several.iter().map(|command| command.name).collect(),
        )),
    }
}

impl Command {
    /// Does it take words that are looked up as they are, and are no names of the session's?
    pub fn takes_words(&self) -> bool {
        let looked_up = |argument: &Argument| {
            matches!(
                argument.kind,
                args::Takes::Topic | args::Takes::File | args::Takes::Names
            )
        };
        self.arguments.iter().any(looked_up)
    }

    /// How it is typed: `:grad [T] [wrt NODE…]`.
    pub fn usage(&self) -> String {
        let arguments = self
            .arguments
            .iter()
            .map(|argument| format!(" {}", argument.usage()));
        format!(":{}{}", self.name, arguments.collect::<String>())
    }
}
