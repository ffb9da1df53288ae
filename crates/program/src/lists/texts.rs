//! Applies texts of the program to values.

use crate::error::Error;
use crate::program::Program;
use crate::texts::{TextItem, value_of_text};
use crate::values::Value;
use chainrule_engine::graph::Spelling;

impl Program {
    /// The value of a text in which the names stand for these values.
    pub(crate) fn apply_text(
        &mut self,
        text: &'static str,
        names: &[(&str, &Value)],
    ) -> Result<Value, Error> {
        let named = |name| names.iter().find(|(known, _)| *known == name);
        value_of_text(text, |part| match part {
            TextItem::Number(number) => Ok(self.graph.constant(number, Spelling::Plain).into()),
            TextItem::Name(name) => Ok(named(name).expect("all names are given").1.clone()),
            TextItem::Operation(op, operands) => self.operation(op, operands),
        })
    }
}
