//! Views: reports, notes and errors as text for people, as HTML for a page, as JSON for programs, and as pictures.
//!
//! A view sees only reports and diagnostics: no session, graph, terminal or environment. A [`Style`] tells it the width,
//! the colours and the digits. Its result is appended to a string, or is the content of a file.

mod column;
mod document;
pub mod json;
mod list;
pub mod number;
mod picture;
mod pieces;
mod placed_row;
mod sheets;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub mod theme;
mod visible_span;

use crate::diagnostic::{Diagnostic, Translation};
use crate::report::{Note, Piece};

pub use self::document::{
    Document, DocumentFormat, DocumentPicture, marked_html, page_style, report_html,
};
pub use self::picture::{picture, picture_title};
pub use self::sheets::{csv, sheets};
pub use self::text::report;

use self::text::excerpt::{self, ExcerptMark};
use self::theme::{Role, Theme};
use self::visible_span::KnownPlace;

/// A destination for answers, so that a long answer can be printed in parts.
pub trait AnswerSink {
    /// The text that is not yet printed. The view appends to it.
    fn text(&mut self) -> &mut String;
    /// The view calls this between two rows of a table; the text may be printed then.
    fn row_ends(&mut self) {}
}

impl AnswerSink for String {
    fn text(&mut self) -> &mut String {
        self
    }
}

/// The settings for the look of text. They are passed to each call, because the two output streams may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Significant digits of a single result.
    pub digits: u8,
    /// Significant digits in tables.
    pub table_digits: u8,
    /// The columns of the terminal; `None` for a pipe or a file, where lines may have any length.
    pub width: Option<usize>,
    /// The theme, if colours may be used.
    pub color: Option<Theme>,
    /// Whether pictures in PNG files have a dark ground.
    pub dark: bool,
    /// Whether the numbers of a picture change while it is shown. Then all have room for a few digits.
    pub moves: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            digits: 12,
            table_digits: 6,
            width: None,
            color: None,
            dark: false,
            moves: false,
        }
    }
}

impl Style {
    /// The columns of a line; without a terminal there is no limit.
    fn columns(&self) -> usize {
        self.width.unwrap_or(usize::MAX)
    }

    /// A page breaks lines by itself.
    pub(crate) fn is_page(&self) -> bool {
        self.color == Some(Theme::Page)
    }

    /// Appends a text in the colour of its role.
    pub(crate) fn paint(&self, text: &str, role: Role, out: &mut String) {
        theme::paint(text, role, self.color, out);
    }
}

/// The place of a statement in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementPlace<'t> {
    /// The script; `None` for the prompt.
    pub file: Option<&'t str>,
    /// The line number of the first line of `text`, counted from 1.
    pub line: usize,
    /// The text that spans refer to: a chunk, which may contain line breaks.
    pub text: &'t str,
    /// The line that was run instead of a statement of the text. Spans refer to this line then.
    pub translated: Option<&'t Translation>,
    /// The place from which lines and columns are counted, such as where the statement begins.
    known: KnownPlace,
}

impl<'t> StatementPlace<'t> {
    /// A text without a translation.
    pub fn new(file: Option<&'t str>, line: usize, text: &'t str) -> StatementPlace<'t> {
        StatementPlace {
            file,
            line,
            text,
            translated: None,
            known: KnownPlace::start(text),
        }
    }

    /// The same text; lines and columns are counted from this place on.
    #[must_use]
    pub fn counted_from(self, at: usize) -> StatementPlace<'t> {
        StatementPlace {
            known: self.known.move_to(self.text, at),
            ..self
        }
    }

    /// The number of the line from which lines are counted.
    pub fn known_line(&self) -> usize {
        self.line + self.known.row
    }

    /// The same place; with a translation, spans refer to its line.
    #[must_use]
    pub fn with_translation(self, translated: Option<&'t Translation>) -> StatementPlace<'t> {
        StatementPlace { translated, ..self }
    }
}

/// Writes a note and, if it has a place, the part of the statement there.
pub fn note(note: &Note, place: &StatementPlace, style: &Style, out: &mut String) {
    style.paint("note:", Role::Note, out);
    out.push(' ');
    pieces::flow(&note.message, (6, 6), style.columns(), style, out);
    out.push('\n');
    let mark = (note.place.clone()).map(|(span, label)| ExcerptMark {
        span,
        label,
        role: Role::Note,
    });
    excerpt::write(place, mark.as_slice(), style, out);
}

/// A line without colour and without a line break.
pub fn plain(line: &[Piece], style: &Style) -> String {
    let texts = pieces::texts(line, style).into_iter();
    texts.map(|(text, _)| text).collect()
}

/// Writes an error, with its place and its help.
pub fn diagnostic(
    diagnostic: &Diagnostic,
    place: Option<&StatementPlace>,
    style: &Style,
    out: &mut String,
) {
    style.paint("error:", Role::Error, out);
    out.push(' ');
    text::words(&diagnostic.message, 7, style, out);
    let mut help = diagnostic.help.as_deref();
    if let Some(place) = place {
        let translated = diagnostic.translated.as_deref();
        let place = &place.with_translation(translated.or(place.translated));
        let mut label = diagnostic.label.as_str();
        // At the prompt the help stands beside the caret if there is no label, which saves a line.
        if diagnostic.span.is_some() && place.file.is_none() && label.is_empty() {
            label = help.take_if(|help| !help.contains('\n')).unwrap_or("");
        }
        let primary = diagnostic.span.iter();
        let primary = primary.map(|span| (span, label, Role::Error));
        let others = diagnostic.others.iter();
        let others = others.map(|(span, label)| (span, label.as_str(), Role::Place));
        let marks = primary
            .chain(others)
            .map(|(span, label, role)| ExcerptMark {
                span: span.clone(),
                label: vec![Piece::plain(label)],
                role,
            });
        excerpt::write(place, &marks.collect::<Vec<_>>(), style, out);
    }
    if let Some(help) = help {
        style.paint("help:", Role::Help, out);
        out.push(' ');
        text::words(help, 6, style, out);
    }
}
