//! Defines the operations of the calculator, and finds them by name, spelling or function.
//!
//! An operation is one row of [`TABLE`]: its spelling, its value, the local derivative with respect to each operand as a
//! number and as text, its domain, and its kinks with their conventions. Nothing here depends on nodes or on the
//! calculator. Other code treats individual operations (`sum`, `prod`, `+`, `*`, `chain`) specially only to write or draw
//! them.

mod chain;
mod functions;
mod loops;
mod row;
mod single;
mod table;
#[cfg(test)]
mod tests;

pub use self::chain::{chain, never_minus_zero};
pub use self::functions::student::student;
pub use self::loops::{Contributions, Loops, Run, Stride};
pub use self::single::Single;
pub use self::table::{SOLVE, TABLE};

use std::f64::consts::{E, PI};
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The names of operands in the texts of a row.
pub const OPERAND_NAMES: [&str; 3] = ["x", "y", "z"];

/// One operation.
#[derive(Debug)]
pub struct Op {
    /// Its index in the table, which identifies it. In the pass order of large graphs, operations are sorted by row.
    pub row: u8,
    /// Its name in `:help` and JSON, unique in the table: `addition`, `tanh`.
    pub name: &'static str,
    /// Its spelling: `+`, `tanh`. Two operations may share a spelling if they differ in shape (`-`) or in the number of
    /// operands (`leakyrelu`).
    pub spelling: &'static str,
    /// Other function names with the same meaning: `pow` for `^`, `log` for `ln`.
    pub aliases: &'static [&'static str],
    /// How it is written: between its operands, before its operand, after it, or before brackets like a function.
    pub shape: Shape,
    /// One line for `:help`.
    pub summary: &'static str,
    /// An expression that runs, shown by `:help NAME`.
    pub example: &'static str,
    /// Value and local derivatives.
    pub rule: Rule,
    /// The operands for which it is defined.
    pub domain: Domain,
    /// Points where the derivative is a matter of choice, with the choice.
    pub kinks: &'static [Kink],
    /// Regions where it hardly changes with an operand, or does not change at all.
    pub flats: &'static [Flat],
    /// The text for its value in exported programs, unless the text is a call of the name.
    pub script: Option<&'static str>,
}

/// The largest number of operands of an operation that takes any number of them. A statement makes no more nodes.
pub const MAX_OPERANDS: usize = 10_000_000;

/// How an operation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `a + b`
    Infix,
    /// `-a`
    Prefix,
    /// `a!`
    Postfix,
    /// `tanh(a)`, `max(a, b, c)`
    Call,
}

/// The derivative of an operation of one operand, from `x` and `out`.
pub type UnarySlope = fn(f64, f64) -> f64;

/// A derivative of an operation of two operands, from `x`, `y` and `out`.
pub type BinarySlope = fn(f64, f64, f64) -> f64;

/// A derivative of an operation of three operands, from `[x, y, z]` and `out`.
pub type TernarySlope = fn([f64; 3], f64) -> f64;

/// Writes the derivatives by all operands into the last slice, from the operands and `out`. Shared parts are computed
/// once, so that all derivatives together read each operand only a few times.
pub type ManySlopes = fn(&[f64], f64, &mut [f64]);

/// The value of an operation and its derivative by each operand. In derivatives, `out` is the value, which is already
/// computed.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// One operand `x`.
    Unary {
        /// The value.
        value: fn(f64) -> f64,
        /// The derivative by `x`.
        dx: Partial<UnarySlope>,
        /// The same over many numbers.
        loops: Loops,
    },
    /// Two operands `x`, `y`. The derivative by a constant is not computed.
    Binary {
        /// The value.
        value: fn(f64, f64) -> f64,
        /// The derivative by `x`.
        dx: Partial<BinarySlope>,
        /// The derivative by `y`.
        dy: Partial<BinarySlope>,
        /// The same over many numbers.
        loops: Loops,
    },
    /// Three operands `x`, `y`, `z`.
    Ternary {
        /// The value.
        value: fn(f64, f64, f64) -> f64,
        /// The derivatives by `x`, `y` and `z`.
        partials: [Partial<TernarySlope>; 3],
    },
    /// One or more operands (`sum`, `min`, `hypot`), with one rule for all of them.
    Many {
        /// The value.
        value: fn(&[f64]) -> f64,
        /// The derivatives. In the text, `x` is the operand of the derivative and `y` the other one of two.
        partial: Partial<ManySlopes>,
        /// The text from which further derivatives are built, unless there are two operands. It cannot use `y`. It may use
        /// `ties` for the number of operands that are equal to `out`, `total` for the sum of `exp(x - out)` over all
        /// operands, and `rest` for the same operation on the other operands.
        for_many: &'static str,
    },
    /// Each node carries its own rule.
    Carried,
}

/// A local derivative: the accurate number, and texts in the calculator's own language over `x y z out`.
#[derive(Clone, Copy, Debug)]
pub struct Partial<F> {
    /// The accurate number.
    pub number: F,
    /// The texts for people and for further derivatives.
    pub texts: PartialTexts,
}

/// The texts of a local derivative.
#[derive(Clone, Copy, Debug)]
pub struct PartialTexts {
    /// The text that people learn: `1 - out^2`.
    pub learned: &'static str,
    /// The text from which further derivatives are built: `sech(x)^2`. It is not the learned one if that loses digits, has
    /// no smooth derivative of its own, or is a number outside the domain.
    ///
    /// - It equals `number` to a few units in the last place, unless an intermediate result is subnormal. If `number` is
    ///   0, infinite or NaN, it is equal exactly.
    /// - No digits cancel in its own derivatives.
    /// - It may use two more names than the learned text: `scale` is 1, or a power of two if the length of the operands
    ///   would overflow or lose digits, and `length` is the length of the operands times `scale`.
    pub derivable: &'static str,
}

/// The operands for which an operation is defined.
#[derive(Clone, Copy, Debug)]
pub enum Domain {
    /// All operands.
    Everywhere,
    /// The operands that meet a condition.
    Where {
        /// The condition, to be read after "needs": `x > 0`.
        text: &'static str,
        /// Whether these operands meet it.
        holds: fn(&[f64]) -> bool,
        /// Advice for operands outside the domain: `cbrt(x) takes the real root`.
        hint: Option<&'static str>,
    },
}

/// A point where the derivative is a matter of choice.
#[derive(Clone, Copy, Debug)]
pub struct Kink {
    /// The point: `x = 0`.
    pub at: &'static str,
    /// The choice: `the derivative is taken as 0`.
    pub convention: &'static str,
    /// Whether these operands are at the kink.
    pub holds: fn(&[f64]) -> bool,
}

/// A region where the operation hardly changes with an operand, or not at all.
#[derive(Clone, Copy, Debug)]
pub struct Flat {
    /// A phrase to be read after the expression: `is saturated`.
    pub phrase: &'static str,
    /// Whether these operands are in the region for the operand at this position. The last argument is the value.
    pub holds: fn(&[f64], usize, f64) -> bool,
}

impl Op {
    /// The smallest and the largest number of operands. The largest is `None` if there is no limit.
    pub fn arity(&self) -> (usize, Option<usize>) {
        match self.rule {
            Rule::Unary { .. } => (1, Some(1)),
            Rule::Binary { .. } => (2, Some(2)),
            Rule::Ternary { .. } => (3, Some(3)),
            Rule::Many { .. } | Rule::Carried => (1, None),
        }
    }

    /// The name of its inverse function: `asin` for `sin`.
    pub fn inverse(&self) -> Option<&'static str> {
        function(&format!("a{}", self.name), 1).map(|inverse| inverse.name)
    }

    /// Whether it takes this many operands.
    pub fn takes(&self, count: usize) -> bool {
        let (least, most) = self.arity();
        count >= least && most.is_none_or(|most| count <= most)
    }

    /// The value at these operands. Returns NaN for a wrong number of operands, and if each node carries its own
    /// rule; code that builds a node calls [`Op::takes`] first.
    #[inline]
    pub fn value(&self, operands: &[f64]) -> f64 {
        match (&self.rule, operands) {
            (Rule::Unary { value, .. }, &[x]) => value(x),
            (Rule::Binary { value, .. }, &[x, y]) => value(x, y),
            (Rule::Ternary { value, .. }, &[x, y, z]) => value(x, y, z),
            (Rule::Many { value, .. }, all) => value(all),
            _ => f64::NAN,
        }
    }

    /// The local derivatives by all operands. `out` is the value at these operands. Returns an empty list for a wrong number of operands.
    pub fn locals(&self, operands: &[f64], out: f64) -> Vec<f64> {
        match (&self.rule, operands) {
            (Rule::Unary { dx, .. }, &[x]) => vec![(dx.number)(x, out)],
            (Rule::Binary { dx, dy, .. }, &[x, y]) => {
                vec![(dx.number)(x, y, out), (dy.number)(x, y, out)]
            }
            (Rule::Ternary { partials, .. }, &[x, y, z]) => {
                partials.map(|it| (it.number)([x, y, z], out)).into()
            }
            (Rule::Many { partial, .. }, all) => {
                let mut locals = vec![0.0; all.len()];
                (partial.number)(all, out, &mut locals);
                locals
            }
            _ => Vec::new(),
        }
    }

    /// Visits each wanted operand, left to right, with its position and the local derivative by it. `data` returns the
    /// data of an operand, and `out` is the operation's value. Visits none if the number of operands is wrong.
    #[inline]
    pub fn each_local<T>(
        &self,
        operands: &[T],
        out: f64,
        data: impl Fn(&T) -> f64,
        is_wanted: impl Fn(&T) -> bool,
        mut visit: impl FnMut(usize, &T, f64),
    ) {
        match (&self.rule, operands) {
            (Rule::Unary { dx, .. }, [x]) => {
                if is_wanted(x) {
                    visit(0, x, (dx.number)(data(x), out));
                }
            }
            (Rule::Binary { dx, dy, .. }, [x, y]) => {
                let (x_data, y_data) = (data(x), data(y));
                if is_wanted(x) {
                    visit(0, x, (dx.number)(x_data, y_data, out));
                }
                if is_wanted(y) {
                    visit(1, y, (dy.number)(x_data, y_data, out));
                }
            }
            // A sum may have a million operands. Their derivatives need no list.
            (Rule::Many { .. }, _) if self.is_sum() => {
                let wanted = operands.iter().enumerate().filter(|(_, it)| is_wanted(it));
                wanted.for_each(|(position, operand)| visit(position, operand, 1.0));
            }
            _ => {
                let locals = self.locals(&operands.iter().map(data).collect::<Vec<f64>>(), out);
                for (position, (operand, local)) in operands.iter().zip(locals).enumerate() {
                    if is_wanted(operand) {
                        visit(position, operand, local);
                    }
                }
            }
        }
    }

    /// Whether its value is the sum of its operands, added from left to right. Then every derivative is 1, and many such
    /// sums can be added up side by side.
    pub fn is_sum(&self) -> bool {
        self == const { row("sum") }
    }

    /// Whether it multiplies any number of operands. Then the derivative by one of them is the product of the others.
    pub fn is_product(&self) -> bool {
        self == const { row("prod") }
    }

    /// Whether its two operands can be swapped.
    pub fn is_commutative(&self) -> bool {
        matches!(self.name, "addition" | "multiplication" | "chain")
    }

    /// Whether the order of its operands does not matter to a reader.
    pub fn takes_any_order(&self) -> bool {
        let is_many = matches!(self.rule, Rule::Many { .. });
        is_many && !matches!(self.name, "argmin" | "argmax")
            || self.is_commutative()
            || matches!(self.name, "equal" | "not_equal")
    }

    /// The derivative by the operand at `position` as the text that people learn.
    pub fn learned_text(&self, position: usize) -> &'static str {
        self.texts(position).learned
    }

    /// The derivative by the operand at `position` as the text from which further derivatives are built. An operation of
    /// any number of operands has one text for two of them and another text for more.
    pub fn derivable_text(&self, position: usize, count: usize) -> &'static str {
        match self.rule {
            Rule::Many { for_many, .. } if count != 2 => for_many,
            _ => self.texts(position).derivable,
        }
    }

    /// The operand for which a letter stands in the text of the derivative by the operand at `position`. `None` for the
    /// other names of a text. In the text of a function of many, `y` is the other one of two operands.
    pub fn operand_of_text(&self, letter: &str, position: usize) -> Option<usize> {
        let place = OPERAND_NAMES.iter().position(|it| *it == letter)?;
        let is_of_many = matches!(self.rule, Rule::Many { .. });
        Some(match place {
            0 if is_of_many => position,
            1 if is_of_many => 1 - position.min(1),
            _ => place,
        })
    }

    fn texts(&self, position: usize) -> PartialTexts {
        match &self.rule {
            Rule::Unary { dx, .. } => dx.texts,
            Rule::Binary { dx, .. } if position == 0 => dx.texts,
            Rule::Binary { dy, .. } => dy.texts,
            Rule::Ternary { partials, .. } => partials[position].texts,
            Rule::Many { partial, .. } => partial.texts,
            Rule::Carried => PartialTexts {
                learned: "-F_x/F_y",
                derivable: "-F_x/F_y",
            },
        }
    }
}

/// The operation with this number.
pub(crate) fn at_row(row: u8) -> Option<&'static Op> {
    let others = || (row == SOLVE.row).then_some(&SOLVE);
    TABLE.get(usize::from(row)).or_else(others)
}

/// Whether two numbers have the same bits or are both NaN.
pub fn same_number(x: f64, y: f64) -> bool {
    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
}

impl PartialEq for Op {
    fn eq(&self, other: &Op) -> bool {
        self.row == other.row
    }
}

impl Domain {
    /// Whether these operands are in it.
    pub fn contains(&self, operands: &[f64]) -> bool {
        match self {
            Domain::Everywhere => true,
            Domain::Where { holds, .. } => holds(operands),
        }
    }
}

/// The operation that a function name means with this number of operands: `tanh`, `pow`, `log`.
pub fn function(name: &str, operands: usize) -> Option<&'static Op> {
    let mut ops = functions(name).iter().copied();
    ops.find(|op| op.takes(operands))
}

/// The operations by the names of their functions.
type OpsByName = FxHashMap<&'static str, Vec<&'static Op>>;

/// The operations that a function name means, by ascending number of operands. Returns an empty list if no function has the
/// name. Only `leakyrelu` and `round` mean two operations.
pub fn functions(name: &str) -> &'static [&'static Op] {
    // A script without function calls never needs the map, so it is made at the first call.
    static FUNCTIONS: LazyLock<OpsByName> = LazyLock::new(collect_functions);
    FUNCTIONS.get(name).map_or(&[], Vec::as_slice)
}

fn collect_functions() -> OpsByName {
    let mut functions = OpsByName::default();
    for (name, op) in names() {
        functions.entry(name).or_default().push(op);
    }
    for ops in functions.values_mut() {
        ops.sort_by_key(|op| op.arity());
    }
    functions
}

/// The operation `ln` for `log` with two operands, since `log(x, b)` is `ln(x)/ln(b)`. `None` for any other function.
pub fn logarithm_to_base(name: &str, operands: usize) -> Option<&'static Op> {
    match (name, operands) {
        ("log", 2) => function(name, 1),
        _ => None,
    }
}

/// All names that [`functions()`] knows, without repetitions: spellings in the order of the table, then aliases.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    let first_uses = names().filter(|&(name, op)| functions(name).first() == Some(&op));
    first_uses.map(|(name, _)| name)
}

fn names() -> impl Iterator<Item = (&'static str, &'static Op)> {
    let calls = TABLE.iter().filter(|op| op.shape == Shape::Call);
    let rows = TABLE.iter();
    let aliases = rows.flat_map(|op| op.aliases.iter().map(move |&alias| (alias, op)));
    calls.map(|op| (op.spelling, op)).chain(aliases)
}

/// The operation that an operator means. `-` between two operands and `-` before one are two rows.
pub fn operator(spelling: &str, shape: Shape) -> Option<&'static Op> {
    let mut rows = TABLE.iter();
    rows.find(|op| op.shape == shape && op.spelling == spelling)
}

/// The row with this name. In a `const`, the compiler finds it, and refuses an unknown name.
pub const fn row(name: &str) -> &'static Op {
    &TABLE[row_number(name)]
}

const fn row_number(name: &str) -> usize {
    let mut row = 0;
    while !is_same(TABLE[row].name.as_bytes(), name.as_bytes()) {
        row += 1;
    }
    row
}

const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([x, one_rest @ ..], [y, other_rest @ ..]) = (one, other)
        && *x == *y
    {
        (one, other) = (one_rest, other_rest);
    }
    one.is_empty() && other.is_empty()
}

/// The value of a predefined constant. A name of the user may shadow it.
pub fn constant(name: &str) -> Option<f64> {
    let found = CONSTANTS.iter().find(|(known, ..)| *known == name);
    found.map(|&(_, value, _)| value)
}

/// The predefined constants: name, value and meaning. (`π` is read as `pi`.)
pub const CONSTANTS: &[(&str, f64, &str)] = &[
    ("pi", PI, "a circle's circumference over its diameter"),
    ("e", E, "the base of the natural logarithm"),
    ("inf", f64::INFINITY, "larger than every number"),
    ("nan", f64::NAN, "not a number"),
];
