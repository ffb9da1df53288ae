//! Writes tables as text: numbers are aligned on their decimal points, names to the left, and there are no lines.
//!
//! If a table is too wide, its words are shortened first. Then columns are dropped: those of the highest rank first, and of
//! equals the rightmost. One column always stays. A line below names the dropped columns. Numbers are never cut, and rows
//! never wrap. A table whose columns are all for JSON shows nothing. `chainrule_style::column` rounds and measures.
//! Commands decide how many rows a table has.

use std::borrow::Cow;

use crate::column::{CellText, TextColumn};
use crate::placed_row::PlacedRow;
use crate::{Style, list, pieces};
use chainrule_report::characters::{self, push_blanks};
use chainrule_report::{Cell, Column, Piece, Role, Table, Values};
use chainrule_stop as stop;

/// The blanks before each row.
const INDENT: usize = 2;
/// The usual blanks between columns.
const GAP: usize = 3;
/// The blanks between columns if there is little room.
const NARROW_GAP: usize = 2;
/// The least width of words while columns of a rank above 0 are shown: columns are dropped before words get shorter.
const MIN_WORDS_BEFORE_DROP: usize = 12;
/// The least width of words if all columns have rank 0.
const MIN_WORDS: usize = 6;

/// Writes the table: titles, rows, and how many rows were omitted.
pub(crate) fn write(table: &Table, style: &Style, out: &mut String) {
    let layout = Layout::find(table, style.columns(), style);
    // A table without rows has no entries, and so no columns.
    if layout.shown.is_empty() {
        return;
    }
    layout.write(table.rows.len(), style, out);
    let titles = layout.dropped.iter().map(|column| &*column.title.text);
    let names: Vec<&str> = titles.filter(|title| !title.is_empty()).collect();
    if !names.is_empty() {
        let words = format!("from {} columns on: {}", layout.enough, names.join(", "));
        write_remark(&words, style, out);
    }
    if let Some(words) = table.words_for_omitted() {
        write_remark(&words, style, out);
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
    /// The table of a result; `None` if the values are no list of rows, or if the list fits on a line.
    pub(crate) fn of_result(shown: &'v Values, style: &Style) -> Option<ListTable<'v>> {
        let [only] = &shown.values[..] else {
            return None;
        };
        let numbers = &only.value;
        let [all_rows, all_columns] = numbers.lengths[..] else {
            return None;
        };
        let room = style.room();
        let line_room = room.saturating_sub(pieces::width(&only.before, style));
        let has_own_form =
            only.name.is_some() || numbers.as_of.is_some() || numbers.widths().is_some();
        if has_own_form || list::fits(numbers, line_room, style) {
            return None;
        }
        // Each column takes at least one character.
        let columns = vec![Column::people(""); all_columns.min(room)];
        let most = shown.rows.saturating_mul(all_columns);
        let cells: Vec<Cell> = numbers.numbers().take(most).map(Cell::Number).collect();
        let whole_rows = cells.chunks(all_columns.max(1));
        let rows = whole_rows.map(|row| row[..columns.len()].to_vec());
        Some(ListTable {
            before: &only.before,
            shape: &numbers.shape,
            is_cut: rows.len() < all_rows || columns.len() < all_columns,
            table: Table::new("", columns.clone(), rows.collect::<Vec<_>>()),
        })
    }

    /// Writes the columns that fit. If rows or columns are left out, a line below has the shape.
    pub(crate) fn write(&self, style: &Style, out: &mut String) {
        let layout = Layout::find(&self.table, style.room(), style);
        layout.write(self.table.rows.len(), style, out);
        if self.is_cut || layout.shown.len() < self.table.columns.len() {
            write_remark(self.shape, style, out);
        }
    }
}

/// Writes a line below a table about the rows or columns that were left out.
fn write_remark(words: &str, style: &Style, out: &mut String) {
    push_blanks(INDENT, out);
    let line = [Piece::dim(format!("… {words}"))];
    pieces::flow(&line, (INDENT, 2 * INDENT), style.columns(), style, out);
    out.push('\n');
}

/// The shown columns and how they are shown.
struct Layout {
    shown: Vec<TextColumn>,
    /// The most width of words.
    words: usize,
    /// The blanks between columns.
    gap: usize,
    /// The columns for which there is too little room.
    dropped: Vec<TextColumn>,
    /// The width with room for all columns.
    enough: usize,
}

/// A shown column and its place in the row.
struct PlacedColumn<'l> {
    column: &'l TextColumn,
    start: usize,
    width: usize,
    /// The shortened words of each row; `None` for a column of numbers.
    words: Option<Vec<Cow<'l, str>>>,
}

impl Layout {
    /// The best layout for this room. Columns that have no entries are not shown.
    fn find(table: &Table, room: usize, style: &Style) -> Layout {
        let mut shown = TextColumn::of_table(table, style);
        let enough = total(&shown, MIN_WORDS_BEFORE_DROP, NARROW_GAP);
        let dropped = drop_columns(&mut shown, room);
        let (mut words, mut gap) = (usize::MAX, GAP);
        if total(&shown, words, gap) > room {
            // Words are shortened as little as the room allows, the widest first.
            gap = NARROW_GAP;
            let fits = |width: &usize| total(&shown, *width, gap) <= room;
            words = (MIN_WORDS..room).rev().find(fits).unwrap_or(MIN_WORDS);
        }
        Layout {
            shown,
            words,
            gap,
            dropped,
            enough,
        }
    }

    /// Writes the titles, if any column has one, and the rows.
    fn write(&self, rows: usize, style: &Style, out: &mut String) {
        let mut start = INDENT;
        let mut columns = Vec::new();
        for column in &self.shown {
            let width = width(column, self.words);
            columns.push(PlacedColumn {
                column,
                start,
                width,
                words: (!column.is_aligned).then(|| shortened_words(column, width)),
            });
            start += width + self.gap;
        }
        if (self.shown.iter()).any(|column| !column.title.text.is_empty()) {
            let mut head = PlacedRow::new(style.theme, out);
            for placed in &columns {
                let title = &placed.column.title;
                // Only titles of words may be too long.
                let text = characters::shorten_end(&title.text, placed.width);
                let place = placed.start + placed.column.title_place();
                head.write_at(&text, title.role, place);
            }
            head.end();
        }
        for index in stop::with_checks(0..rows) {
            let mut row = PlacedRow::new(style.theme, out);
            for placed in &columns {
                placed.write_entry(index, &mut row);
            }
            row.end();
        }
    }
}

impl PlacedColumn<'_> {
    /// Writes the entry of a row.
    fn write_entry(&self, index: usize, row: &mut PlacedRow) {
        let Some(words) = &self.words else {
            for (at, part) in self.column.placed_texts(index) {
                row.write_at(&part.text, part.role, self.start + at);
            }
            return;
        };
        // A cell of words has one text, unless it is empty.
        if let Some(part) = self.column.entries[index].first() {
            row.write_at(&words[index], part.role, self.start);
        }
    }
}

/// Drops columns until the others fit in this room, or one is left. Returns the dropped columns in their order.
fn drop_columns(shown: &mut Vec<TextColumn>, room: usize) -> Vec<TextColumn> {
    let mut dropped = Vec::new();
    while shown.len() > 1 {
        let rank = shown.iter().map(|column| column.rank).max().unwrap_or(0);
        let words = match rank {
            0 => MIN_WORDS,
            _ => MIN_WORDS_BEFORE_DROP,
        };
        if total(shown, words, NARROW_GAP) <= room {
            break;
        }
        let last = shown.iter().rposition(|column| column.rank == rank);
        dropped.push(shown.remove(last.unwrap_or(0)));
    }
    dropped.sort_by_key(|column| column.index);
    dropped
}

/// The words of a column, shortened to this room. Names and formulas may differ only at their ends (`weight_1`,
/// `a*b @9`), so they lose their middle. Sentences lose their end.
fn shortened_words(column: &TextColumn, room: usize) -> Vec<Cow<'_, str>> {
    let is_label = |part: &&CellText| matches!(part.role, Role::Name | Role::Formula);
    let mut labels = Vec::new();
    for entry in &column.entries {
        let label = entry.first().filter(is_label);
        labels.push(label.map_or("", |part| &part.text));
    }
    let mut short = characters::shorten_apart(&labels, room);
    for (words, entry) in short.iter_mut().zip(&column.entries) {
        if let Some(sentence) = entry.first().filter(|part| !is_label(part)) {
            *words = characters::shorten_end(&sentence.text, room);
        }
    }
    short
}

/// The width of a column if words are shortened to this width. Numbers are not shortened.
fn width(column: &TextColumn, words: usize) -> usize {
    let most = if column.is_aligned { usize::MAX } else { words };
    column.width().min(most)
}

/// The width of a table with these columns.
fn total(columns: &[TextColumn], words: usize, gap: usize) -> usize {
    let widths = columns.iter().map(|column| width(column, words));
    INDENT + gap * columns.len().saturating_sub(1) + widths.sum::<usize>()
}
