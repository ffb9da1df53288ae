//! Several statements tried as one: kept together as one change, or taken back together without a trace.
//!
//! This is how a file is loaded. What the statements change in the way of `:undo` goes into a journal of their own;
//! what they do beside it (results, passes, numbers of nodes) is remembered from before. Who runs the statements, and
//! from where, is not known here.

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

/// What a trial goes back to.
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
    /// The pass and the walk that will be those of the session again.
    pub(crate) fn kept(&self) -> (Option<&Pass>, Option<&Walk>) {
        (self.pass.as_deref(), self.walk.as_ref())
    }
}

impl Session {
    /// From here on statements are tried.
    pub fn begin_trial(&mut self) {
        self.journal.begin_trial();
        self.trial = Some(Box::new(Before {
            results: self.results.clone(),
            pass: self.pass.clone(),
            target: self.target.clone(),
            unshown: self.unshown.clone(),
            // Nobody walks on in the middle of a file.
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

    /// Keeps what was tried, as one change made by this statement.
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

    /// Takes back what was tried: the session is as it was.
    pub fn take_trial_back(&mut self) {
        let Some(before) = self.trial.take() else {
            return;
        };
        let changes = self.journal.end_trial();
        // What comes back is the way forward, which nobody goes; it holds nodes that are to be gone.
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

    /// What was done so far is where this session begins: the init script is nothing to be undone.
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
