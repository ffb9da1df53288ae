//! Recognizes a pasted table. A page offers to read it with `:data`, and the prompt asks whether to do so.

use crate::commands;
use crate::session::limits::STATEMENT_NODES;
use chainrule_language as language;
use chainrule_tables::{CellReading, read};

/// A table that was pasted as an entry.
pub(crate) struct PastedTable {
    /// The names of its columns.
    pub names: Vec<String>,
    /// The statement that reads it from a file.
    pub statement: String,
}

/// Returns the table if the lines form one. In a table, all lines have the same number of tabs, or the same number of commas
/// or semicolons below a heading that is no statement, or each line is a number. `file` is the name under which `:data` will
/// read the table.
pub(crate) fn pasted_table(
    text: &str,
    file: &str,
    is_statement: impl Fn(&str) -> bool,
) -> Option<PastedTable> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let is_number = |line: &str| line.trim().parse::<f64>().is_ok();
    let is_column = lines.clone().all(is_number);
    let first = lines.next()?;
    // A column of numbers counts as a table with tabs, although its lines have none.
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
    // A line of names is a heading, even if the names have values: the table may be pasted twice.
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
