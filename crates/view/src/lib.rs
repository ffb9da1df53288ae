#![doc = include_str!("../README.md")]
#![warn(unreachable_pub)]
#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

mod document;
pub mod json;
mod sheets;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod visible_span;

use chainrule_report::diagnostic::{Diagnostic, LineInside, Translation};
use chainrule_report::{Line, Note, Picture, Piece, TABLE_ENDINGS, characters};
pub use chainrule_style::html::marked_html;
pub use chainrule_style::{Movement, Style, number, plain, theme};
use chainrule_style::{column, facts, list, pieces, placed_row};

pub use self::document::{
    Document, DocumentFormat, DocumentPicture, GAP, Worksheet, page_style, report_html,
};
pub use self::sheets::{sheets, write_csv_header, write_csv_rows};
pub use self::text::report;
pub use chainrule_pictures::{picture_element, picture_title};

use self::text::excerpt::{self, ExcerptMark};
use self::theme::Role;
use self::visible_span::{KnownPlace, VisibleSpan};

/// The most bytes of a help that stands beside the caret on a page.
const MOST_BYTES_BESIDE: usize = 30;

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
    /// The line that was run instead of the statement. Spans refer to this line then.
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

    /// The same text, with lines and columns counted from this place on.
    #[must_use]
    pub fn counted_from(mut self, at: usize) -> StatementPlace<'t> {
        self.known = self.known.move_to(self.text, at);
        self
    }

    /// The number of the line from which lines are counted.
    pub fn known_line(&self) -> usize {
        self.line + self.known.row
    }

    /// The same place with another translation.
    #[must_use]
    pub fn with_translation(self, translated: Option<&'t Translation>) -> StatementPlace<'t> {
        StatementPlace { translated, ..self }
    }
}

/// Writes a note: in a script behind its file and line, at the prompt above the part of the statement to which it refers.
pub fn note(note: &Note, place: &StatementPlace, style: &Style, out: &mut String) {
    let span = note.place.as_ref().map(|(span, _)| span);
    let row = VisibleSpan::of_statement(place, span).row;
    let file = place.file.map(characters::clean);
    let begin = file.map_or_else(String::new, |it| format!("{it}:{}: ", place.line + row));
    style.paint(&begin, Role::Place, out);
    let indent = write_label("note:", Role::Note, style, out);
    let column = characters::width(&begin) + indent;
    pieces::flow(&note.message, (column, indent), style.columns(), style, out);
    out.push('\n');
    if place.file.is_some() {
        return;
    }
    let marked = note.place.clone();
    let mark = marked.map(|(range, label)| ExcerptMark::new(range, label, Role::Note));
    excerpt::write(place, mark.as_slice(), style, out);
}

/// Writes an error, with its place and its help.
pub fn diagnostic(
    diagnostic: &Diagnostic,
    place: Option<&StatementPlace>,
    style: &Style,
    out: &mut String,
) {
    let indent = write_label("error:", Role::Error, style, out);
    let line_of_message = |line: &str| vec![Piece::plain(line)];
    text::words(&diagnostic.message, line_of_message, indent, style, out);
    let is_prompt = place.is_some_and(|place| place.file.is_none());
    let help = diagnostic.help.as_deref();
    let help_beside = help.filter(|help| is_prompt && can_stand_beside(help, diagnostic, style));
    if let Some(place) = place {
        // If another line was run instead of the statement, spans refer to that line.
        let translated = diagnostic.translated.as_deref();
        let place = &place.with_translation(translated.or(place.translated));
        if let Some(inside) = &diagnostic.inside {
            write_line_inside(inside, style, out);
        }
        let own_label = || vec![Piece::plain(label_of(diagnostic))];
        let label = help_beside.map_or_else(own_label, text::help_line);
        excerpt::write(place, &error_marks(diagnostic, label), style, out);
    }
    if let Some(help) = help.filter(|_| help_beside.is_none()) {
        let help_indent = write_label("help:", Role::Help, style, out);
        text::words(help, text::help_line, help_indent, style, out);
    }
}

/// Writes the word before a message, with a blank behind it. Returns how far further lines of the message are indented.
fn write_label(word: &str, role: Role, style: &Style, out: &mut String) -> usize {
    style.paint(word, role, out);
    out.push(' ');
    word.len() + 1
}

/// Writes the line of a called function where an error happened.
fn write_line_inside(inside: &LineInside, style: &Style, out: &mut String) {
    let label = vec![Piece::plain(format!("in `{}`", inside.function))];
    let mark = ExcerptMark::new(inside.span.clone(), label, Role::Error);
    let line = StatementPlace::new(None, 1, &inside.line);
    excerpt::write(&line, &[mark], style, out);
}

/// The words beside the caret of an error.
fn label_of(diagnostic: &Diagnostic) -> &str {
    match diagnostic.inside {
        Some(_) => "called here",
        None => &diagnostic.label,
    }
}

/// Whether the help can stand beside the caret, which saves a line: if no label stands there. A page breaks lines by
/// itself, so only a short help stands there.
fn can_stand_beside(help: &str, diagnostic: &Diagnostic, style: &Style) -> bool {
    let has_room = diagnostic.span.is_some() && label_of(diagnostic).is_empty();
    let is_long = help.contains('\n') || style.is_page() && help.len() > MOST_BYTES_BESIDE;
    has_room && !is_long
}

/// The marks of an error: its own place, with this label, and other places, with their words.
fn error_marks(diagnostic: &Diagnostic, label: Line) -> Vec<ExcerptMark> {
    let own_span = diagnostic.span.clone();
    let own_mark = own_span.map(|span| ExcerptMark::new(span, label, Role::Error));
    let others = diagnostic.others.iter().map(|(span, words)| {
        ExcerptMark::new(span.clone(), vec![Piece::plain(words)], Role::Place)
    });
    own_mark.into_iter().chain(others).collect()
}

/// A picture as the content of a file, with the texts that had to be shortened, or the reason why it cannot be made. The
/// ending of the file name decides whether it is SVG or, of a plot, a table.
pub fn picture(
    picture: &Picture,
    ending: &str,
    style: &Style,
) -> Result<(String, Vec<String>), String> {
    match picture {
        Picture::Plot(plot) if TABLE_ENDINGS.contains(&ending) => {
            Ok((sheets(&[plot.sheet()], ending, style), Vec::new()))
        }
        _ => chainrule_pictures::picture(picture, style),
    }
}
