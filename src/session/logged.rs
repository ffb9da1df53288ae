//! Tables with logs: each write records what was there before, so that it can be taken back.
//!
//! A place in a log is a mark. Going back to a mark swaps the entries that were written since, newest first. What undo
//! takes back is kept for redo.

use std::collections::VecDeque;
use std::fmt;
use std::ops::{Deref, DerefMut};

use rustc_hash::FxHashSet;

/// Something with entries that are found by keys.
pub trait Keyed {
    /// What an entry is found by.
    type Key;
    /// What an entry holds; where there may be none, an option.
    type Value;

    /// Writes an entry, and returns what stood there.
    fn swap(&mut self, key: &Self::Key, value: Self::Value) -> Self::Value;

    /// A number for an entry whose first write alone, taken back, restores what stood there; `squash` drops its other
    /// writes.
    fn number(key: &Self::Key, before: &Self::Value) -> Option<u32> {
        let _ = (key, before);
        None
    }

    /// Called after entries were taken back or written again.
    fn after_restore<'k>(&mut self, keys: impl Iterator<Item = &'k Self::Key>)
    where
        Self::Key: 'k,
    {
        drop(keys);
    }
}

/// Entries of a log: keys, and what stood there before.
type Writes<K, V> = VecDeque<(K, V)>;

/// A table and its log.
#[derive(Clone)]
pub struct Logged<T: Keyed> {
    now: T,
    log: Writes<T::Key, T::Value>,
    /// How many writes can no longer be taken back.
    forgotten: usize,
    /// What was undone, the next to be redone last. Each group holds its writes in the order in which they were undone.
    undone: Vec<Writes<T::Key, T::Value>>,
}

/// What a session does with all its logs.
pub(crate) trait Log {
    /// The place in the log.
    fn mark(&self) -> usize;
    /// Takes back all writes since a mark.
    fn take_back(&mut self, mark: usize);
    /// The same; the writes can be made again.
    fn undo(&mut self, mark: usize);
    /// Makes the writes again that were undone last.
    fn redo(&mut self);
    /// Keeps the first `count` of the undone groups of writes and drops the others.
    fn keep_undone(&mut self, count: usize);
    /// Drops the writes since a mark that are not needed to take all of them back.
    fn squash(&mut self, mark: usize);
    /// Writes before the mark need not be taken back any more.
    fn forget(&mut self, mark: usize);
}

impl<T: Keyed> Logged<T> {
    /// Writes an entry.
    pub fn write(&mut self, key: T::Key, value: T::Value) {
        let before = self.now.swap(&key, value);
        self.log.push_back((key, before));
    }

    /// The writes since a mark: keys, and what stood there before.
    pub(crate) fn since(&self, mark: usize) -> impl Iterator<Item = &(T::Key, T::Value)> {
        let first = mark.saturating_sub(self.forgotten).min(self.log.len());
        self.log.range(first..)
    }

    /// The writes that were undone last, newest first: keys, and what stood there after.
    pub(crate) fn last_undone_writes(
        &self,
    ) -> impl DoubleEndedIterator<Item = &(T::Key, T::Value)> {
        self.undone.last().into_iter().flatten()
    }

    /// Takes back what was written since a mark, and returns the writes, newest first, by which it is written again.
    fn take_back_writes(&mut self, mark: usize) -> Writes<T::Key, T::Value> {
        let mut writes = VecDeque::new();
        while self.mark() > mark
            && let Some((key, before)) = self.log.pop_back()
        {
            let after = self.now.swap(&key, before);
            writes.push_back((key, after));
        }
        if !writes.is_empty() {
            self.now.after_restore(writes.iter().map(|(key, _)| key));
        }
        writes
    }
}

impl<T: Keyed> Log for Logged<T> {
    fn mark(&self) -> usize {
        self.forgotten + self.log.len()
    }

    fn take_back(&mut self, mark: usize) {
        drop(self.take_back_writes(mark));
    }

    fn undo(&mut self, mark: usize) {
        let writes = self.take_back_writes(mark);
        self.undone.push(writes);
    }

    fn redo(&mut self) {
        let writes = self.undone.pop().unwrap_or_default();
        let first = self.log.len();
        for (key, value) in writes.into_iter().rev() {
            self.write(key, value);
        }
        if self.log.len() > first {
            self.now
                .after_restore(self.log.range(first..).map(|(key, _)| key));
        }
    }

    fn keep_undone(&mut self, count: usize) {
        self.undone.truncate(count);
    }

    fn squash(&mut self, mark: usize) {
        let mut seen = FxHashSet::default();
        let first = mark.saturating_sub(self.forgotten).min(self.log.len());
        let mut since = self.log.split_off(first);
        since.retain(|(key, before)| {
            T::number(key, before).is_none_or(|number| seen.insert(number))
        });
        self.log.append(&mut since);
    }

    fn forget(&mut self, mark: usize) {
        while self.forgotten < mark && self.log.pop_front().is_some() {
            self.forgotten += 1;
        }
    }
}

impl<T: Keyed> Deref for Logged<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.now
    }
}

impl<T: Keyed> DerefMut for Logged<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.now
    }
}

impl<T: Keyed + fmt::Debug> fmt::Debug for Logged<T> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.now.fmt(out)
    }
}

impl<T: Keyed + Default> Default for Logged<T> {
    fn default() -> Logged<T> {
        Logged {
            now: T::default(),
            log: VecDeque::new(),
            forgotten: 0,
            undone: Vec::new(),
        }
    }
}

/// A list that grows at its end.
#[derive(Debug)]
pub struct GrowingList<T>(pub(super) Vec<T>);

/// A change of such a list.
#[derive(Debug)]
pub enum Growth<T> {
    /// More items at its end.
    Add(Vec<T>),
    /// Only this many items stay.
    Shorten(usize),
    /// These take the place of all.
    All(Vec<T>),
}

impl<T> Default for GrowingList<T> {
    fn default() -> GrowingList<T> {
        GrowingList(Vec::new())
    }
}

impl<T> Keyed for GrowingList<T> {
    type Key = ();
    type Value = Growth<T>;

    fn swap(&mut self, (): &(), change: Growth<T>) -> Growth<T> {
        match change {
            Growth::Add(items) => {
                let count = self.0.len();
                self.0.extend(items);
                Growth::Shorten(count)
            }
            Growth::Shorten(count) => Growth::Add(self.0.split_off(count)),
            Growth::All(all) => Growth::All(std::mem::replace(&mut self.0, all)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of one entry.
    #[derive(Default)]
    struct Single(u32);

    impl Keyed for Single {
        type Key = ();
        type Value = u32;

        fn swap(&mut self, (): &(), value: u32) -> u32 {
            std::mem::replace(&mut self.0, value)
        }
    }

    #[test]
    fn writes_are_taken_back_and_made_again() {
        let mut table = Logged::<Single>::default();
        let begin = table.mark();
        table.write((), 1);
        let one = table.mark();
        table.write((), 2);
        table.write((), 3);
        table.undo(one);
        assert_eq!(table.0, 1);
        table.undo(begin);
        assert_eq!(table.0, 0);
        // A statement that fails keeps what was undone.
        table.write((), 9);
        table.take_back(begin);
        assert_eq!(table.0, 0);
        table.redo();
        assert_eq!((table.0, table.mark()), (1, one));
        table.redo();
        assert_eq!((table.0, table.mark()), (3, one + 2));
        table.forget(one);
        table.take_back(one);
        assert_eq!((table.0, table.mark()), (1, one));
    }
}
