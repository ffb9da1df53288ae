//! Tables as text: numbers aligned on their decimal points, names to the left, no lines.
//!
//! If a table is too wide, its words are shortened first, then its columns of high rank are dropped and named below it,
//! then digits, and at last its columns from the right. Numbers are never cut and rows never wrap. A table whose columns are all for JSON shows nothing. Rounding and measuring is done in `number` and `column`.

use super::column::{CellPart, CellText, TextColumn};
use super::prose;
use crate::report::{Audience, Cell, Column, Piece, Table};
use crate::stop;
use crate::view::characters::push_blanks;
use crate::view::theme::Role;
use crate::view::{Style, characters, number};

const INDENT: usize = 2;
/// Blanks between columns: usually, and if there is little room.
const GAPS: [usize; 2] = [3, 2];
/// The columns that words keep while other things can still give way, and when nothing else can.
const ENOUGH_WORDS: usize = 12;
const FEWEST_WORDS: usize = 6;
/// The digits that numbers keep.
const FEWEST_DIGITS: u8 = 3;

/// Writes the table: titles, rows, and how many rows were omitted.
pub(crate) fn write(table: &Table, style: &Style, out: &mut String) {
    if table.columns.iter().any(is_shown) && !(table.rows.is_empty() && table.omitted.is_none()) {
        let rows = &*table.rows.all();
        let layout = Layout::find(table, rows, style);
        layout.write(rows.len(), style, out);
        layout.tell_dropped(style, out);
        if let Some((count, typed)) = &table.omitted {
            let dots = characters::ellipsis(style.ascii);
            let rows = if *count == 1 { "row" } else { "rows" };
            let line = format!(
                "{dots} {count} more {rows}: {}",
                characters::clean(typed, style.ascii)
            );
            remark(line, style, out);
        }
    }
}

/// Writes a remark below a table.
fn remark(line: String, style: &Style, out: &mut String) {
    push_blanks(INDENT, out);
    let room = style.width.unwrap_or(usize::MAX);
    prose::flow(&[Piece::Dim(line)], (INDENT, 2 * INDENT), room, style, out);
    out.push('\n');
}

fn is_shown(column: &Column) -> bool {
    column.audience != Audience::Machines
}

/// The shown columns and the widths they get.
struct Layout {
    tracks: Vec<TextColumn>,
    widths: Vec<usize>,
    gap: usize,
    /// The titles of the columns for which the window is too narrow, and the width that would hold all columns.
    dropped: (Vec<String>, usize),
}

impl Layout {
    /// The best layout for the available width.
    fn find(table: &Table, rows: &[Vec<Cell>], style: &Style) -> Layout {
        let mut tracks = tracks(table, rows, style.table_digits, style);
        let all: Vec<String> = tracks
            .iter()
            .map(|track| track.title.text.clone())
            .collect();
        let enough = least_width(&tracks, ENOUGH_WORDS);
        let layout = |tracks: Vec<TextColumn>, (widths, gap)| {
            let mut dropped = all.clone();
            for track in &tracks {
                if let Some(place) = dropped.iter().position(|title| *title == track.title.text) {
                    dropped.remove(place);
                }
            }
            Layout {
                tracks,
                widths,
                gap,
                dropped: (dropped, enough),
            }
        };
        let Some(room) = style.width else {
            let widths = tracks.iter().map(TextColumn::width).collect();
            return layout(tracks, (widths, GAPS[0]));
        };
        loop {
            if let Some(shares) = share(&tracks, room, ENOUGH_WORDS) {
                return layout(tracks, shares);
            }
            let ranked = tracks
                .iter()
                .enumerate()
                .filter(|(_, track)| track.rank > 0);
            let Some((last, _)) = ranked.max_by_key(|(_, track)| track.rank) else {
                break;
            };
            tracks.remove(last);
        }
        // If the user has asked for all digits, none is dropped.
        let fewest = if style.table_digits < number::EXACT {
            FEWEST_DIGITS.min(style.table_digits)
        } else {
            style.table_digits
        };
        let narrow = self::tracks(table, rows, fewest, style);
        let mut tracks: Vec<TextColumn> = unranked(narrow).collect();
        while tracks.len() > 1 && share(&tracks, room, FEWEST_WORDS).is_none() {
            tracks.pop();
        }
        let columns = tracks.len();
        for words in [ENOUGH_WORDS, FEWEST_WORDS] {
            for digits in (fewest..=style.table_digits).rev() {
                let all = self::tracks(table, rows, digits, style);
                let tracks: Vec<TextColumn> = unranked(all).take(columns).collect();
                if let Some(shares) = share(&tracks, room, words) {
                    return layout(tracks, shares);
                }
            }
        }
        // A single column that is wider than the window.
        let widths = tracks.iter().map(TextColumn::width).collect();
        layout(tracks, (widths, GAPS[1]))
    }

    /// Tells which columns are not shown.
    fn tell_dropped(&self, style: &Style, out: &mut String) {
        let (titles, width) = &self.dropped;
        if titles.is_empty() {
            return;
        }
        let dots = characters::ellipsis(style.ascii);
        let named: Vec<&str> = titles
            .iter()
            .map(String::as_str)
            .filter(|title| !title.is_empty())
            .collect();
        let named = match (named.join(", "), titles.len()) {
            (named, 1) if named.is_empty() => "1 more column".to_string(),
            (named, count) if named.is_empty() => format!("{count} more columns"),
            (named, _) => named,
        };
        remark(
            format!("{dots} from {width} columns on: {named}"),
            style,
            out,
        );
    }

    fn write(&self, rows: usize, style: &Style, out: &mut String) {
        let starts = self.widths.iter().scan(INDENT, |next, width| {
            let start = *next;
            *next += width + self.gap;
            Some(start)
        });
        let places: Vec<(&TextColumn, usize, usize)> = self
            .tracks
            .iter()
            .zip(starts)
            .zip(&self.widths)
            .map(|((track, start), width)| (track, start, *width))
            .collect();
        // A table without any titles has no head.
        if places
            .iter()
            .any(|(track, ..)| !track.title.text.is_empty())
        {
            let mut head = TableRow::new(style, out);
            for (track, start, width) in &places {
                head.words(track, &track.title, *start, *width);
            }
            head.end();
        }
        for index in stop::asking(0..rows) {
            let mut row = TableRow::new(style, out);
            for (track, start, width) in &places {
                row.entry(track, &track.entries[index], *start, *width);
            }
            row.end();
        }
    }
}

/// A row being written. Blanks are only written before a text, so no row ends with one.
struct TableRow<'o> {
    style: &'o Style,
    column: usize,
    out: &'o mut String,
}

impl<'o> TableRow<'o> {
    fn new(style: &'o Style, out: &'o mut String) -> TableRow<'o> {
        TableRow {
            style,
            column: 0,
            out,
        }
    }

    fn put(&mut self, text: &str, role: Role, at: usize, width: usize) {
        if text.is_empty() {
            return;
        }
        push_blanks(at.saturating_sub(self.column), self.out);
        self.style.paint(text, role, self.out);
        self.column = self.column.max(at) + width;
    }

    fn part(&mut self, part: &CellPart, at: usize) {
        self.put(&part.text, part.role, at, part.left + part.right);
    }

    fn words(&mut self, track: &TextColumn, part: &CellPart, start: usize, width: usize) {
        if track.numeric {
            self.part(part, start + track.front() - part.left);
        } else {
            self.shortened(part, start, width);
        }
    }

    /// Names and formulas may differ only at their ends (`weight_1`, `a*b @9`), so they lose their middle; sentences
    /// lose their end.
    fn shortened(&mut self, part: &CellPart, at: usize, room: usize) {
        let shorten = match part.role {
            Role::Name | Role::Formula => characters::shorten_middle,
            _ => characters::shorten_end,
        };
        let text = shorten(&part.text, room, self.style.ascii);
        self.put(&text, part.role, at, characters::width(&text));
    }

    fn entry(&mut self, track: &TextColumn, entry: &CellText, start: usize, width: usize) {
        let point = start + track.front() - track.before.right;
        match entry {
            CellText::Blank => {}
            CellText::Words(part) => self.words(track, part, start, width),
            CellText::Bar(bar) => self.part(&CellPart::bar(bar, width, self.style), start),
            CellText::Number(part) => self.part(part, point - part.left),
            CellText::Pair(before, sign, after) => {
                self.part(before, point - before.left);
                let front = start + track.front();
                self.put(
                    sign.trim(),
                    Role::Dim,
                    front + 1,
                    characters::width(sign) - 2,
                );
                self.part(after, front + track.sign + track.after.left - after.left);
            }
        }
    }

    fn end(self) {
        self.out.push('\n');
    }
}

/// The columns for people, without those that have no entries.
fn tracks(table: &Table, rows: &[Vec<Cell>], digits: u8, style: &Style) -> Vec<TextColumn> {
    let shown = (0..table.columns.len()).filter(|index| is_shown(&table.columns[*index]));
    shown
        .map(|index| TextColumn::new(&table.columns[index], (rows, index), digits, style))
        .filter(|track| !track.is_blank())
        .collect()
}

/// The columns that are dropped only when nothing else can give way.
fn unranked(tracks: Vec<TextColumn>) -> impl Iterator<Item = TextColumn> {
    tracks.into_iter().filter(|track| track.rank == 0)
}

/// The least width that holds all these columns, where words are shortened down to `floor` columns.
fn least_width(tracks: &[TextColumn], floor: usize) -> usize {
    let widths = tracks.iter().map(|track| {
        if track.numeric {
            track.width()
        } else {
            track.width().min(floor)
        }
    });
    INDENT + GAPS[1] * tracks.len().saturating_sub(1) + widths.sum::<usize>()
}

/// The widths of the columns and the gap between them, where words may be shortened down to `floor` columns; `None` if
/// that does not fit.
fn share(tracks: &[TextColumn], room: usize, floor: usize) -> Option<(Vec<usize>, usize)> {
    let natural: Vec<usize> = tracks.iter().map(TextColumn::width).collect();
    let total = |widths: &[usize], gap: usize| {
        INDENT + gap * widths.len().saturating_sub(1) + widths.iter().sum::<usize>()
    };
    let narrow = GAPS[1];
    if let Some(gap) = GAPS.into_iter().find(|gap| total(&natural, *gap) <= room) {
        return Some((natural, gap));
    }
    let capped = |cap: usize| -> Vec<usize> {
        let cap = |(track, width): (&TextColumn, &usize)| {
            if track.numeric {
                *width
            } else {
                cap.min(*width)
            }
        };
        tracks.iter().zip(&natural).map(cap).collect()
    };
    // The widest words are shortened first: find the largest common limit that fits.
    let cap = (floor..room)
        .rev()
        .find(|cap| total(&capped(*cap), narrow) <= room)?;
    let mut widths = capped(cap);
    let mut left = room - total(&widths, narrow);
    for (width, natural) in widths.iter_mut().zip(&natural) {
        let more = left.min(natural - *width);
        *width += more;
        left -= more;
    }
    Some((widths, narrow))
}
