//! `:data FILE [COLUMN…] [as NAME…]`: the columns of a table in a file become lists of frozen leaves.
//!
//! The host reads the file, and the session binds the names. A column is named after its heading, if that can be a
//! name; a unit in brackets after it is used on axes.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use crate::commands::args::{Argument, Arguments};
use crate::commands::signatures::data::{
    AS, COLUMN, DMY, FILE, MDY, SECONDS, SIGNATURE, THOUSANDS,
};
use crate::commands::{Command, Reply};
use crate::session::{
    ANSWERS, CellReading, ColumnKind, DateOrder, Heading, NumberTable, Session, TableColumn,
    table_diagnostic,
};
use chainrule_language as language;
use chainrule_language::Span;
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};
use chainrule_report::diagnostic::{Diagnostic, backtick_list, shorten_quotation};
use chainrule_report::{Fact, Line, Note, Piece, Report, join, list_with_and, plural, say};

/// The most columns whose names are in the answer.
const MOST_NAMED: usize = 12;

/// The most names that differ from their headings in a note, and the most words that are no numbers.
const MOST_RENAMED: usize = 5;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let file = arguments.path(FILE)?;
    let path = file.span.of(arguments.text);
    let given = read_names(arguments, AS)?;
    let order = match (arguments.has(DMY), arguments.has(MDY)) {
        (true, _) => Some(DateOrder::DayFirst),
        (_, true) => Some(DateOrder::MonthFirst),
        _ => None,
    };
    let cells = CellReading {
        order,
        has_durations: arguments.has(SECONDS),
        has_thousands: arguments.has(THOUSANDS),
    };
    let table = session.host().read_table(&file.path, cells);
    let table = table.map_err(|error| error.at(file.span))?;
    let called = column_names(&table);
    if table.header.is_some()
        && arguments.has(SECONDS)
        && called.iter().any(|it| it == SECONDS.name)
    {
        let message = "`seconds` says that times are durations, and it is a column of the file";
        let help = "in quotes it is the column: `\"seconds\"`";
        return Err(Diagnostic::new(message).at(file.span).help(help));
    }
    let (used, left_out) = choose_columns(arguments, &table, &called, given.len())?;
    if used.is_empty() {
        let message = format!("`{}` has no column of numbers", file.path);
        return Err(Diagnostic::new(message).at(file.span).help(left_out));
    }
    let mut notes: Vec<Note> = table.notes.iter().cloned().map(Note::new).collect();
    let columns: Vec<String> = used.iter().map(|&at| called[at].clone()).collect();
    let names = match &table.header {
        _ if given.len() == 1 || given.len() == used.len() => given,
        Some(header) if given.is_empty() => {
            notes.extend(renaming_note(header, &called, &used));
            columns.clone()
        }
        _ => {
            let place = arguments.span_of(AS).unwrap_or(file.span);
            let error = missing_names_error(path, used.len(), given.len(), &left_out);
            return Err(error.at(place));
        }
    };
    let mut faults = used.iter().map(|&at| &table.columns[at].fault);
    if let Some(fault) = faults.find_map(Option::as_ref) {
        let mut error = table_diagnostic(fault).at(file.span);
        error.help = (error.help).map(|help| help.replace(" FILE ", &format!(" {path} ")));
        return Err(error);
    }
    if !left_out.is_empty() {
        notes.push(Note::new(say!("{}", left_out)));
    }
    let rows = table.numbers.chunks(table.columns.len());
    let is_whole = |row: &[f64]| used.iter().all(|&at| !row[at].is_nan());
    let of_whole_rows = |all: &[f64]| -> Vec<f64> {
        let all = all.chunks(table.columns.len()).zip(rows.clone());
        let whole = all.filter(|(_, row)| is_whole(row));
        whole
            .flat_map(|(row, _)| used.iter().map(|&at| row[at]))
            .collect()
    };
    let numbers = of_whole_rows(&table.numbers);
    let kept = numbers.len() / used.len();
    if kept == 0 {
        let message = format!("every row of `{}` has a missing cell", file.path);
        let help = "name the columns that are needed, as in `:data FILE t, y`";
        return Err(Diagnostic::new(message).at(file.span).help(help));
    }
    // A single name stands for the list of all rows.
    let is_each_named = names.len() == used.len();
    let shown = if is_each_named { &names } else { &columns };
    let lists = shown.iter().zip(&used);
    notes.extend(lists.filter_map(|(name, &at)| column_note(&table, at, name)));
    notes.extend(left_out_notes(&table, &called, &used, kept, path));
    let begin = arguments.word.start as usize;
    let statement = Span::new(begin, begin + arguments.statement.len());
    let named = names.iter().zip(&used).filter(|_| is_each_named);
    let headings = named.map(|(name, &at)| heading(&table, at, name)).collect();
    let widths = of_whole_rows(&table.widths);
    let rebound = session.bind_data(statement, &names, headings, &numbers, &widths, used.len())?;
    notes.extend(rebound);
    Ok(Reply::show(report(&file.path, names, kept)).with_notes(notes))
}

/// What the numbers of a column mean if they are dates, times or classes.
fn column_note(table: &NumberTable, at: usize, name: &str) -> Option<Note> {
    let column = &table.columns[at];
    let first = &column.first;
    let line = match column.kind {
        ColumnKind::Dates => say!("{:name} is in days since {}", name, first),
        ColumnKind::Times => say!("{:name} is in seconds since {}", name, first),
        ColumnKind::Durations => {
            let mut rows = table.numbers.chunks(table.columns.len());
            let number = rows.find_map(|row| Some(row[at]).filter(|it| !it.is_nan()))?;
            say!(
                "{:name} has durations: `{}` is {} seconds",
                name,
                first,
                number
            )
        }
        ColumnKind::Classes => say!("{}", classes(name, &column.words)),
        _ => return None,
    };
    Some(Note::new(line))
}

/// The notes on rows that are left out: for words among the numbers of a column, and for missing cells.
fn left_out_notes(
    table: &NumberTable,
    called: &[String],
    used: &[usize],
    kept: usize,
    path: &str,
) -> Vec<Note> {
    let mut notes = Vec::new();
    let mixed = used.iter().map(|&at| (&called[at], &table.columns[at]));
    let mixed = mixed.filter(|(_, column)| !column.rows.is_empty());
    let rows_with_words = mixed.clone().flat_map(|(_, column)| &column.rows);
    let rows_with_words: HashSet<u32> = rows_with_words.map(|(row, _)| *row).collect();
    if !rows_with_words.is_empty() {
        let each = mixed.flat_map(|(name, column)| {
            let words = column.words.iter();
            words.map(move |word| say!("`{}` in {:name}", shorten_quotation(word), name))
        });
        let count = plural(rows_with_words.len(), "row");
        let sentence = list_with_and(each.collect::<Vec<Line>>().into_iter(), MOST_RENAMED);
        notes.push(Note::new(say!("{} left out: {}", count, sentence)));
    }
    let rows = table.numbers.chunks(table.columns.len());
    let missing = rows.len() - kept - rows_with_words.len();
    if missing > 0 {
        let gaps = |at: usize| rows.clone().filter(|row| row[at].is_nan()).count();
        let has_gaps = |at: &usize| gaps(*at) > table.columns[*at].rows.len();
        let (gaps, whole): (Vec<usize>, Vec<usize>) = used.iter().partition(|at| has_gaps(at));
        let names = |all: &[usize]| {
            all.iter()
                .map(|&at| &*called[at])
                .collect::<Vec<_>>()
                .join(", ")
        };
        let count = plural(missing, "row");
        let mut note = say!(
            "{} left out: a cell in column {} is missing",
            count,
            names(&gaps)
        );
        if !whole.is_empty() && table.header.is_some() {
            note.extend(say!("; `:data {} {}` keeps them", path, names(&whole)));
        }
        notes.push(Note::new(note));
    }
    notes
}

/// The heading of a list, for axes; none if it would only be its name.
fn heading(table: &NumberTable, at: usize, name: &str) -> Option<Heading> {
    let column = &table.columns[at];
    let above = table.header.as_ref().map(|header| &*header[at]);
    let above = above.filter(|it| !it.is_empty()).unwrap_or(name);
    let text = match column.kind {
        ColumnKind::Dates => format!("{} [d]", without_unit(above)),
        ColumnKind::Times | ColumnKind::Durations => format!("{} [s]", without_unit(above)),
        ColumnKind::Classes => classes(above, &column.words),
        _ => above.to_owned(),
    };
    (name != text).then(|| Heading::new(&text, column.calendar))
}

/// `species: 0 setosa, 1 versicolor`.
fn classes(name: &str, words: &[Box<str>]) -> String {
    let each = words.iter().zip(0..).map(|(word, number)| {
        let word: Vec<&str> = word.split_whitespace().collect();
        format!("{number} {}", word.join(" "))
    });
    format!("{name}: {}", each.collect::<Vec<_>>().join(", "))
}

fn is_list(kind: ColumnKind) -> bool {
    !matches!(kind, ColumnKind::Empty | ColumnKind::Text)
}

/// The names for the columns of a pasted table, and the statement that reads it; nothing if it has no numbers.
pub(crate) fn pasted_names(table: &NumberTable, file: &str) -> Option<(Vec<String>, String)> {
    let used = default_columns(table, 0);
    let (names, statement) = if table.header.is_some() {
        let called = column_names(table);
        let names = used.iter().map(|&at| called[at].clone()).collect();
        (names, format!(":data {file}"))
    } else {
        let names = stand_ins(used.len());
        let statement = format!(":data {file} as {}", names.join(" "));
        (names, statement)
    };
    (!used.is_empty()).then_some((names, statement))
}

/// What the columns are called: after their headings or, without a header, by their numbers.
fn column_names(table: &NumberTable) -> Vec<String> {
    match &table.header {
        Some(header) => names_from_header(header),
        None => (1..=table.columns.len())
            .map(|number| number.to_string())
            .collect(),
    }
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

/// The places of the columns that are read if none are asked for. `names` is how many names are given.
fn default_columns(table: &NumberTable, names: usize) -> Vec<usize> {
    let columns = &table.columns;
    let all = 0..columns.len();
    let sparse: Vec<bool> = all.clone().map(|at| is_sparse(table, at)).collect();
    let is_full = |at: usize| has_numbers(&columns[at]) && !sparse[at];
    let any_full = all.clone().any(is_full);
    let every = all.filter(|at| is_list(columns[*at].kind));
    let used = every.clone().filter(|at| !(any_full && sparse[*at]));
    let numbers = used.clone().filter(|at| has_numbers(&columns[*at]));
    let numbers: Vec<usize> = numbers.collect();
    let used: Vec<usize> = used.filter(|at| !is_one_word(&columns[*at])).collect();
    // Classes need a name of their own, and numbers beside them.
    let is_named = |it: &Vec<usize>| !numbers.is_empty() && (names == 0 || names == it.len());
    let used = [used, every.collect()].into_iter().find(is_named);
    used.unwrap_or(numbers)
}

/// The places of the given columns, or else of those with numbers, dates or classes, and why the others are left out.
/// `names` is how many names are given.
fn choose_columns(
    arguments: &Arguments,
    table: &NumberTable,
    called: &[String],
    names: usize,
) -> Result<(Vec<usize>, String), Diagnostic> {
    let reason = |at: usize| {
        let column = &table.columns[at];
        match column.words.first().map(|word| shorten_quotation(word)) {
            _ if is_sparse(table, at) => "most of its cells are missing".to_owned(),
            Some(word) if is_one_word(column) => format!("all cells are `{word}`"),
            Some(word) => format!("`{word}` is no number"),
            None => "all cells are empty".to_owned(),
        }
    };
    let asked = read_names(arguments, COLUMN)?;
    if asked.is_empty() {
        let used = default_columns(table, names);
        let others = (0..table.columns.len()).filter(|at| used.binary_search(at).is_err());
        let without = others.map(|at| format!("column {} left out: {}", called[at], reason(at)));
        let without: Vec<String> = without.collect();
        return Ok((used, without.join("; ")));
    }
    let mut places: HashMap<&str, usize> = HashMap::new();
    if let Some(header) = &table.header {
        for (at, name) in called.iter().enumerate().chain(header.iter().enumerate()) {
            places.entry(name).or_insert(at);
        }
    }
    let find = |(name, &word): (String, &Span)| {
        let Some(&at) = places.get(&*name) else {
            let names = called.iter().map(String::as_str);
            let help = match &table.header {
                None => "without a header, name all columns: `:data FILE as x y`".to_owned(),
                Some(_) => did_you_mean(near_column(&name, names.clone()), || {
                    format!("there are {}", backtick_list(names))
                }),
            };
            return Err(Diagnostic::new(format!("no column is called `{name}`"))
                .at(word)
                .help(help));
        };
        if is_list(table.columns[at].kind) {
            return Ok(at);
        }
        Err(Diagnostic::new(format!("`{name}` has no numbers"))
            .at(word)
            .help(reason(at)))
    };
    let asked = asked.into_iter().zip(arguments.words(COLUMN));
    let used: Result<Vec<usize>, Diagnostic> = asked.map(find).collect();
    Ok((used?, String::new()))
}

/// The column that was probably meant: one with a unit after the name, `t_s` for `t`, or without it, or one with a similar
/// spelling.
pub(crate) fn near_column<'n>(
    typed: &str,
    columns: impl Iterator<Item = &'n str> + Clone,
) -> Option<&'n str> {
    let adds_unit = |long: &str, short: &str| {
        let rest = long.strip_prefix(short);
        rest.is_some_and(|rest| rest.starts_with('_'))
    };
    let has_unit = |name: &&str| adds_unit(name, typed) || adds_unit(typed, name);
    columns
        .clone()
        .find(has_unit)
        .or_else(|| nearest(typed, columns))
}

/// The names of an argument. A column that is asked for may be called by its heading, in quotes.
fn read_names(arguments: &Arguments, argument: &Argument) -> Result<Vec<String>, Diagnostic> {
    let mut names: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    for &word in arguments.words(argument) {
        let typed = word.of(arguments.text);
        let heading = language::strip_quotes(typed).filter(|_| argument.keyword.is_none());
        let name = heading.unwrap_or(typed);
        if heading.is_none() && (!language::is_name(name) || ANSWERS.contains(&name)) {
            let possible = language::strip_quotes(name).and_then(name_from_heading);
            let help = match possible {
                Some(name) => format!("without quotes, it is called `{name}`"),
                None => {
                    "letters, digits and `_`, no digit first; `ans` and `_` are the last result"
                        .to_owned()
                }
            };
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

/// Names for columns without any.
fn stand_ins(count: usize) -> Vec<String> {
    match count {
        1 => vec!["x".to_owned()],
        2 => vec!["x".to_owned(), "y".to_owned()],
        _ => (1..=count).map(|at| format!("x{at}")).collect(),
    }
}

/// The error for columns without names.
fn missing_names_error(file: &str, width: usize, typed: usize, left_out: &str) -> Diagnostic {
    let message = if typed == 0 {
        "the first line of the table has numbers and no names".to_owned()
    } else {
        let columns = plural(width, "column");
        format!("the table has {columns}, and {typed} names are given")
    };
    let end = if left_out.is_empty() { "" } else { "; " };
    Diagnostic::new(message).help(format!(
        "{left_out}{end}name each column, as in `:data {file} as {}`, or the list of all rows, as in `:data {file} as M`",
        stand_ins(width).join(" ")
    ))
}

/// Names for columns with these headings. Characters that a name cannot have become `_`, and equal names get numbers.
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

/// A note on the used columns whose names are not their headings.
fn renaming_note(header: &[String], names: &[String], used: &[usize]) -> Option<Note> {
    let other = |&&at: &&usize| names[at] != without_unit(&header[at]);
    let renamed = used.iter().filter(other).map(|&at| {
        let (heading, name) = (&*header[at], &names[at]);
        let stem = name_from_heading(heading).unwrap_or_default();
        match name.strip_prefix(&stem) {
            _ if heading.is_empty() => say!("the column without a heading is called {:name}", name),
            Some("2") => say!("the second {:name} is called {:name}", stem, name),
            Some("3") => say!("the third {:name} is called {:name}", stem, name),
            _ => say!("`{}` is called {:name}", shorten_quotation(heading), name),
        }
    });
    let renamed: Vec<Line> = renamed.collect();
    (!renamed.is_empty()).then(|| Note::new(list_with_and(renamed.into_iter(), MOST_RENAMED)))
}

/// `t` of `t [s]` and `t (s)`.
fn without_unit(heading: &str) -> &str {
    let open = if heading.ends_with(')') { '(' } else { '[' };
    let (name, unit) = heading.rsplit_once(open).unwrap_or((heading, ""));
    let is_unit = unit.ends_with([']', ')']) && !unit.starts_with(|c: char| c.is_ascii_digit());
    if is_unit && !name.trim().is_empty() {
        name.trim()
    } else {
        heading
    }
}

/// A heading as a name: `t [s]` is `t`, `length of rod (mm)` is `length_of_rod`.
fn name_from_heading(heading: &str) -> Option<String> {
    let heading: String = without_unit(heading).nfc().collect();
    let is_odd = |c: char| !language::is_name(&format!("_{c}"));
    let parts: Vec<&str> = heading
        .split(is_odd)
        .filter(|part| !part.is_empty())
        .collect();
    let name = parts.join("_");
    let is_free = |name: &String| language::is_name(name) && !ANSWERS.contains(&name.as_str());
    let behind = (!name.is_empty()).then(|| format!("_{name}"));
    Some(name).into_iter().chain(behind).find(is_free)
}

/// The report of a file that was read.
fn report(path: &str, names: Vec<String>, rows: usize) -> Report {
    let first = names.iter().take(MOST_NAMED);
    let mut line: Line = join(first.map(|name| vec![Piece::name(name.as_str())]), ", ");
    if names.len() > MOST_NAMED {
        line.extend(say!(" and {} more", names.len() - MOST_NAMED));
    }
    line.extend(say!(": {}", plural(rows, "row")));
    let facts = vec![
        ("path", Fact::Text(path.to_owned())),
        ("names", names.into_iter().collect()),
        ("rows", Fact::Count(rows as u64)),
    ];
    Report::confirming(COMMAND.name, facts, line)
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
