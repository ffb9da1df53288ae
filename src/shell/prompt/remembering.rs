//! What is entered goes into the history, in the editor and in its file.
//!
//! A failure is noted, not an error, because the prompt works without a history.

use std::io;
use std::path::Path;

use super::history::History;
use super::{HISTORY_ENTRIES, Prompt};
use crate::report::say;
use crate::shell::script::runner::Runner;
use crate::shell::{RunEnd, files};

/// A longer entry (a pasted file) is not kept, because it would have to be read at every start.
const HISTORY_ENTRY_BYTES: usize = 64 * 1024;

impl Prompt {
    /// Opens the history. A failure is noted, not an error, because the prompt works without one.
    pub(super) fn open_history(&mut self, runner: &mut Runner) -> Result<(), RunEnd> {
        let Some(folder) = files::history_folder() else {
            return Ok(());
        };
        let path = folder.join("history");
        let opened =
            files::create_own(&folder).and_then(|()| History::open(&path, HISTORY_ENTRIES));
        match opened {
            Ok((history, entries)) => {
                for entry in entries {
                    // The editor skips duplicates; that is not an error.
                    let _ = self.editor.add_history_entry(entry);
                }
                self.history = Some(history);
            }
            Err(error) => note_lost_history(runner, &path, &error)?,
        }
        Ok(())
    }

    /// Adds an entry to the history before it is run, so that it is kept even if the process dies.
    pub(super) fn remember(&mut self, text: &str, runner: &mut Runner) -> Result<(), RunEnd> {
        // A pasted block includes the line break after its last line.
        let text = text.trim_end_matches(['\r', '\n']);
        if text.len() > HISTORY_ENTRY_BYTES
            || !self.editor.add_history_entry(text).is_ok_and(|added| added)
        {
            return Ok(());
        }
        let Some(history) = &self.history else {
            return Ok(());
        };
        if let Err(error) = history.add(text) {
            note_lost_history(runner, history.path(), &error)?;
            self.history = None;
        }
        Ok(())
    }
}

/// Notes that the history cannot be written. The caller then stops writing to it, so the note appears once.
fn note_lost_history(runner: &mut Runner, path: &Path, error: &io::Error) -> Result<(), RunEnd> {
    let path = format!("`{}`", path.display());
    let reason = files::reason(error);
    runner.note(say!("the history {} is not kept: {}", path, reason))
}
