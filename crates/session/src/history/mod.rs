//! Records the history of a session in a log: the old values that writes have replaced, in order, so that the writes
//! can be undone.
//!
//! `Session::write` makes every change that undo or a failed statement takes back. A mark is a position in the log: the
//! number of all writes before it. `undo` has the marks of statements, `trial` those of several statements that run as one,
//! `changes` the changes of leaves and `:reset`, and `block` the state of a block of statements.

mod block;
mod changes;
mod trial;
mod undo;

pub use self::block::BlockEnd;
pub(crate) use self::block::RunningBlock;
pub use self::changes::Setting;
pub(crate) use self::trial::Trial;
pub use self::trial::TrialOf;
pub use self::undo::Journal;
pub use self::undo::Savepoint;
pub(crate) use self::undo::short_text;

use std::collections::VecDeque;
use std::mem::{Discriminant, discriminant};
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::naming::NameChange;
use crate::{Session, Write};
use chainrule_engine::graph::{Node, NodeId};

/// The writes that undo the changes since the oldest statement that can be undone.
#[derive(Debug, Default)]
pub(crate) struct Log {
    writes: VecDeque<Write>,
    /// The number of writes that were dropped from the front. Marks count them, too.
    forgotten: usize,
}

/// The state of a clean-up that is repeated while the log grows from a mark on.
#[derive(Default)]
struct CleanUp {
    /// The mark at which the last clean-up ended.
    end: usize,
    /// The writes before this mark: what was written, and which node or name.
    written: FxHashSet<(Discriminant<Write>, u32)>,
}

impl CleanUp {
    /// Begins at a mark.
    fn from(mark: usize) -> CleanUp {
        CleanUp {
            end: mark,
            ..CleanUp::default()
        }
    }
}

impl Write {
    /// Whether `:undo` counts the write as a change. Results, trails, claims and targets are undone together with the
    /// change before them.
    pub(super) fn is_change(&self) -> bool {
        !matches!(
            self,
            Write::Results(_)
                | Write::Kept(_)
                | Write::Trail(_)
                | Write::Claim(_)
                | Write::Targets(_)
        )
    }

    /// The leaf that the write changes.
    fn leaf(&self) -> Option<&Rc<Node>> {
        match self {
            Write::Leaf(leaf, ..) => Some(leaf),
            _ => None,
        }
    }

    /// The number of the changed entry, if undoing only the first write of the entry restores it. `None` if all its
    /// writes are needed.
    fn entry(&self) -> Option<u32> {
        match self {
            // A length alone does not restore a name's value. Such writes count as another entry than those of values.
            Write::Name(name, before) => {
                Some(2 * name + u32::from(matches!(before, NameChange::Shorter(_))))
            }
            Write::Lost(name, ..) => Some(*name),
            Write::Label(it) => Some(it.node),
            Write::Heading(it) => Some(it.node),
            Write::Range(it) => Some(it.node),
            Write::Uncertainty(it) => Some(it.node),
            Write::AllMove(it) => Some(it.node),
            Write::Claim(it) => Some(it.node),
            Write::Leaf(leaf, ..) => Some(leaf.id()),
            Write::Random(_) | Write::Optimizer(_) => Some(0),
            _ => None,
        }
    }
}

impl Log {
    /// Adds the write that undoes a change.
    pub(crate) fn push(&mut self, before: Write) {
        self.writes.push_back(before);
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
    fn clean_up(&mut self, done: &mut CleanUp) {
        let mut since = self.writes.split_off(self.index(done.end));
        since.retain(|write| match write.entry() {
            Some(entry) => done.written.insert((discriminant(write), entry)),
            None => true,
        });
        self.writes.append(&mut since);
        done.end = self.mark();
    }

    /// Drops the writes before a mark. They can no longer be undone.
    fn forget(&mut self, mark: usize) {
        while self.forgotten < mark && self.writes.pop_front().is_some() {
            self.forgotten += 1;
        }
    }
}

impl Session {
    /// Takes back the writes since a mark. Returns the writes that make them again, the first one last.
    pub(crate) fn take_back(&mut self, mark: usize) -> Vec<Write> {
        let mut writes = Vec::new();
        while self.log.mark() > mark
            && let Some(before) = self.log.writes.pop_back()
        {
            writes.push(self.swap(before));
        }
        self.recompute_above(&leaves_of(&writes), NodeId::MAX, |_, _| {});
        writes
    }

    /// Makes again the writes that were taken back.
    pub(crate) fn write_again(&mut self, writes: Vec<Write>) {
        let leaves = leaves_of(&writes);
        for write in writes.into_iter().rev() {
            self.write(write);
        }
        self.recompute_above(&leaves, NodeId::MAX, |_, _| {});
    }
}

fn leaves_of(writes: &[Write]) -> Vec<Rc<Node>> {
    writes.iter().filter_map(Write::leaf).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chainrule_program::values::{List, Value};

    #[test]
    fn writes_are_taken_back_and_made_again() {
        let mut session = Session::new();
        let leaf = session.program.graph.leaf(0.0, false);
        let begin = session.log.mark();
        let set = |session: &mut Session, data| {
            session.write(Write::Leaf(Rc::clone(&leaf), data, false));
            session.log.mark()
        };
        let one = set(&mut session, 1.0);
        set(&mut session, 2.0);
        let three = set(&mut session, 3.0);
        let last = session.take_back(one);
        assert_eq!(leaf.data(), 1.0);
        let first = session.take_back(begin);
        assert_eq!(leaf.data(), 0.0);
        // A statement that fails in between changes nothing.
        set(&mut session, 9.0);
        session.take_back(begin);
        session.write_again(first);
        assert_eq!((leaf.data(), session.log.mark()), (1.0, one));
        session.write_again(last);
        assert_eq!((leaf.data(), session.log.mark()), (3.0, three));
        // The first write of an entry is enough to take all of them back.
        session.log.clean_up(&mut CleanUp::from(one));
        assert_eq!(session.log.mark(), one + 1);
        session.log.forget(one);
        session.take_back(begin);
        assert_eq!((leaf.data(), session.log.mark()), (1.0, one));
    }

    /// What a loop leaves in the log is cleaned up, whatever mixture of growth and other values it was.
    #[test]
    fn a_list_that_grew_and_was_bound_again_comes_back() {
        let mut session = Session::new();
        let x = session.names_mut().intern("x");
        let leaf = |k| session.program.graph.leaf(f64::from(k), false);
        let nodes: Vec<Rc<Node>> = (0..40).map(leaf).collect();
        let numbers = |session: &Session| {
            let nodes = session.names.named_nodes();
            let data = nodes.map(|(name, node)| (name.into_owned(), node.data()));
            data.collect::<Vec<_>>()
        };
        // The index of names by node has the names that stand for it.
        let check_index = |session: &Session| {
            for node in &nodes {
                let mut indexed: Vec<_> = session.names.texts_of_node(node).collect();
                let mut named: Vec<_> = session
                    .names
                    .named_nodes()
                    .filter(|(_, other)| Rc::ptr_eq(other, node))
                    .map(|(name, _)| name)
                    .collect();
                indexed.sort();
                named.sort();
                assert_eq!(indexed, named);
            }
        };
        let mut seed = 1_u32;
        for _ in 0..300 {
            session.give_name(x, List::from_items(Vec::new()).into());
            let begin = session.log.mark();
            let (mut states, mut done) = (vec![numbers(&session)], CleanUp::from(begin));
            for node in &nodes {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let item = Value::Node(Rc::clone(node));
                match seed >> 29 {
                    0 => session.give_name(x, item),
                    1 => session.give_name(x, List::from_items(vec![item]).into()),
                    2 => session.log.clean_up(&mut done),
                    _ => session.extend_list(x, vec![item.clone(), item]),
                }
                // The index of names by node is made at some time.
                let _ = session.names.texts_of_node(node).count();
            }
            states.push(numbers(&session));
            for _ in 0..2 {
                let writes = session.take_back(begin);
                assert_eq!(numbers(&session), states[0]);
                check_index(&session);
                session.write_again(writes);
                assert_eq!(numbers(&session), states[1]);
                check_index(&session);
            }
        }
    }

    #[test]
    fn a_write_takes_as_little_memory_as_the_limit_of_undo_says() {
        assert!(size_of::<Write>() <= 40, "{}", size_of::<Write>());
    }
}
