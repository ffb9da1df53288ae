//! The values of the functions that take whole lists: `dot`, `len`, `zip` and others.
//!
//! They make nodes of ordinary operations (`dot` makes products and a sum), or no nodes at all.

use std::rc::Rc;

use super::lists::{list_of, list_of_numbers, range_end};
use crate::session::Session;
use crate::session::error::{self, Error, fail};
use crate::session::functions::{LibraryFunction, Work};
use crate::session::limits::LIST_NUMBERS;
use crate::session::values::{List, ListShape, Maker, Value};
use chainrule_engine::graph::Spelling;
use chainrule_engine::ops::{self, Op};
use chainrule_language::Span;
use chainrule_stop as stop;

// Operations on one list or on several numbers.
const SUM: &Op = ops::row("sum");
const LOWER_MEDIAN: &Op = ops::row("median_low");
const HIGHER_MEDIAN: &Op = ops::row("median_high");

impl Session {
    /// The value of a call of a function of the library.
    pub(crate) fn library_function(
        &mut self,
        function: &LibraryFunction,
        arguments: &[Value],
        span: Span,
    ) -> Result<Value, Error> {
        let list = |value: &Value| match value {
            Value::List(list) => Ok(Rc::clone(list)),
            Value::Node(_) => {
                let message = format!("`{}` takes a list, and this is a number", function.name);
                Err(fail(span, message, "a list is written `[a, b]`"))
            }
        };
        if let Work::Mean | Work::Median | Work::Softmax | Work::Std = function.work
            && matches!(arguments, [Value::List(first), ..] if first.count() == 0)
        {
            return Err(error::empty_list(function.name, span));
        }
        match function.work {
            Work::Dot => self.dot(&list(&arguments[0])?, &list(&arguments[1])?, span),
            Work::Flat => Ok(match &arguments[0] {
                Value::List(list) => list.flat().into(),
                Value::Node(_) => List::from_items(arguments.to_vec()).into(),
            }),
            Work::Len => {
                let count = list(&arguments[0])?.count() as f64;
                Ok(self.graph.constant(count, Spelling::Plain).into())
            }
            Work::Mean => self.mean(arguments.to_vec(), 0.0, span),
            Work::Softmax => {
                let list = numbers_of(function, &list(&arguments[0])?, span)?;
                self.softmax(&list, span)
            }
            Work::Std => {
                let less = match arguments.get(1) {
                    Some(Value::Node(less)) => less.data(),
                    Some(Value::List(_)) => {
                        let message = "what is taken off the number of items is a number";
                        return Err(fail(span, message, "of a sample: `std(x, 1)`"));
                    }
                    None => 0.0,
                };
                let list = numbers_of(function, &list(&arguments[0])?, span)?;
                self.std(&list, less, span)
            }
            Work::Median => self.median(arguments, span),
            Work::Range | Work::Arange => {
                let is_whole = matches!(function.work, Work::Range);
                self.range_below(arguments, is_whole, span)
            }
            Work::Linspace => self.linspace(arguments, span),
            Work::Enumerate => self.enumerate(arguments, span),
            Work::Choose => {
                let names = [("n", &arguments[0]), ("r", &arguments[1])];
                self.apply_text("n!/(r!*(n - r)!)", &names, span)
            }
            Work::Zip => {
                // The rows of a table give its columns.
                let lists: Result<Vec<Rc<List>>, Error> = match arguments {
                    [Value::List(table)] => table.items().map(|row| list(&row)).collect(),
                    several => several.iter().map(list).collect(),
                };
                Ok(zip(&lists?, span)?.with_origin(Maker::Function("zip"), arguments.to_vec()))
            }
            Work::Draw(next) => {
                let [Value::Node(first), Value::Node(second)] = arguments else {
                    let LibraryFunction { name, example, .. } = function;
                    let message = format!("`{name}` takes two numbers, and a list is given");
                    let help = format!("one for each item: `[{example} for k in range(len(w))]`");
                    return Err(fail(span, message, help));
                };
                let number = next(self.random_numbers(), first.data(), second.data());
                Ok(self.graph.constant(number, Spelling::Plain).into())
            }
            Work::Moons => self.moons(arguments, span),
            Work::Grad => unreachable!("derivatives are built by the machine"),
        }
    }

    /// Pairs of the positions of a list and its items.
    fn enumerate(&mut self, arguments: &[Value], span: Span) -> Result<Value, Error> {
        let first = match arguments.get(1) {
            Some(first) => first.node().map(|first| first.data()),
            None => Some(0.0),
        };
        let (Value::List(list), Some(first)) = (&arguments[0], first) else {
            let message = "`enumerate` takes a list, and perhaps the first of its numbers";
            return Err(fail(span, message, "as in `enumerate([5, 6], 1)`"));
        };
        let pairs = list.items().zip(0_u32..).map(|(item, place)| {
            let place = first + f64::from(place);
            let place = self.graph.constant(place, Spelling::Plain);
            list_of(vec![place.into(), item], span)
        });
        let pairs: Result<Vec<Value>, Error> = pairs.collect();
        let pairs = list_of(pairs?, span)?;
        Ok(pairs.with_origin(Maker::Function("enumerate"), arguments.to_vec()))
    }

    /// Points on two half circles, and on which each is.
    fn moons(&mut self, arguments: &[Value], span: Span) -> Result<Value, Error> {
        let numbers: Option<Vec<f64>> =
            arguments.iter().map(|it| Some(it.node()?.data())).collect();
        let (count, noise) = match numbers.as_deref() {
            Some([count]) => (*count, None),
            Some([count, noise]) if *noise >= 0.0 => (*count, Some(*noise)),
            _ => (0.0, None),
        };
        if count.fract() != 0.0 || !(1.0..=LIST_NUMBERS as f64 / 3.0).contains(&count) {
            let message = "`moons` takes how many points there are, and how far they are moved";
            return Err(fail(span, message, "as in `X, y = moons(100, 0.1)`"));
        }
        let points = self.random_numbers().moons(count as usize, noise);
        let mut node = |number: &f64| self.graph.constant(*number, Spelling::Plain);
        let coordinates = points.iter().flat_map(|(point, _)| point);
        let nodes = coordinates.map(&mut node).collect();
        let classes = points.iter().map(|(_, class)| node(class).into()).collect();
        let shape = ListShape::rows(points.len(), ListShape::rows(2, ListShape::NUMBER));
        let both = vec![Value::of_shape(nodes, &shape), list_of(classes, span)?];
        list_of(both, span)
    }

    /// `linspace(a, b, n)`: `a + (b - a)*k/(n - 1)`, so that both ends are in it.
    fn linspace(&mut self, arguments: &[Value], span: Span) -> Result<Value, Error> {
        let (ends, rest) = arguments.split_at(2);
        let count = rest.first().map_or(Ok(50.0), |it| range_end(it, span))?;
        let places = self.equal_steps(0.0, 1.0, count, span)?;
        let last = (self.graph).constant((count - 1.0).max(1.0), Spelling::Plain);
        let names = [
            ("a", &ends[0]),
            ("b", &ends[1]),
            ("k", &places),
            ("last", &last.into()),
        ];
        self.apply_text("a + (b - a)*k/last", &names, span)
    }

    /// `sum(x, start)`: as in Python, the start is added once.
    pub(crate) fn sum_from_start(
        &mut self,
        operands: &[Value],
        span: Span,
    ) -> Result<Value, Error> {
        if let [list @ Value::List(_), start] = operands {
            let sum = self.operation(SUM, vec![list.clone()], span)?;
            if start.node().is_some() || start.shape() == sum.shape() {
                return self.apply_text("start + sum", &[("start", start), ("sum", &sum)], span);
            }
        }
        let message = "`sum` adds the items of one list, perhaps to a start: `sum(x, 1)`";
        let help = "lists are added item by item by `u + v`";
        Err(fail(span, message, help))
    }

    fn dot(&mut self, one: &Rc<List>, other: &Rc<List>, span: Span) -> Result<Value, Error> {
        let mut product = |one: &Value, other: &Value| {
            self.apply_text("sum(x*y)", &[("x", one), ("y", other)], span)
        };
        let (first, second) = (Value::List(Rc::clone(one)), Value::List(Rc::clone(other)));
        let (shape, row) = (one.shape(), other.shape());
        let sums: Result<Vec<Value>, Error> = match (shape.depth(), row.depth()) {
            (1, 1) if shape == row => return product(&first, &second),
            (2, 1) if shape.row() == Some(row) => {
                one.items().map(|row| product(&row, &second)).collect()
            }
            (1, 2) if row.row() == Some(shape) => {
                other.items().map(|row| product(&first, &row)).collect()
            }
            _ => {
                let message = format!("`dot` of {shape} and {row}: they do not match");
                let help = "it takes two lists of one length, or rows and a list as long as each; of two tables: `[[dot(r, c) for c in zip(B)] for r in A]`";
                return Err(fail(span, message, help));
            }
        };
        Ok(list_of(sums?, span)?.with_origin(Maker::Function("dot"), vec![first, second]))
    }

    /// The sum divided by the number of values less `less`.
    fn mean(&mut self, values: Vec<Value>, less: f64, span: Span) -> Result<Value, Error> {
        let count = count_of(&values) as f64 - less;
        let sum = self.operation(SUM, values, span)?;
        let count = self.graph.constant(count, Spelling::Plain).into();
        self.apply_text("sum/n", &[("sum", &sum), ("n", &count)], span)
    }

    /// Shares that neither overflow nor lose digits: distances from `logsumexp` are small. A large `logsumexp` is rounded,
    /// which changes all exponentials by one factor, so that they are divided by their sum.
    fn softmax(&mut self, list: &Value, span: Span) -> Result<Value, Error> {
        let powers = self.apply_text("exp(x - logsumexp(x))", &[("x", list)], span)?;
        self.apply_text("powers/sum(powers)", &[("powers", &powers)], span)
    }

    /// The middle operand, or half of the sum of two.
    fn median(&mut self, arguments: &[Value], span: Span) -> Result<Value, Error> {
        let low = self.operation(LOWER_MEDIAN, arguments.to_vec(), span)?;
        if count_of(arguments) % 2 == 1 {
            return Ok(low);
        }
        let high = self.operation(HIGHER_MEDIAN, arguments.to_vec(), span)?;
        self.mean(vec![low, high], 0.0, span)
    }

    /// The root of the mean of the squares of the distances from the mean.
    fn std(&mut self, list: &Value, less: f64, span: Span) -> Result<Value, Error> {
        let mean = self.mean(vec![list.clone()], 0.0, span)?;
        let squares = self.apply_text("(x - m)^2", &[("x", list), ("m", &mean)], span)?;
        let variance = self.mean(vec![squares], less, span)?;
        self.apply_text("sqrt(variance)", &[("variance", &variance)], span)
    }
}

/// How many items a single list has, or how many values there are.
fn count_of(values: &[Value]) -> usize {
    match values {
        [Value::List(only)] => only.count(),
        several => several.len(),
    }
}

/// The list as a value, if its items are numbers.
fn numbers_of(function: &LibraryFunction, list: &Rc<List>, span: Span) -> Result<Value, Error> {
    let (name, shape) = (function.name, list.shape());
    if shape.depth() == 1 {
        return Ok(Value::List(Rc::clone(list)));
    }
    let message = format!("`{name}` takes a list of numbers, and this is {shape}");
    let help =
        format!("row by row: `[{name}(row) for row in W]`; of all numbers: `{name}(flat(W))`");
    Err(fail(span, message, help))
}

/// The first items of all lists, then the second ones, and so on.
fn zip(lists: &[Rc<List>], span: Span) -> Result<Value, Error> {
    let count = lists.first().map_or(0, |list| list.count());
    if let Some(other) = lists.iter().find(|list| list.count() != count) {
        let more = other.count();
        let message = format!("`zip` takes lists of one length: {count} and {more} do not match");
        let help = "as many as the shorter has: `zip(w[:2], v)`";
        return Err(fail(span, message, help));
    }
    let rows: Option<Vec<&ListShape>> = lists.iter().map(|list| list.shape().row()).collect();
    if let Some(rows) = rows {
        // All groups have one shape: their numbers go into one list at once.
        let shape = ListShape::rows(count, ListShape::list(rows.iter().copied()));
        let make = || {
            let mut nodes = Vec::with_capacity(shape.size());
            for at in 0..count {
                stop::ask(at);
                for (list, row) in lists.iter().zip(&rows) {
                    let size = row.size();
                    nodes.extend_from_slice(&list.nodes()[at * size..][..size]);
                }
            }
            Value::of_shape(nodes, &shape)
        };
        return list_of_numbers(shape.size(), make, span);
    }
    let group = |at| {
        stop::ask(at);
        let items = lists.iter().filter_map(|list| list.item(at)).collect();
        list_of(items, span)
    };
    let groups: Result<Vec<Value>, Error> = (0..count).map(group).collect();
    list_of(groups?, span)
}
