//! Recognizes a pasted table. A page offers to read it with `:data`, and the prompt asks whether to do so.

use crate::commands;
use chainrule_language as language;
use chainrule_program::Environment as _;
use chainrule_session::Session;
use chainrule_session::limits::Limits;
use chainrule_tables::{CellReading, read};

/// A table that was pasted as an entry.
pub(crate) struct PastedTable {
    /// The names of its columns.
    pub names: Vec<String>,
    /// The statement that reads it from a file.
    pub statement: String,
}

/// Returns the table if the lines form one: all lines have the same number of tabs, or each line is a number. Commas and
/// semicolons may stand in statements, too, so with them the first line must be a heading. `file` is the name under which
/// `:data` will read the table.
pub(crate) fn pasted_table(text: &str, file: &str, session: &Session) -> Option<PastedTable> {
    let lines: Vec<&str> = text.lines().filter(|it| !it.trim().is_empty()).collect();
    let [first, later @ ..] = &lines[..] else {
        return None;
    };
    let separator = separator(&lines)?;
    let count = |line: &str| line.matches(separator).count();
    if later.is_empty() || later.iter().any(|line| count(line) != count(first)) {
        return None;
    }
    let dates = CellReading::default();
    let table = read(
        text.as_bytes(),
        file,
        dates,
        Limits::default().nodes as usize,
    )
    .ok()?;
    // A line of names is a heading, even if the names have values: the table may be pasted twice.
    let has_names = || (first.split(separator)).all(|cell| language::is_name(cell.trim()));
    let has_heading = || table.header.is_some() && (has_names() || !is_statement(session, first));
    let is_table = separator == '\t' || has_heading();
    if !is_table || table.columns.len() <= count(first) {
        return None;
    }
    let (names, statement) = commands::pasted_names(&table, file)?;
    Some(PastedTable { names, statement })
}

/// The separator of the cells. A column of numbers counts as a table with tabs, although its lines have none.
fn separator(lines: &[&str]) -> Option<char> {
    let mut separators = ['\t', ';', ','].into_iter();
    let is_number = |line: &&str| line.trim().parse::<f64>().is_ok();
    separators
        .find(|it| lines[0].contains(*it))
        .or_else(|| lines.iter().all(is_number).then_some('\t'))
}

/// Is a line a statement that begins with a known name? If not, it may be the heading of a table.
fn is_statement(session: &Session, line: &str) -> bool {
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '_');
    let first_word = &line[..end.unwrap_or(line.len())];
    let mut cuts = language::statements(line);
    session.knows(first_word)
        && cuts.all(|cut| cut.is_ok_and(|span| language::statement(line, &span).is_ok()))
}
