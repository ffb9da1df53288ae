//! What a link to the session says of an entry, so that who opens it sees the same.

use super::entries::commands_in;
use super::files;
use crate::session::is_saved_session;

/// What a link says of an entry: mostly its text. Of a file that was loaded it has the statements, and where files or
/// failures are in the way, what the entry has added to the session. Nothing if it only concerns files.
pub(super) fn link_of(text: &str, added: &str, failed: bool) -> String {
    let commands = commands_in(text);
    let file = argument(text).filter(|_| commands.len() == 1);
    let said = match (commands.as_slice(), file) {
        (["save"], _) => return String::new(),
        (["play"], Some(file)) if file.contains('.') => return String::new(),
        (["load"], Some(file)) => loaded_text(file),
        _ => None,
    };
    let said = said.as_deref().unwrap_or(text);
    let reads_table = said.lines().any(|line| commands_in(line).contains(&"data"));
    if failed || reads_table {
        return without_ends(added);
    }
    if is_saved_session(said.as_bytes()) {
        let statements = said
            .split_once('\n')
            .map_or("", |(_, statements)| statements);
        return without_ends(statements);
    }
    said.to_owned()
}

/// What is typed after the word of a command, without quotes.
fn argument(text: &str) -> Option<&str> {
    let (_, argument) = text.trim().split_once(char::is_whitespace)?;
    Some(argument.trim().trim_matches('"'))
}

fn loaded_text(file: &str) -> Option<String> {
    let name = files::names().into_iter().find(|name| name == file)?;
    let content = files::read(name.as_ref()).ok()?;
    String::from_utf8(content).ok()
}

/// Statements of a saved session are silent: here they answer.
fn without_ends(statements: &str) -> String {
    let lines = statements.lines();
    let lines: Vec<&str> = lines
        .filter(|line| !is_saved_session(line.as_bytes()))
        .map(|line| line.strip_suffix(';').unwrap_or(line))
        .collect();
    lines.join("\n")
}
