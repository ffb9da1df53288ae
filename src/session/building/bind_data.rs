//! Data: binds names to lists of frozen leaves, whose numbers come from outside the language.
//!
//! The shell reads the numbers, and `:data` binds them.

use std::rc::Rc;

use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::save;
use crate::session::values::{ListShape, Value};
use chainrule_engine::graph::Node;
use chainrule_language::Span;
use chainrule_report::{Calendar, Note};

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
            return Err(error::no_numbers_left(span, self.graph.last_id()));
        }
        let rows = numbers.len() / width;
        // A single name takes the rows as they are.
        let (columns, row) = match names {
            [_] if width > 1 => (1, ListShape::rows(width, ListShape::NUMBER)),
            _ => (width, ListShape::NUMBER),
        };
        let shape = ListShape::rows(rows, row);
        let column = |at| {
            let cells = numbers.iter().skip(at).step_by(columns);
            let leaves = cells.map(|&data| self.graph.leaf(data, true));
            Value::of_shape(leaves.collect(), &shape)
        };
        let values: Vec<Value> = (0..columns).map(column).collect();
        let list = |(name, value): (&String, &Value)| {
            format!("const {name} = {};\n", save::numbers_text(value))
        };
        self.keep_as(names.iter().zip(&values).map(list).collect::<String>());
        let mut notes = Vec::new();
        let rebound_next = |name: &str| names.iter().any(|next| next == name);
        for (name, value) in names.iter().zip(&values) {
            let id = self.names_mut().intern(name);
            notes.extend(self.bind_name(id, value, &rebound_next));
        }
        Ok(notes)
    }

    /// Keeps the heading of the column that a list of this name was read from, and what its dates count from.
    pub fn keep_heading(&mut self, name: &str, heading: &str, dates: Option<Calendar>) {
        let first = self
            .names
            .find(name)
            .and_then(|list| list.nodes().first().cloned());
        if let Some(first) = first {
            self.names_mut()
                .headings
                .set(&first, (Rc::from(heading), dates));
        }
    }

    /// The heading of the column that a list was read from: `t [s]`.
    pub fn heading(&self, list: &[Rc<Node>]) -> Option<&str> {
        self.names
            .headings
            .of(list.first()?)
            .map(|(heading, _)| &**heading)
    }

    /// What the dates of the column count from that a list was read from.
    pub fn dates(&self, list: &[Rc<Node>]) -> Option<Calendar> {
        self.names.headings.of(list.first()?)?.1
    }
}
