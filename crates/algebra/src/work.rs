//! The work that a search may do. It is counted and not timed, so the answer is the same on every machine.

use std::cell::Cell;

/// The work that is left.
#[derive(Debug)]
pub(crate) struct WorkBudget(Cell<usize>);

impl WorkBudget {
    pub(crate) fn new(limit: usize) -> WorkBudget {
        WorkBudget(Cell::new(limit))
    }

    /// Takes this much. `None` if less is left.
    pub(crate) fn spend(&self, amount: usize) -> Option<()> {
        let left = self.0.get().checked_sub(amount);
        self.0.set(left.unwrap_or(0));
        left.map(|_| ())
    }
}
