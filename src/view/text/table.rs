//! Tables as text: numbers aligned on their decimal points, names to the left, no lines.
//!
//! If a table is too wide, its words are shortened first, then its columns of high rank are dropped and named below it.
//! If that is not enough, numbers get three digits, and columns are dropped from the right. Numbers are never cut and rows
//! never wrap. A table whose columns are all for JSON shows nothing. Rounding and measuring is done in `number` and
//! `column`.

use super::column::{CellPart, CellText, TextColumn};
use crate::report::{Audience, Cell, Column, NumberPart, Numbers, Piece, Table, plural};
use crate::stop;
use crate::view::characters::push_blanks;
use crate::view::theme::Role;
use crate::view::{Style, characters, number, pieces};

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
            let rows = plural(*count, "more row");
            let typed = characters::clean(typed, style.ascii);
            let line = format!("{dots} {rows}: {typed}");
            remark(line, style, out);
        }
    }
}

/// Writes a list of rows of one length as a table without titles: at most so many rows, and the columns that fit. A line
/// below tells the shape if something is left out; JSON has all of it. Returns whether the list is one of rows.
pub(crate) fn rows(numbers: &Numbers, most: usize, style: &Style, out: &mut String) -> bool {
    let [all_rows, all_columns] = numbers.lengths[..] else {
        return false;
    };
    let style = &Style {
        width: Some(style.room()),
        ..style.clone()
    };
    // Each column takes one at least.
    let columns = all_columns.min(style.room());
    let values = numbers.parts.iter().filter_map(|part| match part {
        NumberPart::Number(value) => Some(Cell::Number(*value)),
        NumberPart::Open | NumberPart::Close => None,
    });
    let values: Vec<Cell> = values.take(most.saturating_mul(all_columns)).collect();
    let rows: Vec<Vec<Cell>> = (values.chunks(all_columns.max(1)))
        .map(|row| row[..columns].to_vec())
        .collect();
    // The columns on the right are left out, before any digits are.
    let column = |at| Column::people("").rank(u8::from(at > 0));
    let table = Table {
        columns: (0..columns).map(column).collect(),
        ..Table::default()
    };
    let layout = Layout::find(&table, &rows, style);
    layout.write(rows.len(), style, out);
    if layout.tracks.len() < all_columns || rows.len() < all_rows {
        let dots = characters::ellipsis(style.ascii);
        remark(format!("{dots} {}", numbers.shape), style, out);
    }
    true
}

/// Writes a remark below a table.
fn remark(line: String, style: &Style, out: &mut String) {
    push_blanks(INDENT, out);
    let line = [Piece::Dim(line)];
    pieces::flow(&line, (INDENT, 2 * INDENT), style.columns(), style, out);
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
        let room = style.columns();
        let mut tracks = tracks(table, rows, style.table_digits, style);
        let all: Vec<(usize, String)> = (tracks.iter())
            .map(|track| (track.place, track.title.text.clone()))
            .collect();
        let enough = least_width(&tracks, ENOUGH_WORDS);
        while least_width(&tracks, ENOUGH_WORDS) > room {
            let ranked = tracks.iter().enumerate();
            let ranked = ranked.filter(|(_, track)| track.rank > 0);
            let Some((last, _)) = ranked.max_by_key(|(_, track)| track.rank) else {
                break;
            };
            tracks.remove(last);
        }
        if least_width(&tracks, ENOUGH_WORDS) > room {
            // If the user has asked for all digits, none is dropped.
            let digits = match style.table_digits {
                number::EXACT.. => style.table_digits,
                digits => digits.min(FEWEST_DIGITS),
            };
            tracks = self::tracks(table, rows, digits, style);
            tracks.retain(|track| track.rank == 0);
            while tracks.len() > 1 && least_width(&tracks, FEWEST_WORDS) > room {
                tracks.pop();
            }
        }
        let (widths, gap) = share(&tracks, room);
        let is_dropped = |(place, _): &(usize, String)| tracks.iter().all(|it| it.place != *place);
        let dropped = all.into_iter().filter(is_dropped);
        Layout {
            dropped: (dropped.map(|(_, title)| title).collect(), enough),
            tracks,
            widths,
            gap,
        }
    }

    /// Tells which columns are not shown.
    fn tell_dropped(&self, style: &Style, out: &mut String) {
        let (titles, width) = &self.dropped;
        if titles.is_empty() {
            return;
        }
        let dots = characters::ellipsis(style.ascii);
        let named: Vec<&str> = (titles.iter().map(String::as_str))
            .filter(|title| !title.is_empty())
            .collect();
        let named = match titles.len() {
            count if named.is_empty() => plural(count, "column"),
            _ => named.join(", "),
        };
        let line = format!("{dots} from {width} columns on: {named}");
        remark(line, style, out);
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

/// The least width that holds all these columns, where words are shortened down to `floor` columns.
fn least_width(tracks: &[TextColumn], floor: usize) -> usize {
    total(&capped(tracks, floor), GAPS[1])
}

/// The widths of columns whose words have at most `cap` columns.
fn capped(tracks: &[TextColumn], cap: usize) -> Vec<usize> {
    let width = |track: &TextColumn| {
        if track.numeric {
            track.width()
        } else {
            track.width().min(cap)
        }
    };
    tracks.iter().map(width).collect()
}

fn total(widths: &[usize], gap: usize) -> usize {
    INDENT + gap * widths.len().saturating_sub(1) + widths.iter().sum::<usize>()
}

/// The widths of the columns and the gap between them, where words are shortened as little as the room allows.
fn share(tracks: &[TextColumn], room: usize) -> (Vec<usize>, usize) {
    let natural = capped(tracks, usize::MAX);
    let narrow = GAPS[1];
    if let Some(gap) = GAPS.into_iter().find(|gap| total(&natural, *gap) <= room) {
        return (natural, gap);
    }
    // The widest words are shortened first: find the largest common limit that fits.
    let fits = |cap: &usize| total(&capped(tracks, *cap), narrow) <= room;
    let Some(cap) = (FEWEST_WORDS..room).rev().find(fits) else {
        // A single column that is wider than the window.
        return (natural, narrow);
    };
    let mut widths = capped(tracks, cap);
    let mut left = room - total(&widths, narrow);
    for (width, natural) in widths.iter_mut().zip(&natural) {
        let more = left.min(natural - *width);
        *width += more;
        left -= more;
    }
    (widths, narrow)
}
