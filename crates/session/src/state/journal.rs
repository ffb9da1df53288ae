//! The statements that can be undone and redone, and the states to which a session can go back.

use std::collections::VecDeque;

use crate::state::recent::Recent;
use crate::state::show::Reader;
use crate::state::write::Write;
use chainrule_engine::graph::NodeId;
use chainrule_program::Purpose;
use chainrule_program::random::Sequence;

/// A state to which the session can go back.
#[derive(Clone)]
pub struct Savepoint {
    pub(crate) mark: usize,
    /// The position in the random numbers. The log has it only when a statement has ended.
    pub(crate) random: Sequence,
    pub(crate) recent: Recent,
    pub(crate) newest_node: NodeId,
    pub(crate) clock: u64,
    pub(crate) names: usize,
    pub(crate) reader: Reader,
    pub(crate) purpose: Purpose,
}

/// A statement that changed something.
#[derive(Debug)]
pub struct Entry {
    /// The text of the statement, shortened.
    pub text: Box<str>,
    /// The mark at which the previous statement ended.
    pub(crate) begin: usize,
}

/// A statement that was undone, and the writes that make its changes again.
#[derive(Debug)]
pub(crate) struct Undone {
    pub(crate) entry: Entry,
    pub(crate) writes: Vec<Write>,
}

/// The statements that can be undone, and those that can be redone.
#[derive(Debug, Default)]
pub struct Journal {
    pub(crate) done: VecDeque<Entry>,
    /// The statements that can be redone, the next one last.
    pub(crate) undone: Vec<Undone>,
    /// The mark at which the newest statement ended.
    pub(crate) settled: usize,
    /// The number of statements that can no longer be undone because of the limits.
    pub forgotten: u64,
}

impl Journal {
    /// An empty journal that begins at a mark.
    pub(crate) fn from(mark: usize) -> Journal {
        Journal {
            settled: mark,
            ..Journal::default()
        }
    }

    /// Adds the statements of a later journal.
    pub(crate) fn append(&mut self, later: Journal) {
        self.done.extend(later.done);
        self.forgotten += later.forgotten;
        self.undone.clear();
        self.settled = later.settled;
    }

    /// Statements that can be undone, oldest first.
    pub fn undoable(&self) -> impl DoubleEndedIterator<Item = &Entry> + ExactSizeIterator {
        self.done.iter()
    }

    /// The texts of statements that can be redone, next one first.
    pub fn redoable(&self) -> impl ExactSizeIterator<Item = &str> {
        self.undone.iter().rev().map(|it| &*it.entry.text)
    }

    /// The number of statements that have changed something.
    pub(crate) fn statement_count(&self) -> u64 {
        self.forgotten + self.done.len() as u64
    }
}
