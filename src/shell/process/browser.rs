//! The clock, the window and the progress of work in a page, through functions of the browser that `web/` passes in.
//! Builds without the feature `terminal` use it in place of `system`.

use std::cell::Cell;
use std::time::Duration;

use super::terminal::{Stream, TerminalSize};

/// The functions that a page provides for its session.
#[derive(Clone, Copy, Debug)]
pub struct Browser {
    /// The milliseconds since some moment.
    pub now: fn() -> f64,
    /// Shows how far the work has come; the text is empty when the work has ended.
    pub progress: fn(&str),
    /// Keeps the statement that sets the leaves to where the work has brought them.
    pub keep_leaves: fn(&str),
}

impl Browser {
    /// Makes the functions below call this browser.
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

/// Returns `true`: a page can always show how far work has come.
pub(crate) fn shows_progress() -> bool {
    true
}

/// Shows how far work has come.
pub(crate) fn show_progress(text: &str, _has_color: bool) {
    if let Some(browser) = BROWSER.get() {
        (browser.progress)(text);
    }
}

/// Keeps where the work has brought the leaves, in case the user ends it.
pub(crate) fn keep_leaves(setting: &dyn Fn() -> String) {
    if let Some(browser) = BROWSER.get() {
        (browser.keep_leaves)(&setting());
    }
}
