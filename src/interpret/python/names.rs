//! What the names in a line of Python mean: the user's own, the calculator's, those of modules.

use super::arguments::MODULES;
use super::line::Foreign;
use super::translate::is_lambda;
use crate::ops;
use crate::session::values::Value;

impl Foreign<'_> {
    /// Has the user defined this name, or the function whose body it is?
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.session.names().find(name).is_some()
            || self.session.functions().get(name).is_some()
            || self.is_local(name)
    }

    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.is_some_and(|locals| locals.contains(&name))
    }

    /// Is it one of the calculator's functions or constants?
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.session.is_function(name) || ops::constant(name).is_some()
    }

    /// Can nothing but Python be meant, so that positions count from 0?
    pub(super) fn is_python(&self) -> bool {
        let mut python = self.locals.is_some() || is_lambda(self.line);
        for (at, word) in self.words() {
            let rest = &self.line[at + word.len()..];
            python |= MODULES.contains(&word) && rest.starts_with('.') && !self.is_taken(word)
                // `a if c else b`, but not `if (c) a else b`.
                || word == "else" && self.first() != Some("if")
                || word == "range" && rest.starts_with('(') && !self.session.is_function(word);
        }
        python
    }

    /// Can a name be that of a list of lists?
    pub(super) fn may_be_nested(&self, name: &str) -> bool {
        match self.session.names().find(name) {
            _ if self.is_local(name) => true,
            Some(Value::List(list)) => {
                matches!(list.items().next(), Some(Value::List(_)))
            }
            _ => false,
        }
    }
}
