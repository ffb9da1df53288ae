//! Trials: several statements that run as one, such as a loaded file or a hint. Their changes are kept as one change, or
//! taken back together.

use crate::state::{Journal, Session, Trial};
use chainrule_engine::graph::NodeId;

/// The origin of the statements of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrialOf {
    /// Lines. `$1` and `@1` in them refer to results and nodes of the session.
    Lines,
    /// A file. `$1` and `@1` in it refer to its own results and nodes.
    File,
}

impl Session {
    /// Begins a trial: several statements that are kept as one change, or taken back together.
    pub fn begin_trial(&mut self, of: TrialOf) {
        let before = self.savepoint();
        let own = Journal::from(before.mark);
        let journal = std::mem::replace(&mut self.journal, own);
        self.running.trial = Some(Box::new(Trial {
            before,
            journal,
            remarks: std::mem::take(&mut self.kept.remarks),
            is_file: of == TrialOf::File,
            has_others: !self.is_empty(),
            is_session: false,
        }));
        // A walk cannot go on inside a file, but the file may begin one.
        self.recent.walk = None;
    }

    /// Whether a saved session is loaded into an empty one. The notes on its statements, and what they changed, were shown
    /// when they were typed.
    pub fn loads_saved_session(&self) -> bool {
        let trial = self.running.trial.as_ref();
        trial.is_some_and(|it| it.is_session && !it.has_others)
    }

    /// Whether the file that is loaded joins other results, so that its numbers of results mean others here.
    pub(crate) fn numbers_differ(&self) -> bool {
        let trial = self.running.trial.as_ref();
        trial.is_some_and(|it| it.is_file && it.has_others)
    }

    /// The newest node before the file that is loaded. Its own nodes are counted from there.
    pub(crate) fn newest_id_before_file(&self) -> NodeId {
        let file = self.running.trial.as_ref().filter(|it| it.is_file);
        file.map_or(0, |it| it.before.newest_node)
    }

    /// Ends the trial. Its changes are kept as one change with the text of a statement, or taken back if there is none.
    /// The changes of a saved session that is loaded into an empty one stay single changes. Statements that were undone
    /// in the trial cannot be redone.
    pub fn end_trial(&mut self, statement: Option<&str>) {
        let is_restored = self.loads_saved_session();
        self.running.is_saved_session = false;
        let Some(trial) = self.running.trial.take() else {
            return;
        };
        let own = std::mem::replace(&mut self.journal, trial.journal);
        self.kept.remarks = trial.remarks;
        let Some(text) = statement else {
            return self.go_back(trial.before);
        };
        self.recent.walk = self.recent.walk.take().or(trial.before.recent.walk);
        if is_restored {
            self.journal.append(own);
        }
        self.end_statement(text);
    }
}
