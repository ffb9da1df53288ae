//! What the program asks its operating system: the time, the size of the window, and a line for the progress of work. A
//! page asks `browser` for the same.

use std::io::{self, Write};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use super::terminal::{Stream, TerminalSize, cannot_edit};
use chainrule_view::theme::{Role, Theme, paint_text};

/// The time since some moment.
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

/// Can a line be written over, to say how far work has come?
pub(crate) fn shows_progress() -> bool {
    Stream::Messages.is_terminal() && !cannot_edit()
}

/// Writes this line over the one before.
pub(crate) fn show_progress(text: &str, color: bool) {
    let text = paint_text(text, Role::Dim, color.then(Theme::default));
    // Failing to write a message is ignored everywhere.
    let _ = write!(io::stderr(), "\r{text}\u{1b}[K");
}

/// Ctrl-C stops work where it is, so nothing has to be kept for it.
pub(crate) fn keep_leaves(_setting: &dyn Fn() -> String) {}
