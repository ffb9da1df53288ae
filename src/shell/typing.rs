//! What is worked out while somebody types: the session and the line, asked on every key.
//!
//! While the editor reads, the session is lent to it; nothing done here changes it. What the answers look like is the
//! views', when they are asked for is the editor's.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::panics;
use crate::interpret::{self, Tint};
use crate::report::Piece;
use crate::session::{Host, Session};
use crate::view::theme::{Role, paint};
use crate::view::{self, Style};

/// So long a preview may take: longer, and typing would stumble.
const PATIENCE: Duration = Duration::from_millis(5);

/// The session, lent to the editor.
#[derive(Default)]
pub struct Typing {
    lent: RefCell<Session>,
    style: RefCell<Style>,
    /// Somebody wants to see results while typing.
    wanted: Cell<bool>,
    /// A preview went wrong in a way that it should not: there are no more.
    broken: Cell<bool>,
}

impl Typing {
    /// Lends a session, with what its answers look like; what was lent before comes back.
    pub fn lend(&self, session: Session, style: Style) -> Session {
        self.style.replace(style);
        self.wanted.set(session.settings().hint);
        self.lent.replace(session)
    }

    /// Gives the session back.
    pub fn give_back(&self) -> Session {
        self.lent.take()
    }

    /// The line in colours.
    pub fn painted(&self, line: &str, cursor: usize) -> Option<String> {
        let session = self.lent.try_borrow().ok()?;
        let tints = panics::guarded(|| interpret::tints(&session, line, cursor)).ok()?;
        let mut out = String::with_capacity(2 * line.len());
        let mut done = 0;
        for (range, tint) in tints {
            out.push_str(&line[done..range.start]);
            paint(&line[range.clone()], role(tint), true, &mut out);
            done = range.end;
        }
        out.push_str(&line[done..]);
        Some(out)
    }

    /// What the line would answer, as text.
    pub fn preview(&self, line: &str) -> Option<String> {
        if self.broken.get() || !self.wanted.get() {
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

/// The colour of a word; plain ones have none.
fn role(tint: Tint) -> Role {
    match tint {
        Tint::Known => Role::Name,
        Tint::Function => Role::Formula,
        Tint::Number => Role::Number,
        Tint::Operator => Role::Plain,
        Tint::Command => Role::Typed,
        Tint::Comment => Role::Dim,
        Tint::Paired => Role::Bracket,
        Tint::Unknown | Tint::Lonely => Role::Error,
    }
}

/// A host that stops what takes too long.
struct Deadline(Instant);

impl Host for Deadline {
    fn stop(&self) -> bool {
        Instant::now() > self.0
    }
}
