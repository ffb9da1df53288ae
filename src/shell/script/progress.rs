//! The progress line of a long statement: it overwrites itself, only on a terminal, and appears only after a moment.
//!
//! Progress is reported after each step, possibly millions of times a second, so the clock is read only now and then.
//! The line goes to standard error and is erased before anything else is written.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::shell::process::terminal;
use crate::shell::process::terminal::{Stream, StreamLook};
use crate::view::theme::{Role, Theme, painted};
use crate::view::{characters, number};

/// How long a statement runs before the line appears.
const PATIENCE: Duration = Duration::from_millis(400);
/// The time between two updates.
const PAUSE: Duration = Duration::from_millis(100);
/// The clock is read about this often.
const GLANCE: Duration = Duration::from_millis(2);
/// The most calls between two readings of the clock.
const MOST_CALLS: u64 = 1 << 14;
/// Significant digits of the value.
const DIGITS: u8 = 6;

/// The progress line.
#[derive(Debug)]
pub(crate) struct Meter {
    look: StreamLook,
    work: Option<Work>,
    shown: bool,
}

#[derive(Debug)]
struct Work {
    begun: Instant,
    glanced: Instant,
    drawn: Instant,
    /// Calls left until the clock is read again, and how many there were between the last two readings.
    left: u64,
    calls: u64,
}

impl Meter {
    /// A progress line that has nothing to show yet.
    pub(crate) fn new(look: StreamLook) -> Meter {
        Meter {
            look,
            work: None,
            shown: false,
        }
    }

    /// Called after each step: `done` of `of` steps are done, and `value` is the current value.
    pub(crate) fn progress(&mut self, done: u64, of: u64, value: f64) {
        let work = self.work.get_or_insert_with(|| Work::new(Instant::now()));
        if work.left > 0 {
            work.left -= 1;
            return;
        }
        let now = Instant::now();
        work.glance(now);
        let due = now - work.begun >= PATIENCE && now - work.drawn >= PAUSE;
        if !due || !Stream::Messages.is_terminal() || terminal::cannot_edit() {
            return;
        }
        work.drawn = now;
        let seconds = (now - work.begun).as_secs_f64();
        // The last column stays free, because some terminals wrap the line when it is written to.
        self.look.forget_width();
        let width = self.look.width().unwrap_or(80).saturating_sub(1);
        let text = line(done, of, seconds, value, width);
        let text = painted(&text, Role::Dim, self.look.color().then(Theme::default));
        // Failing to write a message is ignored everywhere.
        let _ = write!(io::stderr(), "\r{text}\u{1b}[K");
        self.shown = true;
    }

    /// Erases the line, as the work has ended.
    pub(crate) fn over(&mut self) {
        self.work = None;
        if std::mem::take(&mut self.shown) {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}

impl Work {
    fn new(now: Instant) -> Work {
        Work {
            begun: now,
            glanced: now,
            drawn: now,
            left: 0,
            calls: 0,
        }
    }

    /// Adapts how often the clock is read to the duration of a step, which may be nanoseconds or minutes.
    fn glance(&mut self, now: Instant) {
        self.calls = if now - self.glanced < GLANCE {
            (2 * self.calls + 1).min(MOST_CALLS)
        } else {
            self.calls / 4
        };
        self.left = self.calls;
        self.glanced = now;
    }
}

/// The line: as many of its parts as fit, the most important first.
fn line(done: u64, of: u64, seconds: f64, value: f64, width: usize) -> String {
    let rate = done as f64 / seconds;
    let left = (of - done.min(of)) as f64 / rate;
    let parts = [
        format!("step {done} of {of}"),
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
            (79, "step 5000 of 20000   value 1   6 s left   2500 steps/s"),
            (50, "step 5000 of 20000   value 1   6 s left"),
            (31, "step 5000 of 20000   value 1"),
            (18, "step 5000 of 20000"),
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

    #[test]
    fn the_clock_is_asked_as_often_as_steps_are_slow() {
        let start = Instant::now();
        let mut work = Work::new(start);
        for _ in 0..20 {
            work.glance(start);
        }
        assert_eq!(work.left, MOST_CALLS);
        for slow in 1..10 {
            work.glance(start + slow * PAUSE);
        }
        assert_eq!(work.left, 0);
    }
}
