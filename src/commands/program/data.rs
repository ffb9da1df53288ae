//! `:data FILE [as NAME…]`: the columns of a table in a file become lists of frozen leaves.
//!
//! The host reads the file, the session binds the names. A column is called by its heading as far as that can be a name.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::change::given;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::{Diagnostic, quoted};
use crate::report::{Fact, Line, Note, Piece, Report, join, list, plural, say};
use crate::session::{ANSWERS, Session};
use crate::syntax;
use crate::syntax::Span;

/// Names of more columns are not listed in the answer.
const LISTED: usize = 12;

/// How many names that differ from their headings are told.
const TOLD: usize = 5;

pub(crate) const COMMAND: Command = Command {
    name: "data",
    aliases: &[],
    group: Group::Session,
    looks: false,
    entry: (":data FILE", "read a table"),
    arguments: &[
        Argument::needed("FILE", ArgumentKind::File)
            .means("a table of numbers, usually `.csv`; `-` reads what is piped into a script")
            .offering(Offers::Files(|| vec!["csv", "tsv", "txt"])),
        Argument::after("as", "NAME", ArgumentKind::Names)
            .means("a name for each column, or a single name for the list of all rows"),
    ],
    summary: "read a table of numbers: its columns become lists",
    page: page!("commands/data"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(file) = arguments.path("FILE")? else {
        return Ok(Reply::default());
    };
    let typed = typed(arguments)?;
    let table = session.host().read_table(&file.path);
    let table = table.map_err(|error| error.at(file.word()))?;
    let mut notes = Vec::new();
    let names = match &table.header {
        _ if typed.len() == 1 || typed.len() == table.width => typed,
        Some(header) if typed.is_empty() => named(header, &mut notes),
        _ => {
            let place = arguments.stretch("NAME").unwrap_or(file.word());
            return Err(unnamed(table.width, typed.len()).at(place));
        }
    };
    let begin = arguments.word.start as usize;
    let statement = Span::new(begin, begin + arguments.statement.len());
    let made = session.made();
    let rebound = session.bind_data(statement, &names, &table.numbers, table.width)?;
    notes.extend(rebound);
    for (name, heading) in names.iter().zip(table.header.iter().flatten()) {
        if names.len() == table.width && !heading.is_empty() && name != heading {
            session.keep_heading(name, heading);
        }
    }
    let each: Vec<&str> = names.iter().map(String::as_str).collect();
    notes.extend(given::give(session, &each, made, (statement, None))?);
    Ok(Reply::show(report(&file.path, names, table.rows())).notes(notes))
}

/// The names that were typed.
fn typed(arguments: &Arguments) -> Result<Vec<String>, Diagnostic> {
    let mut names: Vec<String> = Vec::new();
    for &word in arguments.words("NAME") {
        let name = word.of(arguments.text);
        if !syntax::is_name(name) || ANSWERS.contains(&name) {
            return Err(Diagnostic::new(format!("`{name}` cannot be the name of a column"))
                .at(word)
                .help("letters, digits and `_`, no digit first; `ans` and `_` are the last result"));
        }
        if names.iter().any(|other| other == name) {
            return Err(Diagnostic::new(format!("`{name}` is given twice"))
                .at(word)
                .help("each column needs a name of its own"));
        }
        names.push(name.to_string());
    }
    Ok(names)
}

/// The error for columns without names.
fn unnamed(width: usize, typed: usize) -> Diagnostic {
    let message = if typed == 0 {
        "the first line of the table has numbers and no names".to_owned()
    } else {
        let columns = plural(width, "column");
        format!("the table has {columns}, and {typed} names are given")
    };
    Diagnostic::new(message).help(
        "name each column, as in `:data FILE as x y`, or the list of all rows, as in `:data FILE as M`",
    )
}

/// Names for columns with these headings. What cannot stand in a name becomes `_`, and names that are alike get
/// numbers; notes tell which names differ from their headings.
fn named(header: &[String], notes: &mut Vec<Note>) -> Vec<String> {
    let mut names = Vec::new();
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut renamed = Vec::new();
    for (at, cell) in header.iter().enumerate() {
        let stem = cleaned(cell).unwrap_or_else(|| format!("column{}", at + 1));
        let mut name = stem.clone();
        while taken.contains_key(&name) {
            let count = taken.entry(stem.clone()).or_default();
            *count += 1;
            name = format!("{stem}{count}");
        }
        taken.insert(name.clone(), 1);
        if name != *cell {
            renamed.push(if cell.is_empty() {
                say!("no heading is called {:name}", &name)
            } else {
                say!("`{}` is called {:name}", quoted(cell), &name)
            });
        }
        names.push(name);
    }
    if !renamed.is_empty() {
        notes.push(Note::new(list(renamed.into_iter(), TOLD)));
    }
    names
}

/// A heading as a name: `length (mm)` is `length_mm`.
fn cleaned(heading: &str) -> Option<String> {
    let heading: String = heading.nfc().collect();
    let is_odd = |c: char| !syntax::is_name(&format!("_{c}"));
    let parts: Vec<&str> = heading
        .split(is_odd)
        .filter(|part| !part.is_empty())
        .collect();
    let name = parts.join("_");
    let is_free = |name: &String| syntax::is_name(name) && !ANSWERS.contains(&name.as_str());
    let behind = (!name.is_empty()).then(|| format!("_{name}"));
    Some(name).into_iter().chain(behind).find(is_free)
}

/// What was read from a file.
fn report(path: &str, names: Vec<String>, rows: usize) -> Report {
    let shown = names.iter().take(LISTED);
    let mut line: Line = join(shown.map(|name| vec![Piece::name(name.as_str())]), ", ");
    if names.len() > LISTED {
        line.extend(say!(" and {} more", names.len() - LISTED));
    }
    line.extend(say!(": {}", plural(rows, "row")));
    let facts = vec![
        ("path", Fact::Text(path.to_owned())),
        ("names", names.into_iter().collect()),
        ("rows", Fact::Count(rows as u64)),
    ];
    Report::done(COMMAND.name, facts, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_names() {
        for (header, expected) in [
            (&["x1", "x2", "y"][..], "x1 x2 y"),
            (&["length (mm)", "Größe", "長"], "length_mm Größe 長"),
            (&["x^2", "a.b", "$ US", "-"], "x_2 a_b US column4"),
            (&["", "x", "  "], "column1 x column3"),
            (&["2nd", "_x", "x_"], "_2nd _x x_"),
            (&["ans", "_", "e", "for"], "_ans __ e for"),
            (&["x", "x", "x2", "x"], "x x2 x22 x3"),
            (&["a b", "a_b"], "a_b a_b2"),
            (&["e\u{301}", "é"], "é é2"),
        ] {
            let header: Vec<String> = header.iter().map(ToString::to_string).collect();
            let names = named(&header, &mut Vec::new());
            assert_eq!(names.join(" "), expected, "{header:?}");
            assert!(names.iter().all(|name| syntax::is_name(name)), "{names:?}");
        }
    }

    #[test]
    fn many_headings_that_are_alike_take_no_quadratic_time() {
        let header = vec!["x".to_owned(); 20_000];
        let names = named(&header, &mut Vec::new());
        assert_eq!(names.last().map(String::as_str), Some("x20000"));
    }
}
