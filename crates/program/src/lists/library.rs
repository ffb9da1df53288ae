//! Computes the values of the functions of the library: `dot`, `len`, `zip` and others.
//!
//! These functions make nodes of ordinary operations (`dot` makes products and a sum), or no nodes at all.

use std::rc::Rc;

use super::item_by_item::{check_list, list_of, range_end};
use crate::error::{self, Error, fail_here};
use crate::functions::{LibraryFunction, Work};
use crate::limits::Limits;
use crate::program::Program;
use crate::values::{List, ListShape, Maker, Value};
use chainrule_engine::graph::{Node, Spelling};
use chainrule_engine::ops::{self, Op};
use chainrule_stop as stop;

// Operations on one list or on several numbers.
const SUM: &Op = ops::row("sum");
const MULTIPLY: &Op = ops::row("multiplication");
const AT_MOST: &Op = ops::row("less_or_equal");
const AT_LEAST: &Op = ops::row("greater_or_equal");
const LOWER_MEDIAN: &Op = ops::row("median_low");
const HIGHER_MEDIAN: &Op = ops::row("median_high");

/// A list in order, and the conditions that hold for this order.
pub(crate) struct Sorted {
    pub(crate) list: Value,
    pub(crate) conditions: Vec<Rc<Node>>,
}

impl Program {
    /// Calls a function of the library.
    pub(crate) fn library_function(
        &mut self,
        function: &LibraryFunction,
        arguments: &[Value],
    ) -> Result<Value, Error> {
        let list = |value: &Value| value.list().cloned().ok_or_else(|| no_list_error(function));
        if let Work::Mean | Work::Median | Work::Softmax | Work::Std | Work::Choice = function.work
            && matches!(arguments, [Value::List(first), ..] if first.count() == 0)
        {
            return Err(error::empty_list(function.name));
        }
        match function.work {
            Work::Dot => self.dot(&list(&arguments[0])?, &list(&arguments[1])?),
            Work::Flat => Ok(match arguments[0].list() {
                Some(only) => only.flat().into(),
                None => List::from_items(arguments.to_vec()).into(),
            }),
            Work::Len => {
                let count = list(&arguments[0])?.count() as f64;
                Ok(self.graph.constant(count, Spelling::Plain).into())
            }
            Work::Mean => self.mean(arguments.to_vec(), 0.0),
            Work::Softmax => {
                let numbers = numbers_of(function, &list(&arguments[0])?)?;
                self.softmax(&numbers)
            }
            Work::Std => {
                let correction = match arguments.get(1) {
                    Some(Value::Node(number)) => number.data(),
                    Some(Value::List(_)) => {
                        let message = "what is taken off the number of items is a number";
                        return Err(fail_here(message, "of a sample: `std(x, 1)`"));
                    }
                    None => 0.0,
                };
                let numbers = numbers_of(function, &list(&arguments[0])?)?;
                self.std(&numbers, correction)
            }
            Work::Median => self.median(arguments),
            Work::Range => self.range_below(arguments, true),
            Work::Arange => self.range_below(arguments, false),
            Work::Linspace => self.linspace(arguments),
            Work::Enumerate => self.enumerate(arguments),
            Work::All | Work::Any | Work::IsIn | Work::Join => {
                // The list is the last argument of `is_in`, and else the first.
                let place = usize::from(matches!(function.work, Work::IsIn));
                self.items_function(function.work, &list(&arguments[place])?, arguments)
            }
            Work::Choose => {
                let names = [("n", &arguments[0]), ("r", &arguments[1])];
                self.apply_text("n!/(r!*(n - r)!)", &names)
            }
            Work::Zip => {
                // A single table: its rows are the lists, and the result is its columns.
                let lists: Result<Vec<Rc<List>>, Error> = match arguments {
                    [Value::List(table)] => table.items().map(|row| list(&row)).collect(),
                    several => several.iter().map(list).collect(),
                };
                Ok(zip(&lists?, &self.limits)?
                    .with_origin(Maker::Function("zip"), arguments.to_vec()))
            }
            Work::Solve => Err(no_equation_error()),
            Work::Student => {
                let number = student(two_numbers(function, arguments)?)?;
                Ok(self.graph.constant(number, Spelling::Plain).into())
            }
            Work::Draw(next) => {
                let [first, second] = two_numbers(function, arguments)?;
                let Some(number) = next(&mut self.random, first, second) else {
                    let message = "`randint` takes two whole numbers, and not the larger one first";
                    return Err(fail_here(message, "as in `randint(1, 6)`"));
                };
                Ok(self.graph.constant(number, Spelling::Plain).into())
            }
            Work::Choice => {
                let items = list(&arguments[0])?;
                let place = self.random.below(items.count() as u64) as usize;
                Ok(items.item(place).expect("the place is below the count"))
            }
            Work::Shuffle => {
                let mut items: Vec<Value> = list(&arguments[0])?.items().collect();
                self.random.shuffle(&mut items);
                list_of(items, &self.limits)
            }
            Work::Moons => self.moons(arguments),
            Work::Grad | Work::Sorted => unreachable!("the machine runs them"),
        }
    }

    /// The value of a function that asks or takes the items of a list.
    fn items_function(
        &mut self,
        work: Work,
        list: &Rc<List>,
        arguments: &[Value],
    ) -> Result<Value, Error> {
        match work {
            Work::Any => self.apply_to_list("0 < sum(x != 0)", list, &[]),
            Work::All => self.apply_to_list("0 == sum(x == 0)", list, &[]),
            Work::IsIn => self.apply_to_list("0 < sum(x == v)", list, &[("v", &arguments[0])]),
            _ => join(list, &self.limits),
        }
    }

    /// The value of a text about a list `x` and other values.
    fn apply_to_list(
        &mut self,
        text: &'static str,
        list: &Rc<List>,
        others: &[(&'static str, &Value)],
    ) -> Result<Value, Error> {
        let items = Value::List(Rc::clone(list));
        self.apply_text(text, &[&[("x", &items)], others].concat())
    }

    /// The items of a list in order, by their keys; from the largest key down if `is_descending`. Also returns the
    /// conditions that hold for this order.
    pub(crate) fn sort(
        &mut self,
        items: &Rc<List>,
        keys: &Rc<List>,
        is_descending: bool,
    ) -> Result<Sorted, Error> {
        let numbers = keys.shape() == &ListShape::rows(items.count(), ListShape::NUMBER);
        if !numbers {
            let message = format!(
                "`sorted` takes a number for each item, and the keys are {}",
                keys.shape()
            );
            return Err(fail_here(message, "as in `sorted(LIST, key=abs)`"));
        }
        let mut places: Vec<usize> = (0..items.count()).collect();
        let key = |at: &usize| {
            let number = keys.nodes()[*at].data();
            // The sign of a NaN depends on the machine. Without it, a NaN is above all numbers.
            if number.is_nan() { f64::NAN } else { number }
        };
        // A stable sort: as in Python, equal keys keep their order in both directions.
        places.sort_by(|left, right| {
            let order = key(left).total_cmp(&key(right));
            if is_descending {
                order.reverse()
            } else {
                order
            }
        });
        stop::check_before(places.len());
        let op = if is_descending { AT_LEAST } else { AT_MOST };
        let pairs = places
            .windows(2)
            .map(|it| [it[0], it[1]].map(|at| Rc::clone(&keys.nodes()[at])));
        let conditions = pairs
            .map(|[left, right]| self.graph.apply_2(op, left, right))
            .collect();
        let sorted = places.iter().filter_map(|at| items.item(*at)).collect();
        let list = list_of(sorted, &self.limits)?;
        Ok(Sorted { list, conditions })
    }

    /// The value of `enumerate(x, start)`: pairs of a number and an item.
    fn enumerate(&mut self, arguments: &[Value]) -> Result<Value, Error> {
        let first = (arguments.get(1)).map_or(Some(0.0), |typed| Some(typed.node()?.data()));
        let (Value::List(list), Some(first)) = (&arguments[0], first) else {
            let message = "`enumerate` takes a list, and perhaps the first of its numbers";
            return Err(fail_here(message, "as in `enumerate([5, 6], 1)`"));
        };
        let positions = self.equal_steps(first, 1.0, list.count() as f64)?;
        let numbers = positions.list().expect("steps are a list");
        let pairs = zip(&[Rc::clone(numbers), Rc::clone(list)], &self.limits)?;
        Ok(pairs.with_origin(Maker::Function("enumerate"), arguments.to_vec()))
    }

    /// The value of `moons(n, noise)`: points on two half circles, and for each point the number of its half circle.
    fn moons(&mut self, arguments: &[Value]) -> Result<Value, Error> {
        let numbers: Option<Vec<f64>> =
            arguments.iter().map(|it| Some(it.node()?.data())).collect();
        let (count, noise) = match numbers.as_deref() {
            Some([count]) => (*count, None),
            Some([count, noise]) if *noise >= 0.0 => (*count, Some(*noise)),
            _ => (0.0, None),
        };
        // Each point has two coordinates and a class.
        if count.fract() != 0.0 || !(1.0..=self.limits.list_numbers as f64 / 3.0).contains(&count) {
            let message = "`moons` takes how many points there are, and how far they are moved";
            return Err(fail_here(message, "as in `X, y = moons(100, 0.1)`"));
        }
        let points = self.random.moons(count as usize, noise);
        let mut node = |number: &f64| self.graph.constant(*number, Spelling::Plain);
        let coordinates = points.iter().flat_map(|(point, _)| point);
        let nodes = coordinates.map(&mut node).collect();
        let classes = points.iter().map(|(_, class)| node(class).into()).collect();
        let shape = ListShape::rows(points.len(), ListShape::rows(2, ListShape::NUMBER));
        let both = vec![
            Value::of_shape(nodes, &shape),
            list_of(classes, &self.limits)?,
        ];
        list_of(both, &self.limits)
    }

    /// The value of `linspace(a, b, n)`: `a + (b - a)*k/(n - 1)`, which includes both ends.
    fn linspace(&mut self, arguments: &[Value]) -> Result<Value, Error> {
        let (ends, rest) = arguments.split_at(2);
        // 50 as in numpy.
        let count = rest.first().map_or(Ok(50.0), range_end)?;
        let places = self.equal_steps(0.0, 1.0, count)?;
        // A single point is `a`: 0 is divided by 1.
        let last = (self.graph).constant((count - 1.0).max(1.0), Spelling::Plain);
        let names = [
            ("a", &ends[0]),
            ("b", &ends[1]),
            ("k", &places),
            ("last", &last.into()),
        ];
        self.apply_text("a + (b - a)*k/last", &names)
    }

    /// The value of `sum(x, start)`. As in Python, the start is added once.
    pub(crate) fn sum_from_start(&mut self, operands: &[Value]) -> Result<Value, Error> {
        if let [list @ Value::List(_), start] = operands {
            let sum = self.operation(SUM, vec![list.clone()])?;
            if start.node().is_some() || start.shape() == sum.shape() {
                return self.apply_text("start + sum", &[("start", start), ("sum", &sum)]);
            }
        }
        let message = "`sum` adds the items of one list, perhaps to a start: `sum(x, 1)`";
        let help = "lists are added item by item by `LIST + LIST`";
        Err(fail_here(message, help))
    }

    /// The sum of the products of the items of two lists. For a table and a list, the list of these sums of its rows.
    fn dot(&mut self, left: &Rc<List>, right: &Rc<List>) -> Result<Value, Error> {
        let mut product = |x: Value, y: Value| {
            let products = self.operation(MULTIPLY, vec![x, y])?;
            self.reduce(SUM, products.list().expect("products of lists are a list"))
        };
        let (first, second) = (Value::List(Rc::clone(left)), Value::List(Rc::clone(right)));
        let (shape, other_shape) = (left.shape(), right.shape());
        let sums: Result<Vec<Value>, Error> = match (shape.depth(), other_shape.depth()) {
            (1, 1) if shape == other_shape => return product(first, second),
            (2, 1) if shape.row() == Some(other_shape) => {
                (left.items().map(|row| product(row, second.clone()))).collect()
            }
            (1, 2) if other_shape.row() == Some(shape) => {
                (right.items().map(|row| product(first.clone(), row))).collect()
            }
            _ => {
                let message = format!("`dot` of {shape} and {other_shape}: they do not match");
                let help = "it takes two lists of one length, or rows and a list as long as each; of two tables: `[[dot(r, c) for c in zip(RIGHT)] for r in LEFT]`";
                return Err(fail_here(message, help));
            }
        };
        Ok(list_of(sums?, &self.limits)?.with_origin(Maker::Function("dot"), vec![first, second]))
    }

    /// The sum divided by the number of values minus `correction`. The correction is 1 for the variance of a sample.
    fn mean(&mut self, values: Vec<Value>, correction: f64) -> Result<Value, Error> {
        let count = count_of(&values) as f64 - correction;
        let sum = self.operation(SUM, values)?;
        let divisor = self.graph.constant(count, Spelling::Plain).into();
        self.apply_text("sum/n", &[("sum", &sum), ("n", &divisor)])
    }

    /// The exponentials as fractions of their sum. They do not overflow, because `logsumexp` is subtracted first. Its
    /// rounding multiplies all exponentials by one factor, and the division by their sum removes this factor.
    fn softmax(&mut self, list: &Value) -> Result<Value, Error> {
        let powers = self.apply_text("exp(x - logsumexp(x))", &[("x", list)])?;
        self.apply_text("powers/sum(powers)", &[("powers", &powers)])
    }

    /// The middle operand, or the mean of the two middle ones.
    fn median(&mut self, arguments: &[Value]) -> Result<Value, Error> {
        let low = self.operation(LOWER_MEDIAN, arguments.to_vec())?;
        if count_of(arguments) % 2 == 1 {
            return Ok(low);
        }
        let high = self.operation(HIGHER_MEDIAN, arguments.to_vec())?;
        self.mean(vec![low, high], 0.0)
    }

    /// The root of the mean of the squares of the distances from the mean.
    fn std(&mut self, list: &Value, correction: f64) -> Result<Value, Error> {
        let mean = self.mean(vec![list.clone()], 0.0)?;
        let squares = self.apply_text("(x - m)^2", &[("x", list), ("m", &mean)])?;
        let variance = self.mean(vec![squares], correction)?;
        self.apply_text("sqrt(variance)", &[("variance", &variance)])
    }
}

/// The number of items of a single list, or of several values.
fn count_of(values: &[Value]) -> usize {
    match values {
        [Value::List(only)] => only.count(),
        several => several.len(),
    }
}

/// The two arguments of a function of numbers.
fn two_numbers(function: &LibraryFunction, arguments: &[Value]) -> Result<[f64; 2], Error> {
    if let [Value::Node(first), Value::Node(second)] = arguments {
        return Ok([first.data(), second.data()]);
    }
    let LibraryFunction { name, example, .. } = function;
    let message = format!("`{name}` takes two numbers, and a list is given");
    let help = format!("one for each item: `[{example} for k in range(len(w))]`");
    Err(fail_here(message, help))
}

/// The quantile of Student's t.
fn student([p, n]: [f64; 2]) -> Result<f64, Error> {
    let quantile = ops::student(p, n);
    if quantile.is_nan() {
        let message =
            "`student` takes a probability between 0 and 1, and at least 1 degree of freedom";
        let help = "as in `student(0.975, 4)`, for 95 % around the middle and 4 degrees of freedom";
        return Err(fail_here(message, help));
    }
    Ok(quantile)
}

/// The list as a value, if its items are numbers.
fn numbers_of(function: &LibraryFunction, list: &Rc<List>) -> Result<Value, Error> {
    let (name, shape) = (function.name, list.shape());
    if shape.depth() == 1 {
        return Ok(Value::List(Rc::clone(list)));
    }
    let message = format!("`{name}` takes a list of numbers, and this is {shape}");
    let help = format!(
        "row by row: `[{name}(row) for row in ROWS]`; of all numbers: `{name}(flat(ROWS))`"
    );
    Err(fail_here(message, help))
}

/// The first items of all lists, then the second ones, and so on.
fn zip(lists: &[Rc<List>], limits: &Limits) -> Result<Value, Error> {
    let count = lists.first().map_or(0, |list| list.count());
    if let Some(other) = lists.iter().find(|list| list.count() != count) {
        let more = other.count();
        let message = format!("`zip` takes lists of one length: {count} and {more} do not match");
        let help = "as many as the shorter has: `zip(LIST[:2], LIST)`";
        return Err(fail_here(message, help));
    }
    let item_shapes: Option<Vec<&ListShape>> = lists.iter().map(|it| it.shape().row()).collect();
    if let Some(rows) = item_shapes {
        // All groups have one shape: the numbers go into one list, without a list for each group.
        let group = ListShape::list(rows.iter().copied());
        let shape = ListShape::rows(count, group);
        check_list(&shape, limits)?;
        let sizes: Vec<usize> = rows.iter().map(|row| row.size()).collect();
        let mut nodes = Vec::with_capacity(shape.size());
        for at in 0..count {
            stop::ask(at);
            for (list, size) in lists.iter().zip(&sizes) {
                nodes.extend_from_slice(&list.nodes()[at * size..][..*size]);
            }
        }
        return Ok(Value::of_shape(nodes, &shape));
    }
    let group = |at| {
        stop::ask(at);
        let items = lists.iter().filter_map(|list| list.item(at)).collect();
        list_of(items, limits)
    };
    let groups: Result<Vec<Value>, Error> = (0..count).map(group).collect();
    list_of(groups?, limits)
}

/// The error of `solve(2, 3)`.
fn no_equation_error() -> Error {
    let help = "as in `solve(x^2 = 2, x)`; of `E`, the zero is `solve(E = 0, x)`";
    fail_here("`solve` takes an equation", help)
}

/// The items of the items of a list, which are lists.
fn join(lists: &Rc<List>, limits: &Limits) -> Result<Value, Error> {
    let mut items = Vec::new();
    for part in lists.items() {
        let Value::List(list) = part else {
            let help = "as in `join([[1, 2], [3]])`; all numbers of any lists are `flat(LIST)`";
            return Err(fail_here("`join` takes a list of lists", help));
        };
        items.extend(list.items());
    }
    list_of(items, limits)
}

/// The error of a function of lists that gets a number.
pub(crate) fn no_list_error(function: &LibraryFunction) -> Error {
    if let Work::IsIn = function.work {
        let message = "`in` asks whether a list has an item, and this is a number";
        let help = "as in `2 in [1, 2]`; a new leaf has its ends by `NAME = 2 in 0..10`";
        return fail_here(message, help);
    }
    let message = format!("`{}` takes a list, and this is a number", function.name);
    fail_here(message, "a list is written `[a, b]`")
}
