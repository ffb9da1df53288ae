//! Runs the rounds of loops: `for` in an expression, `for` and `while` in a block.

use std::rc::Rc;

use super::frames::{BlockLoop, ExpressionLoop, Frame};
use super::machine::{Event, Machine, NextRound};
use crate::derive::uses_all;
use crate::error::{self, Error, fail_here};
use crate::functions::{AnyValue, Code, Instruction, Variable};
use crate::lists::list_of;
use crate::values::{List, Maker, Value};
use chainrule_report::count_text;

impl Machine<'_, '_> {
    /// Begins a `for` in an expression over the list on the stack. The body has `length` instructions. For an empty
    /// list and for a column, skips the body and returns the list.
    pub(super) fn begin_expression_loop(
        &mut self,
        variables: &Rc<[Rc<str>]>,
        length: usize,
    ) -> Result<(), Error> {
        let Value::List(list) = self.pop_value(0)? else {
            let help = "over the numbers up to 3: `… for k in 1..3`";
            return Err(loop_over_number_error(help));
        };
        let whole = if list.count() == 0 {
            Some(list_of(Vec::new(), self.limits())?)
        } else {
            self.column(&list, variables, length)
        };
        let frame = self.state.frames.last_mut();
        let frame = frame.expect("it runs the instruction");
        if let Some(value) = whole {
            frame.at += length;
            self.state.stack.push(value.into());
            return Ok(());
        }
        frame.expression_loops.push(ExpressionLoop {
            list,
            next_item: 0,
            variables: Rc::clone(variables),
            newest_before: self.session.program().graph.last_id(),
            has_item: false,
            start: frame.at,
            height: self.state.stack.len(),
            result_size: 0,
        });
        begin_expression_round(frame)
    }

    /// The value of `[p[0] for p in table]`, by which a network takes its weights. Needs no round for each row. `None` for
    /// any other loop, and if a row has no such item.
    fn column(
        &mut self,
        table: &Rc<List>,
        variables: &Rc<[Rc<str>]>,
        length: usize,
    ) -> Option<Value> {
        let frame = self.state.frames.last()?;
        let start = frame.at;
        let body = frame.code(self.state.code).get(start..start + length)?;
        let [get, number, index, _] = body else {
            return None;
        };
        let (Code::Get(Variable::Local(slot)), Code::Number(position, spelling), Code::Index) =
            (&get.code, &number.code, &index.code)
        else {
            return None;
        };
        let takes_item = slot.levels == 0 && slot.place == frame.slots.len();
        if !takes_item || variables.len() > 1 || position.fract() != 0.0 {
            return None;
        }
        let column = table.column(table.shape().row()?.place_of(*position)?)?;
        let newest_before = self.session.program().graph.last_id();
        let (row, item) = (table.item(0)?, column.item(0)?);
        let over = uses_all(&item, &[row], newest_before).then(|| Value::List(Rc::clone(table)));
        self.literal(start + 1, *position, *spelling);
        let maker = Maker::Each(Rc::clone(variables));
        Some(Value::from(column).with_origin(maker, over.into_iter().collect()))
    }

    /// Ends a round of a `for` in an expression, and begins the next one. After the last round, the list of all values
    /// is on the stack.
    pub(super) fn end_expression_round(&mut self) -> Result<(), Error> {
        self.check_operands(1)?;
        let last = self.state.stack.last().and_then(AnyValue::numbers);
        let result = last.expect("a round leaves its value");
        let most_numbers = self.limits().list_numbers;
        let frame = self.state.frames.last_mut();
        let frame = frame.expect("it runs the instruction");
        let running = frame.expression_loops.last_mut().expect("a loop runs");
        running.result_size += result.shape().size();
        if running.result_size > most_numbers {
            return Err(error::list_too_long(most_numbers));
        }
        let outer_slots = frame.slots.len() - running.variables.len();
        // All rounds run the same body, so the first one tells whether their values depend on the items.
        if running.next_item == 1 {
            let variables = frame.slots[outer_slots..].iter().flatten();
            let numbers = variables.filter_map(AnyValue::numbers);
            let item: Vec<Value> = numbers.cloned().collect();
            running.has_item = uses_all(result, &item, running.newest_before);
        }
        frame.slots.truncate(outer_slots);
        if running.next_item < running.list.count() {
            return begin_expression_round(frame);
        }
        let count = self.state.stack.len() - running.height;
        let ended = frame.expression_loops.pop().expect("it has just ended");
        if frame.expression_loops.is_empty() {
            frame.literals.clear();
        }
        let over = ended.has_item.then_some(Value::List(ended.list));
        let maker = Maker::Each(ended.variables);
        let items = self.pop_values(count)?;
        let list = list_of(items, self.limits())?;
        let whole = list.with_origin(maker, over.into_iter().collect());
        self.state.stack.push(whole.into());
        Ok(())
    }

    /// Begins a loop over the list on the stack.
    pub(super) fn begin_list_loop(&mut self) -> Result<(), Error> {
        let mut value = self.pop_value(0)?;
        if self.state.frames.len() == 1 {
            value = self.guard(value, self.state.site.span);
        }
        let Value::List(list) = value else {
            let typed = self.typed_text();
            let help = format!("over as many numbers: `for k in range({typed}): …`");
            return Err(loop_over_number_error(help));
        };
        let frame = self.state.frames.last_mut().expect("it runs");
        frame.block_loops.push(BlockLoop {
            list: Some(list),
            rounds_begun: 0,
        });
        Ok(())
    }

    /// Begins the round for the next item of a list, or goes to the end of the loop after the last one.
    pub(super) fn begin_next_round(&mut self, end: usize) -> Result<(), Error> {
        let frame = self.state.frames.last_mut().expect("it runs");
        let running = frame.block_loops.last().expect("a loop runs");
        if running.rounds_begun < running.list().count() {
            return self.begin_block_round();
        }
        frame.at = end;
        Ok(())
    }

    /// Binds the item of the round that has begun.
    pub(super) fn bind_item(&mut self, targets: &[Variable]) -> Result<(), Error> {
        let frame = self.state.frames.last().expect("it runs");
        let running = frame.block_loops.last().expect("a loop runs");
        let at = running.rounds_begun - 1;
        if let [only] = targets {
            let item = running.list().item(at);
            self.bind_variable(only, item.expect("the rounds end with the items"));
            return Ok(());
        }
        let parts = parts_of_item(running.list(), at, targets.len())?;
        for (target, part) in targets.iter().zip(parts.items()) {
            self.bind_variable(target, part);
        }
        Ok(())
    }

    /// Begins a round of the innermost loop.
    pub(super) fn begin_block_round(&mut self) -> Result<(), Error> {
        let is_outermost = self.is_in_outermost_loop();
        let frame = self.state.frames.last_mut().expect("it runs");
        let running = frame.block_loops.last_mut().expect("a loop runs");
        if is_outermost {
            self.state.event = Some(Event::Round(NextRound {
                done: running.rounds_begun,
                total: running.list.as_ref().map(|list| list.count()),
                head: self.state.site.span,
                end: end_of_loop(self.state.code, self.state.site.at),
            }));
        } else if running.rounds_begun > 0 {
            self.session.end_inner_round();
        }
        running.rounds_begun += 1;
        self.state.record.rounds += 1;
        let most = self.limits().rounds;
        if self.state.record.rounds > most {
            let most = count_text(most);
            let message = format!("a statement has at most {most} rounds");
            return Err(fail_here(message, "do a part of them in each statement"));
        }
        Ok(())
    }

    /// Ends the innermost loop of the block.
    pub(super) fn end_block_loop(&mut self) {
        let is_outermost = self.is_in_outermost_loop();
        let frame = self.state.frames.last_mut().expect("it runs");
        frame.block_loops.pop();
        if is_outermost {
            self.state.event = Some(Event::LoopEnded);
        }
    }

    /// Whether the innermost loop is one of the statement itself, and in no other loop.
    fn is_in_outermost_loop(&self) -> bool {
        let frames = &self.state.frames;
        frames.len() == 1 && frames[0].block_loops.len() == 1
    }
}

/// Sets the variables of the innermost `for` in an expression to its next item, and goes to the beginning of its body.
fn begin_expression_round(frame: &mut Frame) -> Result<(), Error> {
    let running = frame.expression_loops.last_mut().expect("a loop runs");
    let at = running.next_item;
    running.next_item += 1;
    frame.at = running.start;
    if running.variables.len() == 1 {
        let next = running.list.item(at);
        let item = next.expect("the rounds end with the items");
        frame.slots.push(Some(item.into()));
    } else {
        let parts = parts_of_item(&running.list, at, running.variables.len())?;
        let slots = parts.items().map(|value| Some(value.into()));
        frame.slots.extend(slots);
    }
    Ok(())
}

/// The end of the text of the loop whose next round begins at this instruction. The instruction is `Next`, or the one
/// after the `JumpUnless` of a `while`; both know the end of the loop.
fn end_of_loop(code: &[Instruction], at: usize) -> u32 {
    let next_after = match (&code[at].code, &code[at - 1].code) {
        (Code::Next(after), _) | (_, Code::JumpUnless(after)) => *after,
        _ => at + 1,
    };
    let ends = code[at..next_after].iter().map(|it| it.span.end);
    ends.max().unwrap_or_default()
}

/// The list of the values that the item at `at` gives to the `count` names after a `for`.
fn parts_of_item(list: &List, at: usize, count: usize) -> Result<List, Error> {
    let inner = list.inner_list(at);
    if let Some(parts) = inner.filter(|parts| parts.count() == count) {
        return Ok(parts);
    }
    let item = list.item(at).expect("the rounds end with the items");
    let message = format!("`for` has {count} names, and an item is {}", item.shape());
    let help = "one name takes the whole item; `zip(LIST, LIST)` makes pairs";
    Err(fail_here(message, help))
}

/// The error for a loop over a number.
fn loop_over_number_error(help: impl Into<String>) -> Error {
    fail_here("`for` goes over a list, and this is a number", help)
}
