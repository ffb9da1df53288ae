//! Runs choices: `y if c else z`, and the `return`s below an `if c:`.
//!
//! If both branches are plain, the choice is the operation `if` on both of them, so that its value follows the condition.
//! The branch that Python does not take is only tried: it leaves no note, and if it fails or is too large, the choice is
//! like any other. That builds only the branch that Python takes, and the condition becomes a guard of the value.

use std::ops::Range;
use std::rc::Rc;

use super::frames::Choice;
use super::machine::Machine;
use crate::error::{Error, fail_here};
use crate::functions::{AnyValue, Branches};
use crate::guards::GuardKind;
use crate::limits::MOST_BRANCH_NODES;
use crate::values::Value;
use chainrule_engine::graph::Node;
use chainrule_engine::graph::structure::nodes_below;
use chainrule_engine::ops::{self, Op};

const CHOOSE: &Op = ops::row("if");

/// The nodes of a condition on the variables of loops. In a larger one, the search would take long.
const NODES_OF_COUNTING: usize = 20;

impl Machine<'_, '_> {
    /// Begins a choice by the condition on the stack. If both branches are plain, tries the one that Python does not take.
    /// A list as the condition takes both, item by item.
    pub(super) fn begin_choice(&mut self, branches: Branches) -> Result<(), Error> {
        let condition = self.pop_value(0)?;
        let is_list =
            branches.is_plain && !condition.nodes().is_empty() && condition.node().is_none();
        let is_first_taken = is_list || is_true(&condition)?;
        let site = self.state.site;
        let first = site.at + 1..site.at + 1 + branches.first;
        let second = first.end + 1..first.end + 1 + branches.second;
        let end = (self.state.frames.len(), second.end);
        let (taken, other) = if is_first_taken {
            (first, second)
        } else {
            (second, first)
        };
        if !condition.node().is_some_and(|it| self.needs_no_guard(it)) {
            let most_nodes = if is_list { u32::MAX } else { MOST_BRANCH_NODES };
            let tried = branches
                .is_plain
                .then(|| self.try_branch(other, most_nodes));
            match tried.flatten() {
                None if is_list => _ = is_true(&condition)?,
                Some(value) => self.state.choices.push(Choice {
                    condition,
                    is_first_taken,
                    other: value,
                    site,
                    end,
                }),
                None => self.note_read(&[condition], GuardKind::Condition),
            }
        }
        self.state.frames.last_mut().expect("it runs").at = taken.start;
        Ok(())
    }

    /// Whether a condition stays as it is: it depends on no leaf, or only on the variables of the loops of a block, as in
    /// `k % 2 == 0`.
    fn needs_no_guard(&self, condition: &Rc<Node>) -> bool {
        let is_counter = |leaf: &Rc<Node>| {
            leaf.is_frozen()
                && self
                    .session
                    .program()
                    .is_of_block(std::slice::from_ref(leaf))
        };
        let below = nodes_below(condition, NODES_OF_COUNTING);
        !condition.varies()
            || below.is_some_and(|it| it.iter().filter(|node| node.is_leaf()).all(is_counter))
    }

    /// The value of a plain branch. `None` if that fails or makes more nodes. Leaves no notes.
    fn try_branch(&mut self, branch: Range<usize>, most_nodes: u32) -> Option<AnyValue> {
        let (frames, height, choices) = (
            self.state.frames.len(),
            self.state.stack.len(),
            self.state.choices.len(),
        );
        let frame = &self.state.frames[frames - 1];
        let (slots, loops) = (frame.slots.len(), frame.expression_loops.len());
        let (read, notes) = (self.state.record.read.len(), self.state.record.notes.len());
        let (site, newest_before) = (self.state.site, self.session.program().graph.last_id());
        let fault = self.state.record.fault.take();
        self.state.trials += 1;
        self.state.frames[frames - 1].at = branch.start;
        let mut can_go_on = true;
        while can_go_on
            && (self.state.frames.len() > frames || self.state.frames[frames - 1].at < branch.end)
        {
            can_go_on = self.run_instruction().is_ok()
                && self.session.program().graph.last_id() - newest_before <= most_nodes;
        }
        self.state.trials -= 1;
        self.state.record.notes.truncate(notes);
        self.state.record.fault = fault;
        self.state.site = site;
        if can_go_on {
            return Some(self.pop());
        }
        self.state.frames.truncate(frames);
        let innermost = &mut self.state.frames[frames - 1];
        innermost.slots.truncate(slots);
        innermost.expression_loops.truncate(loops);
        self.state.stack.truncate(height);
        self.state.choices.truncate(choices);
        self.state.record.read.truncate(read);
        None
    }

    /// Ends a choice. If both branches were built, its value is the choice between them.
    pub(super) fn end_choice(&mut self) -> Result<(), Error> {
        let place = (self.state.frames.len(), self.state.site.at);
        let Some(choice) = self.state.choices.pop_if(|it| it.end == place) else {
            return Ok(());
        };
        let has_list = choice.condition.node().is_none();
        let branches = match (self.pop(), choice.other) {
            (AnyValue::Numbers(taken), AnyValue::Numbers(other))
                if has_list || taken.shape() == other.shape() =>
            {
                if choice.is_first_taken {
                    [taken, other]
                } else {
                    [other, taken]
                }
            }
            (taken, _) => {
                self.state.site = choice.site;
                // A list chooses item by item, and only numbers and lists have items.
                is_true(&choice.condition)?;
                self.note_read(&[choice.condition], GuardKind::Condition);
                self.state.stack.push(taken);
                return Ok(());
            }
        };
        let operands = [choice.condition].into_iter().chain(branches);
        self.state.stack.extend(operands.map(AnyValue::from));
        let value = self.operation(CHOOSE, 3)?;
        // In Python it is one of the two lists, so it must not grow by itself.
        value.mark_as_shared();
        self.state.stack.push(value.into());
        Ok(())
    }
}

/// Whether a condition is true.
pub(super) fn is_true(condition: &Value) -> Result<bool, Error> {
    let Value::Node(node) = condition else {
        let message = "a condition is a number, and this is a list";
        let help =
            "`len(x) > 0` asks whether a list has items, and `if(c, a, b)` chooses item by item";
        return Err(fail_here(message, help));
    };
    Ok(node.data() != 0.0)
}
