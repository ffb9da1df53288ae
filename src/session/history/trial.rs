//! Transactions: several statements run as one, and either all are kept, as one change, or none leaves a trace.
//!
//! A file is loaded this way. The changes of its statements go to a journal of their own. State that is not in the
//! journal (results, passes, ids of nodes) is saved at the beginning. The callers run the statements.

use std::rc::Rc;

use super::journal::{Entry, Journal, shortened};
use super::trail::Trails;
use crate::graph::{Node, NodeId, Pass};
use crate::session::Session;
use crate::session::by_hand::guesses::Guesses;
use crate::session::by_hand::tour::Tour;
use crate::session::by_hand::walk::Walk;
use crate::session::naming::Paste;
use crate::session::results::Results;
use crate::session::watches::Watch;

/// The state to which a failed trial returns.
pub(crate) struct Before {
    results: Results,
    pass: Option<Rc<Pass>>,
    target: Option<Rc<Node>>,
    unshown: Option<Rc<Node>>,
    walk: Option<Walk>,
    guesses: Rc<Guesses>,
    trails: Trails,
    watches: Rc<Vec<Watch>>,
    paste: Rc<Paste>,
    tour: Tour,
    made: NodeId,
    clock: u64,
    names: usize,
}

impl Before {
    /// The pass and the walk that would be restored.
    pub(crate) fn kept(&self) -> (Option<&Pass>, Option<&Walk>) {
        (self.pass.as_deref(), self.walk.as_ref())
    }
}

impl Session {
    /// Begins a trial.
    pub fn begin_trial(&mut self) {
        self.journal.begin_trial();
        self.trial = Some(Box::new(Before {
            results: self.results.clone(),
            pass: self.pass.clone(),
            target: self.target.clone(),
            unshown: self.unshown.clone(),
            // A walk cannot go on inside a file, but the file may begin one.
            walk: self.walk.take(),
            guesses: Rc::clone(&self.guesses),
            trails: self.trails.clone(),
            watches: Rc::clone(&self.watches),
            paste: self.paste(),
            tour: self.tour,
            made: self.graph.made(),
            clock: self.graph.clock(),
            names: self.names.count(),
        }));
        self.set_paste("");
    }

    /// Ends the trial and keeps its changes, as one change made by `statement`.
    pub fn keep_trial(&mut self, statement: &str) {
        let Some(before) = self.trial.take() else {
            return;
        };
        self.paste = before.paste;
        self.walk = self.walk.take().or(before.walk);
        let changes = shortened(self.journal.end_trial(), |node| {
            self.names.former_is_dead(node)
        });
        if !changes.is_empty() {
            self.record(statement, changes);
        }
        self.journal.keep_steps(self.settings.undo_steps);
    }

    /// Ends the trial and undoes its changes.
    pub fn take_trial_back(&mut self) {
        let Some(before) = self.trial.take() else {
            return;
        };
        let changes = self.journal.end_trial();
        // The entry that would redo the changes holds nodes that have to be dropped before their ids are taken back.
        drop(self.swap(Entry::new("", changes)));
        let Before {
            results,
            pass,
            target,
            unshown,
            walk,
            guesses,
            trails,
            watches,
            paste,
            tour,
            made,
            clock,
            names,
        } = *before;
        self.results = results;
        self.pass = pass;
        self.target = target;
        self.unshown = unshown;
        self.walk = walk;
        self.guesses = guesses;
        self.trails = trails;
        self.watches = watches;
        self.paste = paste;
        self.tour = tour;
        self.names.rewind(names, made);
        self.graph.rewind(made);
        self.graph.rewind_clock(clock);
    }

    /// Makes the current state the beginning of the session, so that the init script cannot be undone.
    pub fn begin_here(&mut self) {
        self.journal = Journal::default();
        self.journal.keep_steps(self.settings.undo_steps);
        self.results = Results::default();
        self.forget_pass();
        self.walk = None;
        self.guesses = Rc::default();
        self.trails = Trails::default();
        self.target = None;
        self.unshown = None;
    }
}
