//! What is worked out while somebody types: the session and the line, asked on every key.
//!
//! While the editor reads, the session is lent to it; nothing done here changes it. What the answers look like is the
//! views', when they are asked for is the editor's.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::menu::{self, Entry, Steps};
use super::{listing, panics, terminal};
use crate::interpret::{self, Candidate, Tint};
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
    /// The list that Tab showed last.
    steps: RefCell<Steps>,
}

impl Typing {
    /// Lends a session, with what its answers look like; what was lent before comes back.
    pub fn lend(&self, session: Session, style: Style) -> Session {
        self.style.replace(style);
        self.wanted.set(session.settings().hint);
        self.steps.take();
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

    /// What Tab may put into the line: from where on, and what. After a list the next one in it, `back` the one before.
    pub fn completed(&self, line: &str, cursor: usize, back: bool) -> (usize, Vec<Entry>) {
        let mut steps = self.steps.borrow_mut();
        if let Some((start, entry)) = steps.next(line, cursor, back) {
            return (start, vec![entry]);
        }
        let found = self.offered(line, cursor).unwrap_or_default();
        let (start, entries) = found;
        steps.begin(line, start, cursor, &entries);
        (start, entries)
    }

    fn offered(&self, line: &str, cursor: usize) -> Option<(usize, Vec<Entry>)> {
        let session = self.lent.try_borrow().ok()?;
        let style = self.style.borrow();
        let offered = panics::guarded(|| {
            let mut found = interpret::completions(&session, line, cursor, style.ascii);
            if let Some(asked) = &found.files {
                found.candidates.extend(listing::listed(asked));
            }
            if let Some((count, begin)) = found.more {
                // What is not listed has its part in what all begin with.
                found.candidates.push(Candidate {
                    text: begin,
                    shown: format!("… {count} more"),
                    about: Vec::new(),
                });
            }
            let entries = menu::entries(&found.candidates, &style, terminal::room());
            (found.start, entries)
        });
        offered.ok()
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
