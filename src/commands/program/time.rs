//! `:time STATEMENT`: runs a statement and reports how long it took and how many nodes it made.
//!
//! The shell runs the statement and reads the clock; this file makes the report.

use std::fmt::Write as _;

use crate::command::Effect;
use crate::command::prelude::*;
use crate::command::signatures::time::{SIGNATURE, STATEMENT};
use crate::commands::find;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(_: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let (text, span) = (arguments.text, arguments.place(STATEMENT));
    let first = language::first_word(text, span);
    let command = first.filter(|_| language::begins_command(span.of(text)));
    // The word may be `:time`, or a beginning of it that stands for no other command.
    let is_time = |word: &Span| find(&word.of(text)[1..]).is_ok_and(|it| it.name == COMMAND.name);
    if let Some(word) = command.filter(is_time) {
        return Err(Diagnostic::new("`:time` cannot be timed itself")
            .at(word)
            .help("one `:time` is enough"));
    }
    Ok(Reply::effect(Effect::Time(span)))
}

/// The report of a statement that took this time and made `nodes` nodes.
pub fn time_report(seconds: f64, nodes: u64) -> Report {
    let each = (nodes > 0 && seconds > 0.0).then(|| seconds * 1e9 / nodes as f64);
    let mut text = format!("took {}", duration(seconds));
    if nodes > 0 {
        let _ = write!(text, ": {} made", plural(nodes as usize, "node"));
    }
    if let Some(each) = each {
        let _ = write!(text, ", {} ns each", three_digits(each));
    }
    let facts = vec![
        ("seconds", seconds.into()),
        ("nodes", nodes.into()),
        ("nanoseconds_per_node", each.into()),
    ];
    Report::new(&COMMAND, facts, vec![Block::Line(say!("{:dim}", text))])
}

/// Writes a duration: `12.4 us`, `3.08 s`. The units are ASCII, which every terminal can show.
fn duration(seconds: f64) -> String {
    // The clock of a browser advances in steps.
    if seconds == 0.0 {
        return "less than 0.1 ms".to_owned();
    }
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")];
    let fitting = units.into_iter().find(|(size, _)| seconds >= *size);
    let (size, unit) = fitting.unwrap_or((1e-9, "ns"));
    format!("{} {unit}", three_digits(seconds / size))
}

/// Writes three significant digits, or more if more are before the point. A number that rounds up to a power of ten has
/// one more.
fn three_digits(number: f64) -> String {
    let before = if number < 1.0 {
        1
    } else {
        number.log10().floor() as usize + 1
    };
    format!("{number:.*}", 3_usize.saturating_sub(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        for (seconds, expected) in [
            (0.0, "less than 0.1 ms"),
            (4.13e-7, "413 ns"),
            (1.24e-5, "12.4 us"),
            (0.25, "250 ms"),
            (3.0849, "3.08 s"),
            (7231.4, "7231 s"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
    }
}
