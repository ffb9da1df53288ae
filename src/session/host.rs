//! What must be asked of the outside in the middle of work, and nothing else: stop? progress.
//!
//! The session is handed a host. The shell's watches Ctrl-C and the terminal, the typing hint's watches a deadline, a
//! test's stops after so many questions. Below the shell nobody knows clocks, signals or terminals.

/// The outside, as seen from within.
pub trait Host {
    /// Should the running statement stop? Asked every few thousand nodes and between steps. Once it is so it stays so to
    /// the statement's end.
    fn stop(&self) -> bool;

    /// So many of so many are done, and this is the value now. Called between steps of `:step`.
    fn progress(&self, done: u64, of: u64, value: f64) {
        let _ = (done, of, value);
    }

    /// The work whose progress was told is over, one way or another.
    fn over(&self) {}
}

/// A host that never stops and shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Undisturbed;

impl Host for Undisturbed {
    fn stop(&self) -> bool {
        false
    }
}
