//! Handles words, the values of Python that are not numbers: texts, functions and `None`. A block can assign, compare,
//! print and pass words; every other operation refuses them. A word never outlives its block.

use std::rc::Rc;

use super::machine::Machine;
use crate::session::Session;
use crate::session::error::{self, Error, fail_here};
use crate::session::functions::{Code, Function, Target};
use crate::session::values::{CodeWord, OwnFunction, Value};
use chainrule_engine::graph::Spelling;
use chainrule_engine::ops::Op;
use chainrule_language::Span;
use chainrule_report::{Note, say};

impl Session {
    /// Refuses words among values.
    pub(crate) fn check_no_words<'v>(
        values: impl IntoIterator<Item = &'v Value>,
        span: Span,
    ) -> Result<(), Error> {
        match values.into_iter().find_map(Value::word) {
            Some(word) => Err(error::word_error(word, span)),
            None => Ok(()),
        }
    }
}

impl Machine<'_, '_> {
    /// The value of a name. If the name stands for a function and for no value, returns the function as a word.
    pub(super) fn value_of(&mut self, target: &Target) -> Result<Value, Error> {
        let name = match target {
            Target::Local(slot) => {
                let frame = self.frame_around(slot.levels);
                let value = self.state.frames[frame].slots[slot.place].clone();
                return value.ok_or_else(|| self.missing_value_error(frame));
            }
            Target::Name(name) => name,
        };
        if let Some(word) = self.state.words.get(&**name) {
            return Ok(word.clone());
        }
        if self.session.is_older_result(name) {
            self.add_note(Note::new(say!(
                "{:name} is the result before `:undo`: `:redo` has taken back the later ones",
                &**name
            )));
        }
        match self.session.value_of_name(name, self.state.site.span) {
            Err(_) if self.session.is_function(name) && !self.session.knows(name) => {
                let own = self.session.functions().get(name).map(|it| OwnFunction {
                    function: Rc::<Function>::clone(it),
                    frame: 0,
                });
                Ok(self.word(CodeWord::Function((&**name).into(), own)))
            }
            found => found,
        }
    }

    /// A word as a value of the stack.
    pub(super) fn word(&mut self, word: CodeWord) -> Value {
        self.state.has_words = true;
        Value::of_word(word)
    }

    /// Runs an instruction that compares words. Returns `None` if no operand is a word. Refuses every other instruction
    /// with words.
    pub(super) fn words_instruction(&mut self, code: &Code) -> Result<Option<Value>, Error> {
        let count = code.operands();
        let operands = &self.state.stack[self.state.stack.len() - count..];
        if operands.iter().all(|it| it.word().is_none()) {
            return Ok(None);
        }
        if let (Code::Operator(op, 2), [one, other]) = (code, operands)
            && is_equality(op)
        {
            let are_equal = one.word() == other.word();
            let is_true = are_equal == (op.spelling == "==");
            self.state.stack.truncate(self.state.stack.len() - 2);
            let number = f64::from(u8::from(is_true));
            let truth = self.session.graph.constant(number, Spelling::Plain);
            return Ok(Some(truth.into()));
        }
        self.check_operands(count)?;
        unreachable!("an operand is a word");
    }

    /// Refuses a word among the operands of an instruction, which are the last `count` values of the stack.
    pub(super) fn check_operands(&self, count: usize) -> Result<(), Error> {
        for (before_last, value) in self.state.stack.iter().rev().take(count).enumerate() {
            if value.word().is_some() {
                let place = self.operand_span(before_last);
                Session::check_no_words([value], place)?;
            }
        }
        Ok(())
    }

    /// Whether `is None` or `== None` follows the name whose instruction runs. For such a question, a name without a
    /// value counts as `None`.
    pub(super) fn asks_for_none(&self) -> bool {
        let at = self.state.site.at;
        let code = self.typed_code().map(|(_, code)| code.get(at + 1..at + 3));
        let Some(Some([none, operator])) = code else {
            return false;
        };
        matches!(none.code, Code::Word(CodeWord::None))
            && matches!(operator.code, Code::Operator(known, 2) if is_equality(known))
    }

    /// Lets a name of the block stand for a value if the value is a word. Returns whether it is; if it is not, the name
    /// stands for no word any more.
    pub(super) fn bind_if_word(&mut self, name: &str, value: &Value) -> Result<bool, Error> {
        match value.word() {
            None => {
                self.state.words.remove(name);
                return Ok(false);
            }
            // `x = None` also removes the session's value `x`.
            Some(CodeWord::None) => self.session.forget(name),
            Some(_) if self.session.names().find(name).is_some() => {
                let message = format!("`{name}` is a value of the session, and this is none");
                let help = format!("choose another name, as in `{name}_text = 'OK'`");
                return Err(fail_here(message, help));
            }
            Some(_) => {}
        }
        self.state.words.insert(name.into(), value.clone());
        Ok(true)
    }

    /// Refuses to return a function that is defined in the running call: its frame ends with the call.
    pub(super) fn check_returned(&self) -> Result<(), Error> {
        if let Some(CodeWord::Function(name, Some(own))) =
            self.state.stack.last().and_then(Value::word)
            && own.frame == self.state.frames.len() - 1
        {
            let message = format!("`{name}` ends with the call that defines it");
            let help = "return what it computes, or hand it on as an argument";
            return Err(fail_here(message, help));
        }
        Ok(())
    }
}

fn is_equality(op: &Op) -> bool {
    matches!(op.spelling, "==" | "!=")
}
