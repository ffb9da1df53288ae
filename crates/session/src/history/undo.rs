//! Undoes and redoes statements, and goes back to savepoints. A [`Savepoint`] is a mark in the log; the [`Journal`]
//! lists the statements that can be undone.
//!
//! The session goes back to a savepoint if a statement or a trial fails, or if a command is interrupted. `:undo` goes back
//! to the beginning of a statement. The log takes memory in proportion to the changes. A savepoint restores passes,
//! `:undo` does not.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::by_hand::guesses::Guesses;
use crate::by_hand::walk::Walk;
use crate::limits::UNDO_BYTES;
use crate::results::Results;
use crate::state::{Entry, Journal, Savepoint, Session, Undone, Write};
use crate::target::Targets;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language::StatementSpan;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Note, say};
use chainrule_stop as stop;

/// The approximate size of a write in the log, in bytes.
const WRITE_BYTES: usize = 64;

/// The most bytes of a statement in `:log`, and in a comment: about a line of a terminal.
const MAX_SHORT_TEXT: usize = 120;

/// The beginning of a statement, on one line.
pub(crate) fn short_text(typed: &str) -> Box<str> {
    let begin = typed[..typed.floor_char_boundary(MAX_SHORT_TEXT)].trim();
    if !begin.contains('\n') {
        return begin.into();
    }
    let lines: Vec<&str> = begin.split('\n').map(str::trim).collect();
    lines.join(" ").into()
}

impl Session {
    /// Takes back the writes since a mark. Returns the writes that make them again, the first one last.
    pub(crate) fn take_back(&mut self, mark: usize) -> Vec<Write> {
        let mut writes = Vec::new();
        while let Some(mut write) = self.log.pop(mark) {
            self.swap(&mut write);
            writes.push(write);
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

    /// Runs the work of a statement as one step of undo, and adds the notes on its changes. If the work fails, undoes
    /// all of it.
    pub fn transact<T>(
        &mut self,
        text: &str,
        cut: &StatementSpan,
        notes: &mut Vec<Note>,
        work: impl FnOnce(&mut Session) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let before = self.savepoint();
        self.begin_statement(text, cut);
        let host = self.host();
        let done = stop::run_until_stopped(move || host.stop(), || work(self))
            .unwrap_or_else(|_| Err(Diagnostic::of_interrupt()));
        if done.is_ok() {
            self.keep_statement(&before, text, cut);
            if self.walk().is_none() && self.end_walk() {
                notes.push(Note::new(say!(
                    "the walk has ended: the data changed; `:walk` starts again"
                )));
            }
            notes.extend(self.data_note());
            notes.extend(self.changed_guard_notes());
            notes.append(&mut self.running.notes);
            self.end_statement(cut.span.of(text));
        } else {
            self.running.block = None;
            self.program.block = None;
            self.running.notes.clear();
            self.go_back(before);
        }
        done
    }

    /// The present state, to go back to.
    pub fn savepoint(&self) -> Savepoint {
        Savepoint {
            mark: self.log.mark(),
            random: self.program.random.clone(),
            recent: self.recent.clone(),
            newest_node: self.program.graph.last_id(),
            clock: self.program.graph.clock(),
            names: self.names.name_count(),
            reader: self.show.reader,
            purpose: self.program.purpose,
        }
    }

    /// Goes back to a savepoint, as if nothing had happened since. This includes the ids of nodes and the position in
    /// the random numbers.
    pub fn go_back(&mut self, to: Savepoint) {
        stop::run_to_end(|| self.restore(to));
    }

    fn restore(&mut self, to: Savepoint) {
        drop(self.take_back(to.mark));
        self.program.random = to.random;
        self.recent = to.recent;
        self.show.reader = to.reader;
        self.program.purpose = to.purpose;
        // Only if needed: a change copies the names if an answer shares them.
        if self.names.name_count() > to.names {
            self.names_mut().truncate(to.names);
        }
        if let Some(block) = &mut self.program.block {
            block.moved.retain(|leaf, _| *leaf <= to.newest_node);
        }
        // Nothing may hold a node whose id is free again.
        let lent = &mut self.running.lent;
        lent.take_if(|it| it.iter().any(|it| it.1.nodes()[0].id() > to.newest_node));
        self.program.rewind(to.newest_node);
        // The data is as before. With the old clock, an older pass or walk is not stale.
        self.program.graph.rewind_clock(to.clock);
        for shown in [&mut self.shown, &mut self.running.shown] {
            shown.retain(|it| it.clock <= to.clock);
        }
        self.program.guards.compare_again();
    }

    /// Returns the result of `work`, and undoes everything that `work` has done except in `Recent`. The result must
    /// hold none of the new nodes.
    pub fn look<T>(&mut self, work: impl FnOnce(&mut Session) -> T) -> T {
        let before = self.savepoint();
        let seen = work(self);
        let recent = std::mem::take(&mut self.recent);
        self.go_back(Savepoint { recent, ..before });
        seen
    }

    /// The leaves with a name that were made since the savepoint, the oldest first.
    pub(crate) fn named_leaves_since(&self, before: &Savepoint) -> Vec<Rc<Node>> {
        let since = self.log.since(before.mark);
        let named = since.filter_map(|write| match write {
            Write::Name(name, _) => self.names.value(*name)?.node(),
            _ => None,
        });
        let made = named.filter(|node| node.is_leaf() && node.id() > before.newest_node);
        let mut leaves: Vec<Rc<Node>> = made.cloned().collect();
        leaves.sort_by_key(|leaf| leaf.id());
        leaves.dedup_by_key(|leaf| leaf.id());
        leaves
    }

    /// The leaves that were changed since the savepoint, in the order of their first changes.
    pub(crate) fn leaves_since(&self, before: &Savepoint) -> Vec<Rc<Node>> {
        let mut seen = FxHashSet::default();
        let changed = self.log.since(before.mark).filter_map(Write::leaf);
        let first = changed.filter(|leaf| seen.insert(leaf.id()));
        first.cloned().collect()
    }

    /// Ends a statement that has succeeded. A statement that has changed something can be undone from now on, and
    /// earlier undone statements can no longer be redone.
    pub(super) fn end_statement(&mut self, statement: &str) {
        let now = self.log.mark();
        let journal = &mut self.journal;
        // Settled in any case: a result of a statement without changes stays when the next change is undone.
        let settled = std::mem::replace(&mut journal.settled, now);
        if self.log.since(settled).any(Write::is_change) {
            // The `;` after a block is part of the text of its last line.
            journal.done.push_back(Entry {
                text: short_text(statement.trim_end().trim_end_matches(';')),
                begin: settled,
            });
            journal.undone.clear();
        }
        self.tidy();
    }

    /// Drops the oldest statements beyond the limits, and their part of the log and old results. A trial keeps its log
    /// and results, because it may have to go back.
    fn tidy(&mut self) {
        let journal = &mut self.journal;
        let bytes = |begin: usize| (journal.settled - begin).saturating_mul(WRITE_BYTES);
        let most = self.settings.count("undo-steps");
        let mut dropped = journal.done.len().saturating_sub(most);
        // The newest statement can always be undone.
        while dropped + 1 < journal.done.len() && bytes(journal.done[dropped].begin) > UNDO_BYTES {
            dropped += 1;
        }
        journal.done.drain(..dropped);
        journal.forgotten += dropped as u64;
        if self.running.trial.is_none() {
            let undone = journal.undone.last().map(|it| &it.entry);
            let oldest = journal.done.front().or(undone);
            let begin = oldest.map_or(journal.settled, |entry| entry.begin);
            self.log.forget(begin);
            self.results.tidy();
        }
    }

    /// Undoes the newest change, and returns the text of its statement.
    pub fn undo(&mut self) -> Option<Box<str>> {
        let entry = self.journal.done.pop_back()?;
        let shown = entry.text.clone();
        let writes = stop::run_to_end(|| self.take_back(entry.begin));
        self.journal.undone.push(Undone { entry, writes });
        self.settle_without_grads();
        let count = self.journal.statement_count();
        self.network.refused = (self.network.refused).map(|it| it.filter(|at| *at <= count));
        Some(shown)
    }

    /// Redoes the change that was undone last, and returns the text of its statement. First takes back what came after the
    /// undo, because a saved session repeats the statement without it.
    pub fn redo(&mut self) -> Option<Box<str>> {
        let Undone { entry, writes } = self.journal.undone.pop()?;
        let shown = entry.text.clone();
        stop::run_to_end(|| {
            let lost = self.take_back(entry.begin);
            self.recent.has_lost_results |= lost.iter().any(|it| matches!(it, Write::Results(_)));
            self.write_again(writes);
        });
        self.journal.done.push_back(entry);
        self.settle_without_grads();
        self.tidy();
        Some(shown)
    }

    /// Ends an undo or a redo, neither of which restores the grads.
    fn settle_without_grads(&mut self) {
        self.keeping().is_unkept = true;
        self.drop_pass();
        // A saved session could not refer to the root.
        let is_undone = |walk: &Walk| !self.is_in_use(walk.root.id());
        if self.recent.walk.as_ref().is_some_and(is_undone) {
            self.end_walk();
        }
        self.journal.settled = self.log.mark();
    }

    /// Makes the current state the beginning of the session, so that the init script cannot be undone.
    pub fn begin_here(&mut self) {
        self.drop_claims();
        self.journal = Journal::from(self.log.mark());
        self.recent.targets = Targets::default();
        self.results = Results::default();
        self.kept.drop_results();
        self.recent.guesses = Guesses::default();
        self.shown.clear();
    }
}

fn leaves_of(writes: &[Write]) -> Vec<Rc<Node>> {
    writes.iter().filter_map(Write::leaf).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::CleanUp;
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
