//! Makes the list of a name longer: `x.append(3)`, `x.extend([3, 4])`.
//!
//! In Python a list that grows does so wherever it is held. Here only one name gets the longer list, so a list that has
//! another name, or was made an item of another list, does not grow.

use std::rc::Rc;

use super::lists::list_of_numbers;
use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::values::Value;
use chainrule_language::{BindingTarget, Expression};
use chainrule_report::Note;

impl Session {
    /// Adds a value to the list of a name or, with `each`, the items of a list. Returns how many items there are then.
    pub fn append(
        &mut self,
        text: &str,
        target: BindingTarget,
        items: &Expression,
        each: bool,
    ) -> Result<(usize, Vec<Note>), Error> {
        let (name, made) = (target.name, self.newest_id());
        let (value, mut notes) = self.evaluate(text, items)?;
        let id = self.names_mut().intern(name);
        let Some(Value::List(list)) = self.names.value(id) else {
            let message = format!("`{name}` is not the name of a list, and only a list grows");
            return Err(fail(target.span, message, "a list begins with `x = []`"));
        };
        let is_it = |value: &Value| matches!(value, Value::List(it) if Rc::ptr_eq(it, list));
        let all = || self.names.bound_values().filter(|(_, value)| is_it(value));
        let is_held = Rc::strong_count(list) > 1 && all().nth(1).is_some();
        if is_held || list.is_item.get() {
            let holder = if is_held { "name" } else { "list" };
            let message = format!("another {holder} holds this list, and Python would change both");
            let help = format!("`{name} = {name}[:]` gives `{name}` a list of its own");
            return Err(fail(target.span, message, help));
        }
        let is_data = list.nodes().last().is_some_and(|last| last.is_frozen());
        let frozen = is_data && !value.nodes().iter().any(|node| node.varies());
        let value = self.with_leaves(frozen, target, value, made, &mut notes);
        let items = match value {
            Value::List(list) if each => list.items().collect(),
            Value::Node(_) if each => {
                let message = "`extend` takes a list, and this is a number";
                let help = format!("one item more: `{name}.append({})`", items.span.of(text));
                return Err(fail(items.span, message, help));
            }
            value => {
                if let Value::List(list) = &value {
                    list.is_item.set(true);
                }
                vec![value]
            }
        };
        self.names_mut().extend_list(id, items);
        let longer = self.value_of_name(name, target.span)?;
        let longer = list_of_numbers(longer.shape().size(), || longer, target.span)?;
        Ok((longer.shape().count().unwrap_or_default(), notes))
    }
}
