//! The state of a session before a command, to be restored if the command is interrupted.
//!
//! Changes are entries of the journal and are undone. A pass is not a change, so the mark stores it. A mark lives as
//! long as the command and its answer.

use std::fmt;
use std::rc::Rc;

use crate::graph::{Node, Pass};
use crate::session::random::Random;
use crate::session::{Recent, Session};

/// The state before a command.
#[derive(Clone)]
pub struct Mark {
    /// How many entries had been recorded.
    recorded: u64,
    pass: Option<Rc<Pass>>,
    target: Option<Rc<Node>>,
    unshown: Option<Rc<Node>>,
    random: Rc<Random>,
    clock: u64,
    /// Everything recent: walks, watches, results. Only for a command that may yet fail, as its file cannot be written.
    recent: Option<Box<Recent>>,
}

impl fmt::Debug for Mark {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Mark")
            .field("recorded", &self.recorded)
            .finish_non_exhaustive()
    }
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
            clock: self.graph.clock(),
            recent: None,
        }
    }

    /// The same with all that earlier statements have left behind.
    pub fn mark_all(&self) -> Mark {
        Mark {
            recent: Some(Box::new(self.recent.clone())),
            ..self.mark()
        }
    }

    /// Returns to a mark, as if nothing had happened since. Statements undone before it cannot be redone, however.
    pub fn return_to(&mut self, mark: Mark) {
        for _ in mark.recorded..self.journal.recorded() {
            if self.undo().is_some() {
                self.journal.pop_undone();
            }
        }
        if let Some(recent) = mark.recent {
            self.recent = *recent;
        }
        self.recent.pass = mark.pass;
        self.recent.target = mark.target;
        self.recent.unshown = mark.unshown;
        self.give_back(mark.random);
        // Data is what it was, so a pass or a walk from before is not stale.
        self.forget_learnt();
        self.graph.rewind_clock(mark.clock);
    }
}
