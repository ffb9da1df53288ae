//! `:data FILE [COLUMN…] [as NAME…]`: the columns of a table in a file become lists of frozen leaves.
//!
//! The host reads the file, `columns` chooses columns, `names` makes names of headings, and the session binds the lists.

mod columns;
mod names;

use std::collections::HashSet;

use self::columns::{ColumnChoice, choose_columns, default_columns};
use self::names::{column_names, read_names, renaming_note, stand_ins, without_unit};
use crate::commands::FileRequest;
use crate::commands::prelude::*;
use crate::commands::signatures::data::{AS, DMY, FILE, MDY, SECONDS, SIGNATURE, THOUSANDS};
use crate::session::{
    CellReading, ColumnKind, DateOrder, Heading, NumberTable, TableColumn, table_diagnostic,
};
use chainrule_language::Span;
use chainrule_report::diagnostic::shorten_quotation;
use chainrule_report::{Fact, Line, Note, Piece, Report, join, list_with_and, plural, say};

/// The most names in the answer.
const MOST_NAMED: usize = 12;

/// The most words in a note on cells that are no numbers.
const MOST_WORDS: usize = 5;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let file = arguments.path(FILE)?;
    let path = file.span.of(arguments.text);
    let given = read_names(arguments, AS)?;
    let table = read_table(session, arguments, &file)?;
    let called = column_names(&table);
    let ColumnChoice { used, left_out } = choose_columns(arguments, &table, &called, given.len())?;
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
    check_faults(&table, &used, path).map_err(|error| error.at(file.span))?;
    if !left_out.is_empty() {
        notes.push(Note::new(say!("{}", left_out)));
    }
    let numbers = cells_of_whole_rows(&table, &used, &table.numbers);
    let rows = numbers.len() / used.len();
    if rows == 0 {
        let message = format!("every row of `{}` has a missing cell", file.path);
        let help = "name the columns that are needed, as in `:data FILE t, y`";
        return Err(Diagnostic::new(message).at(file.span).help(help));
    }
    // A single name for several columns stands for the list of all rows.
    let is_each_named = names.len() == used.len();
    let shown = if is_each_named { &names } else { &columns };
    let lists = shown.iter().zip(&used);
    notes.extend(lists.filter_map(|(name, &at)| column_note(&table, at, name)));
    notes.extend(left_out_notes(&table, &called, &used, rows, path));
    let begin = arguments.name_span.start as usize;
    let statement = Span::new(begin, begin + arguments.statement.len());
    let named = names.iter().zip(&used).filter(|_| is_each_named);
    let headings = named.map(|(name, &at)| heading(&table, at, name)).collect();
    let widths = cells_of_whole_rows(&table, &used, &table.widths);
    let rebound = session.bind_data(statement, &names, headings, &numbers, &widths, used.len())?;
    notes.extend(rebound);
    Ok(Reply::show(report(&file.path, names, rows)).with_notes(notes))
}

/// Reads the file. The flag `seconds` is refused if the file has a column of this name.
fn read_table(
    session: &Session,
    arguments: &Arguments,
    file: &FileRequest,
) -> Result<NumberTable, Diagnostic> {
    let order = if arguments.has(DMY) {
        Some(DateOrder::DayFirst)
    } else if arguments.has(MDY) {
        Some(DateOrder::MonthFirst)
    } else {
        None
    };
    let cells = CellReading {
        order,
        has_durations: arguments.has(SECONDS),
        has_thousands: arguments.has(THOUSANDS),
    };
    let table = session.host().read_table(&file.path, cells);
    let table = table.map_err(|error| error.at(file.span))?;
    let is_seconds = |name: &String| name == SECONDS.name;
    if cells.has_durations && table.header.is_some() && column_names(&table).iter().any(is_seconds)
    {
        let message = "`seconds` says that times are durations, and it is a column of the file";
        let help = "in quotes it is the column: `\"seconds\"`";
        return Err(Diagnostic::new(message).at(file.span).help(help));
    }
    Ok(table)
}

/// Refuses columns with a cell that cannot be read.
fn check_faults(table: &NumberTable, used: &[usize], path: &str) -> Result<(), Diagnostic> {
    let mut faults = used.iter().map(|&at| &table.columns[at].fault);
    let Some(fault) = faults.find_map(Option::as_ref) else {
        return Ok(());
    };
    let mut error = table_diagnostic(fault);
    error.help = (error.help).map(|help| help.replace(" FILE ", &format!(" {path} ")));
    Err(error)
}

/// Picks from `cells` those of the used columns in rows where each of these has a number.
fn cells_of_whole_rows(table: &NumberTable, used: &[usize], cells: &[f64]) -> Vec<f64> {
    let width = table.columns.len();
    let rows = table.numbers.chunks(width).zip(cells.chunks(width));
    let mut picked = Vec::new();
    for (numbers, row) in rows {
        if used.iter().all(|&at| !numbers[at].is_nan()) {
            picked.extend(used.iter().map(|&at| row[at]));
        }
    }
    picked
}

/// A note on the meaning of numbers that are dates, times or classes.
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

/// The notes on rows that are left out: for words among the numbers of a column, and for missing cells. `kept` is how many
/// rows are left.
fn left_out_notes(
    table: &NumberTable,
    called: &[String],
    used: &[usize],
    kept: usize,
    path: &str,
) -> Vec<Note> {
    let is_mixed = |at: &&usize| !table.columns[**at].rows.is_empty();
    let mixed: Vec<usize> = used.iter().filter(is_mixed).copied().collect();
    let with_words = mixed.iter().flat_map(|&at| &table.columns[at].rows);
    let with_words: HashSet<u32> = with_words.map(|(row, _)| *row).collect();
    let mut notes = Vec::new();
    if !with_words.is_empty() {
        let words = mixed
            .iter()
            .flat_map(|&at| words_in(&table.columns[at], &called[at]));
        let words: Vec<Line> = words.collect();
        let count = plural(with_words.len(), "row");
        let sentence = list_with_and(words.into_iter(), MOST_WORDS);
        notes.push(Note::new(say!("{} left out: {}", count, sentence)));
    }
    let rows = table.numbers.len() / table.columns.len();
    let missing = rows - kept - with_words.len();
    if missing > 0 {
        let line = missing_cells_line(table, called, used, missing, path);
        notes.push(Note::new(line));
    }
    notes
}

/// `n/a` in y, for each word of a column.
fn words_in<'t>(column: &'t TableColumn, name: &'t str) -> impl Iterator<Item = Line> {
    let words = column.words.iter();
    words.map(move |word| say!("`{}` in {:name}", shorten_quotation(word), name))
}

/// Says which columns have missing cells, and how to keep the rows of the others.
fn missing_cells_line(
    table: &NumberTable,
    called: &[String],
    used: &[usize],
    count: usize,
    path: &str,
) -> Line {
    let rows = table.numbers.chunks(table.columns.len());
    let gaps = |at: usize| rows.clone().filter(|row| row[at].is_nan()).count();
    let has_gaps = |at: &usize| gaps(*at) > table.columns[*at].rows.len();
    let (gappy, whole): (Vec<usize>, Vec<usize>) = used.iter().partition(|at| has_gaps(at));
    let names = |places: &[usize]| {
        let names = places.iter().map(|&at| &*called[at]);
        names.collect::<Vec<_>>().join(", ")
    };
    let mut line = say!(
        "{} left out: a cell in column {} is missing",
        plural(count, "row"),
        names(&gappy)
    );
    if !whole.is_empty() && table.header.is_some() {
        line.extend(say!("; `:data {} {}` keeps them", path, names(&whole)));
    }
    line
}

/// The heading of a list, for axes; `None` if it is the name of the list.
fn heading(table: &NumberTable, at: usize, name: &str) -> Option<Heading> {
    let column = &table.columns[at];
    let cell = table.header.as_ref().map(|header| &*header[at]);
    let title = cell.filter(|cell| !cell.is_empty()).unwrap_or(name);
    let text = match column.kind {
        ColumnKind::Dates => format!("{} [d]", without_unit(title)),
        ColumnKind::Times | ColumnKind::Durations => format!("{} [s]", without_unit(title)),
        ColumnKind::Classes => classes(title, &column.words),
        _ => title.to_owned(),
    };
    (name != text).then(|| Heading::new(&text, column.calendar))
}

/// `species: 0 setosa, 1 versicolor`.
fn classes(name: &str, words: &[Box<str>]) -> String {
    let mut entries = Vec::new();
    for (number, word) in words.iter().enumerate() {
        let parts: Vec<&str> = word.split_whitespace().collect();
        entries.push(format!("{number} {}", parts.join(" ")));
    }
    format!("{name}: {}", entries.join(", "))
}

/// Returns names for the columns of a pasted table and the statement that reads it, or `None` if it has no numbers.
pub(crate) fn pasted_names(table: &NumberTable, file: &str) -> Option<(Vec<String>, String)> {
    let used = default_columns(table, 0);
    if used.is_empty() {
        return None;
    }
    if table.header.is_some() {
        let called = column_names(table);
        let names = used.iter().map(|&at| called[at].clone()).collect();
        return Some((names, format!(":data {file}")));
    }
    let names = stand_ins(used.len());
    let statement = format!(":data {file} as {}", names.join(" "));
    Some((names, statement))
}

/// The error for columns without names.
fn missing_names_error(file: &str, width: usize, given: usize, left_out: &str) -> Diagnostic {
    let message = if given == 0 {
        "the first line of the table has numbers and no names".to_owned()
    } else {
        let columns = plural(width, "column");
        format!("the table has {columns}, and {given} names are given")
    };
    let end = if left_out.is_empty() { "" } else { "; " };
    Diagnostic::new(message).help(format!(
        "{left_out}{end}name each column, as in `:data {file} as {}`, or the list of all rows, as in `:data {file} as M`",
        stand_ins(width).join(" ")
    ))
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
