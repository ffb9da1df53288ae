//! The work that a search may do. It is counted and not timed, so the answer is the same on every machine.

use std::cell::Cell;

/// The work that is left.
#[derive(Debug)]
pub(crate) struct WorkBudget(Cell<u32>);

impl WorkBudget {
    pub(crate) fn new(limit: u32) -> WorkBudget {
        WorkBudget(Cell::new(limit))
    }

    /// Takes this much. `None` if less is left.
    pub(crate) fn spend(&self, amount: usize) -> Option<()> {
        let left = usize::try_from(self.0.get()).ok()?.checked_sub(amount);
        self.0.set(left.unwrap_or(0) as u32);
        left.map(|_| ())
    }
}
