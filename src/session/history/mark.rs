//! Where a session stood before a command, to go back to when the command is interrupted.
//!
//! What it changed is an entry of the journal, which is taken back; a pass is no change, so it is kept here. A mark
//! lives as long as the command and its answer.

use std::rc::Rc;

use crate::graph::{Node, Pass};
use crate::session::Session;

/// What a session was before a command.
#[derive(Clone, Debug)]
pub struct Mark {
    /// How many entries the journal had been given.
    recorded: u64,
    pass: Option<Rc<Pass>>,
    target: Option<Rc<Node>>,
    unshown: Option<Rc<Node>>,
}

impl Session {
    /// Remembers this moment.
    pub fn mark(&self) -> Mark {
        Mark {
            recorded: self.journal.recorded(),
            pass: self.pass.clone(),
            target: self.target.clone(),
            unshown: self.unshown.clone(),
        }
    }

    /// Goes back to it: what came after has not happened. (What was undone before it cannot be done again.)
    pub fn return_to(&mut self, mark: Mark) {
        for _ in mark.recorded..self.journal.recorded() {
            if self.undo().is_some() {
                self.journal.pop_undone();
            }
        }
        self.pass = mark.pass;
        self.target = mark.target;
        self.unshown = mark.unshown;
    }
}
