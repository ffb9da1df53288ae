//! The progress line of a long statement: it overwrites itself, only on a terminal, and appears only after a moment.
//!
//! The line goes to standard error and is erased before anything else is written.

use std::time::Duration;

use crate::shell::process::terminal::StreamLook;
use crate::shell::process::world;
use chainrule_report::{characters, count_text};
use chainrule_view::number;

/// How long a statement runs before the line appears.
const PATIENCE: Duration = Duration::from_millis(400);
/// The time between two updates.
const PAUSE: Duration = Duration::from_millis(100);
/// Significant digits of the value.
const DIGITS: u8 = 6;

/// The progress line.
#[derive(Debug)]
pub(crate) struct Meter {
    look: StreamLook,
    /// When the work that is watched began, and when its line was drawn last.
    begun: Option<Duration>,
    drawn: Option<Duration>,
    /// It was drawn just now.
    is_new: bool,
}

impl Meter {
    /// A progress line that has nothing to show yet.
    pub(crate) fn new(look: StreamLook) -> Meter {
        Meter {
            look,
            begun: None,
            drawn: None,
            is_new: false,
        }
    }

    /// Called now and then: `done` of `of` steps are done, and `value` is the current value.
    pub(crate) fn progress(&mut self, done: u64, of: u64, value: f64) {
        let now = world::now();
        let begun = *self.begun.get_or_insert(now);
        let rests = self
            .drawn
            .is_some_and(|drawn| now.saturating_sub(drawn) < PAUSE);
        let due = now.saturating_sub(begun) >= PATIENCE && !rests;
        self.is_new = due && world::shows_progress();
        if !self.is_new {
            return;
        }
        self.drawn = Some(now);
        let seconds = now.saturating_sub(begun).as_secs_f64();
        // The last column stays free, because some terminals wrap the line when it is written to.
        self.look.measure();
        let width = self.look.width.unwrap_or(80).saturating_sub(1);
        let text = line(done, of, seconds, value, width);
        world::show_progress(&text, self.look.color);
    }

    /// Called after [`Meter::progress`]: keeps where the leaves have come, as often as the line is drawn.
    pub(crate) fn keep_leaves(&self, setting: &dyn Fn() -> String) {
        if self.is_new {
            world::keep_leaves(setting);
        }
    }

    /// Erases the line, as the work has ended.
    pub(crate) fn over(&mut self) {
        self.begun = None;
        if self.drawn.take().is_some() {
            world::show_progress("", false);
        }
    }
}

/// The line: as many of its parts as fit, the most important first.
fn line(done: u64, of: u64, seconds: f64, value: f64, width: usize) -> String {
    let rate = done as f64 / seconds;
    let left = (of - done.min(of)) as f64 / rate;
    let parts = [
        format!("step {} of {}", count_text(done), count_text(of)),
        format!("value {}", number::text(value, DIGITS)),
        time(left),
        format!("{} steps/s", number::text(rate, 3)),
    ];
    let mut line = String::new();
    for part in parts {
        let gap = if line.is_empty() { "" } else { "   " };
        if characters::width(&line) + gap.len() + characters::width(&part) > width {
            break;
        }
        line.push_str(gap);
        line.push_str(&part);
    }
    line
}

/// The remaining time, in units no finer than the estimate deserves.
fn time(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "…".to_string();
    }
    let whole = seconds.ceil() as u64;
    match whole {
        0..100 => format!("{whole} s left"),
        100..6000 => format!("{} min left", whole.div_ceil(60)),
        _ => format!("{} h left", whole.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_left_out() {
        for (width, expected) in [
            (
                79,
                "step 5,000 of 20,000   value 1   6 s left   2500 steps/s",
            ),
            (50, "step 5,000 of 20,000   value 1   6 s left"),
            (31, "step 5,000 of 20,000   value 1"),
            (20, "step 5,000 of 20,000"),
            (3, ""),
        ] {
            assert_eq!(line(5000, 20_000, 2.0, 1.0, width), expected);
        }
    }

    #[test]
    fn times() {
        for (seconds, expected) in [
            (0.2, "1 s left"),
            (99.0, "99 s left"),
            (99.5, "2 min left"),
            (5999.0, "100 min left"),
            (7201.0, "3 h left"),
            (f64::INFINITY, "…"),
            (f64::NAN, "…"),
        ] {
            assert_eq!(time(seconds), expected);
        }
    }
}
