//! Headers: from the cells of a header to names of the language.
//!
//! Whether a file has a header is decided in the parent module.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::NumberTable;
use crate::diagnostic::{Diagnostic, quoted};
use crate::report::{Note, plural, say};
use crate::session::naming::ANSWERS;
use crate::syntax;

/// How many changed names are told.
const TOLD: usize = 5;

/// The names of the columns.
pub(crate) struct ColumnNames {
    /// The names, all different.
    pub names: Vec<String>,
    /// What is said about those that differ from the header.
    pub notes: Vec<Note>,
}

/// The names for a table: those that were typed, else those of its header. `file` is the path as it was typed.
pub(crate) fn names(
    given: &[String],
    table: &NumberTable,
    file: &str,
) -> Result<ColumnNames, Diagnostic> {
    let width = table.width;
    let columns = plural(width, "column");
    if !given.is_empty() {
        if given.len() != 1 && given.len() != width {
            let names = given.len();
            return Err(Diagnostic::new(format!(
                "the table has {columns}, and {names} names are given"
            ))
            .help("give a name for each column, or a single one for the list of all rows"));
        }
        return Ok(ColumnNames {
            names: given.to_vec(),
            notes: Vec::new(),
        });
    }
    if let Some(header) = &table.header {
        return Ok(named(header));
    }
    let error = Diagnostic::new("the first line of the table has numbers and no names");
    Err(match width {
        1 => error.help(format!("name the column: `:data {file} as x`")),
        2..=6 => {
            let names: Vec<String> = (1..=width).map(|at| format!("x{at}")).collect();
            let names = names.join(" ");
            error.help(format!(
                "name the columns, `:data {file} as {names}`, or the list of all rows, `:data {file} as M`"
            ))
        }
        _ => error.help(format!(
            "name the list of all rows: `:data {file} as M`; or give {width} names, one for each column"
        )),
    })
}

/// Names for columns with these headings. What cannot stand in a name becomes `_`, and names that are alike get
/// numbers.
fn named(header: &[String]) -> ColumnNames {
    let cleaned: Vec<String> = header.iter().map(|cell| cleaned(cell)).collect();
    // A heading that is a name as it stands keeps it, wherever it stands.
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut names: Vec<Option<String>> = (cleaned.iter().zip(header))
        .map(|(name, cell)| {
            let keeps = name == cell && !name.is_empty() && !taken.contains_key(name);
            keeps.then(|| free(name.clone(), &mut taken))
        })
        .collect();
    for (at, name) in names.iter_mut().enumerate() {
        if name.is_none() {
            let stem = match cleaned[at].as_str() {
                "" => format!("column{}", at + 1),
                stem => stem.to_string(),
            };
            *name = Some(free(stem, &mut taken));
        }
    }
    let names: Vec<String> = names.into_iter().flatten().collect();
    let changed: Vec<(&String, &String)> = (header.iter().zip(&names))
        .filter(|(cell, name)| cell != name)
        .collect();
    let mut notes: Vec<Note> = (changed.iter().take(TOLD))
        .map(|&(cell, name)| {
            Note::new(if cell.is_empty() {
                say!("the column without a heading is called {:name}", name)
            } else {
                say!("the column `{}` is called {:name}", quoted(cell), name)
            })
        })
        .collect();
    if changed.len() > TOLD {
        let more = changed.len() - TOLD;
        notes.push(Note::new(say!(
            "{} more names differ from the header",
            more
        )));
    }
    ColumnNames { names, notes }
}

/// A heading as a name: `length (mm)` is `length_mm`. Empty if nothing is left.
fn cleaned(cell: &str) -> String {
    let mut name = String::new();
    let mut gap = false;
    for c in cell.nfc() {
        if !syntax::is_name(&format!("_{c}")) {
            gap = true;
            continue;
        }
        // A digit goes on a name, but begins none.
        if gap && !name.is_empty() || name.is_empty() && !syntax::is_name(&c.to_string()) {
            name.push('_');
        }
        gap = false;
        name.push(c);
    }
    if name.chars().all(|c| c == '_') {
        name.clear();
    } else if ANSWERS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// The name, with the first number behind it that makes it a new one.
fn free(stem: String, taken: &mut HashMap<String, usize>) -> String {
    let mut number = match taken.get(&stem) {
        None => {
            taken.insert(stem.clone(), 2);
            return stem;
        }
        Some(next) => *next,
    };
    // Directly after a digit it would read as part of another number.
    let between = if stem.ends_with(char::is_numeric) {
        "_"
    } else {
        ""
    };
    loop {
        let name = format!("{stem}{between}{number}");
        number += 1;
        if !taken.contains_key(&name) {
            taken.insert(stem, number);
            taken.insert(name.clone(), 2);
            return name;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(header: &[&str]) -> String {
        let header: Vec<String> = header.iter().map(ToString::to_string).collect();
        named(&header).names.join(" ")
    }

    #[test]
    fn headings_become_names() {
        for (header, expected) in [
            (&["x1", "x2", "y"][..], "x1 x2 y"),
            (&["length (mm)", "Größe", "長"], "length_mm Größe 長"),
            (&["x^2", "a.b", "$ US", "-"], "x_2 a_b US column4"),
            (&["", "x", "  "], "column1 x column3"),
            (&["2nd", "_x", "x_"], "_2nd _x x_"),
            (&["ans", "_", "e", "for"], "ans_ column2 e for"),
            (&["x", "x", "x2", "x"], "x x3 x2 x4"),
            (&["x2", "x2"], "x2 x2_2"),
            (&["a b", "a_b"], "a_b2 a_b"),
            (&["e\u{301}", "é"], "é2 é"),
        ] {
            let names = names(header);
            assert_eq!(names, expected, "{header:?}");
            assert!(names.split(' ').all(syntax::is_name), "{names}");
        }
    }

    #[test]
    fn many_headings_that_are_alike_take_no_quadratic_time() {
        let header = vec!["x"; 20_000];
        assert!(names(&header).ends_with(" x19999 x20000"));
    }
}
