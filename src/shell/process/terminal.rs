//! The terminal: what the two output streams are connected to, and what follows for colour, width and characters.
//!
//! Each decision is a function of what the system answered, so that the tests can call it without a terminal.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};

use super::world;

/// When to use colour. (The option's own line describes it: doc comments on the variants would make `clap` print two
/// versions of the help.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "terminal", derive(clap::ValueEnum))]
pub(crate) enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// The size of the terminal window.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TerminalSize {
    pub columns: usize,
    pub rows: usize,
}

/// One of the two streams that are written to; they may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Answers,
    /// Standard error.
    Messages,
}

impl Stream {
    pub(crate) fn is_terminal(self) -> bool {
        match self {
            Stream::Answers => io::stdout().is_terminal(),
            Stream::Messages => io::stderr().is_terminal(),
        }
    }
}

/// The current size of the terminal on standard output; the traditional 80 by 24 if it does not report one.
pub(crate) fn answer_size() -> TerminalSize {
    let size = world::size(Stream::Answers);
    let or = |size, usual| if size == 0 { usual } else { size };
    TerminalSize {
        columns: or(size.columns, 80),
        rows: or(size.rows, 24),
    }
}

/// How answers or messages look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamLook {
    stream: Stream,
    /// They have colours.
    pub color: bool,
    /// The columns of the terminal, if it is one.
    pub width: Option<usize>,
}

impl StreamLook {
    pub(crate) fn of(stream: Stream, when: When) -> StreamLook {
        let mut look = StreamLook {
            stream,
            color: color(stream, when),
            width: None,
        };
        look.measure();
        look
    }

    /// Asks for the width again, as the user may have resized the window.
    pub(crate) fn measure(&mut self) {
        self.width = Some(world::size(self.stream).columns).filter(|&columns| columns > 0);
    }
}

/// Can there be a prompt? It needs a terminal on both standard input and standard output.
pub(crate) fn can_prompt() -> bool {
    io::stdin().is_terminal() && Stream::Answers.is_terminal()
}

/// Does this stream get colour? Each stream is decided separately, as one may be a pipe and the other a terminal.
fn color(stream: Stream, when: When) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => automatic_color(
            |name| std::env::var_os(name),
            || stream.is_terminal() && understands_colours(),
        ),
    }
}

/// Does the terminal understand the codes of colours? An older console of Windows does when it is asked to.
fn understands_colours() -> bool {
    #[cfg(all(feature = "terminal", windows))]
    return anstyle_query::windows::enable_ansi_colors() != Some(false);
    #[cfg(not(all(feature = "terminal", windows)))]
    true
}

/// `NO_COLOR` comes first, then `CLICOLOR_FORCE`, then whether the stream is a terminal.
fn automatic_color(
    variable: impl Fn(&str) -> Option<OsString>,
    is_terminal: impl Fn() -> bool,
) -> bool {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    is_terminal() && variable("TERM").as_deref() != Some(OsStr::new("dumb"))
}

/// Is this a terminal for which the line editor does not edit lines? (The list is the editor's own.)
pub(crate) fn cannot_edit() -> bool {
    std::env::var("TERM")
        .is_ok_and(|term| ["dumb", "cons25", "emacs"].contains(&term.to_ascii_lowercase().as_str()))
}

/// Until the process ends, SIGHUP and SIGTERM end it with the terminal as it is now: lines are read in raw mode, which
/// would stay. The exit status is that of shells.
#[cfg(all(feature = "terminal", unix))]
pub(crate) fn restore_when_killed() {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    use signal_hook::consts::{SIGHUP, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::io::Write;

    let now = tcgetattr(io::stdin());
    let (Ok(now), Ok(mut signals)) = (now, Signals::new([SIGHUP, SIGTERM])) else {
        return;
    };
    std::thread::spawn(move || {
        let Some(signal) = signals.forever().next() else {
            return;
        };
        let is_raw = tcgetattr(io::stdin()).is_ok_and(|mode| mode.local_modes != now.local_modes);
        if is_raw && tcsetattr(io::stdin(), OptionalActions::Now, &now).is_ok() {
            // The line editor has asked for marks around what is pasted.
            let _ = io::stdout().write_all(b"\x1b[?2004l\n");
            let _ = io::stdout().flush();
        }
        std::process::exit(128 + signal);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookup<'v>(variables: &'v [(&str, &str)]) -> impl Fn(&str) -> Option<OsString> + 'v {
        |name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| OsString::from(value))
        }
    }

    #[test]
    fn colour() {
        for (variables, terminal, expected) in [
            (&[][..], true, true),
            (&[], false, false),
            (&[("TERM", "dumb")], true, false),
            (&[("TERM", "xterm")], true, true),
            (&[("NO_COLOR", "1")], true, false),
            (&[("NO_COLOR", "")], true, true),
            (&[("CLICOLOR_FORCE", "1")], false, true),
            (&[("CLICOLOR_FORCE", "0")], false, false),
            (&[("CLICOLOR_FORCE", "")], false, false),
            (&[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], true, true),
            (&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true, false),
        ] {
            assert_eq!(
                automatic_color(lookup(variables), || terminal),
                expected,
                "{variables:?} {terminal}"
            );
        }
    }
}
