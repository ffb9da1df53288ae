//! Data: binds names to lists of frozen leaves, whose numbers come from outside the language.
//!
//! Where the numbers come from is the business of the shell.

use crate::report::Note;
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::kept;
use crate::session::values::{ListShape, Value};
use crate::syntax::Span;

impl Session {
    /// Binds names to a table of numbers, given row by row: each to a column, or a single one to the list of the rows
    /// if a row has several numbers. Returns notes about what a rebinding breaks.
    pub fn bind_data(
        &mut self,
        span: Span,
        names: &[String],
        numbers: &[f64],
        width: usize,
    ) -> Result<Vec<Note>, Error> {
        if self.graph.numbers_left() as usize <= numbers.len() {
            return Err(error::no_numbers_left(span, self.graph.made()));
        }
        let rows = numbers.len() / width;
        let values: Vec<Value> = match names {
            [_] if width > 1 => {
                let leaves = numbers.iter().map(|&data| self.graph.leaf(data, true));
                let row = ListShape::rows(width, ListShape::NUMBER);
                vec![Value::shaped(leaves.collect(), &ListShape::rows(rows, row))]
            }
            _ => {
                let column = |at| {
                    let cells = numbers.iter().skip(at).step_by(width);
                    let leaves = cells.map(|&data| self.graph.leaf(data, true)).collect();
                    Value::shaped(leaves, &ListShape::rows(rows, ListShape::NUMBER))
                };
                (0..width).map(column).collect()
            }
        };
        let list = |(name, value): (&String, &Value)| {
            format!("const {name} = {};\n", kept::numbers(value))
        };
        self.keep_as(names.iter().zip(&values).map(list).collect::<String>());
        let mut notes = Vec::new();
        let rebound_next = |name: &str| names.iter().any(|next| next == name);
        for (name, value) in names.iter().zip(&values) {
            let id = self.names.intern(name);
            notes.extend(self.rename(id, value, &rebound_next));
        }
        Ok(notes)
    }
}
