//! `:data FILE [COLUMN…] [as NAME…]`: the columns of a table in a file become lists of frozen leaves.
//!
//! The host reads the file, `columns` chooses columns and names them, `lists` describes the lists that the columns become,
//! and the session binds them.

mod columns;
mod lists;

use self::columns::{choose_columns, column_names, default_columns};
use self::columns::{left_out_text, read_names, stand_ins};
use self::lists::ListColumns;
use crate::commands::FileRequest;
use crate::commands::prelude::*;
use crate::commands::signatures::data::{
    AS, COLUMN, DMY, FILE, MDY, SECONDS, SIGNATURE, THOUSANDS,
};
use crate::session::{CellReading, DateOrder, NumberTable};
use chainrule_language::Span;
use chainrule_report::{Piece, join, plural};

/// The most names in the answer.
const MOST_NAMED: usize = 12;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let file = arguments.path(FILE)?;
    let given = read_names(arguments, AS)?;
    let table = read_table(session, arguments, &file)?;
    let called = column_names(&table);
    let used = choose_columns(arguments, &table, &called, given.len())?;
    let left_out = match arguments.words(COLUMN) {
        [] => left_out_text(&table, &called, &used),
        _ => String::new(),
    };
    if used.is_empty() {
        let message = format!("`{}` has no column of numbers", file.path);
        return Err(Diagnostic::new(message).at(file.span).help(left_out));
    }
    let lists = ListColumns {
        path: file.span.of(arguments.text),
        table,
        called,
        used,
    };
    let place_of_names = arguments.span_of(AS).unwrap_or(file.span);
    let named = lists.names(given, &left_out);
    let names = named.map_err(|error| error.at(place_of_names))?;
    lists.check_faults().map_err(|error| error.at(file.span))?;
    let numbers = lists.cells_of_whole_rows(&lists.table.numbers);
    let rows = numbers.len() / lists.used.len();
    if rows == 0 {
        let message = format!("every row of `{}` has a missing cell", file.path);
        let help = "name the columns that are needed, as in `:data FILE t, y`";
        return Err(Diagnostic::new(message).at(file.span).help(help));
    }
    let mut notes: Vec<Note> = lists.table.notes.iter().cloned().map(Note::new).collect();
    if !arguments.has(AS) {
        notes.extend(lists.renaming_note());
    }
    if !left_out.is_empty() {
        notes.push(Note::new(say!("{}", left_out)));
    }
    notes.extend(lists.column_notes(&names));
    notes.extend(lists.left_out_notes(rows));
    let begin = arguments.name_span.start as usize;
    let statement = Span::new(begin, begin + arguments.statement.len());
    let widths = lists.cells_of_whole_rows(&lists.table.widths);
    let rebound = session.bind_data(
        statement,
        &names,
        lists.headings(&names),
        &numbers,
        &widths,
        lists.used.len(),
    )?;
    notes.extend(rebound);
    Ok(Reply::show(report(&file.path, names, rows)).with_notes(notes))
}

/// Reads the file. The flag `seconds` is refused if the file has a column of this name.
fn read_table(
    session: &Session,
    arguments: &Arguments,
    file: &FileRequest,
) -> Result<NumberTable, Diagnostic> {
    let orders = [(DMY, DateOrder::DayFirst), (MDY, DateOrder::MonthFirst)];
    let order = orders.into_iter().find(|(flag, _)| arguments.has(flag));
    let cells = CellReading {
        order: order.map(|(_, order)| order),
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
