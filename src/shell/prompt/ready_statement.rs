//! The statement of a lesson that stands ready at the prompt, with the cursor at its end. Enter runs it, and the first sign
//! that is typed takes its place. After any key the line is the user's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustyline::{Cmd, Event, EventContext, InputMode, KeyCode, KeyEvent, Modifiers};

use super::replacement::NextReplacement;

/// Whether the statement stands ready. The keys share it with the prompt.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadyStatement {
    stands_ready: Arc<AtomicBool>,
    next: NextReplacement,
}

impl ReadyStatement {
    pub(crate) fn new(next: NextReplacement) -> ReadyStatement {
        ReadyStatement {
            stands_ready: Arc::default(),
            next,
        }
    }

    /// Sets whether the line that is read next begins with a statement without a gap.
    pub(crate) fn set(&self, stands_ready: bool) {
        self.stands_ready.store(stands_ready, Ordering::Relaxed);
    }

    /// Lets a text that is pasted take the place of the statement, if it stands ready.
    pub(crate) fn replace(&self, context: &EventContext, text: String) -> Option<Cmd> {
        let stood_ready = self.stands_ready.swap(false, Ordering::Relaxed);
        stood_ready.then(|| self.next.replace(0..context.line().len(), text))
    }

    /// Lets a sign that is typed take the place of the statement, if it stands ready.
    pub(crate) fn take_key(&self, event: &Event, context: &EventContext) -> Option<Cmd> {
        match *event.get(0)? {
            KeyEvent(KeyCode::Char(sign), Modifiers::NONE)
                if context.input_mode() == InputMode::Insert =>
            {
                self.replace(context, sign.to_string())
            }
            _ => {
                self.set(false);
                None
            }
        }
    }
}
