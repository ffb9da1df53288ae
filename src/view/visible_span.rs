//! The visible part of a span: within one line, at character boundaries, without surrounding blanks.
//!
//! Used for carets under a line, and for line and column in JSON.

use std::ops::Range;

use super::StatementPlace;

/// A span limited to its text, to one line and to character boundaries.
pub(crate) struct VisibleSpan {
    /// The visible part, in bytes.
    pub span: Range<usize>,
    /// The line it is in, in bytes, without the line ending.
    pub line: Range<usize>,
    /// The number of lines before it.
    pub row: usize,
}

impl VisibleSpan {
    /// A span of a statement's text. Of what was run instead, as without a span, it is the whole statement.
    pub(crate) fn of_statement(place: &StatementPlace, span: Option<&Range<usize>>) -> VisibleSpan {
        let span = place.translated.map(|it| &it.from).or(span);
        VisibleSpan::find(place.text, span.unwrap_or(&(0..place.text.len())))
    }

    pub(crate) fn find(text: &str, span: &Range<usize>) -> VisibleSpan {
        let mut start = text.floor_char_boundary(span.start.min(text.len()));
        let mut end = text
            .floor_char_boundary(span.end.min(text.len()))
            .max(start);
        // Surrounding blanks and line breaks do not belong to the visible part, unless there is nothing else.
        let inner = text[start..end].trim();
        if inner.is_empty() {
            end = start;
        } else {
            start += text[start..end].len() - text[start..end].trim_start().len();
            end = start + inner.find('\n').unwrap_or(inner.len());
        }
        let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let to = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let to = from + text[from..to].trim_end_matches('\r').len();
        let start = start.min(to);
        let row = text[..from].matches('\n').count();
        VisibleSpan {
            span: start..end.clamp(start, to),
            line: from..to,
            row,
        }
    }

    /// The column of the first character, counted from 1.
    pub(crate) fn column(&self, text: &str) -> usize {
        1 + text[self.line.start..self.span.start].chars().count()
    }

    /// The number of characters; an empty span counts as one.
    pub(crate) fn length(&self, text: &str) -> usize {
        text[self.span.clone()].chars().count().max(1)
    }
}
