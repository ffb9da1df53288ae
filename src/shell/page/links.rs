//! Finds the statements that bring the session back: those that the page stores after each entry, and those for a link,
//! which shows the same answers to whoever opens it.

use super::{Page, files};
use crate::command::CommandTrait;
use crate::commands::LESSON_TABLES;
use crate::shell::server::StateBefore;
use crate::shell::server::entry::Entry;
use chainrule_language as language;
use chainrule_session::{Session, is_saved_session};

/// The statement that leaves a lesson.
const LEAVE_LESSON: &str = ":play stop\n";

/// The statements that the page stores after an entry, to bring the session back later.
pub(super) struct StatementsToStore {
    pub(super) statements: String,
    /// The statements replace all that are stored. Otherwise they follow the stored ones.
    pub(super) must_replace: bool,
}

impl Page {
    /// Returns the statements to store after an entry, and notes them for the next entry.
    pub(super) fn take_statements_to_store(&mut self) -> StatementsToStore {
        let all = self.statements_now();
        let added = all.strip_prefix(&*self.last_statements);
        let to_store = StatementsToStore {
            statements: added.unwrap_or(&all).to_owned(),
            must_replace: added.is_none(),
        };
        self.last_statements = all;
        to_store
    }

    /// The statements that bring back the user's session and the session of a lesson. The statements of the session that is
    /// in use come last, so that an entry only adds statements at the end.
    fn statements_now(&self) -> String {
        let lesson = self.server.runner.lesson();
        let in_use = statements_of(self.server.runner.session());
        let Some(session_aside) = &lesson.aside else {
            return in_use;
        };
        let aside = statements_of(session_aside);
        if aside.is_empty() && in_use.is_empty() {
            return in_use;
        }
        let begin_lesson = format!(":play {}\n", lesson.name);
        if lesson.is_open {
            aside + &begin_lesson + &in_use
        } else {
            begin_lesson + &aside + LEAVE_LESSON + &in_use
        }
    }

    /// The statements of an entry for a link: mostly its text. If files are in the way, or if it answers a question of a
    /// lesson of the user's own, they are the statements that the entry has added to the session, as `:save` writes them. If
    /// there are none, a comment has the place of the entry, so that all entries have the same numbers as on the screen.
    pub(super) fn link_of(
        &self,
        entered: &Entry,
        before: &StateBefore,
        has_failed: bool,
        to_store: &StatementsToStore,
    ) -> String {
        let lesson = self.server.runner.lesson();
        let is_own_lesson = lesson.path.is_some() && lesson.built_in.is_none();
        let has_added = !to_store.must_replace && !to_store.statements.is_empty();
        let asks = || entered.statements.iter().any(|it| it.asked.is_some());
        match linked_text(entered, is_own_lesson) {
            // The question stands in a comment of the lesson.
            Some(_) if is_own_lesson && has_added && asks() => without_ends(&to_store.statements),
            Some(linked) if has_failed || !reads_own_table(&Entry::of(&linked)) => {
                // A lesson silences a statement for whose value it asks.
                if is_own_lesson || is_saved_session(linked.as_bytes()) {
                    return without_ends(&linked);
                }
                linked
            }
            // Playing the user's own lesson ends the built-in lesson, so the link must leave that one.
            _ if before.is_of_lesson && is_own_lesson => LEAVE_LESSON.trim_end().to_owned(),
            _ if !has_added => {
                let first_line = entered.text.trim().lines().next();
                first_line.map_or(String::new(), |line| format!("# {line}"))
            }
            _ => without_ends(&to_store.statements),
        }
    }
}

/// The text of an entry for a link. For a file that was loaded, this is the text of the file. Returns `None` for a file
/// that is saved, and for a lesson of the user's own, which is not played again.
fn linked_text(entered: &Entry, is_own_lesson: bool) -> Option<String> {
    let has = |wanted| entered.statements.iter().find(|it| it.has(wanted));
    if has(CommandTrait::SavesTheSession).is_some()
        || is_own_lesson && has(CommandTrait::PlaysALesson).is_some()
    {
        return None;
    }
    match has(CommandTrait::RunsAScript).and_then(|it| it.file.as_ref()) {
        Some(file) => loaded_text(file).filter(|_| entered.statements.len() == 1),
        None => Some(entered.text.clone()),
    }
}

/// Does an entry read a table that is no part of the program?
fn reads_own_table(entry: &Entry) -> bool {
    let is_part_of_program = |file: &String| {
        let table = LESSON_TABLES.iter().find(|(name, _)| name == file);
        let content = files::read(file.as_ref());
        table.is_some_and(|(_, own)| content.is_ok_and(|bytes| bytes == own.as_bytes()))
    };
    entry.statements.iter().any(|it| {
        it.has(CommandTrait::ReadsATable) && !it.file.as_ref().is_some_and(is_part_of_program)
    })
}

/// The text of a file of the page.
fn loaded_text(file: &str) -> Option<String> {
    let name = files::names_in("").into_iter().find(|name| name == file)?;
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

/// The statements that bring a session back.
fn statements_of(session: &Session) -> String {
    let script = session.script();
    let is_empty = script.statements == 0;
    if is_empty { String::new() } else { script.text }
}
