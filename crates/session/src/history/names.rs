//! Gives names values, takes them away, and records the values that have lost their names.

use crate::naming::{LostValue, NameChange, NameEntry, NameId, NameLoss};
use crate::state::{Session, Write};
use chainrule_program::values::Value;

impl Session {
    /// Changes the value of a name.
    pub(crate) fn change_name(&mut self, id: NameId, change: impl FnOnce(&mut NameEntry)) {
        let mut entry = self.names.bindings.named[id as usize].clone();
        change(&mut entry);
        self.write(Write::Name(id, NameChange::Entry(entry)));
    }

    /// Binds a name to a value. Nodes of the old value get no former name: [`Session::retire`] does that.
    pub(crate) fn give_name(&mut self, id: NameId, value: Value) {
        let since = self.names_mut().next_binding();
        self.change_name(id, |entry| {
            (entry.value, entry.since) = (Some(value), since);
        });
    }

    /// Replaces the list that a name stands for by a list of the same numbers.
    pub(crate) fn replace_list(&mut self, id: NameId, list: Value) {
        self.change_name(id, |entry| entry.value = Some(list));
    }

    /// Adds items to the list that a name stands for.
    pub(crate) fn extend_list(&mut self, id: NameId, items: Vec<Value>) {
        self.write(Write::Name(id, NameChange::Longer(items)));
    }

    /// Removes the value of a name. Its nodes get no former name: [`Session::retire`] does that.
    pub(crate) fn take_name(&mut self, id: NameId) {
        self.change_name(id, |entry| entry.value = None);
    }

    /// Records that a value has lost a name. Nodes without another name get a former name; if every node has one,
    /// nothing is recorded. Returns whether the loss was recorded.
    pub(crate) fn retire(&mut self, id: NameId, old: &Value) -> bool {
        if old.nodes().iter().all(|node| self.names.has_any(node)) {
            return false;
        }
        let since = self.names_mut().next_binding();
        let count = self.names.loss_count(id) + 1;
        let loss = NameLoss {
            count,
            since,
            value: LostValue::of(old),
        };
        let gone = self.names_mut().formers.swap(id, count - 1, [loss]);
        self.log.push(Write::Lost(id, count - 1, gone));
        self.change_name(id, |entry| entry.lost = count);
        true
    }
}
