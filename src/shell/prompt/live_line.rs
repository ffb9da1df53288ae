//! What is worked out while somebody types: the session and the line, asked on every key.
//!
//! While the editor reads, the session is lent to it; nothing done here changes it. What the answers look like is the
//! views', when they are asked for is the editor's.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::listing;
use super::menu;
use super::menu::{ListedEntry, Steps};
use crate::interpret;
use crate::interpret::Candidate;
use crate::report::Piece;
use crate::session::{Host, Session};
use crate::shell::process::{panics, terminal};
use crate::shell::script::colored_line::paint_line;
use crate::view;
use crate::view::Style;
use crate::view::theme::Theme;

/// So long a preview may take: longer, and typing would stumble.
const PATIENCE: Duration = Duration::from_millis(5);

/// A key that is held down comes about so often. What comes faster for long is a paste without its marks, and nobody
/// looks at what each of its characters changes.
const PACE: Duration = Duration::from_millis(25);

/// So many keys may come faster.
const RUSHED: f64 = 256.0;

/// After such a pause there is time again.
const PAUSE: Duration = Duration::from_millis(100);

/// The session, lent to the editor.
#[derive(Default)]
pub(crate) struct Typing {
    lent: RefCell<Session>,
    style: RefCell<Style>,
    /// Somebody wants to see results while typing.
    wanted: Cell<bool>,
    /// What stands before the lines that a statement goes on in, in place of blanks.
    margin: RefCell<String>,
    /// A preview went wrong in a way that it should not: there are no more.
    broken: Cell<bool>,
    /// When the last key came.
    last: Cell<Option<Instant>>,
    /// How many keys too many have come of late.
    rush: Cell<f64>,
    /// The list that Tab showed last.
    steps: RefCell<Steps>,
}

impl Typing {
    /// Lends a session, with what its answers look like; what was lent before comes back.
    pub(crate) fn lend(&self, session: Session, style: Style) -> Session {
        self.style.replace(style);
        self.wanted.set(session.settings().hint);
        self.steps.take();
        self.lent.replace(session)
    }

    /// Gives the session back.
    pub(crate) fn give_back(&self) -> Session {
        self.lent.take()
    }

    /// A key has come: is there time for it, or is it one of too many?
    pub(crate) fn has_time(&self) -> bool {
        let now = Instant::now();
        let since = (self.last.replace(Some(now))).map_or(PAUSE, |last| now - last);
        let rush = if since < PAUSE {
            let paced = since.as_secs_f64() / PACE.as_secs_f64();
            (self.rush.get() + 1.0 - paced).clamp(0.0, 2.0 * RUSHED)
        } else {
            0.0
        };
        self.rush.set(rush);
        rush < RUSHED
    }

    /// Does the line have colours, so that all of it is written anew for a key?
    pub(crate) fn is_coloured(&self, line: &str) -> bool {
        self.theme().is_some() && self.rush.get() < RUSHED && line.len() <= interpret::MOST_TINTED
    }

    /// What stands before the lines that a statement goes on in: as wide as what stands before its first line.
    pub(crate) fn set_margin(&self, margin: String) {
        self.margin.replace(margin);
    }

    /// The line in colours, if it has any.
    pub(crate) fn painted(&self, line: &str, cursor: usize) -> Option<String> {
        if !self.is_coloured(line) {
            return None;
        }
        let session = self.lent.try_borrow().ok()?;
        let style = Style {
            color: self.theme(),
            ..Style::default()
        };
        let mut out = String::with_capacity(2 * line.len());
        let margin = self.margin.borrow();
        panics::guarded(|| paint_line(&session, line, Some(cursor), &margin, &style, &mut out))
            .ok()?;
        Some(out)
    }

    /// What Tab may put into the line: from where on, and what. After a list the next one in it, `back` the one before.
    pub(crate) fn completed(
        &self,
        line: &str,
        cursor: usize,
        back: bool,
    ) -> (usize, Vec<ListedEntry>) {
        let mut steps = self.steps.borrow_mut();
        if let Some((start, entry)) = steps.next(line, cursor, back) {
            return (start, vec![entry]);
        }
        let found = self.offered(line, cursor).unwrap_or_default();
        let (start, entries) = found;
        steps.begin(line, start, cursor, &entries);
        (start, menu::without_list(entries, terminal::room()))
    }

    fn offered(&self, line: &str, cursor: usize) -> Option<(usize, Vec<ListedEntry>)> {
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

    /// The colours that were lent with the session, if it has any.
    pub(crate) fn theme(&self) -> Option<Theme> {
        self.style.borrow().color
    }

    /// What the line would answer, as text.
    pub(crate) fn preview(&self, line: &str) -> Option<String> {
        if self.broken.get() || !self.wanted.get() {
            return None;
        }
        let mut session = self.lent.try_borrow_mut().ok()?;
        let usual = session.host();
        let deadline = Rc::new(Deadline(Instant::now() + PATIENCE));
        let went = panics::guarded(|| interpret::preview(&mut session, line, deadline));
        let Ok(answer) = went else {
            self.broken.set(true);
            // It stopped in the middle of a trial, with a host that has no patience left: neither may stay.
            let _ = panics::guarded(|| session.take_trial_back());
            session.set_host(usual);
            return None;
        };
        let style = self.style.borrow();
        let mut pieces = answer?;
        if style.color.is_none() {
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
