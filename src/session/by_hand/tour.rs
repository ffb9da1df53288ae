//! Where somebody is on the tour: which stop, which ones are done. No change to be undone, nothing that is saved.
//!
//! What the stops are, what they say and when one is done is the command's: see `commands/tour.rs`.

use crate::session::Session;

/// A place on the tour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tour {
    /// Is somebody on it? One who left may come back.
    pub open: bool,
    /// The present stop, from 0.
    pub at: usize,
    /// A bit for each stop that is done, in whatever order.
    pub done: u64,
}

impl Tour {
    /// Is a stop done?
    pub fn has_done(self, stop: usize) -> bool {
        self.done >> stop & 1 == 1
    }

    /// Says whether a stop is done.
    pub fn mark(&mut self, stop: usize, done: bool) {
        self.done = self.done & !(1 << stop) | u64::from(done) << stop;
    }
}

impl Session {
    /// Where the tour is.
    pub fn tour(&self) -> Tour {
        self.tour
    }

    /// Where the tour is from now on.
    pub fn set_tour(&mut self, tour: Tour) {
        self.tour = tour;
    }
}
