//! Handles the values of a block or a function that are no numbers: texts, functions and `None`. The operands of all other
//! instructions are numbers, and [`Machine::pop_value`] refuses the rest.

use std::rc::Rc;

use super::machine::Machine;
use crate::error::{Error, fail_here};
use crate::functions::{AnyValue, Code, Function, OwnFunction, Variable};
use crate::names;
use crate::values::Value;
use chainrule_engine::ops::Op;
use chainrule_report::{Note, say};

impl Machine<'_, '_> {
    /// The value of a name. If the name stands for a function and for no value, returns the function.
    pub(super) fn value_of(&mut self, target: &Variable) -> Result<AnyValue, Error> {
        let name = match target {
            Variable::Local(slot) => {
                let frame = self.frame_around(slot.levels);
                let value = self.state.frames[frame].slots[slot.place].clone();
                return value.ok_or_else(|| self.missing_value_error(frame));
            }
            Variable::Name(name) => name,
        };
        if let Some(word) = self.state.words.get(&**name) {
            return Ok(word.clone());
        }
        if let Some(value) = self.bound_value(name) {
            return Ok(value.clone().into());
        }
        if let Some(text) = self.session.text(name) {
            return Ok(AnyValue::Text(Rc::clone(text)));
        }
        self.give_names();
        if names::is_older_result(self.session, name) {
            self.add_note(Note::new(say!(
                "{:name} is the result before `:undo`: `:redo` has taken back the later ones",
                &**name
            )));
        }
        match names::value_of_name(self.session, name, self.state.site.span) {
            Err(_) if self.session.is_function(name) && !self.session.knows(name) => {
                let own = self.session.program().functions.get(name);
                Ok(own.map_or_else(
                    || AnyValue::BuiltIn((&**name).into()),
                    |function| {
                        AnyValue::Own(OwnFunction {
                            function: Rc::<Function>::clone(function),
                            frame: 0,
                        })
                    },
                ))
            }
            found => found.map(AnyValue::from),
        }
    }

    /// Removes the last value of the stack, an operand of the instruction that runs. Refuses what is no number or list.
    /// There are `after` operands after this one.
    pub(super) fn pop_value(&mut self, after: usize) -> Result<Value, Error> {
        match self.pop() {
            AnyValue::Numbers(value) => Ok(value),
            other => other.into_numbers(self.operand_span(after)),
        }
    }

    /// Removes the last `count` values of the stack, the operands of the instruction that runs. Refuses those that are no
    /// numbers or lists.
    pub(super) fn pop_values(&mut self, count: usize) -> Result<Vec<Value>, Error> {
        self.check_operands(count)?;
        let first = self.state.stack.len() - count;
        let mut values = Vec::with_capacity(count);
        let operands = self.state.stack.drain(first..);
        values.extend(operands.filter_map(AnyValue::into_value));
        Ok(values)
    }

    /// Refuses an operand of the instruction that runs if it is no number or list. The operands are the last `count`
    /// values of the stack.
    pub(super) fn check_operands(&self, count: usize) -> Result<(), Error> {
        let operands = self.state.stack.iter().rev().take(count);
        let mut others = operands.zip(0..).filter(|it| it.0.numbers().is_none());
        match others.next() {
            Some((other, after)) => Err(other.refusal(self.operand_span(after))),
            None => Ok(()),
        }
    }

    /// Compares the last two values of the stack if one of them is no number or list, and the operation is `==` or `!=`.
    /// `not x` is `x == 0`, and needs a number.
    pub(super) fn compare_others(&mut self, op: &Op) -> Option<Value> {
        let [.., one, other] = self.state.stack.as_slice() else {
            return None;
        };
        let are_numbers = one.numbers().is_some() && other.numbers().is_some();
        if !is_equality(op) || are_numbers || self.typed_text().trim_end() == "not" {
            return None;
        }
        let is_true = one.equals(other) == (op.spelling == "==");
        self.state.stack.truncate(self.state.stack.len() - 2);
        Some(self.session.program_mut().truth(is_true))
    }

    /// Whether `is None` or `== None` follows the name whose instruction runs. For such a question, a name without a
    /// value counts as `None`.
    pub(super) fn asks_for_none(&self) -> bool {
        let at = self.state.site.at;
        let code = self.typed_code().map(|(_, code)| code.get(at + 1..at + 3));
        let Some(Some([none, operator])) = code else {
            return false;
        };
        matches!(none.code, Code::Value(AnyValue::None))
            && matches!(operator.code, Code::Operator(known, 2) if is_equality(known))
    }

    /// Lets a name of the block stand for a value that is no number or list.
    pub(super) fn bind_word(&mut self, name: &str, word: AnyValue) -> Result<(), Error> {
        self.give_names();
        if let AnyValue::Text(text) = word {
            self.session.forget(name);
            self.state.words.remove(name);
            self.session.bind_text(name, Some(text));
            return Ok(());
        }
        if let AnyValue::None = word {
            // `x = None` also removes the session's value `x`.
            self.session.forget(name);
        } else if self.session.find(name).is_some() {
            let message = format!("`{name}` is a value of the session, and this is none");
            let help = format!("choose another name, as in `{name}_text = 'OK'`");
            return Err(fail_here(message, help));
        }
        self.state.words.insert(name.into(), word);
        Ok(())
    }

    /// Lets a name of the block no longer stand for such a value.
    pub(super) fn forget_word(&mut self, name: &str) {
        if !self.state.words.is_empty() {
            self.state.words.remove(name);
        }
        if self.session.text(name).is_some() {
            self.session.bind_text(name, None);
        }
    }

    /// Refuses to return a function that is defined in the running call: its frame ends with the call.
    pub(super) fn check_returned(&self) -> Result<(), Error> {
        if let Some(AnyValue::Own(own)) = self.state.stack.last()
            && own.frame == self.state.frames.len() - 1
        {
            let message = format!("`{}` ends with the call that defines it", own.function.name);
            let help = "return what it computes, or hand it on as an argument";
            return Err(fail_here(message, help));
        }
        Ok(())
    }
}

fn is_equality(op: &Op) -> bool {
    matches!(op.spelling, "==" | "!=")
}
