//! Undo: a bounded journal of inverse changes.
//!
//! A statement that changes something is one entry, and an entry costs what it changed: no snapshots, so a script of
//! a million lines stays cheap. Taking an entry back swaps each change with what is there, which gives the entry of
//! the way forward again. Passes are not undone.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::trail::Trail;
use crate::graph::{Node, NodeId};
use crate::session::functions::{Function, Functions};
use crate::session::naming::{Call, Former, Label, NameId, Names, Standing};
use crate::session::settings::{Settings, UNDO_STEPS};

/// How many bytes the journal may hold; the oldest entries go first.
pub const UNDO_BYTES: usize = 64 << 20;
/// So many changes of a trial are kept before they are said in fewer ones.
const TRIAL_CHANGES: usize = 1 << 14;
/// How much of a statement `:log` remembers.
const TEXT: usize = 120;
/// The room of more changes is not kept for the next entry.
const FEW: usize = 8;

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
    /// A node was shown as this call, or as none.
    Call(NodeId, Option<Call>),
    /// A root had come this way by steps, or none.
    Trail(NodeId, Option<Trail>),
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
#[derive(Debug, Default)]
pub struct Entry {
    /// The statement's text, shortened.
    pub text: String,
    /// Its changes, first to last.
    pub changes: Vec<Change>,
}

/// The entries that can be taken back, and those that can be done again.
#[derive(Debug)]
pub struct Journal {
    done: VecDeque<Entry>,
    undone: Vec<Entry>,
    bytes: usize,
    forgotten: u64,
    recorded: u64,
    /// How many entries are kept.
    steps: usize,
    trial: Option<Trial>,
}

/// Several statements that are tried as one, all of which can be taken back.
#[derive(Debug)]
struct Trial {
    /// The changes of its oldest statements, which can no longer be taken back one by one.
    base: Vec<Change>,
    /// So many of them are too many to keep as they are.
    much: usize,
    /// The journal from before.
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
    /// An entry for a statement's text.
    pub fn new(text: &str, changes: Vec<Change>) -> Entry {
        let entry = Entry {
            changes,
            ..Entry::default()
        };
        entry.about(text)
    }

    /// The same changes, made by this statement.
    fn about(mut self, text: &str) -> Entry {
        let text = text.trim();
        self.text.clear();
        self.text.push_str(&text[..text.floor_char_boundary(TEXT)]);
        self
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
        self.recorded += 1;
        self.push(entry);
    }

    /// An entry to be recorded next, in the room of the one that goes for it: a script makes one with every line.
    pub fn entry(&mut self, text: &str, changes: &mut Vec<Change>) -> Entry {
        let goes = self.done.len() == self.steps;
        let mut entry = (goes.then(|| self.forget_oldest()).flatten())
            .filter(|oldest| oldest.changes.capacity() <= FEW)
            .unwrap_or_default();
        entry.changes.clear();
        entry.changes.append(changes);
        entry.about(text)
    }

    /// Adds to the newest entry what the same statement changed besides.
    pub fn amend(&mut self, changes: Vec<Change>) {
        if let Some(mut newest) = self.pop() {
            newest.changes.extend(changes);
            self.push(newest);
        } else if let Some(trial) = &mut self.trial {
            // No entry is kept, but a trial can be taken back all the same.
            trial.base.extend(changes);
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
        self.trim();
    }

    /// How many entries are kept from here on.
    pub fn keep_steps(&mut self, steps: usize) {
        self.steps = steps;
        self.trim();
        let surplus = self.undone.len().saturating_sub(steps);
        self.undone.drain(..surplus);
    }

    /// Lets the oldest entries go, as the limits ask.
    fn trim(&mut self) {
        while self.done.len() > self.steps || (self.bytes > UNDO_BYTES && self.done.len() > 1) {
            self.forget_oldest();
        }
    }

    /// Lets the oldest entry go, and returns what it was in.
    fn forget_oldest(&mut self) -> Option<Entry> {
        let mut oldest = self.done.pop_front()?;
        self.bytes -= oldest.bytes();
        self.forgotten += 1;
        if let Some(trial) = &mut self.trial {
            trial.base.append(&mut oldest.changes);
        }
        Some(oldest)
    }

    /// Starts a journal of its own for statements that are tried as one.
    pub fn begin_trial(&mut self) {
        let own = Journal {
            steps: self.steps,
            ..Journal::default()
        };
        let before = Box::new(std::mem::replace(self, own));
        self.trial = Some(Trial {
            base: Vec::new(),
            much: TRIAL_CHANGES,
            before,
        });
    }

    /// Goes back to the journal from before; the changes of the trial, first to last.
    pub fn end_trial(&mut self) -> Vec<Change> {
        let Some(trial) = self.trial.take() else {
            return Vec::new();
        };
        let mut changes = trial.base;
        changes.extend(self.done.drain(..).flat_map(|entry| entry.changes));
        *self = *trial.before;
        changes
    }

    /// In a long trial: says the changes that are kept in bulk in fewer ones, now and then.
    pub fn shorten(&mut self, dead: impl Fn(NodeId) -> bool) {
        if let Some(trial) = &mut self.trial
            && trial.base.len() > trial.much
        {
            trial.base = shortened(std::mem::take(&mut trial.base), dead);
            trial.much = (2 * trial.base.len()).max(TRIAL_CHANGES);
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

    /// How many statements were written down, forgotten ones too.
    pub fn recorded(&self) -> u64 {
        self.recorded
    }

    /// How many entries went because of the limits.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }
}

/// The same way back in fewer changes: of several about one thing the first says what there was. What was named after
/// `:reset` is gone with its names. Former names whose node is gone are told by `dead`.
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
            Change::Trail(root, _) => Some((9, *root)),
            Change::Data(leaf, _) => Some((3, leaf.id())),
            Change::Frozen(leaf, _) => Some((4, leaf.id())),
            Change::Settings(_) => Some((5, 0)),
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

    /// An entry that takes about so many bytes; none of them is touched.
    fn entry(text: &str, bytes: usize) -> Entry {
        Entry::new(text, Vec::with_capacity(bytes / size_of::<Change>()))
    }

    fn kept(journal: &Journal) -> Vec<&str> {
        journal.done().map(|entry| &*entry.text).collect()
    }

    #[test]
    fn the_oldest_go_first_where_it_is_too_much() {
        let mut journal = Journal::default();
        for text in ["a", "b", "c", "d", "e", "f"] {
            journal.record(entry(text, UNDO_BYTES / 4 - 1_000));
        }
        assert_eq!(kept(&journal), ["c", "d", "e", "f"]);
        assert_eq!(journal.forgotten(), 2);
        // What is taken back leaves room.
        let taken: Vec<Entry> = (0..3).filter_map(|_| journal.pop()).collect();
        assert_eq!(kept(&journal), ["c"]);
        for entry in taken.into_iter().rev() {
            journal.push(entry);
        }
        assert_eq!(kept(&journal), ["c", "d", "e", "f"]);
        // The newest is kept, whatever it takes.
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
    fn a_name_that_is_forgotten_takes_room() {
        let mut journal = Journal::default();
        let everything = |count: usize| {
            let (mut names, mut graph) = (Names::default(), crate::graph::Graph::default());
            for count in 0..count {
                let id = names.intern(&format!("n{count}"));
                let node = graph.leaf(0.0, false);
                names.bind(id, node);
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
