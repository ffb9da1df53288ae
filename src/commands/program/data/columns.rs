//! The columns of a table: which become lists (those that the user names, or else those with numbers, dates or classes),
//! and what they are called (by the user, by their headings, or by stand-ins).

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use crate::command::args::Argument;
use crate::command::prelude::*;
use crate::command::signatures::data::COLUMN;
use chainrule_program::ANSWERS;
use chainrule_report::diagnostic::shorten_quotation;
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};
use chainrule_session::{ColumnKind, NumberTable, TableColumn};

/// Chooses the columns that become lists, and returns their places in the table. `all_names` has the name of each
/// column of the table, and `given` is how many names the user gives.
pub(super) fn choose_columns(
    arguments: &Arguments,
    table: &NumberTable,
    all_names: &[String],
    given: usize,
) -> Result<Vec<usize>> {
    let wanted = read_names(arguments, COLUMN)?;
    if wanted.is_empty() {
        return Ok(default_columns(table, given));
    }
    let mut places: HashMap<&str, usize> = HashMap::new();
    if let Some(header) = &table.header {
        // A name takes precedence over a heading of another column.
        let names = all_names.iter().enumerate();
        for (at, name) in names.chain(header.iter().enumerate()) {
            places.entry(name).or_insert(at);
        }
    }
    let mut chosen = Vec::with_capacity(wanted.len());
    for (name, &word) in wanted.iter().zip(arguments.words(COLUMN)) {
        let Some(&at) = places.get(&**name) else {
            return Err(unknown_column_error(table, all_names, name, word));
        };
        if !is_list(table.columns[at].kind) {
            return Err(Diagnostic::new(format!("`{name}` has no numbers"))
                .at(word)
                .help(why_left_out(table, at)));
        }
        chosen.push(at);
    }
    Ok(chosen)
}

/// Says why each other column is left out, if the user has named no columns.
pub(super) fn left_out_text(table: &NumberTable, all_names: &[String], chosen: &[usize]) -> String {
    let left_out = (0..table.columns.len()).filter(|at| chosen.binary_search(at).is_err());
    let reason = |at| {
        let why = why_left_out(table, at);
        format!("column {} left out: {why}", all_names[at])
    };
    left_out.map(reason).collect::<Vec<_>>().join("; ")
}

fn unknown_column_error(
    table: &NumberTable,
    all_names: &[String],
    name: &str,
    word: Span,
) -> Diagnostic {
    let names = || all_names.iter().map(String::as_str);
    let help = match &table.header {
        None => "without a header, name all columns: `:data FILE as x y`".to_owned(),
        Some(_) => did_you_mean(nearest(name, names()), || {
            format!("there are {}", backtick_list(names()))
        }),
    };
    let message = format!("no column is called `{name}`");
    Diagnostic::new(message).at(word).help(help)
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
    is_list(column.kind) && (column.kind != ColumnKind::Classes || column.is_yes_or_no)
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

/// Reads the names of an argument. A column that is asked for may be called by its heading, in quotes.
pub(super) fn read_names(arguments: &Arguments, argument: &Argument) -> Result<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    for &word in arguments.words(argument) {
        let typed = word.of(arguments.text);
        let heading = language::strip_quotes(typed).filter(|_| argument.keyword.is_none());
        let name = heading.unwrap_or(typed);
        if heading.is_none() && !is_free_name(name) {
            let help = "letters, digits and `_`, no digit first; `ans` and `_` are the last result";
            let message = format!("`{name}` cannot be the name of a column");
            return Err(Diagnostic::new(message).at(word).help(help));
        }
        if !known.insert(name) {
            return Err(Diagnostic::new(format!("`{name}` is given twice"))
                .at(word)
                .help("each column needs a name of its own"));
        }
        names.push(name.to_string());
    }
    Ok(names)
}

fn is_free_name(name: &str) -> bool {
    language::is_name(name) && !ANSWERS.contains(&name)
}

/// The name of each column: from its heading or, without a header, its number.
pub(super) fn column_names(table: &NumberTable) -> Vec<String> {
    let numbers = (1..=table.columns.len()).map(|number| number.to_string());
    let header = table.header.as_ref();
    header.map_or_else(|| numbers.collect(), |header| names_from_header(header))
}

/// Names for columns without any.
pub(super) fn stand_ins(count: usize) -> Vec<String> {
    match count {
        1 => vec!["x".to_owned()],
        2 => vec!["x".to_owned(), "y".to_owned()],
        _ => (1..=count).map(|at| format!("x{at}")).collect(),
    }
}

/// Makes a name of each heading. Characters that a name cannot have become `_`, and equal names get numbers.
fn names_from_header(header: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    let mut taken: HashMap<String, usize> = HashMap::new();
    for (at, cell) in header.iter().enumerate() {
        let stem = name_from_heading(cell).unwrap_or_else(|| format!("column{}", at + 1));
        let mut name = stem.clone();
        while taken.contains_key(&name) {
            let count = taken.entry(stem.clone()).or_default();
            *count += 1;
            name = format!("{stem}{count}");
        }
        taken.insert(name.clone(), 1);
        names.push(name);
    }
    names
}

/// `t` of `t [s]` and `t (s)`.
pub(super) fn without_unit(heading: &str) -> &str {
    let open = if heading.ends_with(')') { '(' } else { '[' };
    let (name, unit) = heading.rsplit_once(open).unwrap_or((heading, ""));
    // The 1 of `w[1]` and of `U (1)` counts, but that of `x [1]` is a unit. `2` and `1/2` are none.
    let is_one = unit == "1]" && name.ends_with(' ');
    let has_unit = unit
        .chars()
        .any(|c| !c.is_ascii_digit() && !"/ .)]".contains(c));
    let is_unit = unit.ends_with([']', ')']) && (is_one || has_unit);
    if is_unit && !name.trim().is_empty() {
        name.trim()
    } else {
        heading
    }
}

/// Makes a name of a heading, if that is possible: `t [s]` is `t`, `length of rod (mm)` is `length_of_rod`.
pub(super) fn name_from_heading(heading: &str) -> Option<String> {
    let composed: String = without_unit(heading).nfc().collect();
    let cannot_be_in_name = |c: char| !language::is_name(&format!("_{c}"));
    let parts = composed.split(cannot_be_in_name);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let name = parts.join("_");
    if is_free_name(&name) {
        return Some(name);
    }
    let prefixed = format!("_{name}");
    (!name.is_empty() && is_free_name(&prefixed)).then_some(prefixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_names() {
        for (header, expected) in [
            (&["x1", "x2", "y"][..], "x1 x2 y"),
            (
                &["length (mm)", "Größe", "長", "U (2)"],
                "length Größe 長 U_2",
            ),
            (&["t [s]", "U[mV]", "t [ms]", "[s]", "w[2]"], "t U t2 s w_2"),
            (
                &["k [1/s]", "a (1 / min)", "p (10^3 Pa)", "c [10⁻³ mol/L]"],
                "k a p c",
            ),
            (
                &["n [1]", "w[1]", "U (1)", "h (10 m)", "f (1/2)"],
                "n w_1 U_1 h f_1_2",
            ),
            (&["x^2", "a.b", "$ US", "-"], "x_2 a_b US column4"),
            (&["", "x", "  "], "column1 x column3"),
            (&["2nd", "_x", "x_"], "_2nd _x x_"),
            (&["ans", "_", "e", "for"], "_ans __ e for"),
            (&["x", "x", "x2", "x"], "x x2 x22 x3"),
            (&["a b", "a_b"], "a_b a_b2"),
            (&["e\u{301}", "é"], "é é2"),
        ] {
            let header: Vec<String> = header.iter().map(ToString::to_string).collect();
            let names = names_from_header(&header);
            assert_eq!(names.join(" "), expected, "{header:?}");
            assert!(
                names.iter().all(|name| language::is_name(name)),
                "{names:?}"
            );
        }
    }

    #[test]
    fn many_headings_that_are_alike_take_no_quadratic_time() {
        let header = vec!["x".to_owned(); 20_000];
        let names = names_from_header(&header);
        assert_eq!(names.last().map(String::as_str), Some("x20000"));
    }
}
