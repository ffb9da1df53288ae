//! The pager: shows long answers at the prompt.
//!
//! The pager is `$PAGER`, else `less`. Without either, or if it fails, the answer is written directly. Whether a text
//! is long depends on the size of the window. Scripts and pipes are never paged.

use std::io::{ErrorKind, Write};
use std::process::{Command, ExitStatus, Stdio};

use crate::shell::process::{interrupt, terminal};

/// The pager if `$PAGER` is not set.
const USUAL: &str = "less";

/// Options of `less`: quit if the text fits on one screen (F), pass colours (R), keep the screen (X), quit on Ctrl-C
/// (K).
const FLAGS: &str = "FRXK";

/// Does a text take more rows than fit in a window of this size together with the next prompt?
pub(crate) fn is_long(text: &str, (columns, rows): (usize, usize)) -> bool {
    // Each line takes at least one row, so most texts need not be measured to the end.
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

/// The columns that a line takes, without its escape sequences.
fn width(line: &str) -> usize {
    if !line.contains('\u{1b}') {
        return crate::view::characters::width(line);
    }
    let mut bare = String::with_capacity(line.len());
    let mut parts = line.split('\u{1b}');
    bare.extend(parts.next());
    for part in parts {
        // The only escape sequences are colours, which end with `m`.
        bare.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    crate::view::characters::width(&bare)
}

/// Shows a text in the pager. Returns whether that worked; if not, the text must be written directly.
pub(crate) fn show(text: &str) -> bool {
    let chosen = std::env::var("PAGER")
        .ok()
        .filter(|pager| !pager.trim().is_empty());
    let mut command = if let Some(pager) = &chosen {
        // A shell is needed because the variable may contain arguments, as in `less -S`.
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
        // `less` takes a missing locale for ASCII, but a missing locale says nothing about the terminal.
        command.env("LESSCHARSET", "utf-8");
    }
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else {
        return false;
    };
    let mut cut = None;
    if let Some(mut input) = child.stdin.take() {
        // Quitting the pager early closes the pipe, which is not a failure.
        cut = input.write_all(text.as_bytes()).err();
    }
    let ended = child.wait();
    let left = interrupt::pending();
    interrupt::forget();
    let read = cut.is_none_or(|error| error.kind() == ErrorKind::BrokenPipe);
    read && ended.is_ok_and(|status| left || went_well(status))
}

/// Did the pager show the text? It did not if it exited with an error status; it did if a signal ended it.
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
