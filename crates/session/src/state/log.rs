//! The log: the old values that writes have replaced, in order, so that the writes can be undone.
//!
//! A mark is a position in the log: the number of all writes before it.

use std::collections::VecDeque;
use std::mem::{Discriminant, discriminant};

use rustc_hash::FxHashSet;

use crate::state::write::Write;

/// The writes that undo the changes since the oldest statement that can be undone.
#[derive(Debug, Default)]
pub(crate) struct Log {
    writes: VecDeque<Write>,
    /// The number of writes that were dropped from the front. Marks count them, too.
    forgotten: usize,
}

/// The state of a clean-up that is repeated while the log grows from a mark on.
#[derive(Default)]
pub(crate) struct CleanUp {
    /// The mark at which the last clean-up ended.
    end: usize,
    /// The writes before this mark: what was written, and which node or name.
    written: FxHashSet<(Discriminant<Write>, u32)>,
}

impl CleanUp {
    /// Begins at a mark.
    pub(crate) fn from(mark: usize) -> CleanUp {
        CleanUp {
            end: mark,
            ..CleanUp::default()
        }
    }
}

impl Log {
    /// Adds the write that undoes a change.
    pub(crate) fn push(&mut self, before: Write) {
        self.writes.push_back(before);
    }

    /// Takes the newest write since a mark.
    pub(crate) fn pop(&mut self, mark: usize) -> Option<Write> {
        (self.mark() > mark)
            .then(|| self.writes.pop_back())
            .flatten()
    }

    /// The mark of the present end of the log.
    pub(crate) fn mark(&self) -> usize {
        self.forgotten + self.writes.len()
    }

    /// The entries since a mark, oldest first.
    pub(crate) fn since(&self, mark: usize) -> impl Iterator<Item = &Write> {
        self.writes.range(self.index(mark)..)
    }

    /// The index of the first write after a mark.
    fn index(&self, mark: usize) -> usize {
        mark.saturating_sub(self.forgotten).min(self.writes.len())
    }

    /// Drops writes since the last clean-up that are not needed to undo everything since the first one: of each entry,
    /// the first write restores it.
    pub(crate) fn clean_up(&mut self, done: &mut CleanUp) {
        if done.end == self.mark() {
            return;
        }
        let mut since = self.writes.split_off(self.index(done.end));
        since.retain(|write| match write.entry() {
            Some(entry) => done.written.insert((discriminant(write), entry)),
            None => true,
        });
        self.writes.append(&mut since);
        done.end = self.mark();
    }

    /// Drops the writes before a mark. They can no longer be undone.
    pub(crate) fn forget(&mut self, mark: usize) {
        while self.forgotten < mark && self.writes.pop_front().is_some() {
            self.forgotten += 1;
        }
    }
}
