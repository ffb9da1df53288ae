//! Makes lists longer: `x.append(3)` and `x.extend(v)`.

use std::rc::Rc;

use crate::Session;
use chainrule_engine::graph::NodeId;
use chainrule_program::error::Error;
use chainrule_program::leaves::LeafBinding;
use chainrule_program::lists::check_list;
use chainrule_program::run::{new_items, no_list_error, shared_list_error};
use chainrule_program::values::{ListShape, Value};
use chainrule_report::Note;

impl Session {
    /// Adds a value to the list of a name; an `extend` adds the items of the value. The new nodes of the value are
    /// newer than `newest_before`.
    pub fn append_value(
        &mut self,
        name: &str,
        value: Value,
        is_extend: bool,
        newest_before: NodeId,
        notes: &mut Vec<Note>,
    ) -> Result<(), Error> {
        let id = self.names_mut().intern(name);
        let Some(Value::List(list)) = self.names.value(id) else {
            return Err(no_list_error(name));
        };
        let is_same = |known: &Value| known.list().is_some_and(|it| Rc::ptr_eq(it, list));
        let has_several_names = || {
            let values = self.names.bound_values().map(|(_, known)| known);
            values.filter(|known| is_same(known)).nth(1).is_some()
        };
        // The history holds lists, too, which does not matter. So the names decide; they are searched only if something
        // else holds the list at all. A call or a loop that holds it has been refused by `appended_item`.
        if list.is_shared.get() || (Rc::strong_count(list) > 1 && has_several_names()) {
            return Err(shared_list_error(name));
        }
        // Data goes on as data: its new items are frozen, unless they follow from a leaf. The last item stands for all,
        // so that an `append` takes the same time for any list.
        let is_data = list.nodes().last().is_some_and(|last| last.is_frozen());
        let is_frozen = is_data && !value.nodes().iter().any(|node| node.varies());
        let leaf_binding = LeafBinding {
            is_frozen,
            name,
            newest_before,
        };
        let leaves = leaf_binding.leaves(self, value, notes);
        self.extend_list(id, new_items(name, leaves, is_extend)?);
        let longer = self.names.value(id);
        check_list(longer.map_or(&ListShape::NUMBER, Value::shape))
    }
}
