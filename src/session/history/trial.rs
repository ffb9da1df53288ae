//! Trials: several statements that run as one, such as a loaded file or a hint. Their changes are kept as one change, or
//! taken back together.

use std::rc::Rc;

use super::{Journal, Savepoint};
use crate::session::Session;
use chainrule_engine::graph::NodeId;

/// Several statements that run as one.
pub(in crate::session) struct Trial {
    pub(in crate::session) before: Savepoint,
    /// The journal before the trial, which has one of its own.
    journal: Journal,
    /// The comments and the paste before the trial.
    remarks: String,
    paste: Rc<str>,
    /// The file that the statements come from.
    file: Option<TrialFile>,
}

/// The origin of the statements of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrialOf {
    /// Lines. `$1` and `@1` in them refer to results and nodes of the session.
    Lines,
    /// A file. `$1` and `@1` in it refer to its own results and nodes.
    File,
}

/// A file that is loaded.
struct TrialFile {
    /// Whether there were names, functions or results before.
    has_others: bool,
    /// Whether it is a saved session.
    is_session: bool,
}

impl TrialFile {
    /// Whether the file restores a saved session into an empty one.
    fn restores(&self) -> bool {
        self.is_session && !self.has_others
    }
}

impl Session {
    /// Begins a trial: several statements that are kept as one change, or taken back together.
    pub fn begin_trial(&mut self, of: TrialOf) {
        let file = (of == TrialOf::File).then(|| TrialFile {
            has_others: !self.is_empty(),
            is_session: false,
        });
        let before = self.savepoint();
        let own = Journal::from(before.mark);
        let journal = std::mem::replace(&mut self.history.journal, own);
        self.running.trial = Some(Box::new(Trial {
            before,
            journal,
            remarks: std::mem::take(&mut self.kept.remarks),
            paste: std::mem::take(&mut self.show.paste),
            file,
        }));
        // A walk cannot go on inside a file, but the file may begin one.
        self.recent.walk = None;
    }

    /// Notes that the file that is being loaded is a saved session.
    pub(in crate::session) fn note_saved_session(&mut self) {
        let trial = self.running.trial.as_mut();
        if let Some(file) = trial.and_then(|it| it.file.as_mut()) {
            file.is_session = true;
        }
    }

    /// Whether a saved session is loaded. The notes on its statements were shown when they were typed.
    pub(crate) fn loads_saved_session(&self) -> bool {
        self.loaded_file().is_some_and(TrialFile::restores)
    }

    fn loaded_file(&self) -> Option<&TrialFile> {
        self.running.trial.as_ref()?.file.as_ref()
    }

    /// Whether the file that is loaded joins other results, so that its numbers of results mean others here.
    pub(in crate::session) fn numbers_differ(&self) -> bool {
        self.loaded_file().is_some_and(|file| file.has_others)
    }

    /// The newest node before the file that is loaded. Its own nodes are counted from there.
    pub(in crate::session) fn newest_id_before_file(&self) -> NodeId {
        match self.running.trial.as_ref() {
            Some(trial) if trial.file.is_some() => trial.before.newest_node,
            _ => 0,
        }
    }

    /// Ends the trial. Its changes are kept as one change with the text of a statement, or taken back if there is none.
    /// The changes of a saved session that is loaded into an empty one stay single changes. Statements that were undone
    /// in the trial cannot be redone.
    pub fn end_trial(&mut self, statement: Option<&str>) {
        let Some(trial) = self.running.trial.take() else {
            return;
        };
        let Trial { before, file, .. } = *trial;
        let own = std::mem::replace(&mut self.history.journal, trial.journal);
        self.kept.remarks = trial.remarks;
        self.show.paste = trial.paste;
        let Some(text) = statement else {
            return self.go_back(before);
        };
        self.recent.walk = self.recent.walk.take().or(before.recent.walk);
        if file.as_ref().is_some_and(TrialFile::restores) {
            self.history.journal.append(own);
        }
        self.end_statement(text);
    }
}
