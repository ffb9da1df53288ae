//! The terminal: whether the two output streams go to one, which colours it has, and how wide it is.
//!
//! Each decision is a function of the system's answers, so that the tests can call it without a terminal.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};

#[cfg(all(feature = "terminal", unix))]
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

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

/// One of the two output streams. Each may be a terminal, a pipe or a file.
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
    let known = |count, usual| if count == 0 { usual } else { count };
    TerminalSize {
        columns: known(size.columns, 80),
        rows: known(size.rows, 24),
    }
}

/// How answers or messages look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamLook {
    stream: Stream,
    pub has_color: bool,
    /// The columns of the terminal, if it is one.
    pub width: Option<usize>,
}

impl StreamLook {
    pub(crate) fn of(stream: Stream, when: When) -> StreamLook {
        let mut look = StreamLook {
            stream,
            has_color: has_color(stream, when),
            width: None,
        };
        look.measure();
        look
    }

    /// Measures the width again, since the user may have resized the window.
    pub(crate) fn measure(&mut self) {
        self.width = Some(world::size(self.stream).columns).filter(|&columns| columns > 0);
    }
}

/// Can there be a prompt? It needs a terminal on both standard input and standard output.
pub(crate) fn can_prompt() -> bool {
    io::stdin().is_terminal() && Stream::Answers.is_terminal()
}

/// Does this stream get colour? The streams differ if one is a pipe and the other a terminal.
fn has_color(stream: Stream, when: When) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => has_automatic_color(
            |name| std::env::var_os(name),
            || stream.is_terminal() && understands_colours(),
        ),
    }
}

/// Does the terminal understand the codes of colours? This asks an older console of Windows to do so.
fn understands_colours() -> bool {
    #[cfg(all(feature = "terminal", windows))]
    return anstyle_query::windows::enable_ansi_colors() != Some(false);
    #[cfg(not(all(feature = "terminal", windows)))]
    true
}

/// Does a stream get colour by itself? `NO_COLOR` decides first, then `CLICOLOR_FORCE`, then the stream.
fn has_automatic_color(
    variable: impl Fn(&str) -> Option<OsString>,
    is_terminal: impl Fn() -> bool,
) -> bool {
    let non_empty = |name: &str| variable(name).filter(|value| !value.is_empty());
    if non_empty("NO_COLOR").is_some() {
        return false;
    }
    if non_empty("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    is_terminal() && variable("TERM").as_deref() != Some(OsStr::new("dumb"))
}

/// Does the line editor only read lines in this terminal? (The list is the editor's own.)
pub(crate) fn cannot_edit() -> bool {
    std::env::var("TERM")
        .is_ok_and(|term| ["dumb", "cons25", "emacs"].contains(&term.to_ascii_lowercase().as_str()))
}

/// Makes SIGHUP and SIGTERM restore the present mode of the terminal before they end the process: the line editor reads
/// in raw mode, which would stay. The exit status is 128 plus the number of the signal, as in shells.
#[cfg(all(feature = "terminal", unix))]
pub(crate) fn restore_when_killed() {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    use signal_hook::iterator::Signals;

    let (Ok(usual), Ok(mut signals)) = (tcgetattr(io::stdin()), Signals::new([SIGHUP, SIGTERM]))
    else {
        return;
    };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            restore(&usual);
            std::process::exit(128 + signal);
        }
    });
}

/// Restores a mode of the terminal.
#[cfg(all(feature = "terminal", unix))]
fn restore(usual: &Termios) {
    use std::io::Write;

    let is_raw = tcgetattr(io::stdin()).is_ok_and(|mode| mode.local_modes != usual.local_modes);
    if is_raw && tcsetattr(io::stdin(), OptionalActions::Now, usual).is_ok() {
        // The line editor has asked the terminal to mark pasted text.
        let _ = io::stdout().write_all(b"\x1b[?2004l\n");
        let _ = io::stdout().flush();
    }
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
                has_automatic_color(lookup(variables), || terminal),
                expected,
                "{variables:?} {terminal}"
            );
        }
    }
}
