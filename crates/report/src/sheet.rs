//! Tables for other programs, in files and in CSV output: the columns that people see, with all digits of the numbers.
//!
//! A column of changes becomes two columns. If a report has only tables for JSON, these are used. Values and bindings,
//! which are not tables on the screen, become rows of names and values. `view::sheets` writes the formats.

use super::table::{Audience, Cell, Column, Table, TableRows};
use super::{Block, NamedValue, Report};

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
    /// The tables of this answer: those that people see or, if there are none, those of JSON.
    pub fn sheets(&self) -> Vec<DataSheet> {
        let audiences = [Audience::People, Audience::Machines].into_iter();
        let mut choices = audiences.map(|audience| self.sheets_for(audience));
        choices
            .find(|sheets| !sheets.is_empty())
            .unwrap_or_default()
    }

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
        let mut has_entries = vec![table.rows.is_empty(); table.columns.len()];
        for row in table.rows.each() {
            for (has_entry, cell) in has_entries.iter_mut().zip(row.iter()) {
                *has_entry |= !matches!(cell, Cell::Empty | Cell::Absent | Cell::Bar(_));
            }
        }
        let mut header = Vec::new();
        let mut columns = Vec::new();
        for (index, (column, has_entry)) in table.columns.iter().zip(has_entries).enumerate() {
            if has_entry && [audience, Audience::Everybody].contains(&column.audience) {
                header.extend(column.before.map(ToOwned::to_owned));
                header.push(match column.key {
                    "" => column.title.clone(),
                    key => key.to_owned(),
                });
                columns.push((index, column.before.is_some()));
            }
        }
        let rows = table.rows.map(move |row| plain_cells(&row, &columns));
        DataSheet { header, rows }
    }
}

/// The cells of a row in these columns, each with its index and whether it is a column of changes, which becomes two.
fn plain_cells(row: &[Cell], columns: &[(usize, bool)]) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(columns.len());
    for (index, is_change) in columns {
        let cell = row.get(*index).cloned().unwrap_or(Cell::Empty);
        let [before, after] = cell.before_and_after();
        cells.extend(is_change.then_some(before));
        cells.push(after);
    }
    cells
}
