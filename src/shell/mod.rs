//! The shell layer: options, prompt, scripts, files, streams, signals, exit status.
//!
//! Everything below this layer is a function of the session and a text; all input and output happens here. One `Runner`
//! runs the text of every source (`-e`, a file, a pipe, the prompt, a page), and one `Output` writes every answer, in one
//! `AnswerFormat`. A `Dialogue` decides what an entry does at the prompt, in a page and for another program. A `Server`
//! answers the requests of pages and programs. A `RunEnd` says why a run ends before its input does. `interpret` decides
//! what a statement means.
//!
//! Without the feature `terminal` the shell serves a page in a browser: the page calls `page`, and its files are in
//! memory.

#[cfg(feature = "terminal")]
mod files;
#[cfg(not(feature = "terminal"))]
use self::page::files;
#[cfg(feature = "terminal")]
mod options;
#[cfg(not(feature = "terminal"))]
pub mod page;
mod pasted_table;
#[cfg_attr(
    not(feature = "terminal"),
    expect(dead_code, reason = "a page does not use all of it")
)]
mod process;
#[cfg(feature = "terminal")]
mod program;
#[cfg(feature = "terminal")]
mod prompt;
#[cfg_attr(
    not(feature = "terminal"),
    expect(dead_code, reason = "a page does not use all of it")
)]
mod script;
#[expect(
    dead_code,
    reason = "a page does not use all of it, and neither does the dialogue"
)]
mod server;

#[cfg(feature = "terminal")]
pub use self::program::run;
pub use self::script::MAX_NESTED_LOADS;

/// The program with its version.
const PROGRAM: &str = concat!("chainrule ", env!("CARGO_PKG_VERSION"));

/// The largest file of data that is read, in bytes.
pub const MAX_FILE: usize = 1 << 30;

/// Why a run ends before its input does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// `:quit`
    Quit,
    /// A statement failed, and `--keep-going` was not given.
    Failed,
    /// Ctrl-C
    Interrupted,
    /// The process that reads the answers has closed the pipe, as in `chainrule … | head -1`.
    Closed,
    /// The answers cannot be written, for example because the disk is full. Holds the reason.
    Unwritable(String),
}

/// The result of a part of a run, which may be the end of the run.
type RunResult<T = ()> = Result<T, RunEnd>;
