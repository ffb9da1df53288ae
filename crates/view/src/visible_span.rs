//! Finds the visible part of a span: within one line, at character boundaries, without surrounding blanks. The carets below
//! a line, and the line and the column in JSON, are those of the visible part.

use std::ops::Range;

use super::StatementPlace;

/// A place in a text whose row and column are known. The rows and columns of later places are counted from here, so the
/// time for many places on a long line grows only with the length of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KnownPlace {
    /// The place, in bytes.
    at: usize,
    /// The number of lines before the place.
    pub row: usize,
    /// The number of characters before the place in its line.
    column: usize,
    /// The range of the place's line, in bytes.
    line: (usize, usize),
}

impl KnownPlace {
    /// The beginning of a text.
    pub(crate) fn start(text: &str) -> KnownPlace {
        KnownPlace {
            at: 0,
            row: 0,
            column: 0,
            line: (0, text.find('\n').unwrap_or(text.len())),
        }
    }

    /// Another place of the same text. A place beyond the text becomes its end.
    #[must_use]
    pub(crate) fn move_to(self, text: &str, at: usize) -> KnownPlace {
        let place = text.floor_char_boundary(at.min(text.len()));
        // Counting goes forward only, so an earlier place is counted from the beginning.
        if place < self.at {
            return KnownPlace::start(text).move_to(text, place);
        }
        let passed = &text[self.at..place];
        let mut moved = KnownPlace { at: place, ..self };
        if let Some(last_break) = passed.rfind('\n') {
            let line_begin = self.at + last_break + 1;
            let rest = text[place..].find('\n');
            moved.line = (line_begin, rest.map_or(text.len(), |rest| place + rest));
            moved.row += passed.matches('\n').count();
            moved.column = text[line_begin..place].chars().count();
        } else {
            moved.column += passed.chars().count();
        }
        moved
    }
}

/// A span limited to its text, to one line and to character boundaries.
pub(crate) struct VisibleSpan {
    /// The visible part, in bytes.
    pub span: Range<usize>,
    /// The line of the span, in bytes, without the line ending.
    pub line: Range<usize>,
    /// The number of lines before this line.
    pub row: usize,
    /// The column of the first character, counted from 1.
    pub column: usize,
}

impl VisibleSpan {
    /// A span of a statement's text. It is the whole statement if there is no span, or if another line was run instead.
    pub(crate) fn of_statement(place: &StatementPlace, span: Option<&Range<usize>>) -> VisibleSpan {
        let span = place.translated.map(|it| &it.from).or(span);
        let whole = place.known.at..place.text.len();
        VisibleSpan::find(place.text, span.unwrap_or(&whole), place.known)
    }

    /// A span of a text with a known place.
    pub(crate) fn find(text: &str, span: &Range<usize>, known: KnownPlace) -> VisibleSpan {
        let mut begin = known.move_to(text, span.start);
        let end = text.floor_char_boundary(span.end.min(text.len()));
        // Surrounding blanks and line breaks do not belong to the visible part, unless there is nothing else.
        let whole = text.get(begin.at..end).unwrap_or_default();
        let blanks = whole.len() - whole.trim_start().len();
        let mut length = 0;
        if blanks < whole.len() {
            begin = begin.move_to(text, begin.at + blanks);
            let in_line = &text[begin.at..end.min(begin.line.1)];
            length = in_line.trim_end().len();
        }
        let (from, break_at) = begin.line;
        let to = from + text[from..break_at].trim_end_matches('\r').len();
        let start = begin.at.min(to);
        VisibleSpan {
            span: start..(begin.at + length).clamp(start, to),
            line: from..to,
            row: begin.row,
            column: begin.column + 1,
        }
    }
}
