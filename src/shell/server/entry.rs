//! An entry: its text, and what its statements are.

use crate::command::CommandTrait;
use crate::interpret::{Again, Meaning};
use crate::shell::script::chunk::chunks;

/// A longer entry is not answered again while a slider moves.
const MAX_STATEMENTS: usize = 200;

/// The text that a user enters at once, which may have several lines.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) text: String,
    /// The places in a statement are those in its chunk.
    pub(crate) statements: Vec<Meaning>,
}

impl Entry {
    pub(crate) fn of(text: &str) -> Entry {
        let all_chunks = chunks(text);
        let statements = all_chunks.iter().flat_map(|it| Meaning::all_in(&it.text));
        Entry {
            text: text.to_owned(),
            statements: statements.collect(),
        }
    }

    /// Whether one of its statements is a command with this trait.
    pub(crate) fn has(&self, wanted: CommandTrait) -> bool {
        self.statements.iter().any(|it| it.has(wanted))
    }

    /// Whether it is one statement, which is a command with this trait.
    pub(crate) fn is_only(&self, wanted: CommandTrait) -> bool {
        matches!(&self.statements[..], [only] if only.has(wanted))
    }

    /// Whether it only shows numbers, so that it can be answered again. A definition shows none, and a loop may move leaves.
    pub(crate) fn only_answers(&self) -> bool {
        self.statements.len() <= MAX_STATEMENTS
            && self.statements.iter().all(|it| it.again != Again::Acts)
            && self.statements.iter().any(|it| it.again == Again::Answers)
    }
}
