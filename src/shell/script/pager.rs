//! Long answers at the prompt: through the pager of the system, if there is one.
//!
//! `$PAGER` if it is set, else `less`; without either, or where it fails, the answer is written as it is. Whether a
//! text is long is a question of the window, what is in it does not matter here. Scripts and pipes never get here.

use std::io::{ErrorKind, Write};
use std::process::{Command, ExitStatus, Stdio};

use crate::session::Settings;
use crate::shell::process::{interrupt, terminal};

/// What is paged with, when nobody says.
const USUAL: &str = "less";

/// Colours pass, what fits is not held up, the screen stays, Ctrl-C leaves.
const FLAGS: &str = "FRXK";

/// Which answers are paged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Paging {
    /// None: in scripts and pipes, in blocks of several statements.
    #[default]
    Never,
    /// Those that are longer than the window.
    Long,
}

/// Does a session page at all?
pub(crate) fn pager_wanted(settings: &Settings) -> bool {
    settings.pager && !terminal::cannot_edit()
}

/// Does a text take more rows than a window of this size has beside the next prompt?
pub(crate) fn is_long(text: &str, (columns, rows): (usize, usize)) -> bool {
    // Each line has a row at least: most texts are judged without measuring.
    let room = rows.saturating_sub(1);
    let mut used = 0;
    for line in text.lines() {
        used += width(line).div_ceil(columns.max(1)).max(1);
        if used > room {
            return true;
        }
    }
    false
}

/// How many columns a painted line takes.
fn width(line: &str) -> usize {
    if !line.contains('\u{1b}') {
        return crate::view::characters::width(line);
    }
    let mut bare = String::with_capacity(line.len());
    let mut parts = line.split('\u{1b}');
    bare.extend(parts.next());
    for part in parts {
        // Only colours are ever written: they end with this letter.
        bare.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    crate::view::characters::width(&bare)
}

/// Shows a text in the pager. Says whether it did: if not, the text is still to be written.
pub(crate) fn show(text: &str) -> bool {
    let chosen = std::env::var("PAGER")
        .ok()
        .filter(|pager| !pager.trim().is_empty());
    let mut command = if let Some(pager) = &chosen {
        // It may have words of its own, as in `less -S`.
        let mut command = Command::new("sh");
        command.args(["-c", pager]);
        command
    } else {
        let mut command = Command::new(USUAL);
        command.arg(format!("-{FLAGS}"));
        command
    };
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", FLAGS);
    }
    if !terminal::plain_locale() && std::env::var_os("LESSCHARSET").is_none() {
        // No locale at all says nothing about the terminal, but `less` takes it for plain.
        command.env("LESSCHARSET", "utf-8");
    }
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else {
        return false;
    };
    let mut cut = None;
    if let Some(mut input) = child.stdin.take() {
        // Who has seen enough closes early: that is no failure.
        cut = input.write_all(text.as_bytes()).err();
    }
    let ended = child.wait();
    let left = interrupt::pending();
    interrupt::forget();
    let read = cut.is_none_or(|error| error.kind() == ErrorKind::BrokenPipe);
    read && ended.is_ok_and(|status| left || went_well(status))
}

/// A pager that says that it failed has shown nothing; one that was stopped has.
fn went_well(status: ExitStatus) -> bool {
    status.success() || status.code().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_longer_than_the_window() {
        for (text, columns, rows, long) in [
            ("", 80, 24, false),
            ("1\n2\n", 80, 3, false),
            ("1\n2\n3\n", 80, 3, true),
            ("12345678\n", 4, 3, false),
            ("123456789\n", 4, 3, true),
            ("\u{1b}[1;36m12345678\u{1b}[0m\n", 4, 3, false),
            ("\n\n\n", 80, 3, true),
        ] {
            assert_eq!(is_long(text, (columns, rows)), long, "{text:?}");
        }
    }
}
