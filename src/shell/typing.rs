//! What is worked out while somebody types: the session and the line, asked on every key.
//!
//! While the editor reads, the session is lent to it; nothing done here changes it. What the answers look like is the
//! views', when they are asked for is the editor's.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::panics;
use crate::interpret;
use crate::report::Piece;
use crate::session::{Host, Session};
use crate::view::{self, Style};

/// So long a preview may take: longer, and typing would stumble.
const PATIENCE: Duration = Duration::from_millis(5);

/// The session, lent to the editor.
#[derive(Default)]
pub struct Typing {
    lent: RefCell<Session>,
    style: RefCell<Style>,
    /// A preview went wrong in a way that it should not: there are no more.
    broken: Cell<bool>,
}

impl Typing {
    /// Lends a session, with what its answers look like; what was lent before comes back.
    pub fn lend(&self, session: Session, style: Style) -> Session {
        self.style.replace(style);
        self.lent.replace(session)
    }

    /// Gives the session back.
    pub fn give_back(&self) -> Session {
        self.lent.take()
    }

    /// What the line would answer, as text.
    pub fn preview(&self, line: &str) -> Option<String> {
        if self.broken.get() {
            return None;
        }
        let mut session = self.lent.try_borrow_mut().ok()?;
        let deadline = Rc::new(Deadline(Instant::now() + PATIENCE));
        let went = panics::guarded(|| interpret::preview(&mut session, line, deadline));
        let Ok(answer) = went else {
            self.broken.set(true);
            return None;
        };
        let style = self.style.borrow();
        let mut pieces = answer?;
        if !style.color {
            // Without colour it would be taken for typed: a comment is what it reads like.
            pieces.insert(0, Piece::plain("# "));
        }
        Some(view::plain(&pieces, &style))
    }
}

/// A host that stops what takes too long.
struct Deadline(Instant);

impl Host for Deadline {
    fn stop(&self) -> bool {
        Instant::now() > self.0
    }
}
