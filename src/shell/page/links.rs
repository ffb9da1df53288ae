//! What a link to the session says of an entry, so that whoever opens it sees the same.

use super::entries::{commands_in, statements};
use super::files;
use crate::commands::LESSON_TABLES;
use crate::session::is_saved_session;
use chainrule_language as language;

/// What a link says of an entry: mostly its text. Of a file that was loaded it has the statements, and where files or
/// failures are in the way, what the entry has added to the session. A lesson of the user's own is not played again.
pub(super) fn link_of(text: &str, added: &str, failed: bool, plays_own: bool) -> String {
    let entered = statements(text);
    let file = entered.iter().find_map(|it| argument(it));
    let said = match (commands_in(text).as_slice(), file) {
        (["save"], _) => None,
        (["play"], _) if plays_own => None,
        (["load"], Some(file)) => loaded_text(file).filter(|_| entered.len() == 1),
        _ => Some(text.to_owned()),
    };
    let reads_table = |said: &String| statements(said).iter().any(|it| reads_own_table(it));
    let Some(said) = said.filter(|said| !failed && !reads_table(said)) else {
        return without_ends(added);
    };
    if is_saved_session(said.as_bytes()) {
        return without_ends(&said);
    }
    said
}

/// Does a statement read a table that is no part of the program?
fn reads_own_table(statement: &str) -> bool {
    let is_part = |file: &str| {
        let table = LESSON_TABLES.iter().find(|(name, _)| *name == file);
        let found = files::read(file.as_ref());
        table.is_some_and(|(_, table)| found.is_ok_and(|found| found == table.as_bytes()))
    };
    commands_in(statement).contains(&"data") && !argument(statement).is_some_and(is_part)
}

/// What is typed after the word of a command, without quotes.
fn argument(statement: &str) -> Option<&str> {
    let is_command = language::begins_command(statement);
    let (_, argument) = statement.split_once(char::is_whitespace)?;
    let argument = argument.trim();
    is_command.then(|| language::strip_quotes(argument).unwrap_or(argument))
}

fn loaded_text(file: &str) -> Option<String> {
    let name = files::names().into_iter().find(|name| name == file)?;
    files::read_text(name.as_ref())
}

/// Statements of a saved session are silent: here they answer.
fn without_ends(statements: &str) -> String {
    let lines = statements.lines();
    let lines: Vec<&str> = lines
        .filter(|line| !is_saved_session(line.as_bytes()))
        .map(without_end)
        .collect();
    lines.join("\n")
}

/// A line without the `;` that silences it, and without the comment behind that.
fn without_end(line: &str) -> &str {
    let code = &line[..language::code_end(line)];
    code.strip_suffix(';').unwrap_or(line)
}
