//! Operations: the formula sheet of the calculator.
//!
//! An operation is one row of [`TABLE`]: how it is spelled, its value, the local derivative with respect to each
//! operand as a number and as text, where it is defined, where it has kinks and what convention holds there. Nothing
//! here depends on nodes or on the calculator. Other code iterates over the table or looks operations up by their
//! spelling; it treats individual ones (`sum`, `prod`, `+`, `*`, `chain`) specially only where it writes or draws them.

mod chain;
mod functions;
mod loops;
mod row;
mod single;
mod table;
#[cfg(test)]
mod tests;

pub use self::chain::{chain, never_minus_zero};
pub use self::loops::{Contributions, Loops, Run, Stride};
pub use self::single::Single;
pub use self::table::TABLE;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The names of operands in the texts of a row.
pub const OPERAND_NAMES: [&str; 3] = ["x", "y", "z"];

/// One operation.
#[derive(Debug)]
pub struct Op {
    /// Its place in the table, which says which operation it is. In the pass order of large graphs, operations stand in
    /// the order of their rows.
    pub row: u8,
    /// The word it is known by in `:ops`, `:help` and JSON, unique in the table: `addition`, `tanh`.
    pub name: &'static str,
    /// How it is written: `+`, `tanh`. A spelling may stand for two operations that differ in shape (`-`) or in the
    /// number of operands (`leakyrelu`), never for two that take the same.
    pub spelling: &'static str,
    /// Other function names that mean the same: `pow` for `^`, `log` for `ln`.
    pub aliases: &'static [&'static str],
    /// Where it stands: between its operands, before its operand, after it, or called like a function.
    pub shape: Shape,
    /// One line for `:help` and `:ops`.
    pub summary: &'static str,
    /// An expression that runs, shown by `:help NAME`.
    pub example: &'static str,
    /// Value and local derivatives.
    pub rule: Rule,
    /// Where it is defined.
    pub domain: Domain,
    /// Points where the derivative is a matter of choice, and the choice.
    pub kinks: &'static [Kink],
    /// Regions where it hardly changes with an operand, or not at all.
    pub flats: &'static [Flat],
    /// How `:export` spells its value in other languages, unless it is a call of the name; see `dialect.rs`.
    pub script: Option<&'static str>,
}

/// The most operands of an operation that takes any number: as many as a statement makes nodes.
pub const MOST_OPERANDS: usize = 10_000_000;

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

/// The derivative of one operand's operation, from `x` and `out`.
pub type UnarySlope = fn(f64, f64) -> f64;

/// A derivative of two operands' operation, from `x`, `y` and `out`.
pub type BinarySlope = fn(f64, f64, f64) -> f64;

/// A derivative of three operands' operation, from `[x, y, z]` and `out`.
pub type TernarySlope = fn([f64; 3], f64) -> f64;

/// The derivatives by all operands, from the operands and `out`, written into the last slice. What they share is computed
/// once, so that all of them together take a few looks at each operand.
pub type ManySlopes = fn(&[f64], f64, &mut [f64]);

/// The value of an operation and its derivative by each operand. `out` is always the value already computed.
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
    /// Two operands `x`, `y`. A derivative that is not needed (by a literal) is not computed.
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
        /// The derivatives. The text, for any operand, says `x` for that operand and `y` for the other one of two.
        partial: Partial<ManySlopes>,
        /// The text to compute with where there are more than two operands. It cannot say `y`; it may say `ties` for how
        /// many operands are equal to `out`, `total` for the sum of `exp(x - out)` over all operands, and `rest` for the
        /// same operation on the other operands.
        for_many: &'static str,
    },
}

/// A local derivative: the accurate number, the text people learn, and the text to build further derivatives from
/// where the learned one loses digits. Texts are in the calculator's own language over `x y z out`.
#[derive(Clone, Copy, Debug)]
pub struct Partial<F> {
    /// The accurate number.
    pub number: F,
    /// The text people learn: `1 - out^2`.
    pub learned: &'static str,
    /// The text to compute with, where the learned one loses digits, has no smooth derivative of its own, or gives a number
    /// outside the domain: `sech(x)^2`. It equals `number` to a few units in the last place, unless an intermediate
    /// result is subnormal, and to the bit where `number` is 0, infinite or NaN. Its own derivatives must not cancel. It
    /// may say `length` for the length of the operands, and `scale` for the factor that they have in it.
    pub derivable: Option<&'static str>,
}

/// Where an operation is defined.
#[derive(Clone, Copy, Debug)]
pub enum Domain {
    /// Everywhere.
    Everywhere,
    /// Where the condition holds.
    Where {
        /// The condition as read after "needs": `x > 0`.
        text: &'static str,
        /// Whether it holds for these operands.
        holds: fn(&[f64]) -> bool,
        /// Advice for operands outside: `cbrt(x) takes the real root`.
        hint: Option<&'static str>,
    },
}

/// A point where the derivative is a matter of choice.
#[derive(Clone, Copy, Debug)]
pub struct Kink {
    /// Where: `x = 0`.
    pub at: &'static str,
    /// What is taken there: `the derivative is taken as 0`.
    pub convention: &'static str,
    /// Whether these operands are at the kink.
    pub holds: fn(&[f64]) -> bool,
}

/// A region where the operation hardly changes with an operand, or not at all.
#[derive(Clone, Copy, Debug)]
pub struct Flat {
    /// What it does there, as read after its expression: `is saturated`.
    pub phrase: &'static str,
    /// Whether the operands are in the region of the operand at this position. The last number is the value.
    pub holds: fn(&[f64], usize, f64) -> bool,
}

impl Op {
    /// The fewest and the most operands.
    pub fn arity(&self) -> (usize, Option<usize>) {
        match self.rule {
            Rule::Unary { .. } => (1, Some(1)),
            Rule::Binary { .. } => (2, Some(2)),
            Rule::Ternary { .. } => (3, Some(3)),
            Rule::Many { .. } => (1, None),
        }
    }

    /// Whether it takes this many operands.
    pub fn takes(&self, count: usize) -> bool {
        let (least, most) = self.arity();
        count >= least && most.is_none_or(|most| count <= most)
    }

    /// The value at these operands. NaN for a wrong number of them: code that builds a node asks [`Op::takes`] first.
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

    /// The local derivative by the operand at `position`, `out` being the value at these operands.
    pub fn local(&self, operands: &[f64], position: usize, out: f64) -> f64 {
        let locals = self.locals(operands, out);
        locals.get(position).copied().unwrap_or(f64::NAN)
    }

    /// The local derivatives by all operands; none for a wrong number of them.
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

    /// Visits each operand that is `wanted`, left to right, with its position and the local derivative by it. `data` gives
    /// the data of an operand; `out` is the operation's value. Visits none if the number of operands is wrong.
    #[inline]
    pub fn each_local<T>(
        &self,
        operands: &[T],
        out: f64,
        data: impl Fn(&T) -> f64,
        wanted: impl Fn(&T) -> bool,
        mut visit: impl FnMut(usize, &T, f64),
    ) {
        match (&self.rule, operands) {
            (Rule::Unary { dx, .. }, [x]) => {
                if wanted(x) {
                    visit(0, x, (dx.number)(data(x), out));
                }
            }
            (Rule::Binary { dx, dy, .. }, [x, y]) => {
                let at = (data(x), data(y));
                if wanted(x) {
                    visit(0, x, (dx.number)(at.0, at.1, out));
                }
                if wanted(y) {
                    visit(1, y, (dy.number)(at.0, at.1, out));
                }
            }
            _ if self.is_sum() => {
                let wanted = operands.iter().enumerate().filter(|(_, it)| wanted(it));
                wanted.for_each(|(position, operand)| visit(position, operand, 1.0));
            }
            _ => {
                let locals = self.locals(&operands.iter().map(data).collect::<Vec<f64>>(), out);
                for (position, (operand, local)) in operands.iter().zip(locals).enumerate() {
                    if wanted(operand) {
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

    /// Whether its two operands can be exchanged.
    pub fn is_commutative(&self) -> bool {
        matches!(self.name, "addition" | "multiplication" | "chain")
    }

    /// Whether a reader need not know the order of its operands, however many there are.
    pub fn takes_any_order(&self) -> bool {
        let many = matches!(self.rule, Rule::Many { .. });
        many && !matches!(self.name, "argmin" | "argmax")
            || self.is_commutative()
            || matches!(self.name, "equal" | "not_equal")
    }

    /// The derivative text people learn, by the operand at `position`.
    pub fn learned_text(&self, position: usize) -> &'static str {
        self.texts(position).0
    }

    /// The derivative text that further derivatives are built from, by the operand at `position` of `count`. An operation of
    /// any number of operands has one text for two of them and another for more.
    pub fn derivable_text(&self, position: usize, count: usize) -> &'static str {
        let (learned, derivable) = self.texts(position);
        match self.rule {
            Rule::Many { for_many, .. } if count != 2 => for_many,
            _ => derivable.unwrap_or(learned),
        }
    }

    fn texts(&self, position: usize) -> (&'static str, Option<&'static str>) {
        match self.rule {
            Rule::Unary { dx, .. } => (dx.learned, dx.derivable),
            Rule::Binary { dx, .. } if position == 0 => (dx.learned, dx.derivable),
            Rule::Binary { dy, .. } => (dy.learned, dy.derivable),
            Rule::Ternary { partials: all, .. } => (all[position].learned, all[position].derivable),
            Rule::Many { partial, .. } => (partial.learned, partial.derivable),
        }
    }
}

/// Whether two numbers have the same bits or are both NaN.
pub fn same_number(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

impl PartialEq for Op {
    fn eq(&self, other: &Op) -> bool {
        self.row == other.row
    }
}

impl Eq for Op {}

impl Domain {
    /// Whether these operands lie in it.
    pub fn contains(&self, operands: &[f64]) -> bool {
        match self {
            Domain::Everywhere => true,
            Domain::Where { holds, .. } => holds(operands),
        }
    }
}

/// The operation that a function name means with this number of operands: `tanh`, `pow`, `log`.
pub fn function(name: &str, operands: usize) -> Option<&'static Op> {
    functions(name)
        .iter()
        .copied()
        .find(|op| op.takes(operands))
}

/// Every operation that a function name means, those with fewest operands first; none if no function has the name.
/// Only `leakyrelu` means two: with and without its slope.
pub fn functions(name: &str) -> &'static [&'static Op] {
    type Functions = FxHashMap<&'static str, Vec<&'static Op>>;
    // A script without function calls never needs it, so it is made at the first call.
    static FUNCTIONS: LazyLock<Functions> = LazyLock::new(|| {
        let mut functions = Functions::default();
        for (name, op) in names() {
            functions.entry(name).or_default().push(op);
        }
        for ops in functions.values_mut() {
            ops.sort_by_key(|op| op.arity());
        }
        functions
    });
    FUNCTIONS.get(name).map_or(&[], Vec::as_slice)
}

/// For `log` with two operands the operation `ln`, since `log(x, b)` is `ln(x)/ln(b)`; else none.
pub fn logarithm_to_base(name: &str, operands: usize) -> Option<&'static Op> {
    let means = (name, operands) == ("log", 2);
    means.then(|| function(name, 1)).flatten()
}

/// Every name that [`functions()`] knows, each once: spellings in the order of the table, then aliases.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    names()
        .filter(|&(name, op)| functions(name).first() == Some(&op))
        .map(|(name, _)| name)
}

fn names() -> impl Iterator<Item = (&'static str, &'static Op)> {
    let calls = TABLE.iter().filter(|op| op.shape == Shape::Call);
    let aliases = TABLE
        .iter()
        .flat_map(|op| op.aliases.iter().map(move |&alias| (alias, op)));
    calls.map(|op| (op.spelling, op)).chain(aliases)
}

/// The operation that an operator means: `-` between two operands and `-` before one are two rows.
pub fn operator(spelling: &str, shape: Shape) -> Option<&'static Op> {
    TABLE
        .iter()
        .find(|op| op.shape == shape && op.spelling == spelling)
}

/// The row with this name, found when the program is compiled.
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

/// A predefined constant, which a user's name may shadow.
pub fn constant(name: &str) -> Option<f64> {
    CONSTANTS
        .iter()
        .find(|(known, ..)| *known == name)
        .map(|&(_, value, _)| value)
}

/// The predefined constants: name, value, what it is. (`π` is read as `pi`.)
pub const CONSTANTS: &[(&str, f64, &str)] = &[
    (
        "pi",
        std::f64::consts::PI,
        "a circle's circumference over its diameter",
    ),
    (
        "e",
        std::f64::consts::E,
        "the base of the natural logarithm",
    ),
    ("inf", f64::INFINITY, "larger than every number"),
    ("nan", f64::NAN, "not a number"),
];
