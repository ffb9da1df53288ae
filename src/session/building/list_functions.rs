//! The functions that take lists as wholes: `dot`, `len`, `zip` and others.
//!
//! One row for each. They make nodes of ordinary operations (`dot` makes products and a sum), or no nodes at all. `sum`,
//! `prod`, `min`, `max` and `hypot` of a list are operations of the table, applied to the items.

use std::rc::Rc;

use super::lists::list_of;
use super::terms::CallSite;
use crate::graph::Spelling;
use crate::ops::{self, Op, Shape as Notation};
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::naming::{List, Shape, Value};

/// A function of lists.
pub struct ListFunction {
    /// Its name.
    pub name: &'static str,
    /// Another name for it.
    pub also: Option<&'static str>,
    /// How many arguments it takes: at least, and at most.
    pub counts: (usize, usize),
    /// What it gives, in a few words.
    pub what: &'static str,
    /// A call of it.
    pub example: &'static str,
    run: fn(&mut Session, &[Value], CallSite) -> Result<Value, Error>,
}

/// The functions of lists, by name.
pub static LIST_FUNCTIONS: [ListFunction; 6] = [
    ListFunction {
        name: "dot",
        also: None,
        counts: (2, 2),
        what: "the sum of the products of two lists; with rows, one for each row",
        example: "dot([1, 2], [3, 4])",
        run: dot,
    },
    ListFunction {
        name: "flat",
        also: None,
        counts: (1, 1),
        what: "all numbers of nested lists as one list",
        example: "flat([[1, 2], 3])",
        run: flat,
    },
    ListFunction {
        name: "len",
        also: None,
        counts: (1, 1),
        what: "how many items a list has",
        example: "len([5, 6, 7])",
        run: len,
    },
    ListFunction {
        name: "mean",
        also: Some("avg"),
        counts: (1, usize::MAX),
        what: "the mean of the items of a list, or of several numbers",
        example: "mean([1, 2, 6])",
        run: mean,
    },
    ListFunction {
        name: "std",
        also: None,
        counts: (1, 1),
        what: "the standard deviation of a list: sqrt(mean((x - mean(x))^2))",
        example: "std([1, 2, 6])",
        run: std,
    },
    ListFunction {
        name: "zip",
        also: None,
        counts: (1, usize::MAX),
        what: "the items of several lists side by side; of one table, its columns",
        example: "zip([1, 2], [3, 4])",
        run: zip,
    },
];

impl ListFunction {
    /// The function with this name.
    pub fn named(name: &str) -> Option<&'static ListFunction> {
        let is_it = |function: &&ListFunction| function.name == name || function.also == Some(name);
        LIST_FUNCTIONS.iter().find(is_it)
    }

    /// Whether it takes so many arguments.
    pub fn takes(&self, count: usize) -> bool {
        (self.counts.0..=self.counts.1).contains(&count)
    }

    /// How it is called: `dot(a, b)`, `mean(a, …)`.
    pub fn usage(&self) -> String {
        let (least, most) = self.counts;
        let names = ["a", "b"][..least].join(", ");
        let more = if most > least { ", …" } else { "" };
        format!("{}({names}{more})", self.name)
    }

    /// The value of a call.
    pub(crate) fn call(
        &self,
        session: &mut Session,
        arguments: &[Value],
        place: CallSite,
    ) -> Result<Value, Error> {
        (self.run)(session, arguments, place)
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
        Value::Node(_) => Err(error::number_for_list(name, place.span)),
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
    let unlike = || error::unlike_in_dot(one.shape(), other.shape(), place.span);
    match depths {
        _ if one.shape().lengths().is_none() || other.shape().lengths().is_none() => Err(unlike()),
        (1, 1) if one.count() == other.count() => product(&arguments[0], &arguments[1]),
        (2, 1) if one.shape().row() == Some(other.shape()) => {
            let rows: Result<Vec<Value>, Error> = one
                .items()
                .map(|row| product(&row, &arguments[1]))
                .collect();
            list_of(&rows?, place.span)
        }
        (1, 2) if other.shape().row() == Some(one.shape()) => {
            let rows: Result<Vec<Value>, Error> = other
                .items()
                .map(|row| product(&arguments[0], &row))
                .collect();
            list_of(&rows?, place.span)
        }
        _ => Err(unlike()),
    }
}

fn flat(_: &mut Session, arguments: &[Value], _: CallSite) -> Result<Value, Error> {
    let nodes = arguments[0].nodes().to_vec();
    let shape = Shape::rows(nodes.len(), Shape::NUMBER);
    Ok(Value::shaped(nodes, &shape))
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
        return Err(error::ragged("std", values.shape(), place.span));
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

fn zip(session: &mut Session, arguments: &[Value], place: CallSite) -> Result<Value, Error> {
    let lists: Result<Vec<&Rc<List>>, Error> = match arguments {
        [Value::List(table)] => return columns(session, table, place),
        several => several
            .iter()
            .map(|value| list("zip", value, place))
            .collect(),
    };
    let lists = lists?;
    let count = lists[0].count();
    if let Some(other) = lists.iter().find(|list| list.count() != count) {
        return Err(error::unlike_in_zip(count, other.count(), place.span));
    }
    side_by_side(session, &lists, count, place)
}

/// The columns of a table.
fn columns(session: &mut Session, table: &List, place: CallSite) -> Result<Value, Error> {
    let rows: Option<Vec<Rc<List>>> = (table.items())
        .map(|row| match row {
            Value::List(row) => Some(row),
            Value::Node(_) => None,
        })
        .collect();
    let rows = rows.ok_or_else(|| error::no_table(table.shape(), place.span))?;
    let count = rows[0].count();
    if let Some(other) = rows.iter().find(|row| row.count() != count) {
        return Err(error::unlike_in_zip(count, other.count(), place.span));
    }
    let rows: Vec<&Rc<List>> = rows.iter().collect();
    side_by_side(session, &rows, count, place)
}

fn side_by_side(
    session: &mut Session,
    lists: &[&Rc<List>],
    count: usize,
    place: CallSite,
) -> Result<Value, Error> {
    let mut items = Vec::with_capacity(count);
    for at in 0..count {
        session.ask(at)?;
        let group: Vec<Value> = lists.iter().filter_map(|list| list.item(at)).collect();
        items.push(list_of(&group, place.span)?);
    }
    list_of(&items, place.span)
}
