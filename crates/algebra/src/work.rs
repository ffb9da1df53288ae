//! The work that a search may do. It is counted and not timed, so the answer is the same on every machine.

use std::cell::Cell;

/// The most terms of a sum that a search multiplies out.
const MOST_TERMS: usize = 24;

/// The work that is left, and the most terms of a sum that is multiplied out.
#[derive(Debug)]
pub(crate) struct WorkBudget {
    left: Cell<usize>,
    pub(crate) most_terms: usize,
}

impl WorkBudget {
    pub(crate) fn new(limit: usize) -> WorkBudget {
        WorkBudget {
            left: Cell::new(limit),
            most_terms: MOST_TERMS,
        }
    }

    /// The budget with another number of terms.
    pub(crate) fn with_terms(self, most_terms: usize) -> WorkBudget {
        WorkBudget { most_terms, ..self }
    }

    /// Takes this much. `None` if less is left.
    pub(crate) fn spend(&self, amount: usize) -> Option<()> {
        let left = self.left.get().checked_sub(amount);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }
}
