//! The state of a session before a command, to be restored if the command is interrupted.
//!
//! Changes are entries of the journal and are undone. A pass is not a change, so the mark stores it. A mark lives as
//! long as the command and its answer.

use std::rc::Rc;

use crate::graph::{Node, Pass};
use crate::session::Session;
use crate::session::random::Random;

/// The state before a command.
#[derive(Clone, Debug)]
pub struct Mark {
    /// How many entries had been recorded.
    recorded: u64,
    pass: Option<Rc<Pass>>,
    target: Option<Rc<Node>>,
    unshown: Option<Rc<Node>>,
    random: Rc<Random>,
}

impl Session {
    /// Marks the current state.
    pub fn mark(&self) -> Mark {
        Mark {
            recorded: self.journal.recorded(),
            pass: self.recent.pass.clone(),
            target: self.recent.target.clone(),
            unshown: self.recent.unshown.clone(),
            random: self.random(),
        }
    }

    /// Returns to a mark, as if nothing had happened since. Statements undone before it cannot be redone, however.
    pub fn return_to(&mut self, mark: Mark) {
        for _ in mark.recorded..self.journal.recorded() {
            if self.undo().is_some() {
                self.journal.pop_undone();
            }
        }
        self.recent.pass = mark.pass;
        self.recent.target = mark.target;
        self.recent.unshown = mark.unshown;
        self.give_back(mark.random);
    }
}
