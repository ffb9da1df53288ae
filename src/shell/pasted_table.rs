//! Recognises a pasted table, which the prompt and a page read as `:data` would after a question.

use crate::commands;
use crate::session::limits::STATEMENT_NODES;
use chainrule_language as language;
use chainrule_tables::{CellReading, read};

/// A table among the lines that were entered.
pub(crate) struct PastedTable {
    /// The names of its columns.
    pub names: Vec<String>,
    /// The statement that reads it from a file.
    pub statement: String,
}

/// The table that pasted lines are: all have the same number of tabs, or of commas or semicolons below a line of words
/// that is no statement, or each is a number. `file` is where the table will be.
pub(crate) fn pasted_table(
    text: &str,
    file: &str,
    is_statement: impl Fn(&str) -> bool,
) -> Option<PastedTable> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let is_number = |line: &str| line.trim().parse::<f64>().is_ok();
    let is_column = lines.clone().all(is_number);
    let first = lines.next()?;
    // A column of numbers is a table with tabs that has none.
    let separator = ['\t', ';', ',']
        .into_iter()
        .find(|it| first.contains(*it))
        .or(is_column.then_some('\t'))?;
    let count = |line: &str| line.matches(separator).count();
    if lines.clone().count() == 0 || lines.any(|line| count(line) != count(first)) {
        return None;
    }
    let dates = CellReading::default();
    let table = read(text.as_bytes(), file, dates, STATEMENT_NODES as usize).ok()?;
    // Names alone are a heading, even if they have values: the table may be pasted twice.
    let has_names = || {
        first
            .split(separator)
            .all(|cell| language::is_name(cell.trim()))
    };
    let has_heading = || table.header.is_some() && (has_names() || !is_statement(first));
    let is_table = separator == '\t' || has_heading();
    if !is_table || table.columns.len() <= count(first) {
        return None;
    }
    let (names, statement) = commands::pasted_names(&table, file)?;
    Some(PastedTable { names, statement })
}
