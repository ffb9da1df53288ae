//! Writes loops: `[E for x in xs]` becomes a function of `x` that the program maps over the items of `xs`.
//!
//! The body is written like the program, once, on columns that have a value for each round. Values that the body takes
//! from outside are parameters of the function, and values that are the same in all rounds stay in the outer loop.

use super::dialect::Dialect;
use super::identifiers::is_identifier;
use super::inline::inline;
use super::writer::{LoopColumn, Phrase, ProgramLoop, Writer};
use crate::session::values::{ListShape, Value};

impl Writer<'_> {
    /// Writes `[E for x in xs]` in each round of a loop, and returns the text of the list. The body becomes a function; a
    /// body that is the same in all rounds becomes a repeated item.
    pub(super) fn write_loop(&mut self, in_loop: usize, column: &LoopColumn) -> Phrase {
        let lists = column.iter().filter_map(Value::list);
        let body: LoopColumn = lists.flat_map(|list| list.items()).collect();
        // All lists of a column have the same shape.
        let rounds = body.len() / column.len();
        let inner = self.loops.len();
        self.loops.push(ProgramLoop {
            outer: in_loop,
            rounds,
            ..ProgramLoop::default()
        });
        self.nested_loops += 1;
        let item = self.write_column(inner, body)?;
        self.nested_loops -= 1;
        let mut written = std::mem::take(&mut self.loops[inner]);
        if written.parameters.is_empty() && written.lines.is_empty() {
            return Ok(self.repeated_text(&item, rounds));
        }
        let arguments = written.arguments.join(", ");
        let parameters = written.parameters.join(", ");
        let function = self.identifiers.of("term");
        self.write_line(in_loop, &format!("def {function}({parameters}):"))?;
        written.lines.push(format!("    return {item}"));
        let lines = inline(written.lines).into_iter();
        let indented = lines.map(|line| format!("    {line}"));
        self.loops[in_loop].lines.extend(indented);
        Ok(match self.dialect {
            _ if arguments.is_empty() => self.repeated_text(&format!("{function}()"), rounds),
            Dialect::Jax => format!("jax.vmap({function})({arguments})"),
            _ => format!("list(map({function}, {arguments}))"),
        })
    }

    /// Writes a column that is the same in all rounds into the outer loop, and returns its text there.
    pub(super) fn write_invariant(&mut self, in_loop: usize, column: &LoopColumn) -> Phrase {
        let ProgramLoop { outer, rounds, .. } = self.loops[in_loop];
        let of_each_outer_round = column.iter().step_by(rounds).cloned();
        self.write_column(outer, of_each_outer_round.collect())
    }

    /// Adds a parameter whose argument is a list of the outer loop, and returns the name of the parameter.
    pub(super) fn write_parameter(&mut self, in_loop: usize, column: &LoopColumn) -> Phrase {
        let outer_column = self.outer_column(in_loop, column);
        let argument = self.write_column(self.loops[in_loop].outer, outer_column)?;
        let variable = Some(&*argument).filter(|text| is_identifier(text));
        let name = self.identifiers.of(variable.unwrap_or("item"));
        self.loops[in_loop].parameters.push(name.clone());
        self.loops[in_loop].arguments.push(argument);
        Ok(name)
    }

    /// Returns the column of the outer loop whose lists have the values of all rounds.
    pub(super) fn outer_column(&self, in_loop: usize, column: &LoopColumn) -> LoopColumn {
        let rounds = self.loops[in_loop].rounds;
        let shape = ListShape::rows(rounds, column[0].shape().clone());
        let list_of_rounds = |values: &[Value]| {
            let nodes = values.iter().flat_map(Value::nodes).cloned();
            Value::of_shape(nodes.collect(), &shape)
        };
        column.chunks(rounds).map(list_of_rounds).collect()
    }
}
