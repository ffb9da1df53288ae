//! The history of the prompt. The line editor keeps it, here and in its file, which several prompts may share.
//!
//! A failure is noted, not an error, because the prompt works without a history.

use std::path::Path;

use rustyline::error::ReadlineError;

use super::{Prompt, error_text};
use crate::report::say;
use crate::shell::script::runner::Runner;
use crate::shell::{RunEnd, files};

/// A longer entry (a pasted file) is not kept, because it would have to be read at every start.
const MOST_BYTES: usize = 64 * 1024;

impl Prompt {
    /// Reads the history of earlier sessions, and keeps that of this one with it.
    pub(super) fn open_history(&mut self, runner: &mut Runner) -> Result<(), RunEnd> {
        let Some(folder) = files::history_folder() else {
            return Ok(());
        };
        let path = folder.join("history");
        let found = files::create_own(&folder).and_then(|()| files::existing(&path));
        let loaded = match found {
            Ok(None) => Ok(()),
            Ok(Some(_)) => self.editor.load_history(&path),
            Err(error) => Err(ReadlineError::Io(error)),
        };
        match loaded {
            Ok(()) => self.history = Some(path),
            Err(error) => note_lost(runner, &path, &error)?,
        }
        Ok(())
    }

    /// Adds an entry to the history before it is run, so that it is kept even if the process dies.
    pub(super) fn remember(&mut self, text: &str, runner: &mut Runner) -> Result<(), RunEnd> {
        // A pasted block includes the line break after its last line.
        let text = text.trim_end_matches(['\r', '\n']);
        if text.len() > MOST_BYTES {
            return Ok(());
        }
        let added = self.editor.add_history_entry(text);
        if let (Ok(true), Some(path)) = (added, &self.history)
            && let Err(error) = self.editor.append_history(path)
        {
            note_lost(runner, path, &error)?;
            self.history = None;
        }
        Ok(())
    }
}

/// Notes that the history cannot be kept. The caller then stops writing to it, so the note appears once.
fn note_lost(runner: &mut Runner, path: &Path, error: &ReadlineError) -> Result<(), RunEnd> {
    let path = format!("`{}`", path.display());
    runner.note(say!(
        "the history {} is not kept: {}",
        path,
        error_text(error)
    ))
}
