//! Undo: a bounded journal of inverse changes.
//!
//! A statement that changes something is one entry, and an entry costs what it changed: no snapshots, so a script of
//! a million lines stays cheap. Taking an entry back swaps each change with what is there, which gives the entry of
//! the way forward again. Passes are not undone.

use std::collections::VecDeque;
use std::rc::Rc;

use super::functions::{Function, Functions};
use super::names::{Former, Label, NameId, Names, Standing};
use super::settings::Settings;
use crate::graph::{Node, NodeId};

/// How many statements can be taken back.
pub const UNDO_STEPS: usize = 100;
/// How many bytes the journal may hold; the oldest entries go first.
pub const UNDO_BYTES: usize = 64 << 20;
/// How much of a statement `:log` remembers.
const TEXT: usize = 120;

/// One change, as what to put back.
#[derive(Debug)]
pub enum Change {
    /// A name stood for this, or for nothing.
    Name(NameId, Option<Standing>),
    /// So many nodes had lost the name.
    Lost(NameId, u32),
    /// A node had this former name, or none.
    Former(NodeId, Option<Former>),
    /// A node had this label of its own, or none.
    Label(Rc<Node>, Option<Label>),
    /// A leaf had this data.
    Data(Rc<Node>, f64),
    /// A leaf was frozen, or free.
    Frozen(Rc<Node>, bool),
    /// The settings were these.
    Settings(Box<Settings>),
    /// A name stood for this function, or for none.
    Function(Rc<str>, Option<Rc<Function>>),
    /// The names and functions were these: `:reset`.
    Everything(Box<(Names, Functions)>),
}

/// What one statement changed.
#[derive(Debug)]
pub struct Entry {
    /// The statement's text, shortened.
    pub text: Box<str>,
    /// Its changes, first to last.
    pub changes: Vec<Change>,
}

/// The entries that can be taken back, and those that can be done again.
#[derive(Debug, Default)]
pub struct Journal {
    done: VecDeque<Entry>,
    undone: Vec<Entry>,
    bytes: usize,
    forgotten: u64,
}

impl Entry {
    /// An entry for a statement's text.
    pub fn new(text: &str, changes: Vec<Change>) -> Entry {
        let text = text.trim();
        let mut end = text.len().min(TEXT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Entry {
            text: text[..end].into(),
            changes,
        }
    }

    fn bytes(&self) -> usize {
        // An entry may be the last to hold a node; what hangs below that one is not counted, `UNDO_STEPS` bounds it.
        let held = |change: &Change| match change {
            Change::Everything(all) => 256 * (all.0.bound().count() + all.1.iter().count()),
            _ => 0,
        };
        self.text.len()
            + self.changes.capacity() * size_of::<Change>()
            + self.changes.iter().map(held).sum::<usize>()
            + size_of::<Entry>()
    }
}

impl Journal {
    /// Writes down what a statement changed. What was undone cannot be done again after this.
    pub fn record(&mut self, entry: Entry) {
        self.undone.clear();
        self.push(entry);
    }

    /// Adds to the newest entry what the same statement changed besides.
    pub fn amend(&mut self, changes: Vec<Change>) {
        if let Some(mut newest) = self.pop() {
            newest.changes.extend(changes);
            self.push(newest);
        }
    }

    /// The newest entry, to take back.
    pub fn pop(&mut self) -> Option<Entry> {
        let entry = self.done.pop_back()?;
        self.bytes -= entry.bytes();
        Some(entry)
    }

    /// Keeps an entry that was taken back, as the way forward.
    pub fn keep_undone(&mut self, entry: Entry) {
        self.undone.push(entry);
    }

    /// The entry that was taken back last.
    pub fn pop_undone(&mut self) -> Option<Entry> {
        self.undone.pop()
    }

    /// Puts an entry that was done again back in its place.
    pub fn push(&mut self, entry: Entry) {
        self.bytes += entry.bytes();
        self.done.push_back(entry);
        while self.done.len() > UNDO_STEPS || (self.bytes > UNDO_BYTES && self.done.len() > 1) {
            if let Some(oldest) = self.done.pop_front() {
                self.bytes -= oldest.bytes();
                self.forgotten += 1;
            }
        }
    }

    /// Entries that can be taken back, oldest first.
    pub fn done(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.done.iter()
    }

    /// Entries that can be done again, next first.
    pub fn undone(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.undone.iter().rev()
    }

    /// How many entries went because of the limits.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// Every node that some entry could bring back.
    pub fn nodes(&self) -> impl Iterator<Item = &Rc<Node>> {
        self.done
            .iter()
            .chain(&self.undone)
            .flat_map(|entry| &entry.changes)
            .flat_map(|change| {
                let (one, all) = match change {
                    Change::Name(_, standing) => (standing.as_ref().map(|it| &it.node), None),
                    Change::Data(node, _) | Change::Frozen(node, _) | Change::Label(node, _) => {
                        (Some(node), None)
                    }
                    Change::Everything(all) => (None, Some(all.0.bound().map(|(_, node)| node))),
                    Change::Lost(..)
                    | Change::Former(..)
                    | Change::Settings(_)
                    | Change::Function(..) => (None, None),
                };
                one.into_iter().chain(all.into_iter().flatten())
            })
    }
}
