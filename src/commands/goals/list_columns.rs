//! Lists as the columns of a table, for `:export … FILE.csv`. `:data` reads the file back bit for bit.
//!
//! Each part between commas is a column, or the columns of a list of rows. The user's text is the heading. Behind numbers
//! with a `±` that is not 0 stands a column `sigma`, unless some part is such a column.

use crate::commands::prelude::*;
use crate::session::values::ListShape;
use chainrule_language::{self as language, Expression, ItemKind, Property, Span};
use chainrule_report::{Cell, Column, Table, plural};

/// The columns of all parts, side by side.
pub(super) fn columns(session: &mut Session, text: &str, typed: Span) -> Result<Table, Diagnostic> {
    let mut columns: Vec<Column> = Vec::new();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let parts = language::items(text, typed).map_err(|error| session.explain(error))?;
    let sigma = ItemKind::Property(Property::Sigma);
    let is_sigma = |part: &Expression| part.items.last().is_some_and(|it| it.kind == sigma);
    let with_sigmas = !parts.iter().any(is_sigma);
    for expression in parts {
        let part = expression.span;
        let typed = part.of(text);
        let (value, _) = session.evaluate(text, &expression)?;
        let shape = value.shape();
        let (count, width) = size(shape).ok_or_else(|| {
            let message =
                format!("a table has numbers in rows of one length, and `{typed}` is {shape}");
            let help = format!("`flat({typed})` has all its numbers in one column");
            Diagnostic::new(message).at(part).help(help)
        })?;
        if columns.is_empty() {
            rows.resize(count, Vec::new());
        }
        if rows.len() != count {
            let found = plural(count, "number");
            let message = format!(
                "columns have one length: `{typed}` has {found}, what stands before it {}",
                rows.len()
            );
            return Err(Diagnostic::new(message)
                .at(part)
                .help("write each into a file of its own"));
        }
        let heading = heading(typed);
        let numbers: Vec<f64> = value.nodes().iter().map(|node| node.data()).collect();
        let mut parts = vec![(&*heading, numbers)];
        if with_sigmas {
            let sigmas = session.names().uncertain.deviations(value.nodes());
            parts.extend((!sigmas.is_empty()).then_some(("sigma", sigmas)));
        }
        for (heading, numbers) in parts {
            columns.extend((0..width).map(|at| match width {
                1 => Column::people(heading),
                _ => Column::people(format!("{heading}_{at}")),
            }));
            for (row, numbers) in rows.iter_mut().zip(numbers.chunks(width.max(1))) {
                row.extend(numbers.iter().copied().map(Cell::Number));
            }
        }
    }
    Ok(Table::new("", columns, rows))
}

/// How many rows and columns a value has: a number is a column of one, a list a column, a list of rows a table.
fn size(shape: &ListShape) -> Option<(usize, usize)> {
    match shape.lengths()?.as_slice() {
        [] => Some((1, 1)),
        &[rows] => Some((rows, 1)),
        &[rows, width] => Some((rows, width)),
        _ => None,
    }
}

/// The user's text as a heading that cannot be read as a number.
fn heading(typed: &str) -> String {
    let heading = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    match heading.parse::<f64>() {
        Ok(_) => format!("_{heading}"),
        Err(_) => heading,
    }
}
