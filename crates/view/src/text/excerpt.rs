//! Writes the excerpt of an error or a note: its source line, with carets below the place and a label beside the carets.
//!
//! In a script an excerpt has a header, `--> file:line:column`, and line numbers. At the prompt the user has just typed
//! the line, so both are left out. If a line is long, only a window around the place is shown and measured.

use std::ops::Range;

use crate::visible_span::{KnownPlace, VisibleSpan};
use crate::{StatementPlace, Style, pieces};
use chainrule_report::characters::{self, push_blanks};
use chainrule_report::{Line, Role};

/// The bar between a line number and the source.
const BAR: &str = " | ";
/// The indent at the prompt: the width of `note: `.
const INDENT: usize = 6;
/// The columns of an excerpt if the terminal has no width.
const DEFAULT_COLUMNS: usize = 120;
/// The columns of an excerpt on a page, as many as a phone shows: the page breaks longer lines, and carets would then stand
/// below other text.
const PAGE_COLUMNS: usize = 44;
/// The fewest columns of a source line, even if the terminal wraps it.
const MIN_COLUMNS: usize = 12;

/// A place with carets and a label.
pub(crate) struct ExcerptMark {
    /// A range of bytes. It is limited to the text.
    span: Range<usize>,
    /// The label beside the carets.
    label: Line,
    /// The colour of the carets; [`Role::Place`] is for secondary places.
    role: Role,
}

impl ExcerptMark {
    pub(crate) fn new(span: Range<usize>, label: Line, role: Role) -> ExcerptMark {
        ExcerptMark { span, label, role }
    }
}

/// Writes the header of a script, the lines with marks, and the marks. The most important mark comes first in `marks`.
/// Without a mark the header refers to the first line of the statement.
///
/// If the statement was translated, the marks belong to the translation, whose line follows that of the statement.
pub(crate) fn write(
    place: &StatementPlace,
    marks: &[ExcerptMark],
    style: &Style,
    out: &mut String,
) {
    let main_spot = VisibleSpan::of_statement(place, marks.first().map(|mark| &mark.span));
    let (marked, known) = match place.translated {
        Some(translated) => (&*translated.line, KnownPlace::start(&translated.line)),
        None => (place.text, place.known),
    };
    let mut spots: Vec<(VisibleSpan, &ExcerptMark)> = marks
        .iter()
        .map(|mark| (VisibleSpan::find(marked, &mark.span, known), mark))
        .collect();
    // The sort is stable, so within a line the first mark stays before the others.
    spots.sort_by_key(|(spot, _)| spot.row);
    let last_row = match spots.last() {
        Some((spot, _)) if place.translated.is_none() => spot.row,
        _ => main_spot.row,
    };
    let last_line = (place.file).map(|_| (place.line + last_row).to_string());
    let mut margin = Margin {
        digits: last_line.map(|number| number.len()),
        has_arrow: false,
    };
    if let Some(file) = place.file {
        let line_number = place.line + main_spot.row;
        margin.header(file, line_number, main_spot.column, style, out);
        if spots.is_empty() || place.translated.is_some() {
            let line = &place.text[main_spot.line];
            let view = View::new(line, 0..0, margin.room(style));
            margin.source(line_number, &view.text, style, out);
        }
    }
    // The statement above has a line number; only its translation, which follows, has an arrow.
    margin.has_arrow = place.translated.is_some();
    write_marked_lines(marked, place.line, &spots, &margin, style, out);
}

/// The columns of an excerpt with its margin, if there is a limit.
fn line_columns(style: &Style) -> Option<usize> {
    style.is_page().then_some(PAGE_COLUMNS).or(style.width)
}

/// Writes the lines of a text that have marks, each with its marks below. `first_line` is the number of the first line.
fn write_marked_lines(
    text: &str,
    first_line: usize,
    spots: &[(VisibleSpan, &ExcerptMark)],
    margin: &Margin,
    style: &Style,
    out: &mut String,
) {
    let mut last_row = None;
    for of_line in spots.chunk_by(|(one, _), (next, _)| one.row == next.row) {
        let (first, _) = &of_line[0];
        if last_row.is_some_and(|row| row + 1 < first.row) {
            margin.blank(out);
            style.paint(characters::ELLIPSIS, Role::Dim, out);
            out.push('\n');
        }
        last_row = Some(first.row);
        let line = &text[first.line.clone()];
        let bytes_in_line =
            |spot: &VisibleSpan| spot.span.start - spot.line.start..spot.span.end - spot.line.start;
        let view = View::new(line, bytes_in_line(first), margin.room(style));
        margin.source(first_line + first.row, &view.text, style, out);
        for (spot, mark) in of_line {
            let columns = view.columns(line, &bytes_in_line(spot));
            margin.write_mark(&columns, mark, style, out);
        }
    }
}

/// The margin to the left of the source: line numbers and a bar, or blanks.
struct Margin {
    /// The digits of the last line number; `None` at the prompt.
    digits: Option<usize>,
    /// Whether the source is a translation. It has an arrow instead of a line number.
    has_arrow: bool,
}

impl Margin {
    fn width(&self) -> usize {
        self.digits.map_or(INDENT, |digits| digits + BAR.len())
    }

    /// The columns for the source. They are limited even without a width, because a line may be very long.
    fn room(&self, style: &Style) -> usize {
        let columns = line_columns(style).unwrap_or(DEFAULT_COLUMNS);
        columns.saturating_sub(self.width()).max(MIN_COLUMNS)
    }

    /// Writes the place of the excerpt: `--> file:line:column`.
    fn header(&self, file: &str, line: usize, column: usize, style: &Style, out: &mut String) {
        self.blank(out);
        style.paint("--> ", Role::Dim, out);
        let place = format!("{}:{line}:{column}", characters::clean(file));
        style.paint(&place, Role::Place, out);
        out.push('\n');
    }

    /// Writes blanks in place of a line number.
    fn blank(&self, out: &mut String) {
        push_blanks(self.digits.unwrap_or(INDENT), out);
    }

    /// Writes a line of the source with the margin before it.
    fn source(&self, number: usize, text: &str, style: &Style, out: &mut String) {
        if self.has_arrow {
            let arrow = "→ ";
            push_blanks(self.width() - characters::width(arrow), out);
            style.paint(arrow, Role::Dim, out);
        } else if let Some(digits) = self.digits {
            let blank = if text.is_empty() { "" } else { " " };
            style.paint(&format!("{number:>digits$}"), Role::Place, out);
            style.paint(&format!(" |{blank}"), Role::Dim, out);
        } else if !text.is_empty() {
            push_blanks(INDENT, out);
        }
        out.push_str(text);
        out.push('\n');
    }

    /// Writes the margin of a line with carets.
    fn bar(&self, style: &Style, out: &mut String) {
        self.blank(out);
        if self.digits.is_some() {
            style.paint(BAR, Role::Dim, out);
        }
    }

    /// Writes carets with the label beside them, or below them if there is no room.
    fn write_mark(
        &self,
        columns: &Range<usize>,
        mark: &ExcerptMark,
        style: &Style,
        out: &mut String,
    ) {
        let caret = if mark.role == Role::Place { "-" } else { "^" };
        self.bar(style, out);
        push_blanks(columns.start, out);
        style.paint(&caret.repeat(columns.len()), mark.role, out);
        let width = pieces::width(&mark.label, style);
        // Labels are short, so without a width they need no limit, unlike the source in `room`. They can wrap in a window
        // that is too narrow for carets, so they have no minimum either.
        let all_columns = line_columns(style).unwrap_or(usize::MAX);
        let room = all_columns.saturating_sub(self.width());
        if width > 0 && columns.end + 1 + width <= room {
            out.push(' ');
            pieces::line(&mark.label, style, out);
        } else if width > 0 {
            let start = columns.start.min(room.saturating_sub(width));
            let mut label = String::new();
            pieces::flow(&mark.label, (0, 0), room - start, style, &mut label);
            for line in label.lines() {
                out.push('\n');
                self.bar(style, out);
                push_blanks(start, out);
                out.push_str(line);
            }
        }
        out.push('\n');
    }
}

/// The part of a line that is shown.
struct View {
    /// The shown text, safe for the terminal, with an ellipsis wherever the line is cut.
    text: String,
    /// The shown bytes of the line.
    shown: Range<usize>,
    /// The width of the ellipsis at the beginning; 0 if there is none.
    width_before: usize,
}

impl View {
    fn new(line: &str, focus: Range<usize>, room: usize) -> View {
        let dots = characters::ELLIPSIS;
        let shown = window(line, focus, room, characters::width(dots));
        let mut text = String::from(if shown.start > 0 { dots } else { "" });
        let width_before = characters::width(&text);
        text.push_str(&characters::clean(&line[shown.clone()]));
        if shown.end < line.len() {
            text.push_str(dots);
        }
        text.truncate(text.trim_end().len());
        View {
            text,
            shown,
            width_before,
        }
    }

    /// The columns of a span of the line. Even an empty span has one, for its caret.
    fn columns(&self, line: &str, span: &Range<usize>) -> Range<usize> {
        let start = span.start.clamp(self.shown.start, self.shown.end);
        let end = span.end.clamp(start, self.shown.end);
        let from = self.width_before + characters::width(&line[self.shown.start..start]);
        from..from + characters::width(&line[start..end]).max(1)
    }
}

/// The bytes of the line that fit into `room` columns, with the start of the focus in the middle and `dots` columns for an
/// ellipsis at each end. Lines may be very long, so it examines no more of the line than fits.
fn window(line: &str, focus: Range<usize>, room: usize, dots: usize) -> Range<usize> {
    if characters::bytes_that_fit(line, room) == line.len() {
        return 0..line.len();
    }
    let inner = room.saturating_sub(2 * dots);
    let before = characters::bytes_that_fit_back(&line[..focus.start], inner / 2);
    // Near the end of the line there is more room before the focus.
    let last = line.len() - characters::bytes_that_fit_back(line, inner);
    let start = last.min(focus.start - before);
    start..start + characters::bytes_that_fit(&line[start..], inner)
}
