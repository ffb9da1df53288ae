//! Data: binds names to lists of frozen leaves, whose numbers come from outside the language.
//!
//! The shell reads the numbers, and `:data` binds them.

use std::rc::Rc;

use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::naming::Heading;
use crate::session::save;
use crate::session::values::{ListShape, Value};
use chainrule_engine::graph::Node;
use chainrule_language::Span;
use chainrule_report::Note;

impl Session {
    /// Binds names to a table of numbers, given row by row: each to a column, or a single one to the list of the rows
    /// if a row has several numbers. Returns notes about what a rebinding breaks.
    pub fn bind_data(
        &mut self,
        span: Span,
        names: &[String],
        headings: Vec<Option<Heading>>,
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
        let mut headings = headings;
        headings.resize(names.len(), None);
        self.save_instead(data_statement(names, &headings, &values));
        let mut notes = Vec::new();
        let rebound_next = |name: &str| names.iter().any(|next| next == name);
        for (name, value) in names.iter().zip(&values) {
            let id = self.names_mut().intern(name);
            notes.extend(self.bind_name(id, value, &rebound_next));
        }
        for (value, heading) in values.iter().zip(headings) {
            if let Some(heading) = heading {
                self.give_heading(value.nodes(), heading);
            }
        }
        Ok(notes)
    }

    /// Gives a list its heading.
    pub(super) fn give_heading(&mut self, list: &[Rc<Node>], heading: Heading) {
        if let Some(first) = list.first() {
            self.names_mut().headings.set(first, heading);
        }
    }

    /// The heading of a list: `t [s]`.
    pub fn heading(&self, list: &[Rc<Node>]) -> Option<&Heading> {
        self.names.headings.of(list.first()?)
    }
}

/// `const t "t [s]", y = [0, 1], [2, 5];`: the statement that binds data.
fn data_statement(names: &[String], headings: &[Option<Heading>], values: &[Value]) -> String {
    let target = |(name, heading): (&String, &Option<Heading>)| match heading {
        Some(heading) => format!("{name} {}", heading.statement_text()),
        None => name.clone(),
    };
    let targets: Vec<String> = names.iter().zip(headings).map(target).collect();
    let lists: Vec<String> = values.iter().map(save::numbers_text).collect();
    let length: usize = lists.iter().map(String::len).sum();
    let separator = if length > save::LINE_WIDTH {
        ",\n    "
    } else {
        ", "
    };
    format!(
        "const {} = {};\n",
        targets.join(", "),
        lists.join(separator)
    )
}
