//! `:data FILE [COLUMN…] [as NAME…]`: the columns of a table in a file become lists of frozen leaves.
//!
//! The host reads the file, `columns` chooses columns and names them, `lists` describes the lists that the columns become,
//! and the session binds them.

mod columns;
mod lists;

use self::columns::{choose_columns, column_names, default_columns};
use self::columns::{left_out_text, read_names, stand_ins};
use self::lists::ListColumns;
use crate::command::prelude::*;
use crate::command::signatures::data::{AS, COLUMN, DMY, FILE, MDY, SECONDS, SIGNATURE, THOUSANDS};
use chainrule_report::{Piece, join};
use chainrule_session::{CellReading, DateOrder, NumberTable};

/// The most names in the answer.
const MOST_NAMED: usize = 12;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let file = arguments.path(FILE)?;
    let given_names = read_names(arguments, AS)?;
    let lists = choose_lists(session, arguments, &file, given_names.len())?;

    let place_of_names = arguments.span_of(AS).unwrap_or(file.span);
    let fitting_names = lists.names(given_names);
    let names = fitting_names.map_err(|error| error.at(place_of_names))?;

    lists.check_faults().map_err(|error| error.at(file.span))?;
    let numbers = lists.cells_of_whole_rows(&lists.table.numbers);
    let rows = numbers.len() / lists.chosen.len();
    if rows == 0 {
        let message = format!("every row of `{}` has a missing cell", file.path);
        let help = "name the columns that are needed, as in `:data FILE t, y`";
        return Err(Diagnostic::new(message).at(file.span).help(help));
    }

    let begin = arguments.name_span.start as usize;
    let rebinding_notes = session.bind_data(
        Span::new(begin, begin + arguments.statement.len()),
        &names,
        lists.headings(&names),
        &numbers,
        &lists.cells_of_whole_rows(&lists.table.widths),
        lists.chosen.len(),
    )?;
    let notes = lists.notes(&names, arguments.has(AS), rows);
    let reply = Reply::show(report(&file.path, names, rows));
    Ok(reply.with_notes(notes).with_notes(rebinding_notes))
}

/// Reads the file and chooses the columns that become lists. `given` is how many names the user gives.
fn choose_lists<'t>(
    session: &Session,
    arguments: &Arguments<'t>,
    file: &FileRequest,
    given: usize,
) -> Result<ListColumns<'t>> {
    let table = read_table(session, arguments, file)?;
    let all_names = column_names(&table);
    let chosen = choose_columns(arguments, &table, &all_names, given)?;
    let left_out = match arguments.words(COLUMN) {
        [] => left_out_text(&table, &all_names, &chosen),
        _ => String::new(),
    };
    if chosen.is_empty() {
        let message = format!("`{}` has no column of numbers", file.path);
        return Err(Diagnostic::new(message).at(file.span).help(left_out));
    }
    Ok(ListColumns {
        path: file.span.of(arguments.text),
        table,
        all_names,
        chosen,
        left_out,
    })
}

/// Reads the file. If it has a column `seconds`, the bare word is refused, because it could be the flag or the column.
fn read_table(session: &Session, arguments: &Arguments, file: &FileRequest) -> Result<NumberTable> {
    let orders = [(DMY, DateOrder::DayFirst), (MDY, DateOrder::MonthFirst)];
    let typed_order = orders.into_iter().find(|(flag, _)| arguments.has(flag));
    let cells = CellReading {
        order: typed_order.map(|(_, order)| order),
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
    let chosen = default_columns(table, 0);
    if chosen.is_empty() {
        return None;
    }
    if table.header.is_some() {
        let all_names = column_names(table);
        let names = chosen.iter().map(|&at| all_names[at].clone()).collect();
        return Some((names, format!(":data {file}")));
    }
    let names = stand_ins(chosen.len());
    let statement = format!(":data {file} as {}", names.join(" "));
    Some((names, statement))
}

/// The report of a file that was read.
fn report(path: &str, names: Vec<String>, rows: usize) -> Report {
    let shown_names = names.iter().take(MOST_NAMED);
    let pieces = shown_names.map(|name| vec![Piece::name(name.as_str())]);
    let mut line: Line = join(pieces, ", ");
    if names.len() > MOST_NAMED {
        line.extend(say!(" and {} more", names.len() - MOST_NAMED));
    }
    line.extend(say!(": {}", plural(rows, "row")));
    let facts = vec![
        ("path", Fact::Text(path.to_owned())),
        ("names", names.into_iter().collect()),
        ("rows", Fact::Count(rows as u64)),
    ];
    Report::confirming(&COMMAND, facts, line)
}
