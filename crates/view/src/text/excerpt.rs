//! Excerpts: the source line of an error or a note, with carets below the place and a label beside them.
//!
//! In a script an excerpt has a header, `--> file:line:column`, and line numbers. At the prompt the user has just typed
//! the line, so both are left out. If a line is long, only a window around the place is shown and measured.

use std::ops::Range;

use crate::theme::Role;
use crate::visible_span::{KnownPlace, VisibleSpan};
use crate::{StatementPlace, Style, pieces};
use chainrule_report::Line;
use chainrule_report::characters;
use chainrule_report::characters::push_blanks;

/// The indent at the prompt: the width of `note: `.
const INDENT: usize = 6;
/// The columns of an excerpt if the terminal has no width.
const WIDE: usize = 120;
/// The columns of an excerpt on a page: the width of a telephone.
const PAGE: usize = 44;
/// The fewest columns of an excerpt, even if they wrap.
const NARROW: usize = 12;

/// A place with carets and a label.
pub(crate) struct ExcerptMark {
    /// A range of bytes. It is limited to the text.
    pub span: Range<usize>,
    /// The label beside the carets.
    pub label: Line,
    /// The colour of the carets; [`Role::Place`] is for secondary places.
    pub role: Role,
}

/// Writes the header, the lines with marks, and the marks. The most important mark comes first in `marks`.
///
/// Without a mark, the header in a script refers to the first line of the statement, and the prompt shows nothing. If another
/// line was run instead of the statement, the marks stand under that line, which follows the statement.
pub(crate) fn write(
    place: &StatementPlace,
    marks: &[ExcerptMark],
    style: &Style,
    out: &mut String,
) {
    let text = place.text;
    let translated = place.translated;
    let head = VisibleSpan::of_statement(place, marks.first().map(|mark| &mark.span));
    let marked = translated.map_or(text, |translated| &translated.line);
    let known = translated.map_or(place.known, |it| KnownPlace::start(&it.line));
    let mut spots: Vec<(VisibleSpan, &ExcerptMark)> = marks
        .iter()
        .map(|mark| (VisibleSpan::find(marked, &mark.span, known), mark))
        .collect();
    // The sort is stable, so within a line the first mark stays before the others.
    spots.sort_by_key(|(spot, _)| spot.row);
    let last = match translated {
        Some(_) => head.row,
        None => spots.last().map_or(head.row, |(spot, _)| spot.row),
    };
    let mut margin = Margin::new(place, last);
    if let Some(file) = place.file {
        let name = characters::clean(file);
        let (line, column) = (place.line + head.row, head.column);
        margin.blank(out);
        style.paint("--> ", Role::Dim, out);
        style.paint(&format!("{name}:{line}:{column}"), Role::Place, out);
        out.push('\n');
        if spots.is_empty() || translated.is_some() {
            let view = View::new(&text[head.line.clone()], 0..0, margin.room(style));
            margin.source(place.line + head.row, &view.text, style, out);
        }
    }
    margin.has_arrow = translated.is_some();
    marked_lines(marked, place.line, &spots, &margin, style, out);
}

/// The columns of an excerpt, whose marks stand below its line.
fn line_columns(style: &Style) -> usize {
    if style.is_page() {
        PAGE
    } else {
        style.columns()
    }
}

/// Writes the lines of a text that have marks, each with the marks below it.
fn marked_lines(
    text: &str,
    number: usize,
    spots: &[(VisibleSpan, &ExcerptMark)],
    margin: &Margin,
    style: &Style,
    out: &mut String,
) {
    let mut shown: Option<(usize, View)> = None;
    for (spot, mark) in spots {
        let line = &text[spot.line.clone()];
        let columns = spot.span.start - spot.line.start..spot.span.end - spot.line.start;
        let last_row = shown.as_ref().map(|(row, _)| *row);
        if last_row != Some(spot.row) {
            if last_row.is_some_and(|row| row + 1 < spot.row) {
                margin.blank(out);
                style.paint(characters::ELLIPSIS, Role::Dim, out);
                out.push('\n');
            }
            let view = View::new(line, columns.clone(), margin.room(style));
            margin.source(number + spot.row, &view.text, style, out);
            shown = Some((spot.row, view));
        }
        if let Some((_, view)) = &shown {
            margin.mark(&view.columns(line, &columns), mark, style, out);
        }
    }
}

/// The margin to the left of the source: line numbers and a bar, or blanks.
struct Margin {
    /// The digits of the last line number; `None` at the prompt.
    digits: Option<usize>,
    /// Whether the source is a line that was run instead of the statement. An arrow stands before it then.
    has_arrow: bool,
}

impl Margin {
    fn new(place: &StatementPlace, last: usize) -> Margin {
        Margin {
            digits: place.file.map(|_| (place.line + last).to_string().len()),
            has_arrow: false,
        }
    }

    fn width(&self) -> usize {
        self.digits.map_or(INDENT, |digits| digits + 3)
    }

    fn room(&self, style: &Style) -> usize {
        let columns = match line_columns(style) {
            usize::MAX => WIDE,
            columns => columns,
        };
        columns.saturating_sub(self.width()).max(NARROW)
    }

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

    fn bar(&self, style: &Style, out: &mut String) {
        self.blank(out);
        if self.digits.is_some() {
            style.paint(" | ", Role::Dim, out);
        }
    }

    /// Writes carets with the label beside them, or below them if there is no room.
    fn mark(&self, columns: &Range<usize>, mark: &ExcerptMark, style: &Style, out: &mut String) {
        let caret = if mark.role == Role::Place { "-" } else { "^" };
        self.bar(style, out);
        push_blanks(columns.start, out);
        style.paint(&caret.repeat(columns.len()), mark.role, out);
        let width = pieces::width(&mark.label, style);
        if width > 0 {
            let room = line_columns(style).saturating_sub(self.width());
            let beside = columns.end + 1;
            if beside + width <= room {
                out.push(' ');
                pieces::line(&mark.label, style, out);
            } else {
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
        }
        out.push('\n');
    }
}

/// The window on a line: the part that is shown.
struct View {
    text: String,
    /// The shown bytes of the line.
    shown: Range<usize>,
    /// The width of the ellipsis at the beginning.
    before: usize,
}

impl View {
    fn new(line: &str, focus: Range<usize>, room: usize) -> View {
        let dots = characters::ELLIPSIS;
        let shown = window(line, focus, room, characters::width(dots));
        let mut text = String::from(if shown.start > 0 { dots } else { "" });
        let before = characters::width(&text);
        for c in line[shown.clone()].chars() {
            characters::push_clean(c, &mut text);
        }
        if shown.end < line.len() {
            text.push_str(dots);
        }
        text.truncate(text.trim_end().len());
        View {
            text,
            shown,
            before,
        }
    }

    /// The columns of a span of the line; at least one.
    fn columns(&self, line: &str, span: &Range<usize>) -> Range<usize> {
        let start = span.start.clamp(self.shown.start, self.shown.end);
        let end = span.end.clamp(start, self.shown.end);
        let from = self.before + characters::width(&line[self.shown.start..start]);
        from..from + characters::width(&line[start..end]).max(1)
    }
}

/// The bytes of the line that fit into `room` columns, with the begin of the focus in the middle and `dots` columns for an
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
