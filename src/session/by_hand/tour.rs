//! The user's progress in the tour. Not affected by undo, and not saved.
//!
//! The command `:tour` defines the steps and checks when one is done.

use crate::session::Session;

/// A place in the tour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tour {
    /// Whether the tour is running. It can be resumed after leaving.
    pub open: bool,
    /// The current step, from 0.
    pub at: usize,
    /// A bit for each step that is done, in any order.
    pub done: u64,
}

impl Tour {
    /// Whether a step is done.
    pub fn has_done(self, stop: usize) -> bool {
        self.done >> stop & 1 == 1
    }

    /// Marks a step as done or not done.
    pub fn mark(&mut self, stop: usize, done: bool) {
        self.done = self.done & !(1 << stop) | u64::from(done) << stop;
    }
}

impl Session {
    /// The user's place in the tour.
    pub fn tour(&self) -> Tour {
        self.recent.tour
    }

    /// Sets the user's place in the tour.
    pub fn set_tour(&mut self, tour: Tour) {
        self.recent.tour = tour;
    }
}
