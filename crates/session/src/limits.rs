//! Limits of a session that users meet. `docs/reference/limits.md` lists them, with those of the language and the commands.
//!
//! Going beyond one is an error with a way out, or drops the oldest. A limit that only bounds the work for a note stands
//! where it is used.

pub use chainrule_program::limits::{DERIVED_NODES, LIST_DEPTH, Limits, MOST_CALLS};

/// The most nodes below an answer that is shown with its `±`: the search for them must not delay the answer.
pub const MOST_ANSWERED: usize = 2_000;

/// The most results that `$1`, `$2`, … refer to. Each keeps its nodes alive.
pub const RESULTS: usize = 100;

/// The number of statements that can be undone, unless set.
pub const UNDO_STEPS: usize = 100;

/// The most statements that can be undone, whatever is set.
pub const MOST_UNDO_STEPS: u64 = 100_000;

/// The most bytes that the log holds for `:undo`. The oldest changes are dropped first.
pub const UNDO_BYTES: usize = 64 << 20;

/// The number of rows in a text table, unless set: a terminal scrolls back about as far.
pub const TABLE_ROWS: usize = 1_000;

/// The most rows in a text table, whatever is set.
pub const MOST_TABLE_ROWS: u64 = 10_000_000;

/// The most nodes in one label, about two lines of a terminal. Deeper ones are shown as `…`.
pub const LABEL_NODES: usize = 64;

/// The most characters of a label that a user gives: a table has room for a few words.
pub const LABEL_CHARACTERS: usize = 100;

/// The most leaves of a root whose path over the steps is remembered, for maps. Each step stores the data of all of them.
pub const MOST_LEAVES_OF_PATH: usize = 16;

/// A trail of steps has at most twice this number of values. Then every second one is dropped. A plot has fewer columns.
pub(crate) const TRAIL_VALUES: usize = 10_000;

/// The most guesses since the last pass that are remembered. A script that makes more starts over.
pub const MOST_CLAIMS: usize = 10_000;

/// The most grads that are remembered as shown. A guess looks through all of them.
pub const MOST_SHOWN: usize = 4096;

/// The largest seed: every whole number up to it is a 64-bit float.
pub const LARGEST_SEED: u64 = 1 << 53;
