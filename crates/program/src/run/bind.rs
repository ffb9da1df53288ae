//! Binds names: those of a function, which are slots, and those of the session, whose values may wait.

use std::rc::Rc;

use super::machine::Machine;
use crate::environment::LAST_RESULT;
use crate::error::Error;
use crate::functions::{AnyValue, Slot, Variable};
use crate::values::Value;
use chainrule_engine::graph::{Node, Spelling};
use chainrule_language::Name;

impl Machine<'_, '_> {
    /// Gives names the values on the stack.
    pub(super) fn bind_targets(&mut self, targets: &[Variable]) -> Result<(), Error> {
        if let [only] = targets {
            let value = self.pop();
            return self.bind(only, value);
        }
        let first = self.state.stack.len() - targets.len();
        let values = self.state.stack.split_off(first);
        let mut pairs = targets.iter().zip(values);
        pairs.try_for_each(|(target, value)| self.bind(target, value))
    }

    /// Gives a name a value.
    fn bind(&mut self, target: &Variable, value: AnyValue) -> Result<(), Error> {
        match target {
            Variable::Local(slot) => self.bind_slot(*slot, value),
            Variable::Name(name) => match value {
                AnyValue::Numbers(numbers) => {
                    self.forget_word(name);
                    self.bind_name(name, &numbers);
                }
                other => self.bind_word(name, other)?,
            },
        }
        Ok(())
    }

    /// Gives the variable of a loop a value.
    pub(super) fn bind_variable(&mut self, target: &Variable, value: Value) {
        match target {
            Variable::Local(slot) => self.bind_slot(*slot, value.into()),
            Variable::Name(name) => {
                self.forget_word(name);
                self.bind_item_to_name(name, value);
            }
        }
    }

    /// Gives a name of the running function a value.
    fn bind_slot(&mut self, slot: Slot, mut value: AnyValue) {
        let frame = self.state.frames.last_mut().expect("it runs");
        // A counter of a function of several lines becomes a plain number. As an expression, it would hold its numbers
        // from all rounds.
        if let AnyValue::Numbers(Value::Node(node)) = &value
            && frame.function.as_ref().is_some_and(|it| it.lines.is_some())
            && !node.varies()
            && node.op().is_some()
        {
            let graph = &mut self.session.program_mut().graph;
            value = graph.constant(node.data(), Spelling::Plain).into();
        }
        frame.slots[slot.place] = Some(value);
    }

    /// Binds a name of the session to a number or a list.
    fn bind_name(&mut self, name: Name, value: &Value) {
        if self.moves_only_the_name(name, value)
            || !self.state.names.bind(self.session, name, value)
        {
            self.give_names();
            let note = self.session.bind_in_block(name, value);
            self.add_notes(note);
        } else if value.node().is_some_and(|it| it.is_computed()) {
            self.state.names.aim_at(name);
        }
    }

    /// Binds a name of the session to an item. Numbers that depend on no leaf become leaves.
    fn bind_item_to_name(&mut self, name: Name, item: Value) {
        if name == LAST_RESULT {
            return;
        }
        let value = (self.session.program_mut()).leaves_of_constants(item, true);
        if !self.state.names.bind(self.session, name, &value) {
            self.give_names();
            self.session.bind_item(name, &value);
        }
    }

    /// Whether a value such as `p - 0.1*p.grad` replaces the leaf `p`, which a note may be due on.
    fn moves_only_the_name(&self, name: Name, value: &Value) -> bool {
        let old = self.bound_value(name);
        let Some(leaf) = old.and_then(Value::node).filter(|node| node.is_free()) else {
            return false;
        };
        let uses_leaf = |node: &Rc<Node>| node.operands().iter().any(|it| Rc::ptr_eq(it, leaf));
        value.node().is_some_and(uses_leaf) && self.session.has_grad(leaf)
    }

    /// The value of a name of the session.
    pub(super) fn bound_value(&self, name: Name) -> Option<&Value> {
        let passing = self.state.names.get(name);
        passing.or_else(|| self.session.find(name))
    }

    /// Gives the session the values that wait.
    pub(super) fn give_names(&mut self) {
        if !self.state.names.is_empty() {
            self.state.names.give_to(self.session);
        }
    }
}
