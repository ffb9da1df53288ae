//! Says where a text comes from, and which statement of the text runs.

use std::path::Path;

use chainrule_language::StatementSpan;
use chainrule_report::diagnostic::Translation;
use chainrule_view::StatementPlace;

/// Where a text comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineOrigin<'o> {
    /// `-e`, `-`, or the path as given. `None` at the prompt, where the line is visible just above.
    pub file: Option<&'o str>,
    /// The path, if the text is from a file: relative paths in the text start at its folder.
    pub path: Option<&'o Path>,
    /// The statements belong to a pasted block and are shown again.
    pub is_echoed: bool,
}

impl<'o> LineOrigin<'o> {
    pub(crate) fn script(name: &'o str, path: Option<&'o Path>) -> LineOrigin<'o> {
        LineOrigin {
            file: Some(name),
            path,
            ..LineOrigin::prompt()
        }
    }

    pub(crate) fn prompt() -> LineOrigin<'static> {
        LineOrigin::default()
    }

    /// The name of the source.
    pub(crate) fn name(self) -> &'o str {
        self.file.unwrap_or("-")
    }

    /// The place of a text from this source. `line` is the number of its first line.
    pub(crate) fn place(self, line: usize, text: &'o str) -> StatementPlace<'o> {
        StatementPlace::new(self.file, line, text)
    }
}

/// A statement to run, in its text and its source. Answers and errors show the statement.
#[derive(Clone, Copy)]
pub(crate) struct Job<'t> {
    /// The source of the text.
    pub origin: LineOrigin<'t>,
    /// The place of the user's text in the source; `None` for a file as a whole.
    pub place: Option<StatementPlace<'t>>,
    /// The text that contains the statement. It is the user's text, unless a translation runs instead.
    pub text: &'t str,
    /// The part of the text that is the statement.
    pub cut: StatementSpan,
}

impl<'t> Job<'t> {
    /// A job for an error about a line that is no statement, or about a file as a whole.
    pub(crate) fn at(origin: LineOrigin<'t>, place: Option<StatementPlace<'t>>) -> Job<'t> {
        Job {
            origin,
            place,
            text: "",
            cut: StatementSpan::whole(""),
        }
    }

    /// A job for what is not about a statement.
    pub(crate) fn nowhere() -> Job<'t> {
        let origin = LineOrigin::prompt();
        Job::at(origin, Some(origin.place(1, "")))
    }

    /// The job of the line that runs instead of the statement.
    pub(super) fn of_translation(self, translated: &'t Translation) -> Job<'t> {
        Job {
            place: self.place.map(|it| it.with_translation(Some(translated))),
            text: &translated.line,
            cut: StatementSpan {
                is_silenced: translated.is_silenced,
                ..StatementSpan::whole(&translated.line)
            },
            ..self
        }
    }

    /// The place with the name of its source, which a document leaves out.
    pub(super) fn place_in_source(&self) -> Option<StatementPlace<'t>> {
        let mut place = self.place?;
        place.file = self.origin.file;
        Some(place)
    }

    /// The line on which the statement begins; 1 for a file as a whole.
    pub(super) fn line(&self) -> usize {
        self.place.map_or(1, |place| place.known_line())
    }
}
