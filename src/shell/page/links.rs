//! Finds the statements of an entry for a link to the session: whoever opens the link sees the same answers.

use super::answer::StateBefore;
use super::entry_text::{commands_in, statements};
use super::stored_statements::{LEAVE_LESSON, StatementsToStore};
use super::{Page, files};
use crate::commands::LESSON_TABLES;
use crate::session::is_saved_session;
use chainrule_language as language;

impl Page {
    /// The statements of an entry for a link: mostly its text. If files or a failure are in the way, they are the
    /// statements that the entry has added to the session.
    pub(super) fn link_of(
        &self,
        text: &str,
        before: &StateBefore,
        has_failed: bool,
        to_store: &StatementsToStore,
    ) -> String {
        let lesson = &self.runner.lesson;
        let is_own_lesson = lesson.path.is_some() && lesson.built_in.is_none();
        match linked_text(text, is_own_lesson) {
            Some(linked) if !has_failed && !reads_own_table(&linked) => {
                if is_saved_session(linked.as_bytes()) {
                    return without_ends(&linked);
                }
                linked
            }
            // Playing the user's own lesson ends the built-in lesson, so the link must leave that one.
            _ if before.is_of_lesson && is_own_lesson => LEAVE_LESSON.trim_end().to_owned(),
            _ if to_store.must_replace => String::new(),
            _ => without_ends(&to_store.statements),
        }
    }
}

/// The text of an entry for a link. For a file that was loaded, this is the text of the file. Returns `None` for a file
/// that is saved, and for a lesson of the user's own, which is not played again.
fn linked_text(text: &str, is_own_lesson: bool) -> Option<String> {
    let entered = statements(text);
    let file = entered.iter().find_map(|statement| argument(statement));
    match (commands_in(text).as_slice(), file) {
        (["save"], _) => None,
        (["play"], _) if is_own_lesson => None,
        (["load"], Some(file)) => loaded_text(file).filter(|_| entered.len() == 1),
        _ => Some(text.to_owned()),
    }
}

/// Does a text read a table that is no part of the program?
fn reads_own_table(text: &str) -> bool {
    let is_part_of_program = |file: &str| {
        let table = LESSON_TABLES.iter().find(|(name, _)| *name == file);
        let content = files::read(file.as_ref());
        table.is_some_and(|(_, own)| content.is_ok_and(|bytes| bytes == own.as_bytes()))
    };
    statements(text).iter().any(|statement| {
        commands_in(statement).contains(&"data")
            && !argument(statement).is_some_and(is_part_of_program)
    })
}

/// The text after the word of a command, without quotes.
fn argument(statement: &str) -> Option<&str> {
    if !language::begins_command(statement) {
        return None;
    }
    let (_, rest) = statement.split_once(char::is_whitespace)?;
    let typed = rest.trim();
    Some(language::strip_quotes(typed).unwrap_or(typed))
}

/// The text of a file of the page.
fn loaded_text(file: &str) -> Option<String> {
    let name = files::names().into_iter().find(|name| name == file)?;
    files::read_text(name.as_ref())
}

/// Makes the silent statements of a saved session answer.
fn without_ends(statements: &str) -> String {
    let lines = statements.lines();
    let without_mark = lines.filter(|line| !is_saved_session(line.as_bytes()));
    let answering: Vec<&str> = without_mark.map(without_end).collect();
    answering.join("\n")
}

/// Removes from a line the `;` that silences it, and the comment behind that.
fn without_end(line: &str) -> &str {
    let code = &line[..language::code_end(line)];
    code.strip_suffix(';').unwrap_or(line)
}
