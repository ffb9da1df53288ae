//! Finds the statements that the page stores after each entry, to bring the session back later.

use super::Page;
use crate::session::Session;

/// The statement that leaves a lesson.
pub(super) const LEAVE_LESSON: &str = ":play stop\n";

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
        let lesson = &self.runner.lesson;
        let in_use = statements_of(&self.runner.session);
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
}

/// The statements that bring a session back.
fn statements_of(session: &Session) -> String {
    let script = session.script();
    if script.statements == 0 {
        return String::new();
    }
    script.text
}
