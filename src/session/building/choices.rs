//! Runs choices: `y if c else z`, and the `return`s below an `if c:`.
//!
//! If both branches are plain, the choice is the operation `if` on both of them, so that its value follows the condition.
//! The branch that Python does not take is only tried: it leaves no note, and if it fails or is too large, the choice is
//! like any other. That builds only the branch that Python takes, and the condition becomes a guard of the value.

use std::ops::Range;
use std::rc::Rc;

use super::frames::Choice;
use super::guards::GuardKind;
use super::machine::{Machine, NoActs};
use crate::session::error::{self, Error, fail_here};
use crate::session::functions::Branches;
use crate::session::values::Value;
use chainrule_engine::graph::Node;
use chainrule_engine::ops::{self, Op};

const CHOOSE: &Op = ops::row("if");

/// The most nodes of both branches together. Without a limit, functions that choose between two calls would take time
/// that doubles with each of them.
pub(super) const MOST_BRANCH_NODES: u32 = 200;

/// The levels of operands in a condition on the variables of loops. In a deeper one, the search would take long.
const LEVELS_OF_COUNTING: usize = 3;

impl Machine<'_> {
    /// Begins a choice by the condition on the stack. If both branches are wanted, builds the one that Python does not
    /// take. A list as the condition wants both, item by item.
    pub(super) fn begin_choice(&mut self, branches: Branches) -> Result<(), Error> {
        let condition = self.pop();
        let is_list = branches.is_plain && condition.list().is_some();
        let is_first_taken = is_list || is_true(&condition)?;
        let (site, newest_before) = (self.site, self.session.graph.last_id());
        let first = site.at + 1..site.at + 1 + branches.first;
        let second = first.end + 1..first.end + 1 + branches.second;
        let end = (self.frames.len(), second.end);
        let (taken, other) = if is_first_taken {
            (first, second)
        } else {
            (second, first)
        };
        let is_decided = |it| self.is_decided(it, LEVELS_OF_COUNTING);
        if !condition.node().is_some_and(is_decided) {
            let tried = branches.is_plain.then(|| self.try_branch(other, is_list));
            match tried.transpose() {
                Ok(Some(value)) => self.choices.push(Choice {
                    condition,
                    is_first_taken,
                    other: value,
                    site,
                    end,
                    newest_before,
                }),
                Err(error) if is_list => return Err(error),
                _ => self.note_read(&[condition], GuardKind::Condition),
            }
        }
        self.frames.last_mut().expect("it runs").at = taken.start;
        Ok(())
    }

    /// Whether a condition needs no guard: it depends on no leaf, or only on the variables of the loops of a block, as in
    /// `k % 2 == 0`. Looks through this many levels of operands.
    fn is_decided(&self, condition: &Rc<Node>, levels: usize) -> bool {
        if condition.is_leaf() {
            return condition.is_frozen()
                && self.session.is_of_block(std::slice::from_ref(condition));
        }
        let mut operands = condition.operands().iter();
        !condition.varies() || levels > 0 && operands.all(|it| self.is_decided(it, levels - 1))
    }

    /// Builds the instructions of a plain branch, and goes back if that fails. Only a branch that is `wanted` leaves
    /// notes, and may be large.
    fn try_branch(&mut self, branch: Range<usize>, is_wanted: bool) -> Result<Value, Error> {
        let (frames, height, choices) = (self.frames.len(), self.stack.len(), self.choices.len());
        let (read, notes) = (self.record.read.len(), self.record.notes.len());
        let (site, newest_before) = (self.site, self.session.graph.last_id());
        let fault = self.record.fault.take();
        self.trials += usize::from(!is_wanted);
        self.frames[frames - 1].at = branch.start;
        let mut done = Ok(());
        while done.is_ok()
            && (self.frames.len() > frames || self.frames[frames - 1].at < branch.end)
        {
            done = self.run_instruction(&mut NoActs);
            if !is_wanted && self.session.graph.last_id() - newest_before > MOST_BRANCH_NODES {
                done = Err(error::too_many_nodes("branch", MOST_BRANCH_NODES));
            }
        }
        self.trials -= usize::from(!is_wanted);
        if !is_wanted {
            self.record.notes.truncate(notes);
            self.record.fault = None;
        }
        self.record.fault = fault.or(self.record.fault.take());
        self.site = site;
        if done.is_err() {
            self.frames.truncate(frames);
            self.stack.truncate(height);
            self.choices.truncate(choices);
            self.record.read.truncate(read);
        }
        done.map(|()| self.pop())
    }

    /// Ends a choice. If both branches were built, returns its value.
    pub(super) fn end_choice(&mut self) -> Result<Option<Value>, Error> {
        let place = (self.frames.len(), self.site.at);
        let Some(choice) = self.choices.pop_if(|it| it.end == place) else {
            return Ok(None);
        };
        let taken = self.pop();
        let new_nodes = self.session.graph.last_id() - choice.newest_before;
        let has_word = taken.word().or(choice.other.word()).is_some();
        let is_alike = !has_word && taken.shape() == choice.other.shape();
        if choice.condition.node().is_some() && (!is_alike || new_nodes > MOST_BRANCH_NODES) {
            self.site = choice.site;
            self.note_read(&[choice.condition], GuardKind::Condition);
            return Ok(Some(taken));
        }
        let mut branches = [taken, choice.other];
        if !choice.is_first_taken {
            branches.reverse();
        }
        self.stack.push(choice.condition);
        self.stack.extend(branches);
        let value = self.operation(CHOOSE, 3)?;
        // In Python it is one of the two lists, so it must not grow by itself.
        value.mark_as_shared();
        Ok(Some(value))
    }
}

/// Whether a condition is true.
pub(super) fn is_true(condition: &Value) -> Result<bool, Error> {
    let Value::Node(node) = condition else {
        let message = "a condition is a number, and this is a list";
        return Err(fail_here(message, "as in `if k % 10 == 0:`"));
    };
    Ok(node.data() != 0.0)
}
