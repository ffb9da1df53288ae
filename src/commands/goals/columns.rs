//! Lists as the columns of a table in a file, which `:data` reads back to the bit.
//!
//! Each part between commas is a column, or the columns of a list of rows. What was typed for it is its heading.

use std::fmt::Write as _;

use crate::commands::args::resolve::{split_at_commas, trimmed};
use crate::diagnostic::Diagnostic;
use crate::report::plural;
use crate::session::Session;
use crate::session::values::{ListShape, Value};
use crate::stop;
use crate::syntax::{self, Span};

/// A table that is made of lists.
pub(super) struct Columns {
    /// The table in CSV.
    pub text: String,
    /// How many columns it has.
    pub width: usize,
    /// How many rows it has below its header.
    pub rows: usize,
}

/// One of the typed parts: its numbers row by row.
struct TypedColumns {
    heading: String,
    width: usize,
    rows: usize,
    numbers: Vec<f64>,
    span: Span,
}

/// The columns of all parts, side by side.
pub(super) fn columns(
    session: &mut Session,
    text: &str,
    typed: Span,
) -> Result<Columns, Diagnostic> {
    let parts = split_at_commas(text, typed);
    let parts: Vec<TypedColumns> = parts
        .into_iter()
        .map(|span| part(session, text, trimmed(text, span)))
        .collect::<Result<_, _>>()?;
    let rows = parts.first().map_or(0, |first| first.rows);
    if let [first, ..] = parts.as_slice()
        && let Some(other) = parts.iter().find(|part| part.rows != rows)
    {
        return Err(Diagnostic::new(format!(
            "columns have one length: `{}` has {}, `{}` has {}",
            first.heading,
            plural(rows, "number"),
            other.heading,
            other.rows
        ))
        .at(other.span)
        .help("write each into a file of its own"));
    }
    let headings: Vec<String> = parts.iter().flat_map(TypedColumns::headings).collect();
    let mut out = headings.join(",");
    out.push('\n');
    for row in stop::asking(0..rows) {
        let cells = parts
            .iter()
            .flat_map(|part| &part.numbers[row * part.width..(row + 1) * part.width]);
        for (at, &number) in cells.enumerate() {
            if at > 0 {
                out.push(',');
            }
            // Writing into a string cannot fail.
            let _ = write!(out, "{}", syntax::literal(number, false));
        }
        out.push('\n');
    }
    Ok(Columns {
        text: out,
        width: headings.len(),
        rows,
    })
}

/// The column or the columns that a part gives.
fn part(session: &mut Session, text: &str, span: Span) -> Result<TypedColumns, Diagnostic> {
    let expression = syntax::expression(text, span).map_err(|error| session.explain(error))?;
    let (value, _) = session.evaluate(text, &expression)?;
    let (rows, width) = size(value.shape()).ok_or_else(|| refused(span.of(text), &value, span))?;
    Ok(TypedColumns {
        heading: span
            .of(text)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
        width,
        rows,
        numbers: value.nodes().iter().map(|node| node.data()).collect(),
        span,
    })
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

fn refused(typed: &str, value: &Value, span: Span) -> Diagnostic {
    Diagnostic::new(format!(
        "a table has numbers in rows of one length, and `{typed}` is {}",
        value.shape()
    ))
    .at(span)
    .help(format!("`flat({typed})` has all its numbers in one column"))
}

impl TypedColumns {
    /// The heading of each column, as CSV: `x`, or `W_1`, `W_2` of a table.
    fn headings(&self) -> Vec<String> {
        if self.width == 1 {
            return vec![cell(self.heading.clone())];
        }
        (1..=self.width)
            .map(|at| cell(format!("{}_{at}", self.heading)))
            .collect()
    }
}

/// A heading as a cell: in quotes where it needs them, and never read as a number.
fn cell(mut heading: String) -> String {
    if heading.parse::<f64>().is_ok() || heading.starts_with('#') {
        heading.insert(0, '_');
    }
    if heading.contains([',', '"', ';']) {
        return format!("\"{}\"", heading.replace('"', "\"\""));
    }
    heading
}
