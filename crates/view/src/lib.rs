#![doc = include_str!("../README.md")]
#![warn(unreachable_pub)]

mod document;
pub mod json;
mod picture;
mod sheets;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod visible_span;

use chainrule_report::diagnostic::{Diagnostic, Translation};
use chainrule_report::{Note, Piece, characters};
pub use chainrule_style::{GAP, Movement, Style, number, plain, theme};
use chainrule_style::{column, facts, list, pieces, placed_row};

pub use self::document::{
    Document, DocumentFormat, DocumentPicture, marked_html, page_style, report_html,
};
pub use self::picture::picture;
pub use self::sheets::{csv, sheets};
pub use self::text::report;
pub use chainrule_pictures::picture_title;

use self::text::excerpt::{self, ExcerptMark};
use self::theme::Role;
use self::visible_span::{KnownPlace, VisibleSpan};

/// The most bytes of a help that stands beside a caret of a page.
const BESIDE: usize = 30;

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

/// Writes a note: in a script behind its file and line, and at the prompt above the part of the statement that it is
/// about.
pub fn note(note: &Note, place: &StatementPlace, style: &Style, out: &mut String) {
    let span = note.place.as_ref().map(|(span, _)| span);
    let row = VisibleSpan::of_statement(place, span).row;
    let file = place.file.map(characters::clean);
    let begin = file.map_or_else(String::new, |it| format!("{it}:{}: ", place.line + row));
    style.paint(&begin, Role::Place, out);
    style.paint("note:", Role::Note, out);
    out.push(' ');
    let column = characters::width(&begin) + 6;
    pieces::flow(&note.message, (column, 6), style.columns(), style, out);
    out.push('\n');
    if place.file.is_some() {
        return;
    }
    let mark = (note.place.clone()).map(|(span, label)| ExcerptMark {
        span,
        label,
        role: Role::Note,
    });
    excerpt::write(place, mark.as_slice(), style, out);
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
    text::words(
        &diagnostic.message,
        |line| vec![Piece::plain(line)],
        7,
        style,
        out,
    );
    let mut help = diagnostic.help.as_deref();
    if let Some(place) = place {
        let translated = diagnostic.translated.as_deref();
        let place = &place.with_translation(translated.or(place.translated));
        let mut label = diagnostic.label.as_str();
        if let Some(inside) = &diagnostic.inside {
            let mark = ExcerptMark {
                span: inside.span.clone(),
                label: vec![Piece::plain(format!("in `{}`", inside.function))],
                role: Role::Error,
            };
            excerpt::write(
                &StatementPlace::new(None, 1, &inside.line),
                &[mark],
                style,
                out,
            );
            label = "called here";
        }
        // At the prompt the help stands beside the caret if there is no label, which saves a line. A page breaks lines by
        // itself, and there a long one has a line of its own.
        let has_room = diagnostic.span.is_some() && place.file.is_none() && label.is_empty();
        let is_short =
            |help: &str| !(help.contains('\n') || style.is_page() && help.len() > BESIDE);
        let label = match help.take_if(|help| has_room && is_short(help)) {
            Some(help) => text::help_line(help),
            None => vec![Piece::plain(label)],
        };
        let primary = diagnostic.span.iter();
        let primary = primary.map(|span| (span, label.clone(), Role::Error));
        let others = diagnostic.others.iter();
        let others = others.map(|(span, label)| (span, vec![Piece::plain(label)], Role::Place));
        let marks = primary
            .chain(others)
            .map(|(span, label, role)| ExcerptMark {
                span: span.clone(),
                label,
                role,
            });
        excerpt::write(place, &marks.collect::<Vec<_>>(), style, out);
    }
    if let Some(help) = help {
        style.paint("help:", Role::Help, out);
        out.push(' ');
        text::words(help, text::help_line, 6, style, out);
    }
}
