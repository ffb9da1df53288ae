//! Texts and functions as what names of blocks and functions stand for. They are compared, printed and passed on, and
//! everything else refuses them. None is a value of the session.

use std::rc::Rc;

use super::machine::Machine;
use crate::session::error::{Error, fail, word_error};
use crate::session::functions::Code;
use crate::session::values::{CodeWord, Value};
use chainrule_engine::graph::Spelling;
use chainrule_language::Span;

impl Machine<'_> {
    /// Runs an instruction that takes words; none for any other. Refuses one that would make something else of a word.
    pub(super) fn words_instruction(
        &mut self,
        code: &Code,
        span: Span,
    ) -> Result<Option<Value>, Error> {
        if let Code::Name(name) = code {
            return Ok(self.words.get(&**name).cloned());
        }
        let count = code.operands();
        let Some(word) = self.first_word(count) else {
            return Ok(None);
        };
        let Code::Operator(operator, 2) = code else {
            return Err(word_error(Some(word), span));
        };
        let [one, other] = &self.stack[self.stack.len() - 2..] else {
            return Ok(None);
        };
        let holds = match operator.spelling {
            "==" => one.word() == other.word(),
            "!=" => one.word() != other.word(),
            _ => return Err(word_error(Some(word), span)),
        };
        self.stack.truncate(self.stack.len() - 2);
        let holds = self
            .session
            .graph
            .constant(f64::from(u8::from(holds)), Spelling::Plain);
        Ok(Some(holds.into()))
    }

    /// The first word among the last values of the stack.
    pub(super) fn first_word(&self, count: usize) -> Option<&CodeWord> {
        let operands = &self.stack[self.stack.len() - count.min(self.stack.len())..];
        operands.iter().find_map(Value::word)
    }

    /// Lets a name of the block stand for a word, if the value is one.
    pub(super) fn binds_word(
        &mut self,
        name: &Rc<str>,
        value: &Value,
        span: Span,
    ) -> Result<bool, Error> {
        if value.word().is_none() {
            self.words.remove(name);
            return Ok(false);
        }
        if self.session.names().find(name).is_some() {
            let message = format!("`{name}` is a value of the session, and this is none");
            let help = format!("choose another name, as in `{name}_text = 'OK'`");
            return Err(fail(span, message, help));
        }
        self.words.insert(Rc::clone(name), value.clone());
        Ok(true)
    }
}
