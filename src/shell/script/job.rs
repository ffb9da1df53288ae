//! Where a statement comes from, what the shell is to do for it, and what came of that.
//!
//! Shared by the runner and the effects.

use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::report::Report;
use crate::syntax::Cut;
use crate::view::StatementPlace;

/// Where a text came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineOrigin<'o> {
    /// As JSON says it: `-e`, `-`, the path as given.
    pub name: &'o str,
    /// The same before the place of an error; nothing at the prompt, where the line stands just above.
    pub file: Option<&'o str>,
    /// The file itself, if it is one: paths in it begin at its folder.
    pub path: Option<&'o Path>,
}

/// Where a statement stands, or a line that is none.
#[derive(Clone, Copy)]
pub(crate) struct ErrorPlace<'t> {
    /// What it is in.
    pub origin: LineOrigin<'t>,
    /// The text, with its place.
    pub(crate) place: Option<StatementPlace<'t>>,
    /// The line the statement begins on; 1 for what concerns a file as a whole.
    pub(crate) line: usize,
}

impl<'o> LineOrigin<'o> {
    /// A script of this name.
    pub(crate) fn script(name: &'o str) -> LineOrigin<'o> {
        LineOrigin {
            name,
            file: Some(name),
            path: None,
        }
    }

    /// The prompt.
    pub(crate) fn prompt() -> LineOrigin<'static> {
        LineOrigin {
            name: "-",
            file: None,
            path: None,
        }
    }

    /// A text from there, its first line having this number.
    pub(crate) fn place(self, line: usize, text: &'o str) -> StatementPlace<'o> {
        StatementPlace {
            file: self.file,
            line,
            text,
        }
    }
}

/// A file that is being run.
pub(crate) struct Loading {
    /// The same for every way that leads to it.
    pub real: PathBuf,
    /// As it is called in messages.
    pub name: String,
}

/// The statement whose effect is to be carried out.
#[derive(Clone, Copy)]
pub(crate) struct Job<'t> {
    /// The text that places count in.
    pub text: &'t str,
    /// Where the statement is in it.
    pub cut: Cut,
    /// Where it stands.
    pub spot: ErrorPlace<'t>,
}

/// What came of an effect.
pub(crate) enum Outcome {
    /// It is done: the statement has this answer.
    Done(Option<Report>),
    /// It is not: the statement failed.
    Failed(Diagnostic),
    /// A file failed, which has been said at its place.
    Told,
}
