//! Tables as other programs get them, in files and in CSV output: the columns that people see, with numbers in full.
//!
//! A cell that shows two numbers becomes two columns. A report whose tables are all for JSON gives those. Values and
//! bindings, which are no tables on the screen, are rows of names and values here. `view::sheets` writes the formats.

use std::fmt::Write;

use super::table::{Audience, Cell, Column, Table};
use super::{Block, Fact, NumberPart, Numbers, Report};

/// A table of plain entries. Each row has one entry for each word of the header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataSheet {
    /// The titles of the columns.
    pub header: Vec<String>,
    /// The rows, from top to bottom.
    pub rows: Vec<Vec<SheetEntry>>,
}

/// An entry of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub enum SheetEntry {
    /// Nothing, or a number that does not exist yet.
    Blank,
    /// Words.
    Words(String),
    /// A name or a formula.
    Formula(String),
    /// A number, to be written with all its digits.
    Number(f64),
    /// A count or an id.
    Count(u64),
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

    /// The tables that only JSON has, or that it has too.
    pub fn sheets_for_machines(&self) -> Vec<DataSheet> {
        self.sheets_for(Audience::Machines)
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
    pub fn values(&self) -> Option<DataSheet> {
        let mut rows = Vec::new();
        match self.facts.as_slice() {
            [("bindings", Fact::List(bindings)), ..] => {
                for binding in bindings {
                    if let Fact::Record(fields) = binding {
                        value_rows(fields, &mut rows);
                    }
                }
            }
            fields if self.kind == "value" => value_rows(fields, &mut rows),
            _ => return None,
        }
        let mut header = vec!["name".to_owned(), "value".to_owned()];
        if rows.iter().any(|row| row.len() > header.len()) {
            header.push("±".to_owned());
            for row in &mut rows {
                row.resize(header.len(), SheetEntry::Blank);
            }
        }
        Some(DataSheet { header, rows })
    }
}

/// The rows of one value; without a name it is the last result, `ans`.
fn value_rows(fields: &[(&'static str, Fact)], rows: &mut Vec<Vec<SheetEntry>>) {
    let field = |wanted| fields.iter().find(|(key, _)| *key == wanted);
    let name = match field("name") {
        Some((_, Fact::Text(name))) => name,
        _ => "ans",
    };
    let numbers = |wanted| match field(wanted) {
        Some((_, Fact::Number(number))) => vec![(name.to_owned(), *number)],
        Some((_, Fact::Value(value))) => items(name, value),
        _ => Vec::new(),
    };
    let mut widths = numbers("sigma").into_iter();
    for (name, number) in numbers("data") {
        let mut row = vec![SheetEntry::Formula(name), SheetEntry::Number(number)];
        row.extend(widths.next().map(|(_, width)| SheetEntry::Number(width)));
        rows.push(row);
    }
}

/// The numbers of a value, each with its name: `w[2][1]`.
fn items(name: &str, value: &Numbers) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    // How many items the open lists have so far.
    let mut places: Vec<usize> = Vec::new();
    for part in &value.parts {
        if *part == NumberPart::Close {
            places.pop();
            continue;
        }
        if let Some(place) = places.last_mut() {
            *place += 1;
        }
        match part {
            NumberPart::Number(number) => {
                let mut item = name.to_owned();
                for place in &places {
                    // Writing into a string cannot fail.
                    let _ = write!(item, "[{place}]");
                }
                found.push((item, *number));
            }
            _ => places.push(0),
        }
    }
    found
}

impl DataSheet {
    /// Is every entry of this column a number, as far as there is one?
    pub fn is_numeric(&self, at: usize) -> bool {
        let entries = || self.rows.iter().filter_map(|row| row.get(at));
        let words =
            |entry: &SheetEntry| matches!(entry, SheetEntry::Words(_) | SheetEntry::Formula(_));
        entries().any(|entry| *entry != SheetEntry::Blank) && !entries().any(words)
    }

    /// The columns of a table that are for this audience, without those that have no entries.
    fn of(table: &Table, audience: Audience) -> DataSheet {
        let other = match audience {
            Audience::People => Audience::Machines,
            _ => Audience::People,
        };
        let mut sheet = DataSheet {
            header: Vec::new(),
            rows: vec![Vec::new(); table.rows.len()],
        };
        for (at, column) in table.columns.iter().enumerate() {
            let cells = || table.rows.iter().filter_map(move |row| row.get(at));
            let blank = !table.rows.is_empty()
                && cells().all(|cell| matches!(cell, Cell::Empty | Cell::Bar(..)));
            if column.audience == other || blank {
                continue;
            }
            let title = title(column, audience);
            let ends = cells().find_map(|cell| match cell {
                Cell::Change(..) => Some(["before", "after"]),
                Cell::Range(..) => Some(["least", "most"]),
                _ => None,
            });
            match ends {
                Some(ends) => {
                    let titles = ends.map(|end| format!("{title} {end}").trim_start().to_owned());
                    sheet.header.extend(titles);
                }
                None => sheet.header.push(title.to_owned()),
            }
            for (row, cell) in sheet.rows.iter_mut().zip(cells()) {
                match (cell, ends) {
                    (Cell::Change(one, other) | Cell::Range(one, other), _) => {
                        row.extend([SheetEntry::Number(*one), SheetEntry::Number(*other)]);
                    }
                    (cell, Some(_)) => row.extend([SheetEntry::Blank, entry(cell)]),
                    (cell, None) => row.push(entry(cell)),
                }
            }
        }
        sheet
    }
}

/// The title that people read, or the key.
fn title(column: &Column, audience: Audience) -> &str {
    if audience == Audience::People && !column.title.is_empty() {
        &column.title
    } else {
        column.key
    }
}

fn entry(cell: &Cell) -> SheetEntry {
    match cell {
        Cell::Empty | Cell::Missing | Cell::Bar(..) => SheetEntry::Blank,
        Cell::Name(text) | Cell::Formula(text) => SheetEntry::Formula(text.clone()),
        Cell::Text(text) | Cell::Dim(text) => SheetEntry::Words(text.clone()),
        Cell::Number(number)
        | Cell::First(number)
        | Cell::Share(number)
        | Cell::Apart(number, _)
        | Cell::Change(_, number)
        | Cell::Range(_, number) => SheetEntry::Number(*number),
        Cell::Count(count) => SheetEntry::Count(*count),
        Cell::Flag(flag) => SheetEntry::Words(flag.to_string()),
        Cell::Names(names) => SheetEntry::Formula(names.join(" ")),
        Cell::Counts(counts) => {
            let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
            SheetEntry::Words(counts.join(" "))
        }
    }
}
