//! The line that gives numbers to the names of a refused statement, `a, b = 1, 1`. It stands ready at the prompt, with the
//! cursor at its first number. This file has its keys.
//!
//! A number at the cursor is marked: a digit takes its place, and Tab goes to the next number. As long as nothing has
//! changed, any other sign takes the place of the whole line. In the statement of a lesson, which stands ready with the
//! cursor at its end, every sign does so.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustyline::{
    At, Cmd, Event, EventContext, InputMode, KeyCode, KeyEvent, Modifiers, Movement, Word,
};

use super::replacement::NextReplacement;

/// The signs with which a number or a list begins.
const FIRST_SIGNS: &str = "0123456789.+-−√([";

/// The line that stands ready. The keys share it with the helper of the editor.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumbersLine {
    line: Arc<Mutex<String>>,
    /// The statement of a lesson, if it has no gap; otherwise empty.
    statement: Arc<Mutex<String>>,
}

impl NumbersLine {
    /// Sets the line that stands ready.
    pub(crate) fn set(&self, line: &str) {
        line.clone_into(&mut lock(&self.line));
    }

    /// Sets the statement of a lesson.
    pub(crate) fn set_statement(&self, statement: &str) {
        statement.clone_into(&mut lock(&self.statement));
    }

    /// The line as it stood ready; empty if there is none.
    pub(crate) fn text(&self) -> String {
        lock(&self.line).clone()
    }

    /// Whether the line still is as it stood ready, with the cursor at its first number, or behind the statement of a lesson.
    pub(crate) fn is_untouched(&self, line: &str, cursor: usize) -> bool {
        let is_statement =
            !line.is_empty() && line == *lock(&self.statement) && cursor == line.len();
        is_statement || line == *lock(&self.line) && first_number(line) == Some(cursor)
    }

    /// The place of the first number, if the line still gives the same names numbers.
    fn first_number_in(&self, line: &str) -> Option<usize> {
        let first = first_number(line)?;
        lock(&self.line)
            .starts_with(&line[..first])
            .then_some(first)
    }

    /// The place of the number that begins at the cursor.
    pub(crate) fn number_at(&self, line: &str, cursor: usize) -> Option<Range<usize>> {
        self.first_number_in(line)?;
        let (before, after) = line.split_at_checked(cursor)?;
        let number = after.split(',').next()?;
        let is_number = before.ends_with(' ') && number.starts_with(|c| FIRST_SIGNS.contains(c));
        is_number.then(|| cursor..cursor + number.len())
    }

    /// Tab: goes to the next number, or to the end of the line.
    pub(crate) fn next_number(&self, context: &EventContext) -> Option<Cmd> {
        let first = self.first_number_in(context.line())?;
        let next = Movement::ForwardWord(1, At::Start, Word::Big);
        (context.pos() >= first).then_some(Cmd::Move(next))
    }

    /// Lets a sign that is typed take the place of the number at the cursor, or of the line.
    pub(crate) fn replace_number(
        &self,
        event: &Event,
        context: &EventContext,
        next: &NextReplacement,
    ) -> Option<Cmd> {
        let (line, cursor) = (context.line(), context.pos());
        let is_untouched = self.is_untouched(line, cursor);
        let whole = Some(0..line.len()).filter(|_| is_untouched);
        // After any key, the line is the user's, even if it is the statement again.
        self.set_statement("");
        let number = self.number_at(line, cursor);
        if context.input_mode() != InputMode::Insert {
            return None;
        }
        match *event.get(0)? {
            KeyEvent(KeyCode::Char(sign), Modifiers::NONE) => {
                let place = if FIRST_SIGNS.contains(sign) {
                    number.or(whole)
                } else {
                    whole.or(number)
                };
                Some(next.replace(place?, sign.to_string()))
            }
            // Ctrl-U would leave the numbers.
            KeyEvent(KeyCode::Char('U'), Modifiers::CTRL) if is_untouched => {
                Some(Cmd::Kill(Movement::WholeBuffer))
            }
            _ => None,
        }
    }
}

fn lock(text: &Mutex<String>) -> MutexGuard<'_, String> {
    text.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place of the first number of `a, b = 1, 1`.
pub(crate) fn first_number(line: &str) -> Option<usize> {
    const EQUALS: &str = " = ";
    Some(line.find(EQUALS)? + EQUALS.len())
}
