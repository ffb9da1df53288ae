//! Tables as text: numbers aligned on their decimal points, names to the left, no lines.
//!
//! If a table is too wide, its words are shortened first. Then its columns of high rank are dropped, and finally those
//! on the right; a line below names them. Numbers are never cut and rows never wrap. A table whose columns are all for
//! JSON shows nothing. `column.rs` rounds and measures. How many rows a table has is decided by commands, which ask
//! `Session::table_rows`.

use std::borrow::Cow;

use crate::column::{CellPart, TextColumn};
use crate::placed_row::PlacedRow;
use crate::theme::Role;
use crate::{Style, list, pieces};
use chainrule_report::characters;
use chainrule_report::characters::push_blanks;
use chainrule_report::{Cell, Column, Piece, ShownValue, Table, Values};
use chainrule_stop as stop;

const INDENT: usize = 2;
/// Blanks between columns usually, and if there is little room.
const GAP: usize = 3;
const NARROW_GAP: usize = 2;
/// The least width of words while columns can be dropped by their rank, and when no more can be dropped.
const ENOUGH_WORDS: usize = 12;
const FEWEST_WORDS: usize = 6;

/// Writes the table: titles, rows, and how many rows were omitted.
pub(crate) fn write(table: &Table, style: &Style, out: &mut String) {
    if table.rows.is_empty() && table.omitted.is_none() {
        return;
    }
    let rows: Vec<Vec<Cell>> = table.rows.each().collect();
    let layout = Layout::find(&table.columns, &rows, style.columns(), style);
    if layout.tracks.is_empty() {
        return;
    }
    layout.write(rows.len(), style, out);
    layout.write_dropped(style, out);
    if let Some(words) = table.words_for_omitted() {
        remark(&words, style, out);
    }
}

/// A result that is a list of rows of one length, as a table without titles.
pub(crate) struct ListTable<'v> {
    /// The words before the result.
    pub before: &'v [Piece],
    pub table: Table,
    /// The shape of the list.
    pub shape: &'v str,
    /// Whether rows or columns are left out.
    pub is_cut: bool,
}

impl<'v> ListTable<'v> {
    /// `None` if the values are no list of rows, or one that fits on a line.
    pub(crate) fn of_result(shown: &'v Values, style: &Style) -> Option<ListTable<'v>> {
        let [only] = &shown.values[..] else {
            return None;
        };
        let (before, ShownValue::List(numbers), None) = (&only.before, &only.value, &only.name)
        else {
            return None;
        };
        if numbers.widths().is_some() {
            return None;
        }
        let [all_rows, all_columns] = numbers.lengths[..] else {
            return None;
        };
        let room = style.room().saturating_sub(pieces::width(before, style));
        if list::fits(numbers, room, style) {
            return None;
        }
        // Each column takes at least one character.
        let columns = vec![Column::people(""); all_columns.min(style.room())];
        let values = numbers.numbers().map(Cell::Number);
        let values: Vec<Cell> = values
            .take(shown.rows.saturating_mul(all_columns))
            .collect();
        let rows: Vec<Vec<Cell>> = (values.chunks(all_columns.max(1)))
            .map(|row| row[..columns.len()].to_vec())
            .collect();
        Some(ListTable {
            before,
            shape: &numbers.shape,
            is_cut: rows.len() < all_rows || columns.len() < all_columns,
            table: Table {
                columns,
                rows: rows.into(),
                ..Table::default()
            },
        })
    }

    /// Writes the columns that fit. If something is left out, a line below tells the shape.
    pub(crate) fn write(&self, style: &Style, out: &mut String) {
        let rows: Vec<Vec<Cell>> = self.table.rows.each().collect();
        let layout = Layout::find(&self.table.columns, &rows, style.room(), style);
        layout.write(rows.len(), style, out);
        if self.is_cut || layout.tracks.len() < self.table.columns.len() {
            remark(self.shape, style, out);
        }
    }
}

/// Writes a line below a table that says what was left out.
fn remark(words: &str, style: &Style, out: &mut String) {
    push_blanks(INDENT, out);
    let line = [Piece::dim(format!("… {words}"))];
    pieces::flow(&line, (INDENT, 2 * INDENT), style.columns(), style, out);
    out.push('\n');
}

/// The shown columns and the widths they get.
struct Layout {
    tracks: Vec<TextColumn>,
    widths: Vec<usize>,
    gap: usize,
    /// The columns for which there is too little room, and the width that would hold all columns.
    dropped: Vec<TextColumn>,
    enough: usize,
}

impl Layout {
    /// The best layout for this room. Columns that have no entries are not shown.
    fn find(columns: &[Column], rows: &[Vec<Cell>], room: usize, style: &Style) -> Layout {
        let mut tracks = TextColumn::of_table(columns, rows, style);
        let enough = total(&widths(&tracks, ENOUGH_WORDS), NARROW_GAP);
        let mut dropped = Vec::new();
        while tracks.len() > 1 {
            let rank = tracks.iter().map(|track| track.rank).max().unwrap_or(0);
            let words = if rank > 0 { ENOUGH_WORDS } else { FEWEST_WORDS };
            if total(&widths(&tracks, words), NARROW_GAP) <= room {
                break;
            }
            let last = tracks.iter().rposition(|track| track.rank == rank);
            dropped.push(tracks.remove(last.unwrap_or(0)));
        }
        dropped.sort_by_key(|track| track.place);
        // Words are shortened as little as the room allows, the widest first.
        let narrow = (FEWEST_WORDS..room).rev().map(|words| (words, NARROW_GAP));
        let (words, gap) = std::iter::once((usize::MAX, GAP))
            .chain(narrow)
            .find(|(words, gap)| total(&widths(&tracks, *words), *gap) <= room)
            .unwrap_or((FEWEST_WORDS, NARROW_GAP));
        Layout {
            widths: widths(&tracks, words),
            tracks,
            gap,
            dropped,
            enough,
        }
    }

    /// Tells which columns are not shown.
    fn write_dropped(&self, style: &Style, out: &mut String) {
        let titles = self.dropped.iter().map(|track| track.title.text.as_str());
        let named: Vec<&str> = titles.filter(|title| !title.is_empty()).collect();
        if !named.is_empty() {
            let words = format!("from {} columns on: {}", self.enough, named.join(", "));
            remark(&words, style, out);
        }
    }

    fn write(&self, rows: usize, style: &Style, out: &mut String) {
        let starts = self.widths.iter().scan(INDENT, |next, width| {
            let start = *next;
            *next += width + self.gap;
            Some(start)
        });
        let places: Vec<(&TextColumn, usize, usize)> = (self.tracks.iter().zip(starts))
            .zip(&self.widths)
            .map(|((track, start), width)| (track, start, *width))
            .collect();
        // If no column has a title, there is no row of titles.
        if (self.tracks.iter()).any(|track| !track.title.text.is_empty()) {
            let mut head = PlacedRow::new(style.color, out);
            for (track, start, width) in &places {
                let title = &track.title;
                if track.is_numeric {
                    head.write_at(
                        &title.text,
                        title.role,
                        start + track.front_width() - title.width,
                    );
                } else {
                    let text = characters::shorten_end(&title.text, *width);
                    head.write_at(&text, title.role, *start);
                }
            }
            head.end();
        }
        let words: Vec<Vec<Cow<str>>> = (places.iter())
            .map(|(track, _, width)| words(track, *width))
            .collect();
        for index in stop::with_checks(0..rows) {
            let mut row = PlacedRow::new(style.color, out);
            for ((track, start, _), words) in places.iter().zip(&words) {
                for (at, part) in track.placed_parts(index) {
                    match words.get(index) {
                        None => row.write_at(&part.text, part.role, start + at),
                        Some(words) => row.write_at(words, part.role, *start),
                    }
                }
            }
            row.end();
        }
    }
}

/// The words of a column, shortened to this room; empty for a column of numbers. Names and formulas may differ only at their
/// ends (`weight_1`, `a*b @9`), so they lose their middle. Sentences lose their end.
fn words(track: &TextColumn, room: usize) -> Vec<Cow<'_, str>> {
    if track.is_numeric {
        return Vec::new();
    }
    let is_label = |part: &&CellPart| matches!(part.role, Role::Name | Role::Formula);
    let labels = track
        .entries
        .iter()
        .map(|entry| entry.first().filter(is_label));
    let labels: Vec<&str> = labels.map(|part| part.map_or("", |it| &it.text)).collect();
    let mut words = characters::shorten_apart(&labels, room);
    for (words, entry) in words.iter_mut().zip(&track.entries) {
        if let Some(part) = entry.first().filter(|part| !is_label(part)) {
            *words = characters::shorten_end(&part.text, room);
        }
    }
    words
}

/// The widths of columns if words are shortened to this width. Columns of numbers keep theirs.
fn widths(tracks: &[TextColumn], words: usize) -> Vec<usize> {
    let width = |track: &TextColumn| {
        let words = if track.is_numeric { usize::MAX } else { words };
        track.width().min(words)
    };
    tracks.iter().map(width).collect()
}

fn total(widths: &[usize], gap: usize) -> usize {
    INDENT + gap * widths.len().saturating_sub(1) + widths.iter().sum::<usize>()
}
