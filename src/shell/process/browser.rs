//! Gets the time and shows the progress of work in a page, through functions of the browser that `web/` passes in.
//! Builds without the feature `terminal` use this file instead of `system.rs`.

use std::cell::Cell;
use std::time::Duration;

use super::terminal::{Stream, TerminalSize};
use chainrule_view::json;

/// The functions that a page provides for its session.
#[derive(Clone, Copy, Debug)]
pub struct Browser {
    /// The milliseconds since some moment.
    pub now: fn() -> f64,
    /// Takes an answer, or how far work has come.
    pub answer: fn(&str),
}

impl Browser {
    /// Makes the functions of this file call this browser.
    pub(crate) fn install(self) {
        BROWSER.set(Some(self));
    }
}

thread_local! {
    static BROWSER: Cell<Option<Browser>> = const { Cell::new(None) };
}

/// The time since some fixed moment.
pub(crate) fn now() -> Duration {
    let milliseconds = BROWSER.get().map_or(0.0, |browser| (browser.now)());
    Duration::from_secs_f64(milliseconds / 1000.0)
}

/// Returns an unknown size: a page has no rows and columns.
pub(crate) fn size(_stream: Stream) -> TerminalSize {
    TerminalSize::default()
}

/// Shows how far work has come.
pub(crate) fn show_progress(text: &str, _has_color: bool) {
    send("progress", text);
}

/// Passes the statement that gives the leaves their present values to the browser, because a user who stops the work ends
/// the session.
pub(crate) fn keep_leaves(setting: &dyn Fn() -> String) {
    send("reached", &setting());
}

/// Passes an object with one text to the browser.
fn send(key: &'static str, text: &str) {
    if let Some(browser) = BROWSER.get() {
        (browser.answer)(&json::object(vec![(key, text.into())]));
    }
}
