//! Makes the progress line of a long statement. The line appears after a moment, and a new one takes its place. The host
//! shows it.

use std::time::Duration;

use crate::shell::process::terminal::StreamLook;
use crate::shell::process::world;
use chainrule_report::{characters, count_text};
use chainrule_view::number;

/// The line appears after this time. For a shorter statement it would only flicker.
const DELAY: Duration = Duration::from_millis(400);
/// The least time between two updates: about as fast as a user can read.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// The progress line.
#[derive(Debug)]
pub(crate) struct Meter {
    look: StreamLook,
    /// When the present work began.
    begun: Option<Duration>,
    /// When its line was made last.
    drawn: Option<Duration>,
}

impl Meter {
    /// A progress line that is empty.
    pub(crate) fn new(look: StreamLook) -> Meter {
        Meter {
            look,
            begun: None,
            drawn: None,
        }
    }

    /// The line, if it is due: `done` steps out of `of` are done, and `value` is the current value. Long work calls this now
    /// and then.
    pub(crate) fn next_line(&mut self, done: u64, of: u64, value: f64) -> Option<String> {
        let now = world::now();
        let begun = *self.begun.get_or_insert(now);
        let elapsed = now.saturating_sub(begun);
        let is_fresh = |drawn| now.saturating_sub(drawn) < UPDATE_INTERVAL;
        if elapsed < DELAY || self.drawn.is_some_and(is_fresh) {
            return None;
        }
        self.drawn = Some(now);
        // The last column stays free, because some terminals wrap the line when it is written to.
        self.look.measure();
        let width = self.look.width.unwrap_or(80).saturating_sub(1);
        Some(line(done, of, elapsed.as_secs_f64(), value, width))
    }

    /// Whether the line has colour.
    pub(crate) fn has_color(&self) -> bool {
        self.look.has_color
    }

    /// Notes that the work has ended. Returns whether a line is to be erased.
    pub(crate) fn end(&mut self) -> bool {
        self.begun = None;
        self.drawn.take().is_some()
    }
}

/// The text of the line: as many of its parts as fit. The most important part comes first.
fn line(done: u64, of: u64, seconds: f64, value: f64, width: usize) -> String {
    let rate = done as f64 / seconds;
    let left = of.saturating_sub(done) as f64 / rate;
    let parts = [
        format!("step {} of {}", count_text(done), count_text(of)),
        format!("value {}", number::text(value, 6)),
        remaining_time(left),
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

/// The remaining time, rounded up. A finer unit would promise more than the estimate can hold.
fn remaining_time(seconds: f64) -> String {
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
            assert_eq!(remaining_time(seconds), expected);
        }
    }
}
