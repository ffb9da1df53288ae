//! The line while it is typed: completion, the result shown behind it, and colours, asked for on every key.
//!
//! While the editor reads a line, it borrows the session through [`LiveLine`]; nothing done here changes the session.
//! The views decide how the answers look, and the editor decides when to ask.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::menu;
use super::menu::{ListedEntry, TabCycle};
use crate::interpret;
use crate::interpret::{Candidate, Preview};
use crate::report::Piece;
use crate::session::{Host, Session};
use crate::shell::process::{panics, terminal};
use crate::shell::script;
use crate::shell::script::echo::paint_line;
use crate::view;
use crate::view::Style;
use crate::view::characters;
use crate::view::theme::Theme;

/// The time a preview may take. A longer one would make typing feel slow.
const PATIENCE: Duration = Duration::from_millis(5);

/// The time between two keys when a key is held down. Keys that come faster over some time are a paste (from a terminal
/// that does not mark pastes), and updating the display for each of its characters would only take time.
const PACE: Duration = Duration::from_millis(25);

/// How many keys may come faster than [`PACE`] before the display is no longer updated.
const RUSHED: f64 = 256.0;

/// A pause of this length ends a paste.
const PAUSE: Duration = Duration::from_millis(100);

/// The session while it is lent to the editor.
#[derive(Default)]
pub(crate) struct LiveLine {
    lent: RefCell<Session>,
    style: RefCell<Style>,
    /// The user wants to see results while typing.
    wanted: Cell<bool>,
    /// Replaces the indentation of continuation lines on the screen.
    margin: RefCell<String>,
    /// A preview panicked, so no more previews are tried.
    broken: Cell<bool>,
    /// When the last key came.
    last: Cell<Option<Instant>>,
    /// How many keys came faster than [`PACE`], less those that came slower (a leaky bucket).
    rush: Cell<f64>,
    /// The list that Tab showed last.
    steps: RefCell<TabCycle>,
}

impl LiveLine {
    /// Lends the session and the style of its answers.
    pub(crate) fn lend(&self, session: Session, style: Style) {
        self.style.replace(style);
        self.wanted.set(session.settings().hint);
        self.steps.take();
        self.lent.replace(session);
    }

    pub(crate) fn give_back(&self) -> Session {
        self.lent.take()
    }

    /// Call once for each key: should the display be updated for it, or is it part of a paste?
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

    /// Is the line coloured? If so, all of it is redrawn on every key.
    pub(crate) fn is_coloured(&self, line: &str) -> bool {
        self.theme().is_some()
            && self.rush.get() < RUSHED
            && line.len() <= interpret::MOST_HIGHLIGHTED
    }

    /// Sets the margin of continuation lines, which is as wide as the prompt.
    pub(crate) fn set_margin(&self, margin: String) {
        self.margin.replace(margin);
    }

    /// The line with colours; `None` if it is to be shown without.
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

    /// The completions of the word at the cursor, and where that word starts. While a list is shown, returns its next
    /// entry only.
    pub(crate) fn completed(&self, line: &str, cursor: usize) -> (usize, Vec<ListedEntry>) {
        let mut steps = self.steps.borrow_mut();
        if let Some((start, entry)) = steps.next(line, cursor) {
            return (start, vec![entry]);
        }
        let found = self.offered(line, cursor).unwrap_or_default();
        let (start, entries) = found;
        steps.begin(line, start, cursor, &entries);
        (start, menu::without_list(entries, terminal::answer_size()))
    }

    fn offered(&self, line: &str, cursor: usize) -> Option<(usize, Vec<ListedEntry>)> {
        let session = self.lent.try_borrow().ok()?;
        let style = self.style.borrow();
        let offered = panics::guarded(|| {
            let mut found = interpret::completions(&session, line, cursor, style.ascii);
            if let Some(asked) = &found.files {
                found.candidates.extend(menu::files(asked));
            }
            if let Some((count, begin)) = found.more {
                // This entry takes part in computing the common prefix, which the unlisted candidates share.
                found.candidates.push(Candidate {
                    text: begin,
                    shown: format!("… {count} more"),
                    about: Vec::new(),
                });
            }
            let entries = menu::entries(&found.candidates, &style, terminal::answer_size());
            (found.start, entries)
        });
        offered.ok()
    }

    /// The colours in use, if any.
    pub(crate) fn theme(&self) -> Option<Theme> {
        self.style.borrow().color
    }

    /// Whether Enter would run the line without an error, and the result as text. A line that would go on below
    /// counts as one that runs.
    pub(crate) fn preview(&self, line: &str) -> (bool, Option<String>) {
        let tried = self.tried(line).unwrap_or_default();
        let style = self.style.borrow();
        let answer = tried
            .answer
            .filter(|_| self.wanted.get())
            .map(|mut pieces| {
                if self.theme().is_none() {
                    // Without colour the hint would look like typed text. As a comment it can be told apart.
                    pieces.insert(0, Piece::plain("# "));
                }
                view::plain(&pieces, &style)
            });
        (tried.runs || script::wants_more(line), answer)
    }

    /// The rest of an earlier line, as far as the row has room, with the key that takes it, so that it is not mistaken for
    /// typed text.
    pub(crate) fn ghost(&self, line: &str, rest: &str) -> String {
        let ascii = self.style.borrow().ascii;
        let key = if ascii { "->" } else { "→" };
        let columns = terminal::answer_size().columns;
        let last = line.rsplit('\n').next().unwrap_or(line);
        let before = characters::width(&self.margin.borrow()) + characters::width(last);
        let room = (columns - before % columns).saturating_sub(characters::width(key) + 3);
        let rest = characters::shorten_end(rest, room, ascii);
        match self.theme() {
            Some(_) => format!("{rest} [{key}]"),
            None => format!("[{rest} {key}]"),
        }
    }

    fn tried(&self, line: &str) -> Option<Preview> {
        if self.broken.get() {
            return None;
        }
        let mut session = self.lent.try_borrow_mut().ok()?;
        let usual = session.host();
        let deadline = Rc::new(Deadline(Instant::now() + PATIENCE));
        let went = panics::guarded(|| interpret::preview(&mut session, line, deadline));
        if went.is_err() {
            self.broken.set(true);
            // The panic left a trial open and the host with its deadline in place: undo both.
            let _ = panics::guarded(|| session.take_trial_back());
            session.set_host(usual);
        }
        went.ok()
    }
}

/// A host that stops work at a deadline.
struct Deadline(Instant);

impl Host for Deadline {
    fn stop(&self) -> bool {
        Instant::now() > self.0
    }
}
