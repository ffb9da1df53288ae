//! Types shared by the runner and the effects: where a statement comes from, what came of its effect, and the document
//! that both are shown in.
//!
//! They only hold data.

use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::report::{Note, Report};
use crate::shell::script::reading::prose::GatheredProse;
use crate::syntax::Cut;
use crate::view::{Document, DocumentPicture, StatementPlace, Style};

/// Where a text comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineOrigin<'o> {
    /// The name in JSON: `-e`, `-`, or the path as given.
    pub name: &'o str,
    /// The same name for error messages. `None` at the prompt, where the line is visible just above.
    pub file: Option<&'o str>,
    /// The path, if the text is from a file: relative paths in the text start at its folder.
    pub path: Option<&'o Path>,
}

/// Where an error is reported: at a statement, or at a line that could not be read.
#[derive(Clone, Copy)]
pub(crate) struct ErrorPlace<'t> {
    /// The source of the text.
    pub origin: LineOrigin<'t>,
    /// The text, with its place in the source; `None` for errors about a file as a whole.
    pub(crate) place: Option<StatementPlace<'t>>,
    /// The line on which the statement begins; 1 for errors about a file as a whole.
    pub(crate) line: usize,
}

impl<'o> LineOrigin<'o> {
    pub(crate) fn script(name: &'o str, path: Option<&'o Path>) -> LineOrigin<'o> {
        LineOrigin {
            name,
            file: Some(name),
            path,
        }
    }

    pub(crate) fn prompt() -> LineOrigin<'static> {
        LineOrigin {
            name: "-",
            file: None,
            path: None,
        }
    }

    /// A text of this origin whose first line has this number.
    pub(crate) fn place(self, line: usize, text: &'o str) -> StatementPlace<'o> {
        StatementPlace::new(self.file, line, text)
    }
}

/// A file that is being loaded.
pub(crate) struct Loading {
    /// The canonical path, which is the same for every path that leads to the file.
    pub real: PathBuf,
    /// The name for messages.
    pub name: String,
}

/// The statement whose effect is carried out.
#[derive(Clone, Copy)]
pub(crate) struct Job<'t> {
    /// The text that contains the statement. Spans refer to it.
    pub text: &'t str,
    /// The part of the text that is the statement.
    pub cut: Cut,
    /// The place for error messages.
    pub spot: ErrorPlace<'t>,
}

/// The result of an effect.
pub(crate) enum Outcome {
    /// The effect was carried out, and this is the answer.
    Done(Option<Report>),
    /// Names were bound: the answer, and notes about the names.
    Bound(Report, Vec<Note>),
    /// The effect failed, and so did the statement.
    Failed(Diagnostic),
    /// A loaded file failed, and its error has been shown.
    Told,
}

/// The document that `--echo` writes, and what waits for its place in it.
pub(crate) struct EchoDocument {
    pub document: Document,
    /// Answers have colours, if the format has any.
    colors: bool,
    pub prose: GatheredProse,
    pub pictures: Vec<DocumentPicture>,
}

impl EchoDocument {
    pub(crate) fn new(document: Document, colors: bool) -> EchoDocument {
        EchoDocument {
            document,
            colors,
            prose: GatheredProse::default(),
            pictures: Vec::new(),
        }
    }

    /// The style of answers in it.
    pub(crate) fn style(&self, style: Style) -> Style {
        let style = self.document.style(style);
        Style {
            color: style.color.filter(|_| self.colors),
            ..style
        }
    }

    /// Writes what waits.
    pub(crate) fn catch_up(&mut self, style: &Style, out: &mut String) {
        for picture in self.pictures.drain(..) {
            self.document.picture(&picture, out);
        }
        if let Some(text) = self.prose.take() {
            self.document.prose(&text, style, out);
        }
    }
}
