//! The line that gives numbers to the names of a refused statement, `a, b = 1, 1`. It stands ready at the prompt, with the
//! cursor at its first number. This file has its keys.
//!
//! A number at the cursor is marked: a digit takes its place, and Tab goes to the next number. As long as nothing has
//! changed, any other sign takes the place of the whole line.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustyline::{
    At, Cmd, ConditionalEventHandler, Event, EventContext, InputMode, KeyCode, KeyEvent, Modifiers,
    Movement, RepeatCount, Word,
};

/// The signs with which a number or a list begins.
const FIRST_SIGNS: &str = "0123456789.+-−√([";

/// The line that stands ready. The keys share it with the helper of the editor.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumbersLine(Arc<Mutex<ReadyLine>>);

#[derive(Debug, Default)]
struct ReadyLine {
    /// The line as it stood ready; empty if there is none.
    text: String,
    /// The sign that the next completion puts into the line.
    sign: Option<TypedSign>,
}

/// A typed sign that takes the place of a part of the line. The editor has no command for that, but a completion
/// replaces text and puts the cursor behind it.
#[derive(Clone, Debug)]
pub(crate) struct TypedSign {
    pub place: Range<usize>,
    pub sign: char,
}

impl NumbersLine {
    fn ready_line(&self) -> MutexGuard<'_, ReadyLine> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the line that stands ready.
    pub(crate) fn set(&self, line: &str) {
        *self.ready_line() = ReadyLine {
            text: line.to_owned(),
            sign: None,
        };
    }

    /// The line as it stood ready; empty if there is none.
    pub(crate) fn text(&self) -> String {
        self.ready_line().text.clone()
    }

    pub(crate) fn waiting_sign(&self) -> Option<TypedSign> {
        self.ready_line().sign.clone()
    }

    pub(crate) fn take_sign(&self) -> Option<TypedSign> {
        self.ready_line().sign.take()
    }

    /// The place of the first number, if the line still gives the same names numbers.
    fn first_number_in(&self, line: &str) -> Option<usize> {
        let first = first_number(line)?;
        self.ready_line()
            .text
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
}

impl ConditionalEventHandler for NumbersLine {
    fn handle(
        &self,
        event: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext,
    ) -> Option<Cmd> {
        let (line, cursor) = (context.line(), context.pos());
        let number = self.number_at(line, cursor)?;
        if context.input_mode() != InputMode::Insert {
            return None;
        }
        let is_untouched = line == self.ready_line().text && first_number(line) == Some(cursor);
        match *event.get(0)? {
            KeyEvent(KeyCode::Char(sign), Modifiers::NONE) => {
                let begins_statement = is_untouched && !FIRST_SIGNS.contains(sign);
                let place = if begins_statement {
                    0..line.len()
                } else {
                    number
                };
                self.ready_line().sign = Some(TypedSign { place, sign });
                Some(Cmd::Complete)
            }
            // The editor would insert a pasted text into the line, and Ctrl-U would leave the numbers.
            KeyEvent(KeyCode::BracketedPasteStart, _)
            | KeyEvent(KeyCode::Char('U'), Modifiers::CTRL)
                if is_untouched =>
            {
                Some(Cmd::Kill(Movement::WholeBuffer))
            }
            _ => None,
        }
    }
}

/// The place of the first number of `a, b = 1, 1`.
pub(crate) fn first_number(line: &str) -> Option<usize> {
    const EQUALS: &str = " = ";
    Some(line.find(EQUALS)? + EQUALS.len())
}
