//! Names for the columns of a table: those that the user types, those made of headings, and stand-ins.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use crate::commands::args::Argument;
use crate::commands::prelude::*;
use crate::session::{ANSWERS, NumberTable};
use chainrule_language as language;

/// Reads the names of an argument. A column that is asked for may be called by its heading, in quotes.
pub(super) fn read_names(
    arguments: &Arguments,
    argument: &Argument,
) -> Result<Vec<String>, Diagnostic> {
    let mut names: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    for &word in arguments.words(argument) {
        let typed = word.of(arguments.text);
        let heading = language::strip_quotes(typed).filter(|_| argument.keyword.is_none());
        let name = heading.unwrap_or(typed);
        if heading.is_none() && !is_free_name(name) {
            return Err(unusable_name_error(name).at(word));
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

fn unusable_name_error(name: &str) -> Diagnostic {
    let possible = language::strip_quotes(name).and_then(name_from_heading);
    let help = match possible {
        Some(possible) => format!("without quotes, it is called `{possible}`"),
        None => "letters, digits and `_`, no digit first; `ans` and `_` are the last result".into(),
    };
    Diagnostic::new(format!("`{name}` cannot be the name of a column")).help(help)
}

/// The name of each column: from its heading or, without a header, its number.
pub(super) fn column_names(table: &NumberTable) -> Vec<String> {
    match &table.header {
        Some(header) => names_from_header(header),
        None => (1..=table.columns.len())
            .map(|number| number.to_string())
            .collect(),
    }
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
    let is_unit = unit.ends_with([']', ')']) && !unit.starts_with(|c: char| c.is_ascii_digit());
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
