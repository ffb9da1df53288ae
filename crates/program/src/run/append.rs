//! Changes lists: `x.append(3)`, `x.extend(v)`, `random.shuffle(x)` and `x[1] = 3`. A list that something else also holds
//! is refused, because Python would change it there, too.

use std::rc::Rc;

use super::frames::Frame;
use super::machine::Machine;
use crate::error::{Error, fail_here};
use crate::functions::{AnyValue, Slot, Variable};
use crate::guards::GuardKind;
use crate::lists::check_list;
use crate::values::{List, Value};
use chainrule_language::{ListChange, literal};

impl Machine<'_, '_> {
    /// Changes the list of a function's name by a value.
    pub(super) fn change_local(&mut self, slot: Slot, change: ListChange) -> Result<(), Error> {
        let value = self.pop_value(0)?;
        if change == ListChange::Append {
            self.remember_appended(&value);
        }
        let items = new_items(self.typed_text(), value, change)?;
        let limits = *self.limits();
        let list = self.list_to_change(slot)?;
        match change {
            ListChange::Replace => *list = List::from_items(items),
            _ => list.extend(&items),
        }
        check_list(list.shape(), &limits)
    }

    /// Replaces an item of the list of a name.
    pub(super) fn set_item(&mut self, target: &Variable) -> Result<(), Error> {
        let value = self.pop_value(0)?;
        let position = self.pop_value(1)?;
        let name = self.typed_text().to_string();
        if let Variable::Local(slot) = target {
            self.note_read(std::slice::from_ref(&position), GuardKind::Position);
            return replace_item(&name, self.list_to_change(*slot)?, &position, &value);
        }
        // The session keeps its lists for `:undo`, so its name gets another list.
        let mut changed = self.copy_of_list(target, &name)?;
        replace_item(&name, &mut changed, &position, &value)?;
        self.state.stack.push(Value::from(changed).into());
        self.make_leaves(false);
        self.bind_targets(std::slice::from_ref(target))
    }

    /// A copy of the list of a name of the session. It takes as long as the list is.
    fn copy_of_list(&mut self, target: &Variable, name: &str) -> Result<List, Error> {
        let value = self.value_of(target)?.into_numbers(self.state.site.span)?;
        let Value::List(list) = value else {
            return Err(no_list_error(name));
        };
        if list.count() > MOST_COPIED {
            let message =
                format!("an item of a list of the session is replaced in at most {MOST_COPIED}");
            return Err(fail_here(
                message,
                "a function with a list of its own has no such limit",
            ));
        }
        self.give_names();
        let is_same = |it: &Rc<List>| Rc::ptr_eq(it, &list);
        let mut held_lists = self.state.frames.iter().flat_map(Frame::lists);
        let names = self.session.bound_names();
        let named_lists = names.iter().filter_map(|it| self.session.find(it)?.list());
        let has_several_names = named_lists.filter(|it| is_same(it)).nth(1).is_some();
        if list.is_shared.get() || has_several_names || held_lists.any(is_same) {
            return Err(shared_list_error(name));
        }
        Ok(List::clone(&list))
    }

    /// The list of a function's name, if nothing else holds it. The history does not hold a list of a function, so
    /// whatever holds it can be seen by the program.
    fn list_to_change(&mut self, slot: Slot) -> Result<&mut List, Error> {
        let frame = self.frame_around(slot.levels);
        let name = self.typed_text().to_string();
        if self.state.frames[frame].slots[slot.place].is_none() {
            return Err(self.missing_value_error(frame));
        }
        match &mut self.state.frames[frame].slots[slot.place] {
            Some(AnyValue::Numbers(Value::List(list)))
                if list.is_shared.get() || Rc::strong_count(list) > 1 =>
            {
                Err(shared_list_error(&name))
            }
            Some(AnyValue::Numbers(Value::List(list))) => Ok(Rc::make_mut(list)),
            _ => Err(no_list_error(&name)),
        }
    }

    /// Remembers the first computed item that a block appends: a note says if it has changed at the end of the block.
    fn remember_appended(&mut self, item: &Value) {
        let computed = item.node().filter(|node| node.is_computed());
        if let (Some(node), Some(block)) = (computed, &mut self.session.program_mut().block) {
            (block.appended).get_or_insert_with(|| (Rc::clone(node), node.data()));
        }
    }

    /// Prepares a change of a list of the session: refuses a list that a call or a loop holds, and gives the new item
    /// its guards.
    pub(super) fn appended_item(&mut self, list: &str, item: Value) -> Result<Value, Error> {
        self.remember_appended(&item);
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

/// The longest list of the session that is copied to replace an item.
const MOST_COPIED: usize = 10_000;

/// Replaces the item of a list at a position.
fn replace_item(name: &str, list: &mut List, position: &Value, value: &Value) -> Result<(), Error> {
    let Value::Node(place) = position else {
        return Err(fail_here(
            "an item is chosen by one position",
            "as in `w[2] = 5`",
        ));
    };
    if list.set_item(place.data(), value) {
        return Ok(());
    }
    let typed = literal(place.data(), false);
    let message = format!(
        "`{name}` has no item at {typed} that {} could replace",
        value.shape()
    );
    let help = format!("it is {}; positions count from 0", list.shape());
    Err(fail_here(message, help))
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
