//! Asks the operating system for the clock and the size of the window, and writes the progress line to the terminal. A
//! page in a browser uses `browser.rs` instead.

use std::io::{self, Write};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use super::terminal::{Stream, TerminalSize, cannot_edit};
use chainrule_view::theme::{Role, Theme, paint_text};

/// The time since some fixed moment.
pub(crate) fn now() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// The current size of the window: 0 for pipes and files, and for terminals that do not know it (a serial line, a
/// terminal inside some editors).
pub(crate) fn size(stream: Stream) -> TerminalSize {
    let size = match stream {
        Stream::Answers => terminal_size::terminal_size_of(io::stdout()),
        Stream::Messages => terminal_size::terminal_size_of(io::stderr()),
    };
    size.map_or_else(TerminalSize::default, |(width, height)| TerminalSize {
        columns: usize::from(width.0),
        rows: usize::from(height.0),
    })
}

/// Overwrites the current line of the terminal with `text`, if it can do so.
pub(crate) fn show_progress(text: &str, has_color: bool) {
    if !Stream::Messages.is_terminal() || cannot_edit() {
        return;
    }
    let painted = paint_text(text, Role::Dim, has_color.then(Theme::default));
    // The escape sequence erases the rest of a longer line. Failures to write messages are ignored everywhere.
    let _ = write!(io::stderr(), "\r{painted}\u{1b}[K");
}

/// Does nothing. A page keeps the leaves here because its user can only end the worker; at a terminal, Ctrl-C stops the
/// work and leaves the session intact.
pub(crate) fn keep_leaves(_setting: &dyn Fn() -> String) {}
