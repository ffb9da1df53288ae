//! The browser around a page, in place of a terminal and its clock.

use std::cell::Cell;
use std::time::Duration;

/// What a page does for its session.
#[derive(Clone, Copy, Debug)]
pub struct Browser {
    /// The milliseconds since some moment.
    pub now: fn() -> f64,
    /// Shows how far the work has come; nothing when it has ended.
    pub progress: fn(&str),
    /// Keeps the statement that brings the leaves to where work has come.
    pub reached: fn(&str),
}

impl Browser {
    /// From now on this one is asked.
    pub(crate) fn is_used(self) {
        BROWSER.set(Some(self));
    }
}

thread_local! {
    static BROWSER: Cell<Option<Browser>> = const { Cell::new(None) };
}

/// The time now.
pub(crate) fn now() -> Duration {
    let milliseconds = BROWSER.get().map_or(0.0, |browser| (browser.now)());
    Duration::from_secs_f64(milliseconds / 1000.0)
}

/// A page can always say how far work has come.
pub(crate) fn shows_progress() -> bool {
    true
}

/// Says so.
pub(crate) fn progress(text: &str, _color: bool) {
    if let Some(browser) = BROWSER.get() {
        (browser.progress)(text);
    }
}

/// Keeps where leaves have come, for when the work is ended.
pub(crate) fn reached(setting: &dyn Fn() -> String) {
    if let Some(browser) = BROWSER.get() {
        (browser.reached)(&setting());
    }
}
