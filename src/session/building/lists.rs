//! Lists in expressions: lists of items, items of lists, ranges, and operations item by item.
//!
//! Only numbers become nodes. An operation on lists is applied to the first numbers of its operands, then to the second
//! ones, and so on; a single number is combined with every item.

use std::rc::Rc;

use super::builder::{LIST_NUMBERS, STATEMENT_NODES};
use crate::session::Session;
use crate::session::error::{self, Error, fail};
use crate::session::values::{LIST_DEPTH, List, ListShape, Maker, Value};
use chainrule_engine::graph::{Node, Spelling};
use chainrule_engine::ops::{Op, Rule};
use chainrule_language::{self as language, Span};
use chainrule_stop as stop;

/// `[a, b]`
pub(crate) fn list_of(items: Vec<Value>, span: Span) -> Result<Value, Error> {
    let numbers = items.iter().map(|item| item.shape().size()).sum();
    list_of_numbers(numbers, || List::from_items(items).into(), span)
}

/// The list that `make` makes; an error if it has more numbers than a list may hold.
pub(crate) fn list_of_numbers(
    numbers: usize,
    make: impl FnOnce() -> Value,
    span: Span,
) -> Result<Value, Error> {
    if numbers > LIST_NUMBERS {
        return Err(error::list_too_long(span));
    }
    stop::check_before(numbers);
    let list = make();
    if list.shape().depth() > LIST_DEPTH {
        // Brackets, or `a = [a]` again and again.
        let message = format!("lists are nested at most {LIST_DEPTH} deep");
        return Err(fail(span, message, "`flat(v)` is all numbers as one list"));
    }
    Ok(list)
}

/// `w[2]`, `w[[3, 1]]`. `site` says what was typed for the list, and where the position stands.
pub(crate) fn item_of<'t>(
    value: &Value,
    position: &Value,
    is_condition: bool,
    site: &dyn Fn() -> (&'t str, Span),
) -> Result<Value, Error> {
    let Value::List(list) = value else {
        let help = "a list is written `[1, 2, 3]`; a product is written with `*`";
        return Err(fail(site().1, "a number has no items", help));
    };
    if is_condition {
        let message = "an item is chosen by its position, not by a condition";
        return Err(fail(site().1, message, "`if(w > 0, w, 0)` keeps the shape"));
    }
    let item = |node: &Rc<Node>| {
        let (number, count) = (node.data(), list.count());
        let is_position = number >= 1.0 && number.fract() == 0.0;
        let item = is_position.then(|| list.item(number as usize - 1));
        item.flatten().ok_or_else(|| {
            let literal = language::literal(number, false);
            let message = if number == 0.0 {
                "items are counted from 1".to_string()
            } else if number.fract() == 0.0 {
                format!("there is no item {literal} of {count}")
            } else {
                format!("a position is a whole number, and this is {literal}")
            };
            let (typed, place) = site();
            let list = if language::is_name(typed) { typed } else { "w" };
            let help = format!("the first is `{list}[1]`, the last `{list}[{count}]`");
            fail(place, message, help)
        })
    };
    match position {
        Value::Node(node) => item(node),
        Value::List(positions) if positions.shape().depth() == 1 => {
            let items: Result<Vec<Value>, Error> = positions.nodes().iter().map(item).collect();
            list_of(items?, site().1)
        }
        Value::List(positions) => {
            let message = format!("positions are one list, and this is {}", positions.shape());
            let help = "several items are `w[[3, 1]]` or `w[2..3]`";
            Err(fail(site().1, message, help))
        }
    }
}

impl Session {
    /// `A..B`
    pub(crate) fn range(&mut self, start: &Value, end: &Value, span: Span) -> Result<Value, Error> {
        let whole = |value: &Value| {
            let Value::Node(node) = value else {
                let shape = value.shape();
                let message =
                    format!("a range goes from a number to a number, and this is {shape}");
                let help = "up to the length of a list: `1..len(w)`";
                return Err(fail(span, message, help));
            };
            let number = node.data();
            if number.fract() != 0.0 || number.abs() > MAX_WHOLE {
                let number = language::literal(number, false);
                let message =
                    format!("a range goes from one whole number to another, and this is {number}");
                let help = "other grids are computed from a range: `(0..10)/10`";
                return Err(fail(span, message, help));
            }
            Ok(number)
        };
        let (start, end) = (whole(start)?, whole(end)?);
        if start > end {
            let message = format!("a range counts up, and {start} is more than {end}");
            let turned = format!("{end}..{start}");
            let help = format!("`{turned}`, or backwards `{start} + {end} - ({turned})`");
            return Err(fail(span, message, help));
        }
        let count = (end - start) as usize + 1;
        self.check_room(count, span)?;
        let number = |at| {
            stop::ask(at);
            self.graph.constant(start + at as f64, Spelling::Plain)
        };
        let nodes: Vec<Rc<Node>> = (0..count).map(number).collect();
        let ends = [&nodes[0], &nodes[count - 1]].map(|end| Rc::clone(end).into());
        let shape = ListShape::rows(count, ListShape::NUMBER);
        Ok(Value::of_shape(nodes, &shape).with_origin(Maker::Range, ends.into()))
    }

    /// An operation on the last `count` values of a stack, which are taken from it.
    pub(crate) fn operation_on(
        &mut self,
        op: &'static Op,
        stack: &mut Vec<Value>,
        count: usize,
        span: Span,
    ) -> Result<Value, Error> {
        let first = stack.len() - count;
        if stack[first..].iter().any(|value| value.node().is_none()) {
            let operands = stack.split_off(first);
            return self.item_by_item(op, &operands, span);
        }
        let mut nodes = stack.drain(first..).filter_map(|value| match value {
            Value::Node(node) => Some(node),
            Value::List(_) => None,
        });
        let mut next = || nodes.next().expect("all operands are numbers");
        Ok(Value::Node(match count {
            1 => self.graph.apply_1(op, next()),
            2 => {
                let x = next();
                self.graph.apply_2(op, x, next())
            }
            _ => {
                let operands: Vec<Rc<Node>> = nodes.collect();
                self.graph.apply_many(op, Rc::new(operands.into()))
            }
        }))
    }

    /// An operation on numbers or lists.
    pub(crate) fn operation(
        &mut self,
        op: &'static Op,
        mut operands: Vec<Value>,
        span: Span,
    ) -> Result<Value, Error> {
        let count = operands.len();
        self.operation_on(op, &mut operands, count, span)
    }

    /// A list of constants.
    pub(crate) fn constants(&mut self, numbers: &[f64]) -> Value {
        let each = numbers.iter();
        let each = each.map(|&number| self.graph.constant(number, Spelling::Plain).into());
        List::from_items(each.collect()).into()
    }

    /// An operation on operands of which at least one is a list.
    fn item_by_item(
        &mut self,
        op: &'static Op,
        operands: &[Value],
        span: Span,
    ) -> Result<Value, Error> {
        if let ([Value::List(list)], Rule::Many { .. }) = (operands, op.rule) {
            return self.reduce(op, list, span);
        }
        let shape = common_shape(op, operands, span)?;
        let count = shape.size();
        self.check_room(count, span)?;
        let mut nodes = Vec::with_capacity(count);
        let mut taken: Vec<Rc<Node>> = Vec::with_capacity(operands.len());
        for at in 0..count {
            stop::ask(at);
            taken.clear();
            taken.extend(operands.iter().map(|operand| match operand {
                Value::Node(node) => Rc::clone(node),
                Value::List(list) => Rc::clone(&list.nodes()[at]),
            }));
            nodes.push(self.graph.apply(op, &taken));
        }
        Ok(Value::of_shape(nodes, &shape).with_origin(Maker::Operation(op), operands.to_vec()))
    }

    /// `sum(w)`: one operation on all items of a list. If the items are lists of one shape, the result is such a list.
    fn reduce(&mut self, op: &'static Op, list: &Rc<List>, span: Span) -> Result<Value, Error> {
        let row = list.shape().row().filter(|row| row.lengths().is_some());
        let row = row.ok_or_else(|| ragged_error(op, list.shape(), span))?;
        let (size, nodes) = (row.size(), list.nodes());
        self.check_room(size, span)?;
        stop::check_before(nodes.len());
        if let (Some(array), true) = (list.array(), row.is_number()) {
            return Ok(self.graph.apply_many(op, Rc::clone(array)).into());
        }
        let mut made = Vec::with_capacity(size);
        for at in 0..size {
            stop::ask(at);
            let operands: Vec<Rc<Node>> = nodes[at..].iter().step_by(size).cloned().collect();
            made.push(self.graph.apply_many(op, Rc::new(operands.into())));
        }
        let list = Value::List(Rc::clone(list));
        Ok(Value::of_shape(made, row).with_origin(Maker::Operation(op), vec![list]))
    }

    /// An error if the statement may not make `count` further nodes.
    fn check_room(&self, count: usize, span: Span) -> Result<(), Error> {
        let made = (self.graph.last_id() - self.started) as usize;
        if made + count > STATEMENT_NODES as usize {
            return Err(error::too_many_nodes(span, "statement", STATEMENT_NODES));
        }
        stop::check_before(count);
        Ok(())
    }
}

/// The largest whole number below which all whole numbers are exact.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// The shape of the lists among the operands, which must be the same and regular.
fn common_shape(op: &'static Op, operands: &[Value], span: Span) -> Result<ListShape, Error> {
    let mut lists = operands.iter().filter(|value| value.node().is_none());
    let first = lists.next().map_or(&ListShape::NUMBER, Value::shape);
    if let Some(other) = lists.find(|list| list.shape() != first) {
        let (sign, other) = (op.spelling, other.shape());
        let message = format!("`{sign}` works item by item: {first} and {other} do not match");
        let help = match sign {
            "*" if first.depth() != other.depth() => "rows times a list is `dot(W, x)`",
            _ => {
                "both sides are lists of one shape, or one is a number; row by row: `[row + x for row in W]`"
            }
        };
        return Err(fail(span, message, help));
    }
    if first.lengths().is_none() {
        return Err(ragged_error(op, first, span));
    }
    Ok(first.clone())
}

/// `[[1, 2], 3] + 1`, `sum([[1, 2], [3]])`
fn ragged_error(op: &'static Op, shape: &ListShape, span: Span) -> Error {
    let sign = op.spelling;
    let message = format!("`{sign}` needs items of one shape, and this is {shape}");
    let help = "all numbers as one list: `flat(v)`; item by item: `[f(x) for x in v]`";
    fail(span, message, help)
}
