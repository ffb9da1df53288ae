//! Tables for other programs, in files and in CSV output: the columns that people see, with all digits of the numbers.
//!
//! A column of changes becomes two columns. If a report has only tables for JSON, these are used. Values and bindings,
//! which are not tables on the screen, become rows of names and values. `view::sheets` writes the formats.

use super::table::{Audience, Cell, Column, Table, TableRows};
use super::{Block, Fact, NamedValue, Report};

/// The endings of the files into which tables can be written.
pub const TABLE_ENDINGS: [&str; 2] = ["csv", "md"];

/// A table of plain entries. Each row has one entry for each word of the header, and no cell has more than one number.
#[derive(Clone, Debug)]
pub struct DataSheet {
    /// The titles of the columns.
    pub header: Vec<String>,
    /// The rows, from top to bottom.
    pub rows: TableRows,
}

impl Report {
    /// The tables of this answer: those that people see or, if there are none, those of JSON. Facts from the lines around
    /// them make one more table.
    pub fn sheets(&self) -> Vec<DataSheet> {
        let mut sheets = self.sheets_for(Audience::People);
        if sheets.is_empty() {
            sheets = self.sheets_for(Audience::Machines);
        }
        let named = self.facts.iter();
        let of_sheets = named.filter(|(key, _)| self.sheet_facts.contains(key));
        let row = |(key, fact): &(&str, Fact)| {
            let number = match fact {
                Fact::Number(number) => Cell::Number(*number),
                Fact::Count(count) => Cell::Count(*count),
                _ => return None,
            };
            Some(vec![Cell::Text((*key).to_owned()), number])
        };
        let rows: Vec<Vec<Cell>> = of_sheets.filter_map(row).collect();
        if !rows.is_empty() {
            sheets.push(DataSheet::of_rows(["name", "value"], rows));
        }
        sheets
    }

    /// The tables with columns for this audience.
    fn sheets_for(&self, audience: Audience) -> Vec<DataSheet> {
        let tables = self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        });
        let sheets = tables.map(|table| DataSheet::of(table, audience));
        sheets.filter(|sheet| !sheet.header.is_empty()).collect()
    }

    /// The values of a binding or an expression, a row for each number.
    pub fn value_sheet(&self) -> Option<DataSheet> {
        self.values().next()?;
        let rows: Vec<Vec<Cell>> = self.values().flat_map(NamedValue::rows).collect();
        let mut titles = vec!["name", "value"];
        if rows.iter().any(|row| row.len() > titles.len()) {
            titles.push("sigma");
        }
        Some(DataSheet::of_rows(titles, rows))
    }
}

impl DataSheet {
    /// A sheet of these rows, with a title for each column.
    pub(super) fn of_rows(
        titles: impl IntoIterator<Item = impl Into<String>>,
        rows: Vec<Vec<Cell>>,
    ) -> DataSheet {
        let columns = titles.into_iter().map(Column::people).collect();
        DataSheet::of(&Table::new("", columns, rows), Audience::People)
    }

    /// The columns of a table that are for this audience, without those that have no entries.
    fn of(table: &Table, audience: Audience) -> DataSheet {
        let mut header = Vec::new();
        let mut columns = Vec::new();
        let with_entries = table.columns.iter().zip(columns_with_entries(table));
        for (index, (column, has_entries)) in with_entries.enumerate() {
            if has_entries && [audience, Audience::Everybody].contains(&column.audience) {
                header.extend(column.before.map(ToOwned::to_owned));
                header.push(match column.key {
                    "" => column.title.clone(),
                    key => key.to_owned(),
                });
                let is_change = column.before.is_some();
                columns.push(SheetColumn { index, is_change });
            }
        }
        let rows = table.rows.map(move |row| plain_cells(&row, &columns));
        DataSheet { header, rows }
    }
}

/// A column of a table that a sheet has.
struct SheetColumn {
    /// Its index in the table.
    index: usize,
    /// Whether its cells are changes, each of which becomes two cells.
    is_change: bool,
}

/// Whether each column of a table has entries. A table without rows keeps all its columns.
fn columns_with_entries(table: &Table) -> Vec<bool> {
    let mut has_entries = vec![table.rows.is_empty(); table.columns.len()];
    for row in table.rows.each() {
        for (has_entry, cell) in has_entries.iter_mut().zip(row) {
            *has_entry |= !matches!(cell, Cell::Empty | Cell::Absent);
        }
    }
    has_entries
}

/// The cells of a row in these columns of a sheet.
fn plain_cells(row: &[Cell], columns: &[SheetColumn]) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(columns.len());
    for column in columns {
        // A short row has no cells in the last columns.
        let cell = row.get(column.index).cloned().unwrap_or(Cell::Empty);
        let [before, after] = cell.before_and_after();
        cells.extend(column.is_change.then_some(before));
        cells.push(after);
    }
    cells
}
