//! A part of the line, and the text that takes its place. The editor has no command for that, but a completion replaces
//! text and puts the cursor behind it. A key asks for the replacement, and the helper of the editor makes it.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustyline::Cmd;

#[derive(Clone, Debug)]
pub(crate) struct Replacement {
    /// It ends at the cursor, or contains it.
    pub place: Range<usize>,
    pub text: String,
}

/// The replacement that the next completion makes. The keys share it with the helper.
#[derive(Clone, Debug, Default)]
pub(crate) struct NextReplacement(Arc<Mutex<Option<Replacement>>>);

impl NextReplacement {
    fn lock(&self) -> MutexGuard<'_, Option<Replacement>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The command that replaces a part of the line.
    pub(crate) fn replace(&self, place: Range<usize>, text: String) -> Cmd {
        *self.lock() = Some(Replacement { place, text });
        Cmd::Complete
    }

    pub(crate) fn waiting(&self) -> Option<Replacement> {
        self.lock().clone()
    }

    pub(crate) fn take(&self) -> Option<Replacement> {
        self.lock().take()
    }
}
