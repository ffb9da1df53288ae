//! The interface through which a running statement reaches the outside: should it stop, and how far is it?
//!
//! The shell's host watches Ctrl-C and the terminal, that of the typing hint watches a deadline, and that of a test
//! stops after a fixed number of calls. Nothing below the shell knows clocks, signals or terminals.

/// The world outside of a session.
pub trait Host {
    /// Whether the running statement should stop. Called every few thousand nodes and between steps. Once true, it
    /// stays true until the statement ends.
    fn stop(&self) -> bool;

    /// Whether the running statement should stop rather than copy so many more numbers of lists. Called for every few
    /// thousand of them.
    fn stop_before(&self, numbers: usize) -> bool {
        let _ = numbers;
        self.stop()
    }

    /// Reports progress between steps of `:step`: how many of how many steps are done, and the root's value now.
    fn progress(&self, done: u64, of: u64, value: f64) {
        let _ = (done, of, value);
    }

    /// Called when the work whose progress was reported has ended, whether it finished or not.
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
