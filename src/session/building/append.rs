//! Makes the list of a name longer: `x.append(3)`, `x.extend([3, 4])`.
//!
//! In Python a list that grows does so wherever it is held. Here only one name gets the longer list, so a list that has
//! another name, or was made an item of another list, does not grow.

use std::rc::Rc;

use super::lists::list_of_numbers;
use super::machine::{Frame, Machine};
use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::functions::Slot;
use crate::session::values::{List, Value};
use chainrule_engine::graph::NodeId;
use chainrule_language::Span;
use chainrule_report::Note;

impl Session {
    /// Adds a value to the list of a name or, with `each`, the items of a list. Nodes above `made` are those of the value.
    pub(crate) fn append_value(
        &mut self,
        (name, span): (&str, Span),
        value: Value,
        each: bool,
        made: NodeId,
        notes: &mut Vec<Note>,
    ) -> Result<(), Error> {
        let id = self.names_mut().intern(name);
        let Some(Value::List(list)) = self.names.value(id) else {
            return Err(no_list(name, span));
        };
        let is_it = |value: &Value| matches!(value, Value::List(it) if Rc::ptr_eq(it, list));
        let all = || self.names.bound_values().filter(|(_, value)| is_it(value));
        if list.is_item.get() || Rc::strong_count(list) > 1 && all().nth(1).is_some() {
            return Err(held_list(name, list, span));
        }
        let is_data = list.nodes().last().is_some_and(|last| last.is_frozen());
        let frozen = is_data && !value.nodes().iter().any(|node| node.varies());
        let value = self.with_leaves(frozen, name, value, made, notes);
        let items = new_items(name, value, each, span)?;
        self.extend_list(id, items);
        let longer = self.value_of_name(name, span)?;
        list_of_numbers(longer.shape().size(), || longer, span).map(drop)
    }
}

impl Machine<'_> {
    /// Adds a value to the list of a function's name.
    pub(super) fn append_to_local(
        &mut self,
        slot: Slot,
        each: bool,
        span: Span,
    ) -> Result<(), Error> {
        let value = self.pop();
        let frame = self.frame_around(slot.levels);
        let name = self.typed_at(span).to_string();
        let items = new_items(&name, value, each, span)?;
        let Some(found) = &mut self.frames[frame].variables[slot.place] else {
            return Err(self.missing_value(frame, span));
        };
        let Value::List(list) = found else {
            return Err(no_list(&name, span));
        };
        if list.is_item.get() || Rc::strong_count(list) > 1 {
            return Err(held_list(&name, list, span));
        }
        Rc::make_mut(list).extend(&items);
        let longer = found.clone();
        list_of_numbers(longer.shape().size(), || longer, span).map(drop)
    }

    /// Refuses a list of the session that a call or a loop holds: Python would change it there, too.
    pub(super) fn check_held(&self, name: &str, span: Span) -> Result<(), Error> {
        let Some(Value::List(list)) = self.session.names().find(name) else {
            return Ok(());
        };
        if Rc::strong_count(list) == 1 {
            return Ok(());
        }
        let mut held = self.frames.iter().flat_map(Frame::lists);
        if held.any(|it| Rc::ptr_eq(it, list)) {
            return Err(held_list(name, list, span));
        }
        Ok(())
    }
}

/// What a list gets: the value or, with `each`, its items.
fn new_items(name: &str, value: Value, each: bool, span: Span) -> Result<Vec<Value>, Error> {
    match value {
        Value::List(list) if each => Ok(list.items().collect()),
        Value::Node(_) if each => {
            let message = "`extend` takes a list, and this is a number";
            let help = format!("one item more: `{name}.append(3)`");
            Err(fail(span, message, help))
        }
        value => {
            if let Value::List(list) = &value {
                list.is_item.set(true);
            }
            Ok(vec![value])
        }
    }
}

fn no_list(name: &str, span: Span) -> Error {
    let message = format!("`{name}` is not the name of a list, and only a list grows");
    fail(span, message, "a list begins with `x = []`")
}

fn held_list(name: &str, list: &List, span: Span) -> Error {
    let holder = if list.is_item.get() { "list" } else { "name" };
    let message = format!("another {holder} holds this list, and Python would change both");
    let help = format!("`{name} = {name}[:]` gives `{name}` a list of its own");
    fail(span, message, help)
}
