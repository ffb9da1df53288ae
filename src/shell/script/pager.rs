//! Shows long answers at the prompt in a pager.
//!
//! The pager is `$PAGER` or, if that is not set, `less`. Without either, or if it fails, the answer is written
//! directly. Scripts and pipes are never paged.

use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use crate::shell::process::interrupt;

/// Options of `less`: quit if the text fits on one screen (F), pass colours (R), keep the screen (X), quit on Ctrl-C
/// (K), and a prompt that says how to leave, and before the end (e) how to go on (P).
const FLAGS: &str = "FRXKPq leaves?e:, space goes on.";

/// Shows a text in the pager. Returns whether that worked; if not, the text must be written directly.
pub(crate) fn show(text: &str) -> bool {
    let (program, arguments) = match std::env::var("PAGER") {
        // A shell is needed because the variable may contain arguments, as in `less -S`.
        Ok(pager) if !pager.trim().is_empty() => ("sh", vec!["-c".to_owned(), pager]),
        _ => ("less", vec![format!("-{FLAGS}")]),
    };
    let mut command = Command::new(program);
    // Keys that are typed ahead must neither run programs nor write files.
    command.args(arguments).env("LESSSECURE", "1");
    // Answers are UTF-8, whatever the locale says.
    for (name, value) in [("LESS", FLAGS), ("LESSCHARSET", "utf-8")] {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else {
        return false;
    };
    let mut write_error = None;
    if let Some(mut input) = child.stdin.take() {
        // Quitting the pager early closes the pipe, which is not a failure.
        write_error = input.write_all(text.as_bytes()).err();
    }
    let ended = child.wait();
    let was_left = interrupt::pending();
    interrupt::forget();
    let was_read = write_error.is_none_or(|error| error.kind() == ErrorKind::BrokenPipe);
    // A pager that ends with an error status has not shown the text. A pager that a signal ends (it has no status) has.
    was_read && ended.is_ok_and(|status| was_left || status.success() || status.code().is_none())
}
