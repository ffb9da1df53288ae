//! Runs equations: `solve(F = G, y)`. The sides are built once, on a leaf that stands for the unknown.

use std::rc::Rc;

use super::frames::OpenEquation;
use super::machine::Machine;
use crate::error::{Error, fail, fail_here};
use crate::faults::no_solution_line;
use crate::values::Value;
use chainrule_engine::graph::structure::depends_on;
use chainrule_engine::graph::{Body, Node, is_at_fault};
use chainrule_report::Note;

/// The most equations within one another. Each multiplies the time of the search.
const MOST_NESTED: usize = 16;

impl Machine<'_, '_> {
    /// Begins an equation. The `count` numbers on the stack tell where the search for its solution begins.
    pub(super) fn begin_equation(&mut self, letter: &Rc<str>, count: usize) -> Result<(), Error> {
        let numbers = self.pop_values(count)?;
        let mut data = Vec::new();
        for (value, before_last) in numbers.iter().zip((0..count).rev()) {
            let is_start = |it: &&Rc<Node>| !it.varies() && it.data().is_finite();
            let Some(number) = value.node().filter(is_start) else {
                // The solution would not follow it.
                let message = "the search begins at a plain number, which never changes";
                let help =
                    "as in `solve(y^2 = 2, y, 1)`, or in a range, `solve(y^2 = 2, y, 0..10)`";
                return Err(fail(self.operand_span(before_last), message, help));
            };
            data.push(number.data());
        }
        let first = data.first().copied().unwrap_or(1.0);
        let unknown = self.session.program_mut().graph.leaf(first, true);
        let frame = self.state.frames.last_mut().expect("it runs");
        frame
            .slots
            .push(Some(Value::from(Rc::clone(&unknown)).into()));
        frame.equations.push(OpenEquation {
            unknown,
            letter: Rc::clone(letter),
            start: data.into(),
            read_before: self.state.record.read.len(),
        });
        Ok(())
    }

    /// Ends an equation. Returns the node of its solution, or one for each item if its sides are lists.
    pub(super) fn end_equation(&mut self) -> Result<Value, Error> {
        let difference = self.pop_value(0)?;
        let frame = self.state.frames.last_mut().expect("it runs");
        let open = frame.equations.pop().expect("an equation runs");
        frame.slots.pop();
        let read = self.state.record.read.get(open.read_before..);
        let mut guards = read.unwrap_or_default().iter();
        if guards.any(|guard| depends_on(&guard.node, &open.unknown)) {
            let message = format!(
                "the equation cannot read the number of its unknown `{}`, which is not known yet",
                open.letter
            );
            let help = "a condition on it is one node with both branches: `if(c, a, b)`";
            return Err(fail_here(message, help));
        }
        let mut solutions = Vec::new();
        for root in difference.nodes() {
            solutions.push(self.solution(root, &open)?);
        }
        Ok(Value::of_shape(solutions, difference.shape()))
    }

    /// The node of the solution of an equation whose sides have this difference.
    fn solution(&mut self, root: &Rc<Node>, open: &OpenEquation) -> Result<Rc<Node>, Error> {
        let OpenEquation {
            unknown,
            letter,
            start,
            ..
        } = open;
        let program = self.session.program_mut();
        let graph = &mut program.graph;
        let cut = Body::cut(
            graph,
            root,
            Rc::clone(unknown),
            Rc::clone(letter),
            start.clone(),
        );
        let Some((body, operands)) = cut else {
            let message = format!("no side of the equation has the letter `{letter}`");
            let help = "the letter after the equation is its unknown, as in `solve(y^2 = 2, y)`";
            return Err(fail_here(message, help));
        };
        if body.depth > MOST_NESTED {
            let message = format!("at most {MOST_NESTED} equations are within one another");
            let help = "at each step of a search, the equation within is solved";
            return Err(fail_here(message, help));
        }
        let node = program.graph.carry(Rc::clone(&body) as _, operands);
        if is_at_fault(&node) {
            self.note_fault(Some(Rc::clone(&node)), None);
        } else if !node.varies() && node.data().is_nan() {
            self.add_note(Note::new(no_solution_line(&body, &[])).as_fault());
        }
        Ok(node)
    }
}
