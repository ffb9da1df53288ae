//! Computes the values of lists in expressions: lists of items, items of lists, ranges, and operations item by item.
//!
//! Only numbers become nodes. An operation on lists combines the first numbers of its operands, then the second
//! numbers, and so on. A single number is combined with every item.

use std::rc::Rc;

use crate::error::{self, Error, fail, fail_here};
use crate::limits::{LIST_DEPTH, Limits, MAX_WHOLE};
use crate::program::Program;
use crate::values::{List, ListShape, Maker, Value, compares};
use chainrule_engine::graph::{Node, Spelling};
use chainrule_engine::ops::{Op, Rule};
use chainrule_language::{self as language, Span};
use chainrule_stop as stop;

/// The list `[a, b]` of these items.
pub fn list_of(items: Vec<Value>, limits: &Limits) -> Result<Value, Error> {
    check_length(items.iter().map(|item| item.shape().size()).sum(), limits)?;
    let list = List::from_items(items);
    check_depth(list.shape())?;
    Ok(list.into())
}

/// Refuses a list that is too long or too deep.
pub fn check_list(shape: &ListShape, limits: &Limits) -> Result<(), Error> {
    check_length(shape.size(), limits)?;
    check_depth(shape)
}

/// Refuses more numbers than a list may hold.
fn check_length(numbers: usize, limits: &Limits) -> Result<(), Error> {
    if numbers > limits.list_numbers {
        return Err(error::list_too_long(limits.list_numbers));
    }
    stop::check_before(numbers);
    Ok(())
}

/// Refuses a list that is nested too deep: by brackets, or by repeating `a = [a]`.
fn check_depth(shape: &ListShape) -> Result<(), Error> {
    if shape.depth() > LIST_DEPTH {
        let message = format!("lists are nested at most {LIST_DEPTH} deep");
        return Err(fail_here(
            message,
            "`flat(LIST)` is all numbers as one list",
        ));
    }
    Ok(())
}

/// Returns the text of an indexed list and the span of its positions, for errors. The text is empty unless the list has
/// a name.
type IndexSite<'s, 't> = &'s dyn Fn() -> (&'t str, Span);

/// The value of `w[2]` or `w[[3, 1]]`.
pub(crate) fn item_of(
    value: &Value,
    position: &Value,
    limits: &Limits,
    site: IndexSite,
) -> Result<Value, Error> {
    let list = indexed_list(value, site)?;
    let item = |node: &Rc<Node>| {
        let index = list.shape().place_of(whole_position(node, site)?);
        let found = index.and_then(|at| list.item(at));
        found.ok_or_else(|| no_item_error(list, site))
    };
    match position {
        Value::Node(node) => item(node),
        Value::List(positions) if positions.shape().depth() == 1 => {
            let items: Result<Vec<Value>, Error> = positions.nodes().iter().map(item).collect();
            list_of(items?, limits).map_err(|error| error.at(site().1).into())
        }
        Value::List(positions) => {
            let message = format!("positions are one list, and this is {}", positions.shape());
            let help = "several items are `w[[2, 0]]` or `w[1:3]`";
            Err(fail(site().1, message, help))
        }
    }
}

/// The value of `w[1:3]`.
pub(crate) fn slice_of(
    value: &Value,
    parts: &[Value],
    limits: &Limits,
    site: IndexSite,
) -> Result<Value, Error> {
    let list = indexed_list(value, site)?;
    let step = match parts.get(2) {
        Some(typed) => whole_position(slice_part(typed, site)?, site)?,
        None => 1.0,
    };
    if step == 0.0 {
        let help = "as in `LIST[::2]`, or `LIST[::-1]` from the end";
        return Err(fail(site().1, "the step of a slice is not 0", help));
    }
    let begin = slice_end(list, &parts[0], step, site)?;
    let end = slice_end(list, &parts[1], step, site)?;
    let size = step.abs() as usize;
    let places: Vec<usize> = if step < 0.0 {
        (end..begin).rev().step_by(size).collect()
    } else {
        (begin..end).step_by(size).collect()
    };
    let items = places.into_iter().filter_map(|at| list.item(at));
    list_of(items.collect(), limits)
}

/// The number of items before the place where a slice begins or ends. As in Python, a position beyond an end of the list
/// means that end, and a slice with a negative step goes back to its end.
fn slice_end(list: &List, position: &Value, step: f64, site: IndexSite) -> Result<usize, Error> {
    let count = list.count();
    let node = slice_part(position, site)?;
    // `w[1:]` has no end. The parser writes infinity for it.
    if node.data().is_infinite() {
        let is_behind = (node.data() > 0.0) == (step > 0.0);
        return Ok(if is_behind { count } else { 0 });
    }
    // `None` is a negative position before the first item.
    let index = list.shape().place_of(whole_position(node, site)?);
    Ok(index
        .map_or(0, |at| at + usize::from(step < 0.0))
        .min(count))
}

/// A part of a slice. Refuses a list.
fn slice_part<'v>(part: &'v Value, site: IndexSite) -> Result<&'v Rc<Node>, Error> {
    match part {
        Value::Node(node) => Ok(node),
        Value::List(_) => {
            let message = format!("a position is a number, and this is {}", part.shape());
            Err(fail(site().1, message, "as in `LIST[1:3]`"))
        }
    }
}

/// The list of a value with an index. Refuses a number.
fn indexed_list<'v>(value: &'v Value, site: IndexSite) -> Result<&'v Rc<List>, Error> {
    value.list().ok_or_else(|| {
        let help = "a list is written `[1, 2, 3]`; a product is written with `*`";
        fail(site().1, "a number has no items", help)
    })
}

/// The data of a node as a position. Refuses a condition: its value, 0 or 1, would choose one of the first two items.
fn whole_position(node: &Rc<Node>, site: IndexSite) -> Result<f64, Error> {
    let sign = |of: &Rc<Node>| of.op().map_or("", |op| op.spelling);
    // Conditions are joined by such operations.
    let joins_conditions = matches!(sign(node), "*" | "max" | "min");
    if compares(node) || joins_conditions && node.operands().iter().all(compares) {
        let message = "an item is chosen by its position, not by a condition";
        return Err(fail(site().1, message, "`if(w > 0, w, 0)` keeps the shape"));
    }
    let number = node.data();
    if number.fract() == 0.0 {
        return Ok(number);
    }
    let typed = language::literal(number, false);
    let message = format!("a position is a whole number, and this is {typed}");
    let (list, place) = site();
    let name = if list.is_empty() { "w" } else { list };
    let help = format!("the first item is `{name}[0]`");
    Err(fail(place, message, help))
}

/// The error for a position beyond the end.
fn no_item_error(list: &List, site: IndexSite) -> Error {
    let (typed, place) = site();
    let (subject, name) = match typed {
        "" => ("this list", "w"),
        typed => (typed, typed),
    };
    if list.count() == 0 {
        let help = "`LIST.append(2)` gives a list an item";
        return fail(place, format!("{subject} has no items"), help);
    }
    let last = list.count() - 1;
    let items = match last {
        0 => format!("1 item, `{name}[0]`"),
        _ => format!("{} items, `{name}[0]` to `{name}[{last}]`", last + 1),
    };
    let help = "the last is `…[-1]`; the positions are `range(len(…))`";
    fail(place, format!("{subject} has {items}"), help)
}

impl Program {
    /// The value of `A..B`.
    pub fn range(&mut self, start: &Value, end: &Value) -> Result<Value, Error> {
        let (first, last) = (range_end(start)?, range_end(end)?);
        // `1..n` is empty if n is 0.
        if first > last + 1.0 {
            let message = format!("a range counts up, and {first} is more than {last}");
            let turned = format!("{last}..{first}");
            let help = format!("`{turned}`, or backwards `{first} + {last} - ({turned})`");
            return Err(fail_here(message, help));
        }
        self.equal_steps(first, 1.0, last - first + 1.0)
    }

    /// The value of `range(n)`, `range(a, b)` or `range(a, b, step)`, as in Python. The arguments of `arange` need not
    /// be whole.
    pub(crate) fn range_below(
        &mut self,
        arguments: &[Value],
        is_whole: bool,
    ) -> Result<Value, Error> {
        let ends = arguments.iter().map(|it| match it {
            Value::Node(node) if !is_whole && node.data().is_finite() => Ok(node.data()),
            end => range_end(end),
        });
        let (start, end, step) = match ends.collect::<Result<Vec<f64>, Error>>()?[..] {
            [start, end, step] => (start, end, step),
            [start, end] => (start, end, 1.0),
            [end] => (0.0, end, 1.0),
            _ => unreachable!("it takes one to three arguments"),
        };
        if step == 0.0 {
            let message = "the step of a range is not 0";
            return Err(fail_here(message, "as in `range(0, 10, 2)`"));
        }
        self.equal_steps(start, step, ((end - start) / step).ceil().max(0.0))
    }

    /// The list of `length` numbers `start`, `start + step` and so on.
    pub(crate) fn equal_steps(
        &mut self,
        start: f64,
        step: f64,
        length: f64,
    ) -> Result<Value, Error> {
        let count = length as usize;
        self.check_room(count)?;
        let mut nodes: Vec<Rc<Node>> = Vec::with_capacity(count);
        for at in 0..count {
            stop::ask(at);
            let number = start + step * at as f64;
            nodes.push(self.graph.constant(number, Spelling::Plain));
        }
        // Only steps of 1 can be labelled as a range, `1..n`.
        let ends = nodes.first().zip(nodes.last()).filter(|_| step == 1.0);
        let operands = ends.map(|(first, last)| [first, last].map(|end| Rc::clone(end).into()));
        let list = Value::of_shape(nodes, &ListShape::rows(count, ListShape::NUMBER));
        Ok(match operands {
            Some(both) => list.with_origin(Maker::Range, both.to_vec()),
            None => list,
        })
    }

    /// Applies an operation to numbers or lists.
    pub fn operation(&mut self, op: &'static Op, operands: Vec<Value>) -> Result<Value, Error> {
        if operands.iter().any(|value| value.node().is_none()) {
            return self.item_by_item(op, operands);
        }
        let count = operands.len();
        let mut nodes = operands.into_iter().filter_map(|value| match value {
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
                let all: Vec<Rc<Node>> = nodes.collect();
                self.graph.apply_many(op, Rc::new(all.into()))
            }
        }))
    }

    /// A list of constants.
    pub fn constants(&mut self, numbers: &[f64]) -> Value {
        let constant = |&number| self.graph.constant(number, Spelling::Plain).into();
        List::from_items(numbers.iter().map(constant).collect()).into()
    }

    /// Applies an operation item by item to operands, at least one of which is a list.
    fn item_by_item(&mut self, op: &'static Op, operands: Vec<Value>) -> Result<Value, Error> {
        if let ([Value::List(list)], Rule::Many { .. }) = (&operands[..], op.rule) {
            return self.reduce(op, list);
        }
        let shape = common_shape(op, &operands)?;
        let count = shape.size();
        self.check_room(count)?;
        let mut nodes = Vec::with_capacity(count);
        for at in 0..count {
            stop::ask(at);
            let operand = |value: &Value| match value {
                Value::Node(node) => Rc::clone(node),
                Value::List(list) => Rc::clone(&list.nodes()[at]),
            };
            nodes.push(match &operands[..] {
                [x] => self.graph.apply_1(op, operand(x)),
                [x, y] => self.graph.apply_2(op, operand(x), operand(y)),
                all => {
                    let items: Vec<Rc<Node>> = all.iter().map(operand).collect();
                    self.graph.apply_many(op, Rc::new(items.into()))
                }
            });
        }
        Ok(Value::of_shape(nodes, &shape).with_origin(Maker::Operation(op), operands))
    }

    /// The value of `sum(w)`: one operation on all items of a list. If the items are lists of one shape, the result is
    /// a list of this shape.
    pub(crate) fn reduce(&mut self, op: &'static Op, list: &Rc<List>) -> Result<Value, Error> {
        if list.count() == 0 {
            let value = match op.spelling {
                "sum" => 0.0,
                "prod" => 1.0,
                name => return Err(error::empty_list(name)),
            };
            return Ok(self.graph.constant(value, Spelling::Plain).into());
        }
        let Some(row) = list.shape().row().filter(|row| row.is_regular()) else {
            return Err(ragged_error(op, list.shape()));
        };
        let (size, nodes) = (row.size(), list.nodes());
        self.check_room(size)?;
        stop::check_before(nodes.len());
        if let (Some(array), true) = (list.array(), row.is_number()) {
            return Ok(self.graph.apply_many(op, Rc::clone(array)).into());
        }
        let mut folded = Vec::with_capacity(size);
        for at in 0..size {
            stop::ask(at);
            let operands: Vec<Rc<Node>> = nodes[at..].iter().step_by(size).cloned().collect();
            folded.push(self.graph.apply_many(op, Rc::new(operands.into())));
        }
        let operand = Value::List(Rc::clone(list));
        Ok(Value::of_shape(folded, row).with_origin(Maker::Operation(op), vec![operand]))
    }

    /// Refuses `count` further nodes if the statement may not make them.
    fn check_room(&self, count: usize) -> Result<(), Error> {
        let new_nodes = (self.graph.last_id() - self.started) as usize;
        if new_nodes + count > self.limits.nodes as usize {
            return Err(error::too_many_nodes("statement", self.limits.nodes));
        }
        stop::check_before(count);
        Ok(())
    }
}

/// The number of an end of a range, or of its step. Refuses a list and a number that is not whole.
pub(crate) fn range_end(value: &Value) -> Result<f64, Error> {
    let Value::Node(node) = value else {
        let shape = value.shape();
        let message = format!("a range goes from a number to a number, and this is {shape}");
        let help = "the positions of a list: `range(len(w))`";
        return Err(fail_here(message, help));
    };
    let number = node.data();
    if number.fract() != 0.0 || number.abs() > MAX_WHOLE {
        let typed = language::literal(number, false);
        let message = format!("a range goes from one whole number to another, and this is {typed}");
        let help = "other grids are computed from a range: `(0..10)/10`";
        return Err(fail_here(message, help));
    }
    Ok(number)
}

/// The common shape of the lists among the operands. Refuses lists of different shapes, and ragged lists.
fn common_shape(op: &'static Op, operands: &[Value]) -> Result<ListShape, Error> {
    let mut lists = operands.iter().filter(|value| value.node().is_none());
    let first = lists.next().map_or(&ListShape::NUMBER, Value::shape);
    if let Some(other) = lists.map(Value::shape).find(|shape| *shape != first) {
        let sign = op.spelling;
        let message = format!("`{sign}` works item by item: {first} and {other} do not match");
        let help = match sign {
            "*" if first.depth() != other.depth() => "rows times a list is `dot(ROWS, LIST)`",
            _ => {
                "both sides are lists of one shape, or one is a number; row by row: `[row + LIST for row in ROWS]`; a list becomes longer by `LIST.extend(LIST)`"
            }
        };
        return Err(fail_here(message, help));
    }
    if !first.is_regular() {
        return Err(ragged_error(op, first));
    }
    Ok(first.clone())
}

/// The error of `[[1, 2], 3] + 1` and `sum([[1, 2], [3]])`.
fn ragged_error(op: &'static Op, shape: &ListShape) -> Error {
    let sign = op.spelling;
    let message = format!("`{sign}` needs items of one shape, and this is {shape}");
    let help = "all numbers as one list: `flat(LIST)`; item by item: `[f(x) for x in LIST]`";
    fail_here(message, help)
}
