//! The part of a span that can be pointed at: on one line, between characters, without blanks around it.
//!
//! For carets under a line, and for line and column in JSON.

use std::ops::Range;

/// A span held within its text, within one line and between characters.
pub(crate) struct VisibleSpan {
    /// The place, in bytes.
    pub span: Range<usize>,
    /// Its line, in bytes, without the line's end.
    pub line: Range<usize>,
    /// How many lines stand before it.
    pub row: usize,
}

impl VisibleSpan {
    /// The first visible part of the span.
    pub(crate) fn find(text: &str, span: &Range<usize>) -> VisibleSpan {
        let mut start = text.floor_char_boundary(span.start.min(text.len()));
        let mut end = text
            .floor_char_boundary(span.end.min(text.len()))
            .max(start);
        // Blanks around the place, line ends among them, are no part of it, unless there is nothing else.
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

    /// The column of its first character, from 1.
    pub(crate) fn column(&self, text: &str) -> usize {
        1 + text[self.line.start..self.span.start].chars().count()
    }

    /// How many characters it has; a place between two characters counts as one.
    pub(crate) fn length(&self, text: &str) -> usize {
        text[self.span.clone()].chars().count().max(1)
    }
}
