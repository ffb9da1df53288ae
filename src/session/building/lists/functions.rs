//! The values of the functions that take lists as wholes: `dot`, `len`, `zip` and others.
//!
//! They make nodes of ordinary operations (`dot` makes products and a sum), or no nodes at all.

use std::rc::Rc;

use super::items::{list_of, room_in_list, too_deep};
use crate::graph::Spelling;
use crate::ops::{self, Op, Shape as Notation};
use crate::session::Session;
use crate::session::building::terms::CallSite;
use crate::session::error::{Error, fail};
use crate::session::functions::{ListFunction, ListWork};
use crate::session::values::{LIST_DEPTH, List, ListShape, Value};
use crate::stop;

impl Session {
    /// The value of a call of a function of lists.
    pub(crate) fn list_function(
        &mut self,
        function: &ListFunction,
        arguments: &[Value],
        place: CallSite,
    ) -> Result<Value, Error> {
        match function.work {
            ListWork::Dot => dot(self, arguments, place),
            ListWork::Flat => Ok(flat(arguments)),
            ListWork::Len => len(self, arguments, place),
            ListWork::Mean => mean(self, arguments, place),
            ListWork::Std => std(self, arguments, place),
            ListWork::Zip => zip(arguments, place),
        }
    }
}

impl Session {
    /// `log(x, b)`: two logarithms and their quotient.
    pub(crate) fn logarithm_to_base(
        &mut self,
        op: &'static Op,
        arguments: Vec<Value>,
        place: CallSite,
    ) -> Result<(Vec<Value>, Value), Error> {
        let mut logarithms = Vec::with_capacity(2);
        for argument in arguments {
            logarithms.push(self.operation(op, vec![argument], place)?);
        }
        let quotient = self.operation(row("/", Notation::Infix), logarithms.clone(), place)?;
        Ok((logarithms, quotient))
    }
}

fn row(spelling: &str, notation: Notation) -> &'static Op {
    ops::operator(spelling, notation).expect("the table of operations has these rows")
}

fn sum_row() -> &'static Op {
    ops::function("sum", 1).expect("the table of operations has a sum")
}

/// The list that an argument is.
fn list<'v>(name: &str, value: &'v Value, place: CallSite) -> Result<&'v Rc<List>, Error> {
    match value {
        Value::List(list) => Ok(list),
        Value::Node(_) => {
            let message = format!("`{name}` takes a list, and this is a number");
            Err(fail(place.span, message, "a list is written `[a, b]`"))
        }
    }
}

fn dot(session: &mut Session, arguments: &[Value], place: CallSite) -> Result<Value, Error> {
    let [one, other] = arguments else {
        unreachable!("it takes two arguments")
    };
    let (one, other) = (list("dot", one, place)?, list("dot", other, place)?);
    let depths = (one.shape().depth(), other.shape().depth());
    let mut product = |one: &Value, other: &Value| {
        let operands = vec![one.clone(), other.clone()];
        let times = row("*", Notation::Infix);
        let products = session.item_by_item(times, &operands, place.span, place.started)?;
        let products = list("dot", &products, place)?;
        session.reduced(sum_row(), products, place.span, place.started)
    };
    match depths {
        (1, 1) if one.count() == other.count() => product(&arguments[0], &arguments[1]),
        (2, 1) if one.shape().row() == Some(other.shape()) => {
            let rows: Result<Vec<Value>, Error> = one
                .items()
                .map(|row| product(&row, &arguments[1]))
                .collect();
            list_of(rows?, place.span)
        }
        (1, 2) if other.shape().row() == Some(one.shape()) => {
            let rows: Result<Vec<Value>, Error> = other
                .items()
                .map(|row| product(&arguments[0], &row))
                .collect();
            list_of(rows?, place.span)
        }
        _ => {
            let (one, other) = (one.shape(), other.shape());
            let message = format!("`dot` of {one} and {other}: they do not match");
            let help = "it takes two lists of one length, or rows and a list as long as each; of two tables: `[[dot(r, c) for c in zip(B)] for r in A]`";
            Err(fail(place.span, message, help))
        }
    }
}

fn flat(arguments: &[Value]) -> Value {
    match &arguments[0] {
        Value::Node(node) => Value::shaped(
            vec![Rc::clone(node)],
            &ListShape::rows(1, ListShape::NUMBER),
        ),
        Value::List(list) => Value::List(Rc::new(list.flat())),
    }
}

fn len(session: &mut Session, arguments: &[Value], place: CallSite) -> Result<Value, Error> {
    let count = list("len", &arguments[0], place)?.count();
    Ok(session.graph.constant(count as f64, Spelling::Plain).into())
}

fn mean(session: &mut Session, arguments: &[Value], place: CallSite) -> Result<Value, Error> {
    let (sum, count) = if let [Value::List(only)] = arguments {
        let sum = session.reduced(sum_row(), only, place.span, place.started)?;
        (sum, only.count())
    } else {
        let sum = session.operation(sum_row(), arguments.to_vec(), place)?;
        (sum, arguments.len())
    };
    let count = session.graph.constant(count as f64, Spelling::Plain).into();
    session.operation(row("/", Notation::Infix), vec![sum, count], place)
}

fn std(session: &mut Session, arguments: &[Value], place: CallSite) -> Result<Value, Error> {
    let values = list("std", &arguments[0], place)?;
    if values.shape().depth() != 1 {
        let message = format!(
            "`std` takes a list of numbers, and this is {}",
            values.shape()
        );
        let help = "row by row: `[std(row) for row in W]`; of all numbers: `std(flat(W))`";
        return Err(fail(place.span, message, help));
    }
    let middle = mean(session, arguments, place)?;
    let minus = row("-", Notation::Infix);
    let apart = session.operation(minus, vec![arguments[0].clone(), middle], place)?;
    let two = session.graph.constant(2.0, Spelling::Plain).into();
    let squares = session.operation(row("^", Notation::Infix), vec![apart, two], place)?;
    let variance = mean(session, &[squares], place)?;
    let root = ops::function("sqrt", 1).expect("the table of operations has a square root");
    session.operation(root, vec![variance], place)
}

fn zip(arguments: &[Value], place: CallSite) -> Result<Value, Error> {
    let lists: Result<Vec<&Rc<List>>, Error> = match arguments {
        [Value::List(table)] => return columns(table, place),
        several => several
            .iter()
            .map(|value| list("zip", value, place))
            .collect(),
    };
    let lists = lists?;
    side_by_side(&lists, place)
}

/// The columns of a table.
fn columns(table: &List, place: CallSite) -> Result<Value, Error> {
    let rows: Option<Vec<Rc<List>>> = (table.items())
        .map(|row| match row {
            Value::List(row) => Some(row),
            Value::Node(_) => None,
        })
        .collect();
    let Some(rows) = rows else {
        let shape = table.shape();
        let message =
            format!("`zip` of one list gives the columns of a table, and this is {shape}");
        let help = "several lists go side by side: `zip(a, b)`";
        return Err(fail(place.span, message, help));
    };
    side_by_side(&rows.iter().collect::<Vec<_>>(), place)
}

/// The first items of all lists, then the second ones, and so on.
fn side_by_side(lists: &[&Rc<List>], place: CallSite) -> Result<Value, Error> {
    let count = lists[0].count();
    if let Some(other) = lists.iter().find(|list| list.count() != count) {
        let other = other.count();
        let message = format!("`zip` takes lists of one length: {count} and {other} do not match");
        let help = "as many as the shorter has: `zip(w[1..2], v)`";
        return Err(fail(place.span, message, help));
    }
    room_in_list(
        lists.iter().map(|list| list.shape().size()).sum(),
        place.span,
    )?;
    let rows: Option<Vec<&ListShape>> = lists.iter().map(|list| list.shape().row()).collect();
    if let Some(rows) = rows {
        // All groups have one shape.
        let group = ListShape::list(rows.iter().copied());
        if group.depth() >= LIST_DEPTH {
            return Err(too_deep(place.span));
        }
        let mut nodes = Vec::with_capacity(count * group.size());
        for at in 0..count {
            stop::ask(at);
            for (list, row) in lists.iter().zip(&rows) {
                let size = row.size();
                nodes.extend_from_slice(&list.nodes()[at * size..][..size]);
            }
        }
        return Ok(Value::shaped(nodes, &ListShape::rows(count, group)));
    }
    let mut items = Vec::with_capacity(count);
    for at in 0..count {
        stop::ask(at);
        let group: Vec<Value> = lists.iter().filter_map(|list| list.item(at)).collect();
        items.push(list_of(group, place.span)?);
    }
    list_of(items, place.span)
}
