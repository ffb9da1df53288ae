//! What a command is: its definition, its arguments, and its reply. `commands` has the list of all.
//!
//! Each command is one static in a file of its own. It changes the session and answers with a report, and knows nothing
//! about terminals, files or formats. `build.rs` makes its signature from its page in `docs/commands/`.

pub mod args;
pub(crate) mod lesson_question;
pub(crate) mod node_table;
pub(crate) mod prelude;
mod reply;
pub(crate) mod signatures;

pub(crate) use self::reply::ending;
pub use self::reply::{BuiltInLesson, Effect, FileRequest, LessonMove, Reply};
pub use self::signatures::{CommandTrait, Signature};

use std::ops::Deref;

use self::args::suggestions::Offers;
use self::args::{Argument, ArgumentKind, Arguments};
use chainrule_language::Span;
use chainrule_report::ReportKind;
use chainrule_report::diagnostic::Result;
use chainrule_session::Session;

/// The definition of a command. Its names, arguments and summary stand at the head of its page.
#[derive(Debug)]
pub struct Command {
    signature: &'static Signature,
    /// Runs the command.
    pub run: fn(&mut Session, &Arguments) -> Result<Reply>,
    /// The words that completion offers for some of the arguments.
    offers: &'static [(&'static Argument, Offers)],
    /// Finds the place of what the reader of a worksheet or a lesson is asked for, if the command asks.
    pub asked: Option<fn(&Arguments) -> Option<Span>>,
}

impl Deref for Command {
    type Target = Signature;

    fn deref(&self) -> &Signature {
        self.signature
    }
}

impl From<&Command> for ReportKind {
    fn from(command: &Command) -> ReportKind {
        ReportKind::Command(command.name)
    }
}

impl Command {
    pub(crate) const fn new(
        signature: &'static Signature,
        run: fn(&mut Session, &Arguments) -> Result<Reply>,
        offers: &'static [(&'static Argument, Offers)],
    ) -> Command {
        Command {
            signature,
            run,
            offers,
            asked: None,
        }
    }

    /// The same command, which asks the reader of a worksheet or a lesson for what this function finds.
    pub(crate) const fn asking(self, find: fn(&Arguments) -> Option<Span>) -> Command {
        Command {
            asked: Some(find),
            ..self
        }
    }

    /// Whether it is answered again while a slider moves. Such a command must change nothing else.
    pub(crate) fn is_answered_again(&self) -> bool {
        self.has(CommandTrait::ReadOnly) || self.has(CommandTrait::AnsweredAgain)
    }

    /// Whether it takes words that are not names of the session, such as topics and files.
    pub fn takes_words(&self) -> bool {
        use ArgumentKind::{File, Names, Word, Words};
        let mut kinds = self.arguments.iter().map(|argument| argument.kind);
        kinds.any(|kind| matches!(kind, Word | Words | File | Names))
    }

    /// Whether its only argument is the rest of the line, as it stands.
    pub(crate) fn takes_rest(&self) -> bool {
        matches!(self.arguments, [only] if only.kind == ArgumentKind::Rest)
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
