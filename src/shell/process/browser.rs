//! The time, the window and the progress of work in a page, through functions of the browser that `web/` passes in. It
//! takes the place of `system` in builds without the feature `terminal`.

use std::cell::Cell;
use std::time::Duration;

use super::terminal::{Stream, TerminalSize};

/// What a page does for its session.
#[derive(Clone, Copy, Debug)]
pub struct Browser {
    /// The milliseconds since some moment.
    pub now: fn() -> f64,
    /// Shows how far the work has come; nothing when it has ended.
    pub progress: fn(&str),
    /// Keeps the statement that brings the leaves to where work has come.
    pub keep_leaves: fn(&str),
}

impl Browser {
    /// From now on this one is asked.
    pub(crate) fn install(self) {
        BROWSER.set(Some(self));
    }
}

thread_local! {
    static BROWSER: Cell<Option<Browser>> = const { Cell::new(None) };
}

/// The time since some moment.
pub(crate) fn now() -> Duration {
    let milliseconds = BROWSER.get().map_or(0.0, |browser| (browser.now)());
    Duration::from_secs_f64(milliseconds / 1000.0)
}

/// A page has no window of rows and columns.
pub(crate) fn size(_stream: Stream) -> TerminalSize {
    TerminalSize::default()
}

/// A page can always say how far work has come.
pub(crate) fn shows_progress() -> bool {
    true
}

/// Says how far work has come.
pub(crate) fn show_progress(text: &str, _color: bool) {
    if let Some(browser) = BROWSER.get() {
        (browser.progress)(text);
    }
}

/// Keeps where leaves have come, for when the work is ended.
pub(crate) fn keep_leaves(setting: &dyn Fn() -> String) {
    if let Some(browser) = BROWSER.get() {
        (browser.keep_leaves)(&setting());
    }
}
