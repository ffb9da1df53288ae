//! How a report, a note or an error looks: as text for people, as JSON for machines, as a picture for both.
//!
//! Sees reports and diagnostics and nothing else: no session, no graph, no terminal, no environment. What it is told
//! about the outside stands in a [`Style`]; what it answers is appended to a string, or is the content of a file. It
//! computes nothing but where things go.

pub mod characters;
#[cfg(test)]
mod color_vision;
pub mod json;
pub mod number;
mod picture;
mod pieces;
pub(crate) mod sparkline;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub mod theme;
mod visible_span;

use crate::diagnostic::Diagnostic;
use crate::report::{Note, Picture, Piece, Report};

use self::theme::{Role, Theme};

/// What decides about the looks of text. Colour is a matter of the stream that is written to, hence of each call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Significant digits of a single result.
    pub digits: u8,
    /// Significant digits in tables.
    pub table_digits: u8,
    /// Columns of the terminal; `None` for a pipe or a file, which have no limit.
    pub width: Option<usize>,
    /// In which colours, if escapes may be written.
    pub color: Option<Theme>,
    /// Only plain characters, but for the user's own.
    pub ascii: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            digits: 12,
            table_digits: 6,
            width: None,
            color: None,
            ascii: false,
        }
    }
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementPlace<'t> {
    /// The script; `None` for what was typed at the prompt.
    pub file: Option<&'t str>,
    /// The line of the text's first line, from 1.
    pub line: usize,
    /// The chunk that spans count in: a logical line, which may hold newlines.
    pub text: &'t str,
}

/// The answer to a statement, as text.
pub fn report(report: &Report, style: &Style, out: &mut String) {
    text::report(report, style, out);
}

/// A picture as the content of a file, or why it cannot be made. Its kind is told by the ending of the name: `svg`.
pub fn picture(picture: &Picture, ending: &str, style: &Style) -> Result<Vec<u8>, String> {
    picture::picture(picture, ending, style)
}

/// A note, with the place it speaks of.
pub fn note(note: &Note, place: &StatementPlace, style: &Style, out: &mut String) {
    theme::paint("note:", Role::Note, style.color, out);
    out.push(' ');
    match style.width {
        Some(width) => text::prose::flow(&note.message, (6, 6), width, style, out),
        None => pieces::line(&note.message, style, out),
    }
    out.push('\n');
    let mark = note
        .place
        .clone()
        .map(|(span, label)| text::excerpt::ExcerptMark {
            span,
            label,
            role: Role::Note,
        });
    text::excerpt::write(place, mark, Vec::new(), style, out);
}

/// A line without colour and without an end.
pub fn plain(line: &[Piece], style: &Style) -> String {
    let style = Style {
        color: None,
        ..style.clone()
    };
    let mut out = String::new();
    pieces::line(line, &style, &mut out);
    out
}

/// An error, with its place and the way out.
pub fn diagnostic(
    diagnostic: &Diagnostic,
    place: Option<&StatementPlace>,
    style: &Style,
    out: &mut String,
) {
    theme::paint("error:", Role::Error, style.color, out);
    out.push(' ');
    text::words(&diagnostic.message, 7, style, out);
    let mut help = diagnostic.help.as_deref();
    let words = |label: &str| {
        if label.is_empty() {
            Vec::new()
        } else {
            vec![Piece::plain(label)]
        }
    };
    if let Some(place) = place {
        let primary = diagnostic.span.clone().map(|span| {
            let mut label = words(&diagnostic.label);
            // At the prompt the way out stands beside the caret when nothing else does: one line less to read.
            if place.file.is_none()
                && label.is_empty()
                && help.is_some_and(|help| !help.contains('\n'))
            {
                label = words(help.take().unwrap_or_default());
            }
            text::excerpt::ExcerptMark {
                span,
                label,
                role: Role::Error,
            }
        });
        let others = diagnostic
            .others
            .iter()
            .map(|(span, label)| text::excerpt::ExcerptMark {
                span: span.clone(),
                label: words(label),
                role: Role::Dim,
            })
            .collect();
        text::excerpt::write(place, primary, others, style, out);
    }
    if let Some(help) = help {
        theme::paint("help:", Role::Help, style.color, out);
        out.push(' ');
        text::words(help, 6, style, out);
    }
}
