//! A pasted text, which the terminal puts between two marks. All of it is put into the line at once: as it was copied,
//! with the margin before its later lines.
//!
//! The editor would insert it without the margin, so its keys are collected here.

use std::sync::{Arc, Mutex, PoisonError};

use rustyline::{Cmd, Event, EventContext, KeyCode, KeyEvent, Modifiers};

use super::ready_statement::ReadyStatement;
use super::replacement::NextReplacement;
use crate::shell::script::typed_line::{self, INDENT};

/// The paste that goes on, if there is one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paste {
    text: Arc<Mutex<Option<String>>>,
    next: NextReplacement,
    ready: ReadyStatement,
}

impl Paste {
    pub(crate) fn new(next: NextReplacement, ready: ReadyStatement) -> Paste {
        Paste {
            text: Arc::default(),
            next,
            ready,
        }
    }

    /// Takes a key that belongs to a paste. `None` for a key that the user has pressed.
    pub(crate) fn take_key(&self, event: &Event, context: &EventContext) -> Option<Cmd> {
        let KeyEvent(code, modifiers) = *event.get(0)?;
        let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        match (code, &mut *text) {
            (KeyCode::BracketedPasteStart, _) => *text = Some(String::new()),
            (_, None) => return None,
            (KeyCode::BracketedPasteEnd, Some(pasted)) => {
                let with_line_feeds = pasted.replace("\r\n", "\n").replace('\r', "\n");
                *text = None;
                return Some(self.insert(&with_line_feeds, context));
            }
            (_, Some(pasted)) => pasted.extend(character(code, modifiers)),
        }
        Some(Cmd::Noop)
    }

    /// The command that puts a text into the line.
    fn insert(&self, text: &str, context: &EventContext) -> Cmd {
        let (line, cursor) = (context.line(), context.pos());
        let indented = typed_line::with_margin(text);
        if let Some(replaced) = self.ready.replace(context, indented.clone()) {
            return replaced;
        }
        // A text with an indentation of its own takes the place of the blanks before the cursor.
        let before = &line[..cursor];
        let start = before.rfind('\n').map_or(0, |at| at + 1 + INDENT.len());
        let has_blanks_before = before.get(start..).is_some_and(|it| it.trim().is_empty());
        if start > 0 && text.starts_with([' ', '\t']) && has_blanks_before {
            return self.next.replace(start..cursor, indented);
        }
        Cmd::Insert(1, indented)
    }
}

/// The character of a key in a pasted text, if it has one.
fn character(code: KeyCode, modifiers: Modifiers) -> Option<char> {
    Some(match (code, modifiers) {
        (KeyCode::Char(c), Modifiers::NONE) => c,
        // As the editor reads a control character: Ctrl-J is a line feed.
        (KeyCode::Char(c), Modifiers::CTRL) => char::from((c as u8) & 0x1f),
        (KeyCode::Enter, _) => '\r',
        (KeyCode::Tab, _) => '\t',
        (KeyCode::Backspace, _) => '\u{7f}',
        _ => return None,
    })
}
