//! Changes lists: `x.append(3)`, `x.extend(v)` and `random.shuffle(x)`. A list that something else also holds is refused,
//! because Python would change it there, too.

use std::rc::Rc;

use super::frames::Frame;
use super::machine::Machine;
use crate::error::{Error, fail_here};
use crate::functions::{AnyValue, Slot};
use crate::lists::check_list;
use crate::values::{List, Value};
use chainrule_language::ListChange;

impl Machine<'_, '_> {
    /// Changes the list of a function's name by a value.
    pub(super) fn change_local(&mut self, slot: Slot, change: ListChange) -> Result<(), Error> {
        let value = self.pop_value(0)?;
        let frame = self.frame_around(slot.levels);
        let name = self.typed_text().to_string();
        let items = new_items(&name, value, change)?;
        match &mut self.state.frames[frame].slots[slot.place] {
            None => Err(self.missing_value_error(frame)),
            // The history does not hold a list of a function, so whatever holds it can be seen by the program.
            Some(AnyValue::Numbers(Value::List(list)))
                if list.is_shared.get() || Rc::strong_count(list) > 1 =>
            {
                Err(shared_list_error(&name))
            }
            Some(AnyValue::Numbers(Value::List(list))) => {
                match change {
                    ListChange::Replace => *list = List::from_items(items).into(),
                    _ => Rc::make_mut(list).extend(&items),
                }
                check_list(list.shape())
            }
            Some(_) => Err(no_list_error(&name)),
        }
    }

    /// Prepares a change of a list of the session: refuses a list that a call or a loop holds, and gives the new item
    /// its guards.
    pub(super) fn appended_item(&mut self, list: &str, item: Value) -> Result<Value, Error> {
        let mut held_lists = self.state.frames.iter().flat_map(Frame::lists);
        if let Some(Value::List(longer)) = self.session.find(list)
            && Rc::strong_count(longer) > 1
            && held_lists.any(|it| Rc::ptr_eq(it, longer))
        {
            return Err(shared_list_error(list));
        }
        // The numbers that were read before the last `append` are guards of its item already.
        let read = self.state.record.read[self.state.record.read_before_append..].to_vec();
        self.state.record.read_before_append = self.state.record.read.len();
        let function = self
            .state
            .frames
            .last()
            .and_then(|frame| frame.function.as_ref());
        let lines = function.and_then(|it| it.lines.as_deref());
        let place = (lines.unwrap_or(self.state.text), self.state.site.span);
        Ok((self.session.program_mut()).guard_value(
            item,
            read,
            self.state.record.newest_before,
            place,
        ))
    }
}

/// The new items of a list: the value itself for an `append`, otherwise the items of the value.
pub fn new_items(name: &str, value: Value, change: ListChange) -> Result<Vec<Value>, Error> {
    match value.list() {
        Some(list) if change != ListChange::Append => Ok(list.items().collect()),
        None if change != ListChange::Append => {
            let message = "`extend` takes a list, and this is a number";
            let help = format!("one item more: `{name}.append(3)`");
            Err(fail_here(message, help))
        }
        _ => Ok(vec![value]),
    }
}

/// The error of `x.append(3)` if `x` is a number.
pub fn no_list_error(name: &str) -> Error {
    let message = format!("`{name}` is not the name of a list, and only a list grows");
    fail_here(message, "a list begins with `NAME = []`")
}

/// The error of `x.append(3)` if something else holds the list of `x`.
pub fn shared_list_error(name: &str) -> Error {
    let message = "another name or list holds or held this list: Python would change both";
    let help = format!("`{name} = {name}[:]` gives `{name}` a list of its own");
    fail_here(message, help)
}
