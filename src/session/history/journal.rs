//! Undo: a journal of inverse changes, bounded in number and size.
//!
//! Each statement that changes something is one entry, which takes as much memory as the statement changed. There are
//! no snapshots, so a script of a million lines stays cheap. Undoing an entry swaps each of its changes with the
//! current state, which yields the entry for redo. Passes are not undone.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::trail::Trail;
use crate::graph::{Node, NodeId};
use crate::session::functions::{Function, Functions};
use crate::session::naming::{Call, Former, NameId, SharedNames, Standing, Tag, Uncertainty};
use crate::session::random::Sequence;
use crate::session::settings::{Settings, UNDO_STEPS};

/// The most bytes the journal holds; the oldest entries are dropped first.
pub const UNDO_BYTES: usize = 64 << 20;
/// A trial with more changes than this merges them; see [`Journal::shorten`].
const TRIAL_CHANGES: usize = 1 << 14;
/// How many bytes of a statement's text are kept, for `:log`.
const TEXT: usize = 120;
/// The memory of an entry is reused if it has room for at most this many changes.
const FEW: usize = 8;

/// One change, given by the state to restore.
#[derive(Debug)]
pub enum Change {
    /// A name stood for this, or for nothing.
    Name(NameId, Option<Standing>),
    /// This many nodes had lost the name.
    Lost(NameId, u32),
    /// A node had this former name, or none.
    Former(NodeId, Option<Tag<Former>>),
    /// A node had this label of its own, or none.
    Label(Rc<Node>, Option<Tag<Rc<str>>>),
    /// A leaf had this uncertainty, or none.
    Uncertain(NodeId, Option<Tag<Uncertainty>>),
    /// A node was shown as this call, or as none.
    Call(NodeId, Option<Tag<Call>>),
    /// A root had this trail of steps, or none.
    Trail(NodeId, Option<Trail>),
    /// A leaf had this data.
    Data(Rc<Node>, f64),
    /// A leaf was frozen, or free.
    Frozen(Rc<Node>, bool),
    /// The settings were these.
    Settings(Box<Settings>),
    /// A name stood for this function, or for none.
    Function(Rc<str>, Option<Rc<Function>>),
    /// The script had this heading, or none.
    Heading(Option<Rc<[Box<str>]>>),
    /// Random numbers went on from this place.
    Random(Box<Sequence>),
    /// The names and functions were these: `:reset`.
    Everything(Box<(SharedNames, Functions)>),
}

/// What one statement changed.
#[derive(Debug, Default)]
pub struct Entry {
    /// The statement's text, shortened.
    pub text: String,
    /// Its changes, first to last.
    pub changes: Vec<Change>,
}

/// The entries that can be undone, and those that can be redone.
#[derive(Debug)]
pub struct Journal {
    done: VecDeque<Entry>,
    undone: Vec<Entry>,
    bytes: usize,
    forgotten: u64,
    recorded: u64,
    /// The most entries that are kept.
    steps: usize,
    trial: Option<Trial>,
}

/// Several statements that run as one and can be undone as one.
#[derive(Debug)]
struct Trial {
    /// The changes of its oldest statements, which have left the list of entries.
    base: Vec<Change>,
    /// Once `base` is longer than this, it is merged.
    shorten_at: usize,
    /// The journal from before the trial.
    before: Box<Journal>,
}

impl Default for Journal {
    fn default() -> Journal {
        Journal {
            done: VecDeque::new(),
            undone: Vec::new(),
            bytes: 0,
            forgotten: 0,
            recorded: 0,
            steps: UNDO_STEPS,
            trial: None,
        }
    }
}

impl Entry {
    /// An entry with the text of its statement.
    pub fn new(text: &str, changes: Vec<Change>) -> Entry {
        let named = Entry::default().about(text);
        Entry { changes, ..named }
    }

    /// The same changes, with this text.
    fn about(mut self, text: &str) -> Entry {
        let text = text.trim();
        self.text.clear();
        self.text.push_str(&text[..text.floor_char_boundary(TEXT)]);
        self
    }

    fn bytes(&self) -> usize {
        // An entry may hold the last reference to a node or to a block of random numbers. The nodes below it and the
        // block are not counted here; `UNDO_STEPS` bounds them.
        let held = |change: &Change| match change {
            Change::Name(_, Some(old)) => size_of::<usize>() * old.value.nodes().len(),
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
    /// Records what a statement changed. Entries that were undone can no longer be redone.
    pub fn record(&mut self, entry: Entry) {
        self.undone.clear();
        self.recorded += 1;
        self.push(entry);
    }

    /// Makes an entry that is recorded next. It reuses the memory of the oldest entry, which it displaces: each line of
    /// a script makes an entry.
    pub fn entry(&mut self, text: &str, changes: &mut Vec<Change>) -> Entry {
        let goes = self.done.len() == self.steps;
        let mut entry = (goes.then(|| self.forget_oldest()).flatten())
            .filter(|oldest| oldest.changes.capacity() <= FEW)
            .unwrap_or_default();
        entry.changes.clear();
        entry.changes.append(changes);
        entry.about(text)
    }

    /// Adds further changes of the same statement to the newest entry.
    pub fn amend(&mut self, changes: Vec<Change>) {
        if let Some(mut newest) = self.pop() {
            newest.changes.extend(changes);
            self.push(newest);
        } else if let Some(trial) = &mut self.trial {
            // Undo is off, but the trial must still be able to undo everything.
            trial.base.extend(changes);
        }
    }

    /// Removes the newest entry, to undo it.
    pub fn pop(&mut self) -> Option<Entry> {
        let entry = self.done.pop_back()?;
        self.bytes -= entry.bytes();
        Some(entry)
    }

    /// Keeps an entry that was undone, in the form that redoes it.
    pub fn keep_undone(&mut self, entry: Entry) {
        self.undone.push(entry);
    }

    /// Removes the entry that was undone last, to redo it.
    pub fn pop_undone(&mut self) -> Option<Entry> {
        self.undone.pop()
    }

    /// Puts back an entry that was redone.
    pub fn push(&mut self, entry: Entry) {
        self.bytes += entry.bytes();
        self.done.push_back(entry);
        self.trim();
    }

    /// Sets how many entries are kept.
    pub fn keep_steps(&mut self, steps: usize) {
        self.steps = steps;
        self.trim();
        let surplus = self.undone.len().saturating_sub(steps);
        self.undone.drain(..surplus);
    }

    /// Drops the oldest entries until the limits are met.
    fn trim(&mut self) {
        while self.done.len() > self.steps || (self.bytes > UNDO_BYTES && self.done.len() > 1) {
            self.forget_oldest();
        }
    }

    /// Drops the oldest entry and returns it, so that its memory can be reused. A trial keeps its changes.
    fn forget_oldest(&mut self) -> Option<Entry> {
        let mut oldest = self.done.pop_front()?;
        self.bytes -= oldest.bytes();
        self.forgotten += 1;
        if let Some(trial) = &mut self.trial {
            trial.base.append(&mut oldest.changes);
        }
        Some(oldest)
    }

    /// Begins a separate journal for statements that run as one.
    pub fn begin_trial(&mut self) {
        let own = Journal {
            steps: self.steps,
            ..Journal::default()
        };
        let before = Box::new(std::mem::replace(self, own));
        self.trial = Some(Trial {
            base: Vec::new(),
            shorten_at: TRIAL_CHANGES,
            before,
        });
    }

    /// Returns to the journal from before, and returns the changes of the trial, first to last.
    pub fn end_trial(&mut self) -> Vec<Change> {
        let Some(trial) = self.trial.take() else {
            return Vec::new();
        };
        let mut changes = trial.base;
        changes.extend(self.done.drain(..).flat_map(|entry| entry.changes));
        *self = *trial.before;
        changes
    }

    /// Merges the changes of a long trial from time to time. `dead` tells whether the node of a former name is dropped.
    pub fn shorten(&mut self, dead: impl Fn(NodeId) -> bool) {
        if let Some(trial) = &mut self.trial
            && trial.base.len() > trial.shorten_at
        {
            trial.base = shortened(std::mem::take(&mut trial.base), dead);
            trial.shorten_at = (2 * trial.base.len()).max(TRIAL_CHANGES);
        }
    }

    /// Entries that can be undone, oldest first.
    pub fn done(&self) -> impl DoubleEndedIterator<Item = &Entry> + ExactSizeIterator {
        self.done.iter()
    }

    /// Entries that can be redone, next one first.
    pub fn undone(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.undone.iter().rev()
    }

    /// How many statements were recorded, including those whose entries are gone.
    pub fn recorded(&self) -> u64 {
        self.recorded
    }

    /// How many entries were dropped because of the limits.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }
}

/// Merges changes: of several changes of one thing the first holds the state to restore. Changes of names after a
/// `:reset` are left out, since the reset restores all names; so are former names and uncertainties of nodes that are
/// gone (`dead`).
pub(crate) fn shortened(changes: Vec<Change>, dead: impl Fn(NodeId) -> bool) -> Vec<Change> {
    let mut seen = FxHashSet::default();
    let mut reset = false;
    let mut functions = FxHashSet::default();
    let mut is_first = |change: &Change| {
        let of_names = |kind: u8, place: u32| (!reset).then_some((kind, place));
        let key = match change {
            Change::Name(id, _) => of_names(0, *id),
            Change::Lost(id, _) => of_names(1, *id),
            Change::Former(node, None) if dead(*node) => None,
            Change::Former(node, _) => of_names(2, *node),
            Change::Call(node, _) => of_names(7, *node),
            Change::Label(node, _) => of_names(8, node.id()),
            Change::Uncertain(leaf, None) if dead(*leaf) => None,
            Change::Uncertain(leaf, _) => of_names(11, *leaf),
            Change::Trail(root, _) => Some((9, *root)),
            Change::Data(leaf, _) => Some((3, leaf.id())),
            Change::Frozen(leaf, _) => Some((4, leaf.id())),
            Change::Settings(_) => Some((5, 0)),
            Change::Random(_) => Some((10, 0)),
            Change::Heading(_) => Some((12, 0)),
            Change::Function(name, _) => {
                return !reset && functions.insert(Rc::clone(name));
            }
            Change::Everything(_) => {
                let key = of_names(6, 0);
                reset = true;
                key
            }
        };
        key.is_some_and(|key| seen.insert(key))
    };
    changes
        .into_iter()
        .filter(|change| is_first(change))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry that takes about this many bytes, without touching them.
    fn entry(text: &str, bytes: usize) -> Entry {
        Entry::new(text, Vec::with_capacity(bytes / size_of::<Change>()))
    }

    fn kept(journal: &Journal) -> Vec<&str> {
        journal.done().map(|entry| &*entry.text).collect()
    }

    #[test]
    fn the_oldest_entries_are_dropped_at_the_limits() {
        let mut journal = Journal::default();
        for text in ["a", "b", "c", "d", "e", "f"] {
            journal.record(entry(text, UNDO_BYTES / 4 - 1_000));
        }
        assert_eq!(kept(&journal), ["c", "d", "e", "f"]);
        assert_eq!(journal.forgotten(), 2);
        // Undone entries no longer count towards the limit.
        let taken: Vec<Entry> = (0..3).filter_map(|_| journal.pop()).collect();
        assert_eq!(kept(&journal), ["c"]);
        for entry in taken.into_iter().rev() {
            journal.push(entry);
        }
        assert_eq!(kept(&journal), ["c", "d", "e", "f"]);
        // The newest entry is kept, however large.
        journal.record(entry("g", 2 * UNDO_BYTES));
        assert_eq!(kept(&journal), ["g"]);
        journal.record(entry("h", 0));
        assert_eq!((kept(&journal), journal.forgotten()), (vec!["h"], 7));
        for _ in 0..200 {
            journal.record(entry("i", 1_000));
        }
        assert_eq!(journal.done().len(), UNDO_STEPS);
        journal.keep_steps(2);
        assert_eq!(kept(&journal), ["i", "i"]);
    }

    #[test]
    fn names_kept_for_undoing_a_reset_count_towards_the_limit() {
        let mut journal = Journal::default();
        let everything = |count: usize| {
            let (mut names, mut graph) = (SharedNames::default(), crate::graph::Graph::default());
            for count in 0..count {
                let id = names.intern(&format!("n{count}"));
                let node = graph.leaf(0.0, false);
                names.bind(id, node.into());
            }
            let all = Change::Everything(Box::new((names, Functions::default())));
            Entry::new("all", vec![all])
        };
        let one = everything(1_000);
        assert!((256_000..300_000).contains(&one.bytes()), "{}", one.bytes());
        journal.record(one);
        journal.record(entry("b", UNDO_BYTES - 200_000));
        assert_eq!(kept(&journal), ["b"]);
        assert!(everything(0).bytes() < 1_000);
    }
}
