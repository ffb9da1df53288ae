//! Lists as the columns of a table, for `:export … FILE.csv`. `:data` reads the file back bit for bit.
//!
//! Each part between commas is a column, or the columns of a list of rows. Its text is the heading. A column `sigma`
//! follows numbers with a `±` other than 0, unless a part is `….sigma`.

use crate::commands::prelude::*;
use crate::session::values::ListShape;
use chainrule_language::{self as language, Expression, ItemKind, Property, Span};
use chainrule_report::plural;

/// The table with the columns of all parts, side by side.
pub(super) fn table(session: &mut Session, text: &str, typed: Span) -> Result<Table, Diagnostic> {
    let mut table = GrowingTable::default();
    let parts = language::items(text, typed).map_err(|error| session.explain(error))?;
    let sigma = ItemKind::Property(Property::Sigma);
    let is_sigma = |part: &Expression| part.items.last().is_some_and(|it| it.kind == sigma);
    let adds_sigmas = !parts.iter().any(is_sigma);
    for part in parts {
        let (value, _) = session.evaluate(text, &part)?;
        let part_text = part.span.of(text);
        let size = table_size(value.shape(), part_text).map_err(|error| error.at(part.span))?;
        let (rows, columns) = size;
        if table.columns.is_empty() {
            table.rows.resize(rows, Vec::new());
        }
        if table.rows.len() != rows {
            let message = format!(
                "columns have one length: `{part_text}` has {}, what stands before it {}",
                plural(rows, "number"),
                table.rows.len()
            );
            let help = "write each into a file of its own";
            return Err(Diagnostic::new(message).at(part.span).help(help));
        }
        let data: Vec<f64> = value.nodes().iter().map(|node| node.data()).collect();
        table.add(&heading(part_text), &data, columns);
        let sigmas = session.names().uncertain.deviations(value.nodes());
        if adds_sigmas && !sigmas.is_empty() {
            table.add("sigma", &sigmas, columns);
        }
    }
    Ok(Table::new("", table.columns, table.rows))
}

/// A table to which columns are added.
#[derive(Default)]
struct GrowingTable {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl GrowingTable {
    /// Adds numbers row by row as `count` columns. Several columns get indices: `W_0`, `W_1`.
    fn add(&mut self, title: &str, numbers: &[f64], count: usize) {
        if count == 1 {
            self.columns.push(Column::people(title));
        } else {
            let titles = (0..count).map(|at| format!("{title}_{at}"));
            self.columns.extend(titles.map(Column::people));
        }
        // A list of empty rows has no columns, and `chunks` refuses the size 0.
        for (row, cells) in self.rows.iter_mut().zip(numbers.chunks(count.max(1))) {
            row.extend(cells.iter().copied().map(Cell::Number));
        }
    }
}

/// The rows and columns of a value as a table: a number is a column of one, a list a column, a list of rows a table.
fn table_size(shape: &ListShape, text: &str) -> Result<(usize, usize), Diagnostic> {
    match shape.lengths().as_deref() {
        Some([]) => Ok((1, 1)),
        Some(&[rows]) => Ok((rows, 1)),
        Some(&[rows, columns]) => Ok((rows, columns)),
        _ => {
            let message =
                format!("a table has numbers in rows of one length, and `{text}` is {shape}");
            let help = format!("`flat({text})` has all its numbers in one column");
            Err(Diagnostic::new(message).help(help))
        }
    }
}

/// Makes a heading of a text. It cannot be read as a number.
fn heading(typed: &str) -> String {
    let words: Vec<&str> = typed.split_whitespace().collect();
    let title = words.join(" ");
    match title.parse::<f64>() {
        Ok(_) => format!("_{title}"),
        Err(_) => title,
    }
}
