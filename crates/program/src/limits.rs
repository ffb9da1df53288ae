//! Limits of what a statement may build and run. `docs/reference/limits.md` lists them.

/// The limits of a session that a test lowers, because much work leads to the usual ones.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most nodes that one statement may create. Without a limit, thirty lines of functions that call each other
    /// twice would fill any memory.
    pub nodes: u32,
    /// The most numbers in one list. The same node may stand in a list many times, so `nodes` does not limit them: `w`
    /// put together with itself thirty times would fill any memory.
    pub list_numbers: usize,
    /// The most rounds that the loops of one statement may have together. A script without a terminal could not stop
    /// `while True:`.
    pub rounds: usize,
    /// The most nodes that steps and searches may visit to run again when a saved session is loaded: about a second. If
    /// they visit more, the file has only the new data of the leaves.
    pub repeated_work: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            nodes: 10_000_000,
            list_numbers: 10_000_000,
            rounds: 10_000_000,
            repeated_work: 100_000_000,
        }
    }
}

/// The most nodes that one derivative may create, in addition to six for each node that is differentiated. Without a
/// limit, `f` with forty primes would fill any memory.
pub const DERIVED_NODES: u32 = 1_000_000;

/// The most levels of nested lists. Functions on shapes recurse to this depth.
pub const LIST_DEPTH: usize = 64;

/// The most calls of functions with several lines that may run at once. A function that calls itself without an end is
/// an error before it fills memory.
pub const MOST_CALLS: usize = 200;

/// 2^53. All whole numbers up to it are exact.
pub(crate) const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// The most nodes of the branch of a choice that is not taken. Without a limit, functions that choose between two calls
/// would take time that doubles with each of them.
pub(crate) const MOST_BRANCH_NODES: u32 = 200;
