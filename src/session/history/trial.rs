//! Transactions: several statements run as one, and either all are kept, as one change, or none leaves a trace.
//!
//! A file is loaded this way. The changes of its statements go to a journal of their own. State that is not in the
//! journal (results, passes, ids of nodes) is saved at the beginning. The callers run the statements.

use std::rc::Rc;

use super::journal::{Entry, Journal, shortened};
use crate::graph::NodeId;
use crate::session::random::Random;
use crate::session::{Recent, Session};

/// The state to which a failed trial returns.
pub(crate) struct Before {
    pub(in crate::session) recent: Recent,
    random: Rc<Random>,
    made: NodeId,
    clock: u64,
    names: usize,
}

impl Session {
    /// Is a trial running?
    pub fn in_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// Begins a trial.
    pub fn begin_trial(&mut self) {
        self.journal.begin_trial();
        // A walk cannot go on inside a file, but the file may begin one.
        let walk = self.recent.walk.take();
        self.trial = Some(Box::new(Before {
            recent: Recent {
                walk,
                ..self.recent.clone()
            },
            random: self.random(),
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
        self.recent.paste = before.recent.paste;
        self.recent.walk = self.recent.walk.take().or(before.recent.walk);
        let mut changes = shortened(self.journal.end_trial(), |node| {
            self.names.formers.is_dead(node)
        });
        if !changes.is_empty() {
            self.record(statement, &mut changes);
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
        self.recent = before.recent;
        self.give_back(before.random);
        self.names.rewind(before.names, before.made);
        self.graph.rewind(before.made);
        self.forget_learnt();
        self.graph.rewind_clock(before.clock);
    }

    /// Makes the current state the beginning of the session, so that the init script cannot be undone.
    pub fn begin_here(&mut self) {
        self.journal = Journal::default();
        self.journal.keep_steps(self.settings.undo_steps);
        self.drawn();
        let kept = std::mem::take(&mut self.recent);
        self.recent = Recent {
            watches: kept.watches,
            paste: kept.paste,
            ..Recent::default()
        };
    }
}
