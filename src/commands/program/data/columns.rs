//! Which columns of a table become lists: those that the user names, or else those with numbers, dates or classes.

use std::collections::HashMap;

use super::names::read_names;
use crate::commands::args::Arguments;
use crate::commands::signatures::data::COLUMN;
use crate::session::{ColumnKind, NumberTable, TableColumn};
use chainrule_language::Span;
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};
use chainrule_report::diagnostic::{Diagnostic, backtick_list, shorten_quotation};

/// Chooses the columns that become lists, and returns their places in the table. `called` has the name of each column of the table, and `names` is how many names the user
/// gives.
pub(super) fn choose_columns(
    arguments: &Arguments,
    table: &NumberTable,
    called: &[String],
    names: usize,
) -> Result<Vec<usize>, Diagnostic> {
    let wanted = read_names(arguments, COLUMN)?;
    if wanted.is_empty() {
        return Ok(default_columns(table, names));
    }
    let mut places: HashMap<&str, usize> = HashMap::new();
    if let Some(header) = &table.header {
        // A name takes precedence over a heading of another column.
        for (at, name) in called.iter().enumerate().chain(header.iter().enumerate()) {
            places.entry(name).or_insert(at);
        }
    }
    let mut used = Vec::with_capacity(wanted.len());
    for (name, &word) in wanted.iter().zip(arguments.words(COLUMN)) {
        let Some(&at) = places.get(&**name) else {
            return Err(unknown_column_error(table, called, name, word));
        };
        if !is_list(table.columns[at].kind) {
            return Err(Diagnostic::new(format!("`{name}` has no numbers"))
                .at(word)
                .help(why_left_out(table, at)));
        }
        used.push(at);
    }
    Ok(used)
}

/// Says why each other column is left out, if the user has named no columns.
pub(super) fn left_out_text(table: &NumberTable, called: &[String], used: &[usize]) -> String {
    let mut reasons = Vec::new();
    let is_left_out = |at: &usize| used.binary_search(at).is_err();
    for at in (0..table.columns.len()).filter(is_left_out) {
        let reason = why_left_out(table, at);
        reasons.push(format!("column {} left out: {reason}", called[at]));
    }
    reasons.join("; ")
}

fn unknown_column_error(
    table: &NumberTable,
    called: &[String],
    name: &str,
    word: Span,
) -> Diagnostic {
    let names = || called.iter().map(String::as_str);
    let help = match &table.header {
        None => "without a header, name all columns: `:data FILE as x y`".to_owned(),
        Some(_) => did_you_mean(near_column(name, names()), || {
            format!("there are {}", backtick_list(names()))
        }),
    };
    Diagnostic::new(format!("no column is called `{name}`"))
        .at(word)
        .help(help)
}

/// Finds the column that was probably meant: one with a unit after the name, `t_s` for `t`, or without it, or one with a
/// similar spelling.
fn near_column<'n>(typed: &str, columns: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let adds_unit = |long: &str, short: &str| {
        let rest = long.strip_prefix(short);
        rest.is_some_and(|rest| rest.starts_with('_'))
    };
    let has_unit = |name: &&str| adds_unit(name, typed) || adds_unit(typed, name);
    let with_unit = columns.clone().find(has_unit);
    with_unit.or_else(|| nearest(typed, columns))
}

/// The places of the columns that are read if the user names none. `names` is how many names the user gives.
///
/// Sparse columns are left out if another column has enough numbers, and so are classes that are all the same. If the
/// number of names does not fit, these come back; if it does not fit then, only numbers are read.
pub(super) fn default_columns(table: &NumberTable, names: usize) -> Vec<usize> {
    let columns = &table.columns;
    let places = 0..columns.len();
    let lists: Vec<usize> = places.filter(|at| is_list(columns[*at].kind)).collect();
    let mut full = lists.clone();
    full.retain(|at| !is_sparse(table, *at));
    if !full.iter().any(|at| has_numbers(&columns[*at])) {
        full.clone_from(&lists);
    }
    let mut numbers = full.clone();
    numbers.retain(|at| has_numbers(&columns[*at]));
    // Classes are read only beside numbers.
    if numbers.is_empty() {
        return numbers;
    }
    let mut varying = full;
    varying.retain(|at| !is_one_word(&columns[*at]));
    let fits = |it: &Vec<usize>| names == 0 || names == it.len();
    [varying, lists].into_iter().find(fits).unwrap_or(numbers)
}

fn why_left_out(table: &NumberTable, at: usize) -> String {
    let column = &table.columns[at];
    if is_sparse(table, at) {
        return "most of its cells are missing".to_owned();
    }
    match column.words.first().map(|word| shorten_quotation(word)) {
        Some(word) if is_one_word(column) => format!("all cells are `{word}`"),
        Some(word) => format!("`{word}` is no number"),
        None => "all cells are empty".to_owned(),
    }
}

fn is_list(kind: ColumnKind) -> bool {
    !matches!(kind, ColumnKind::Empty | ColumnKind::Text)
}

/// Whether a column has numbers that do not stand for words.
fn has_numbers(column: &TableColumn) -> bool {
    is_list(column.kind) && column.kind != ColumnKind::Classes
}

/// Whether most numbers of a column are missing.
fn is_sparse(table: &NumberTable, at: usize) -> bool {
    let rows = table.numbers.chunks(table.columns.len());
    let gaps = rows.clone().filter(|row| row[at].is_nan()).count();
    let column = &table.columns[at];
    has_numbers(column) && gaps * 2 > rows.len() && column.fault.is_none()
}

/// Whether a column has the same word in all cells.
fn is_one_word(column: &TableColumn) -> bool {
    column.kind == ColumnKind::Classes && column.words.len() == 1
}
