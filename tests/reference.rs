//! Every smooth operation compared with reference values of high precision, see `reference/generate.py`.
//!
//! Errors are measured in units in the last place: how many doubles lie between the computed value and the double
//! closest to the truth. Operations that are exact or depend on conventions (comparisons, rounding, special points) are
//! tested beside the table of operations, not here.

use chainrule_engine::ops::{Op, TABLE, student};
use std::collections::BTreeMap;
use std::io::Write as _;

const REFERENCE: &str = include_str!("reference/operations.txt");
const DERIVATIVES: &str = include_str!("reference/derivatives.txt");

/// The largest errors of the value and of each derivative, for all operations that are not in [`OTHERS`].
const UNITS: (u64, u64) = (1, 4);

/// Operations with the largest errors of the value and of each derivative. 0 means correctly rounded, and so the same
/// on every machine.
const OTHERS: &[(&str, u64, u64)] = &[
    ("cos cosh elu exp expm1 ln sin sinh", 0, 0),
    ("acos acosh acot asin asinh atan atanh cbrt division", 0, 1),
    ("erf erfc exp2 log10 log1p log2 rsqrt sqrt tan", 0, 1),
    ("atan2 cot csc sec tanh", 0, 2),
    ("acsc asec cube hypot sech", 1, 1),
    ("coth csch", 1, 2),
    ("digamma polygamma silu", 2, 4),
    ("gelu", 3, 4),
    // Each of four operands brings a rounding error.
    ("prod sum", 2, 2),
];

fn allowed_errors(name: &str) -> (u64, u64) {
    let row = OTHERS
        .iter()
        .find(|row| row.0.split(' ').any(|other| other == name));
    row.map_or(UNITS, |row| (row.1, row.2))
}

/// The errors of one operation over its points.
#[derive(Default)]
struct Tally {
    values: Errors,
    slopes: Errors,
}

#[derive(Default)]
struct Errors {
    count: u64,
    worst: u64,
    place: String,
}

impl Errors {
    fn add(&mut self, got: f64, want: f64, place: &str) {
        let distance = distance(got, want);
        self.count += 1;
        if distance > self.worst {
            self.worst = distance;
            self.place = format!("{place}: got {got:?}, want {want:?}");
        }
    }
}

#[test]
fn operations_are_right_to_a_few_units_in_the_last_place() {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for line in REFERENCE.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let mut column = || columns.next().expect("a row has four columns");
        let name = column();
        let place = column();
        let operands = numbers(place);
        let value = numbers(column())[0];
        let slopes = numbers(column());
        let op = operation(name);
        let tally = tallies.entry(name).or_default();
        let out = op.value(&operands);
        tally.values.add(out, value, place);
        for (position, &want) in slopes.iter().enumerate() {
            let got = op.locals(&operands, out)[position];
            let place = format!("{place} by operand {position}");
            tally.slopes.add(got, want, &place);
        }
    }
    let mut report = String::new();
    let mut failures = String::new();
    for (name, Tally { values, slopes }) in &tallies {
        let line = format!(
            "{name:12} value {:2} of {}, slope {:2} of {}\n    {}\n    {}\n",
            values.worst, values.count, slopes.worst, slopes.count, values.place, slopes.place,
        );
        let limits = allowed_errors(name);
        if values.worst > limits.0 || slopes.worst > limits.1 {
            failures.push_str(&line);
        }
        report.push_str(&line);
    }
    // `cargo test reference:: -- --nocapture` shows it.
    std::io::stderr()
        .write_all(report.as_bytes())
        .expect("the report can be written");
    assert!(failures.is_empty(), "beyond the limit:\n{failures}");
}

/// The factorial of a whole number must be exactly the correctly rounded value.
#[test]
fn factorials_are_correctly_rounded() {
    let factorial = operation("factorial");
    let mut seen = 0;
    for line in REFERENCE.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let ["factorial", place, value, _] = columns[..] else {
            continue;
        };
        let operands = numbers(place);
        if operands[0] >= 0.0 && operands[0].fract() == 0.0 {
            assert_eq!(factorial.value(&operands), numbers(value)[0], "{place}!");
            seen += 1;
        }
    }
    assert_eq!(seen, 171);
}

/// The length of a vector with a thousand components has a single rounding error; compared with exact integer
/// arithmetic.
#[test]
fn a_length_of_many_operands_has_one_error() {
    // Each 7^2 is less than half a unit in the last place of the sum.
    let whole: Vec<u128> = (0..1000)
        .map(|i| if i == 0 { 1_000_000_007 } else { 7 })
        .collect();
    let squares: u128 = whole.iter().map(|x| x * x).sum();
    let want = (squares << 48).isqrt() as f64 / f64::from(1 << 24);
    let operands: Vec<f64> = whole.iter().map(|&x| x as f64).collect();
    let got = operation("hypot").value(&operands);
    assert!(distance(got, want) <= 1, "got {got:?}, want {want:?}");
}

/// `round(x, n)` gives Python's number to the bit, and `round(x)` is `round(x, 0)`.
#[test]
fn numbers_round_as_in_python() {
    let rows = include_str!("reference/round.txt");
    for row in rows.lines().filter(|line| !line.starts_with('#')) {
        let [x, decimals, want] = numbers(&row.replace('\t', " "))[..] else {
            panic!("three numbers: {row}");
        };
        let got = operation("round_to").value(&[x, decimals]);
        assert_eq!(got.to_bits(), want.to_bits(), "{row}: {got:?}");
        if decimals == 0.0 {
            assert_eq!(
                operation("round").value(&[x]).to_bits(),
                want.to_bits(),
                "{row}"
            );
        }
    }
}

/// Student's quantiles are right to 12 digits, also far out and beside 0.
#[test]
fn quantiles_of_student_are_right() {
    let rows = include_str!("reference/student.txt").lines();
    let mut count = 0;
    for row in rows.filter(|row| !row.starts_with('#')) {
        let [p, n, want] = numbers(&row.replace('\t', " "))[..] else {
            panic!("three numbers: {row}");
        };
        let got = student(p, n);
        assert!((got - want).abs() <= 1e-12 * want.abs(), "{row}: {got:?}");
        count += 1;
    }
    assert_eq!(count, 486);
}

/// Operations that are exact or depend on conventions.
const EXACT: &str = "addition subtraction multiplication chain negation less less_or_equal greater greater_or_equal \
    equal not_equal abs relu leakyrelu leakyrelu_with_slope min max clamp floor_division floor ceil round round_to argmin \
    argmax median_low median_high gcd lcm trunc sign if";

/// Smooth operations without second derivatives: remainders are straight lines, and nobody differentiates by an order.
const WITHOUT_SECOND: &str = "modulo polygamma rem";

/// Every smooth operation has reference values, also of its second derivatives, so that a new operation cannot be
/// forgotten.
#[test]
fn every_smooth_operation_has_reference_values() {
    let is_among = |names: &str, op: &Op| names.split(' ').any(|name| name == op.name);
    let has_numbers = |op: &Op| REFERENCE.contains(&format!("\n{}\t", op.name));
    let has_second = |op: &Op| {
        let sign = op.spelling;
        let starts = [
            format!("{sign}("),
            format!("x{sign}\t"),
            format!("x{sign}y\t"),
            format!("(x){sign}(y)\t"),
        ];
        let mut lines = DERIVATIVES.lines();
        lines.any(|line| starts.iter().any(|start| line.starts_with(start)))
    };
    let is_complete = |op: &Op| has_numbers(op) && (is_among(WITHOUT_SECOND, op) || has_second(op));
    let smooth = TABLE.iter().filter(|op| !is_among(EXACT, op));
    let incomplete = smooth.filter(|op| !is_complete(op));
    let missing: Vec<&str> = incomplete.map(|op| op.name).collect();
    assert!(
        missing.is_empty(),
        "add these to reference/generate.py, and run it and derivatives.py: {missing:?}"
    );
}

fn operation(name: &str) -> &'static Op {
    TABLE
        .iter()
        .find(|op| op.name == name)
        .unwrap_or_else(|| panic!("the reference names `{name}`, the table does not"))
}

fn numbers(text: &str) -> Vec<f64> {
    text.split(' ')
        .map(|number| number.parse().expect("the reference holds numbers"))
        .collect()
}

/// How many doubles lie between two numbers. Infinity follows the largest double, and all NaNs are equal.
fn distance(got: f64, want: f64) -> u64 {
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() == want.is_nan() {
            0
        } else {
            u64::MAX
        };
    }
    let place = |x: f64| {
        let size = (x.abs().to_bits()) as i64;
        if x < 0.0 { -size } else { size }
    };
    place(got).abs_diff(place(want))
}
