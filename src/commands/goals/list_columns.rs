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
    let mut columns: Vec<Column> = Vec::new();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let parts = language::items(text, typed).map_err(|error| session.explain(error))?;
    let sigma = ItemKind::Property(Property::Sigma);
    let is_sigma = |part: &Expression| part.items.last().is_some_and(|it| it.kind == sigma);
    let adds_sigmas = !parts.iter().any(is_sigma);
    for part in parts {
        let (value, _) = session.evaluate(text, &part)?;
        let part_text = part.span.of(text);
        let size = table_size(value.shape(), part_text).map_err(|error| error.at(part.span))?;
        if columns.is_empty() {
            rows.resize(size.rows, Vec::new());
        }
        if rows.len() != size.rows {
            let message = format!(
                "columns have one length: `{part_text}` has {}, what stands before it {}",
                plural(size.rows, "number"),
                rows.len()
            );
            return Err(Diagnostic::new(message)
                .at(part.span)
                .help("write each into a file of its own"));
        }
        let data: Vec<f64> = value.nodes().iter().map(|node| node.data()).collect();
        let mut blocks = vec![(heading(part_text), data)];
        if adds_sigmas {
            let sigmas = session.names().uncertain.deviations(value.nodes());
            blocks.extend((!sigmas.is_empty()).then(|| ("sigma".to_owned(), sigmas)));
        }
        for (title, numbers) in blocks {
            columns.extend((0..size.columns).map(|at| match size.columns {
                1 => Column::people(&*title),
                _ => Column::people(format!("{title}_{at}")),
            }));
            for (row, of_row) in rows.iter_mut().zip(numbers.chunks(size.columns.max(1))) {
                row.extend(of_row.iter().copied().map(Cell::Number));
            }
        }
    }
    Ok(Table::new("", columns, rows))
}

struct TableSize {
    rows: usize,
    columns: usize,
}

/// The size of a value as a table: a number is a column of one, a list a column, a list of rows a table.
fn table_size(shape: &ListShape, text: &str) -> Result<TableSize, Diagnostic> {
    let (rows, columns) = match shape.lengths().as_deref() {
        Some([]) => (1, 1),
        Some(&[rows]) => (rows, 1),
        Some(&[rows, columns]) => (rows, columns),
        _ => {
            let message =
                format!("a table has numbers in rows of one length, and `{text}` is {shape}");
            let help = format!("`flat({text})` has all its numbers in one column");
            return Err(Diagnostic::new(message).help(help));
        }
    };
    Ok(TableSize { rows, columns })
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
