//! Tables for other programs, in files and in CSV output: the columns that people see, with all digits of the numbers.
//!
//! A column of changes becomes two columns. If a report has only tables for JSON, these are used. Values and bindings,
//! which are not tables on the screen, become rows of names and values. `view::sheets` writes the formats.

use super::table::{Audience, Cell, Column, Table, TableRows};
use super::{Block, NamedValue, Report};

/// The endings of the files into which tables can be written.
pub const TABLE_ENDINGS: [&str; 2] = ["csv", "md"];

/// A table of plain entries. Each row has one entry for each word of the header.
#[derive(Clone, Debug, Default)]
pub struct DataSheet {
    /// The titles of the columns.
    pub header: Vec<String>,
    rows: TableRows,
    columns: Vec<SheetColumn>,
}

/// A column of a sheet.
#[derive(Clone, Copy, Debug)]
struct SheetColumn {
    /// Its index in the table.
    index: usize,
    /// Whether it is a column of changes, which becomes two columns.
    is_change: bool,
}

impl SheetColumn {
    /// Its cells in a row of the table. No cell has more than one number.
    fn cells(self, row: &[Cell]) -> Vec<Cell> {
        let cell = row.get(self.index).unwrap_or(&Cell::Empty);
        let [before, after] = cell.before_and_after();
        if self.is_change {
            vec![before, after]
        } else {
            vec![after]
        }
    }
}

impl Report {
    /// The tables of this answer: those that people see or, if there are none, those of JSON.
    pub fn sheets(&self) -> Vec<DataSheet> {
        let for_people = self.sheets_for(Audience::People);
        if for_people.is_empty() {
            self.sheets_for(Audience::Machines)
        } else {
            for_people
        }
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
    /// The number of rows.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The rows, from top to bottom. No cell has more than one number.
    pub fn rows(&self) -> impl Iterator<Item = Vec<Cell>> {
        self.rows.each().map(|row| {
            let columns = self.columns.iter();
            columns.flat_map(|column| column.cells(&row)).collect()
        })
    }

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
        let mut sheet = DataSheet {
            rows: table.rows.clone(),
            ..DataSheet::default()
        };
        for (index, (column, has_entry)) in table.columns.iter().zip(has_entries).enumerate() {
            if !has_entry || ![audience, Audience::Everybody].contains(&column.audience) {
                continue;
            }
            let heading = match column.key {
                "" => &column.title,
                key => key,
            };
            sheet.columns.push(SheetColumn {
                index,
                is_change: column.before.is_some(),
            });
            sheet.header.extend(column.before.map(ToOwned::to_owned));
            sheet.header.push(heading.to_owned());
        }
        sheet
    }
}
