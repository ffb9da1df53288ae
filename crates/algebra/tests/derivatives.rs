//! Derivatives as a textbook prints them: exact texts, values beside the backward pass of the engine, and lengths beside
//! the shortest form that sympy finds.

// A test is read from top to bottom: it may be long, and use a short name twice.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

use std::collections::BTreeMap;
use std::f64::consts::PI;

use chainrule_algebra::{
    Term, collect_by, count_tokens, expand, factor, shortest, shortest_derivative, sum, write,
};
use common::{Table, grad, letter, text, tokens, value};

/// The points at which values are compared.
const POINTS: [f64; 8] = [0.37, 1.9, -0.61, -2.3, 0.83, 3.1, -1.27, 2.45];

/// The most that two ways to the same number may differ, relative to its size.
const NEAR: f64 = 1e-8;

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= NEAR * (1.0 + one.abs().max(other.abs()))
}

/// How much the value changes if the last digits of the data and of `pi` change: `sqrt(sin(pi))` is 0, and not 1e-8.
fn unsteadiness(formula: &str, data: &BTreeMap<&str, f64>) -> f64 {
    let all = data.iter().map(|(name, it)| (*name, *it));
    let nearby = all
        .chain([("pi", PI)])
        .map(|(name, it)| (name, it * (1.0 + 1e-12)))
        .collect();
    (value(formula, data) - value(formula, &nearby)).abs()
}

/// The derivative of this order by `by`, as text.
fn derivative(table: &Table, formula: &str, by: &str, order: usize) -> String {
    let term = table.formula(formula);
    let found = shortest_derivative(&term, &letter(formula, by), order, table);
    text(&found.unwrap_or_else(|it| panic!("{formula}: {it:?}")))
}

#[test]
fn derivatives_are_written_as_in_a_textbook() {
    let table = Table::new();
    for (order, formula, expected) in [
        // The rules.
        (1, "x^3 - 2*x^2 + 5", "3*x^2 - 4*x"),
        (1, "1/x", "-1/x^2"),
        (2, "1/x^3", "12/x^5"),
        (1, "sqrt(x)", "1/(2*sqrt(x))"),
        (1, "x^2*exp(x)", "x*exp(x)*(x + 2)"),
        (1, "sin(x^2)", "2*x*cos(x^2)"),
        (1, "sin(x)^2", "2*sin(x)*cos(x)"),
        (1, "x*ln(x)", "ln(x) + 1"),
        (1, "x^3*ln(x)", "x^2*(3*ln(x) + 1)"),
        (1, "ln(cos(x))", "-tan(x)"),
        (1, "(x^2 + 1)^5", "10*x*(x^2 + 1)^4"),
        (1, "(x - 1)^3*(x + 1)^2", "(x - 1)^2*(x + 1)*(5*x + 1)"),
        (1, "x^x", "x^x*(ln(x) + 1)"),
        (1, "x^2 + x^y", "2*x + y*x^(y - 1)"),
        (1, "2^x", "2^x*ln(2)"),
        (1, "x/(1 - x)", "1/(x - 1)^2"),
        (2, "x/(1 - x)", "2/(1 - x)^3"),
        (2, "ln(x^2 + 1)", "2*(1 - x^2)/(x^2 + 1)^2"),
        (1, "1/(1 + exp(-x))", "exp(-x)/(exp(-x) + 1)^2"),
        (2, "x^2*sin(x)", "sin(x)*(2 - x^2) + 4*x*cos(x)"),
        // The normal density and its relatives.
        (1, "x*exp(-x^2)", "exp(-x^2)*(1 - 2*x^2)"),
        (2, "x*exp(-x^2)", "2*x*exp(-x^2)*(2*x^2 - 3)"),
        (
            5,
            "x*exp(-x^2)",
            "4*exp(-x^2)*(15 - 90*x^2 + 60*x^4 - 8*x^6)",
        ),
        (1, "exp(-x^2/2)/sqrt(2*pi)", "-x*exp(-x^2/2)/sqrt(2*pi)"),
        (1, "erf(x)", "2*exp(-x^2)/sqrt(pi)"),
        // Higher orders stay short.
        (
            5,
            "tanh(x)",
            "16 - 136*tanh(x)^2 + 240*tanh(x)^4 - 120*tanh(x)^6",
        ),
        (5, "1/(1 + x^2)", "240*x*(10*x^2 - 3*x^4 - 3)/(x^2 + 1)^6"),
        (3, "exp(sin(x))", "-sin(x)*cos(x)*exp(sin(x))*(sin(x) + 3)"),
        // The exponential of a sum stands in front, whatever its signs.
        (1, "x*exp(-x - 1)", "exp(-x - 1)*(1 - x)"),
        (1, "x*exp(1 - x)", "exp(1 - x)*(1 - x)"),
        (1, "x*exp(-x^2 - x)", "exp(-x^2 - x)*(1 - x - 2*x^2)"),
        (
            1,
            "2*x*y*exp(-x^2 - y^2)",
            "2*y*exp(-x^2 - y^2)*(1 - 2*x^2)",
        ),
        (1, "x*2^(-x - 1)", "2^-x*(1 - x*ln(2))/2"),
        // A base never leaves its place where it may be 0.
        (
            1,
            "x^(n - 1) + x^(m - 1)",
            "x^(n - 2)*(n - 1) + x^(m - 2)*(m - 1)",
        ),
        // A power of a sum of fractions stays as typed.
        (1, "(x/7 + 7/x)^7", "(1 - 49/x^2)*(x/7 + 7/x)^6"),
        (1, "(x^2 - 1/x^2)^6", "12*(x + 1/x^3)*(x^2 - 1/x^2)^5"),
        (1, "(x + 1/2)^3", "3*(x + 1/2)^2"),
        (2, "(x + 1)^4/16", "3*(x + 1)^2/4"),
        // A sum, unless it is longer than one quotient.
        (1, "3*x^3 - 4/x^2", "9*x^2 + 8/x^3"),
        (1, "x - sin(x)/2", "1 - cos(x)/2"),
        (1, "3*x^2 - 2*x*y + y^2", "6*x - 2*y"),
        (1, "(x + y)^2", "2*(x + y)"),
        (1, "a*b*x + a*x", "a*(b + 1)"),
        (1, "3*x*(18*x^4 + 13/(x + 1))", "270*x^4 + 39/(x + 1)^2"),
        // A formula stays as it is where its whole numbers would be above 2^53.
        (1, "(12345678*x + 1)^5", "61728390*(12345678*x + 1)^4"),
        (1, "(x/3 + 1/1234567)^6", "2*(x/3 + 1/1234567)^5"),
        (
            1,
            "(1000000007*x + 1)^2*(1000000009*x + 3)",
            "1000000009*(1000000007*x + 1)^2 + 2000000014*(1000000007*x + 1)*(1000000009*x + 3)",
        ),
        // What cancels.
        (1, "0^(x + 1)", "0"),
        (1, "sin(asin(x))", "1"),
        (1, "sin(acos(x))", "-x/sqrt(1 - x^2)"),
        (1, "tan(atan(x))", "1"),
        (2, "x^2/x", "0"),
        (2, "x*x^3*x^2", "30*x^4"),
        (1, "sqrt(x^2)/x", "0"),
        (1, "sin(x)^2 + cos(x)^2", "0"),
        (1, "(x^2 - 1)/(x - 1)", "1"),
        (1, "ln(exp(x^2))", "2*x"),
        (1, "exp(3*ln(x))", "3*x^2"),
        // Numbers with a point stay such numbers.
        (1, "0.1*x^2", "0.2*x"),
        (1, "0.1*x/3", "1/30"),
        (2, "0.3*exp(0.5*x)", "0.075*exp(0.5*x)"),
        (1, "2.5*x^1.5", "3.75*sqrt(x)"),
        (1, "1/(1 + 0.2*x)", "-0.2/(0.2*x + 1)^2"),
        (1, "x/3", "1/3"),
        (1, "1e300*x^2", "2e300*x"),
        (1, "3.14159265358979*x", "3.14159265358979"),
        // Kinks and functions of several operands.
        (1, "abs(x)", "sign(x)"),
        (1, "abs(x)^3", "3*x*abs(x)"),
        (2, "abs(x)^3", "6*abs(x)"),
        (1, "sqrt(abs(x))", "sign(x)/(2*sqrt(abs(x)))"),
        (1, "sign(x)", "0"),
        (1, "relu(x)*x", "x*if(x > 0, 1, 0) + relu(x)"),
        (1, "if(x > 0, x^2, x)", "if(x > 0, 2*x, 1)"),
        (1, "atan2(x, 2)", "2/(x^2 + 4)"),
        (1, "x!", "x!*digamma(x + 1)"),
        (1, "sum(x^2, y, 1)", "2*x"),
        (1, "x*sum(x, y, 1)", "x + sum(x, y, 1)"),
        (1, "x*max(y, 2)", "max(y, 2)"),
        (1, "floor(x)*x", "floor(x)"),
    ] {
        assert_eq!(
            derivative(&table, formula, "x", order),
            expected,
            "{formula}"
        );
    }
}

#[test]
fn other_letters_are_constants_and_keep_their_order() {
    let table = Table::new();
    for (formula, by, order, expected) in [
        ("(a*b + c)*f", "a", 1, "b*f"),
        ("(a*b + c)*f", "f", 1, "a*b + c"),
        ("sqrt(a^2 + b^2)", "a", 1, "a/sqrt(a^2 + b^2)"),
        ("sqrt(a^2 + b^2)", "a", 2, "b^2/(a^2 + b^2)^(3/2)"),
        ("m*x/(k + x)", "k", 1, "-m*x/(x + k)^2"),
        ("b*a*x^2", "x", 1, "2*b*a*x"),
        ("a*exp(-k*t)*t", "t", 1, "a*exp(-k*t)*(1 - k*t)"),
        ("x^n", "x", 1, "n*x^(n - 1)"),
        ("x^n", "n", 1, "x^n*ln(x)"),
        ("w10*x10 + w2*x2 + b", "w2", 1, "x2"),
        ("(w10*x10 + w2*x2)^2", "w2", 1, "2*x2*(w10*x10 + w2*x2)"),
        (
            "A*exp(-(x - m)^2/(2*s^2))",
            "s",
            1,
            "A*exp(-(x - m)^2/(2*s^2))*(x - m)^2/s^3",
        ),
    ] {
        assert_eq!(
            derivative(&table, formula, by, order),
            expected,
            "{formula}"
        );
    }
}

#[test]
fn no_rule_changes_a_value() {
    let table = Table::new();
    for (formula, expected) in [
        ("x/x", "1"),
        ("sqrt(x)^2", "x"),
        ("sqrt(x^2)", "abs(x)"),
        ("sqrt(x^3)", "x^(3/2)"),
        ("(x^4)^(1/4)", "abs(x)"),
        ("ln(x^2)", "ln(x^2)"),
        ("ln(x^3)", "3*ln(x)"),
        ("ln(exp(x))", "x"),
        ("ln(e)", "1"),
        ("sign(x)^2", "sign(x)^2"),
        ("x*sign(x)", "abs(x)"),
        ("abs(x)*abs(x)", "x^2"),
        ("abs(x)/abs(x)", "1"),
        ("x/abs(x)", "sign(x)"),
        ("sqrt(x^2*y)", "sqrt(x^2*y)"),
        ("sqrt(4*x)", "2*sqrt(x)"),
        ("sqrt(2)*sqrt(x)", "sqrt(2*x)"),
        ("sqrt(2)*sqrt(x + 1)", "sqrt(2*x + 2)"),
        ("sqrt(2*x)*sqrt(x)", "sqrt(2)*x"),
        ("sqrt(2)*sqrt(x)/x", "sqrt(2)/sqrt(x)"),
        ("1/sqrt(2*x)", "1/sqrt(2*x)"),
        ("sqrt(2)*sqrt(3)", "sqrt(6)"),
        ("sqrt(0.2*x)", "sqrt(0.2*x)"),
        ("sqrt(x)*0^(-1/2)", "sqrt(x)/sqrt(0)"),
        ("(-8)^(1/3)*x^(1/3)", "(-8)^(1/3)*x^(1/3)"),
        ("(2*x)^(3/2)", "(2*x)^(3/2)"),
        ("sqrt(8)", "2*sqrt(2)"),
        ("1/sqrt(2)", "sqrt(2)/2"),
        ("(-8)^(1/3)", "(-8)^(1/3)"),
        ("8^(1/4294967297)", "8^(1/4294967297)"),
        ("1/0", "1/0"),
        ("cbrt(x)^3", "cbrt(x)^3"),
        ("exp(x)*exp(-x^2)", "exp(x - x^2)"),
        ("(x^2)^y", "(x^2)^y"),
        ("abs(x - 1)", "abs(x - 1)"),
        ("abs(1 - x)", "abs(x - 1)"),
        ("cos(-x)", "cos(x)"),
        ("sin(-x)", "-sin(x)"),
        ("max(x, 2)", "max(x, 2)"),
        ("x % 2", "x%2"),
        ("x - x", "0"),
        ("(x^2 - 1)/(x^2 - 3*x + 2)", "(x + 1)/(x - 2)"),
        ("1/(1/x + 1/y)", "x*y/(x + y)"),
        // Functions of their inverses, and angles of textbooks.
        ("sin(asin(x))", "x"),
        ("sin(acos(x))", "sqrt(1 - x^2)"),
        ("cos(acos(x))", "x"),
        ("cos(asin(x^2))", "sqrt(1 - x^4)"),
        ("tan(atan(x*y))", "x*y"),
        ("sinh(asinh(x))", "x"),
        ("asin(sin(x))", "asin(sin(x))"),
        ("sin(pi/6)", "1/2"),
        ("sin(-7*pi/4)", "sqrt(2)/2"),
        ("sin(0.5*pi)", "1"),
        ("cos(pi/4)", "sqrt(2)/2"),
        ("cos(pi/3)", "1/2"),
        ("cos(5*pi/6)", "-sqrt(3)/2"),
        ("cos(3*pi)", "-1"),
        ("tan(pi/3)", "sqrt(3)"),
        ("tan(5*pi/6)", "-sqrt(3)/3"),
        ("tan(3*pi/4)", "-1"),
        ("tan(pi/2)", "tan(pi/2)"),
        ("sin(pi/12)", "sin(pi/12)"),
        ("sin(pi*x/6)", "sin(pi*x/6)"),
        // Numbers with more digits than exact ones have.
        ("sqrt(2e20*x)", "sqrt(2e20*x)"),
        ("x^(1e20*1e-20)", "x"),
        ("(-1)^4294967296*x", "x"),
        ("abs(x^y)", "abs(x^y)"),
        ("(x - 1)*(x - 2)*(x - 3)", "(x - 3)*(x - 2)*(x - 1)"),
    ] {
        assert_eq!(
            text(&shortest(&table.formula(formula))),
            expected,
            "{formula}"
        );
    }
}

#[test]
fn shapes_can_be_asked_for() {
    let table = Table::new();
    let shape = |of: fn(&Term) -> Option<Term>, formula: &str| {
        of(&table.formula(formula)).map_or_else(String::new, |it| text(&it))
    };
    assert_eq!(shape(expand, "(x + 1)^3"), "x^3 + 3*x^2 + 3*x + 1");
    assert_eq!(shape(expand, "(a + b)*(a - b)"), "a^2 - b^2");
    assert_eq!(shape(expand, "(a + b + 1)^100"), "");
    assert_eq!(shape(factor, "a^3 - a*b^2"), "a*(a + b)*(a - b)");
    assert_eq!(shape(factor, "x^4 - 1"), "(x - 1)*(x + 1)*(x^2 + 1)");
    assert_eq!(shape(factor, "6*x^2 - 5*x + 1"), "(2*x - 1)*(3*x - 1)");
    assert_eq!(shape(factor, "x^3*y + x^2*y"), "x^2*y*(x + 1)");
    assert_eq!(shape(factor, "x^2 + 1"), "x^2 + 1");
    let by_x = collect_by(
        &table.formula("a*x^2 + b*x^2 + c*x + x"),
        &letter("a*x", "x"),
    );
    let by_x = by_x.expect("it is short");
    assert_eq!(text(&by_x), "x^2*(a + b) + x*(c + 1)");
}

/// The term multiplied out, or as it is if that is too long.
fn expanded(term: &Term) -> Term {
    expand(term).unwrap_or_else(|| term.clone())
}

fn factored(term: &Term) -> Term {
    factor(term).unwrap_or_else(|| term.clone())
}

/// Formulas for random tests.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    fn formula(&mut self, depth: usize) -> String {
        let atoms = ["x", "y", "2", "3", "x", "0.5", "pi"];
        if depth == 0 {
            return atoms[self.below(atoms.len())].to_string();
        }
        let functions = [
            "sin", "cos", "exp", "ln", "sqrt", "tanh", "abs", "sigmoid", "atan", "sign", "cosh",
            "tan", "erf", "cbrt", "square", "relu", "rsqrt", "floor", "silu",
        ];
        let mut part = || self.formula(depth - 1);
        let (one, other) = (part(), part());
        match self.below(9) {
            0 => format!("({one} + {other})"),
            1 => format!("({one} - {other})"),
            2 => format!("({one})/({other})"),
            3 | 4 => format!("({one})*({other})"),
            5 => format!("({one})^{}", self.below(5)),
            6 => format!("(-{one})"),
            _ => format!("{}({one})", functions[self.below(functions.len())]),
        }
    }
}

/// The number of random formulas; `FORMULAS=100000` tries more.
fn count() -> usize {
    let given = std::env::var("FORMULAS").ok();
    given.and_then(|it| it.parse().ok()).unwrap_or(600)
}

#[test]
fn what_is_typed_back_has_the_same_value() {
    let table = Table::new();
    let mut random = Random(1);
    let mut compared = 0;
    for _ in 0..count() {
        let depth = 1 + random.below(4);
        let formula = random.formula(depth);
        let term = table.formula(&formula);
        for shape in [shortest, expanded, factored] {
            let written = text(&shape(&term));
            let again = table.formula(&written);
            assert!(
                text(&again).len() <= 2 * written.len() + 20,
                "{formula}: {written}"
            );
            for at in 0..POINTS.len() {
                let data =
                    BTreeMap::from([("x", POINTS[at]), ("y", POINTS[(at + 3) % POINTS.len()])]);
                let [typed, found] = [&formula, &written].map(|it| value(it, &data));
                let is_steady = [&formula, &written]
                    .iter()
                    .all(|it| unsteadiness(it, &data) < NEAR);
                if typed.is_finite() && typed.abs() < 1e10 && is_steady {
                    assert!(
                        is_near(typed, found),
                        "{formula}: {written} at {data:?}: {typed} {found}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 5 * count(), "{compared}");
}

#[test]
fn derivatives_have_the_values_of_the_backward_pass() {
    let table = Table::new();
    let mut random = Random(2);
    let mut compared = 0;
    for _ in 0..count() {
        let depth = 1 + random.below(4);
        let formula = format!("{} + x", random.formula(depth));
        let written = derivative(&table, &formula, "x", 1);
        for at in 0..POINTS.len() {
            let data = BTreeMap::from([("x", POINTS[at]), ("y", POINTS[(at + 3) % POINTS.len()])]);
            let grad = grad(&formula, &data, "x");
            let is_steady = [&formula, &written]
                .iter()
                .all(|it| unsteadiness(it, &data) < NEAR);
            if grad.is_finite() && grad.abs() < 1e8 && is_steady {
                let found = value(&written, &data);
                assert!(
                    is_near(grad, found),
                    "{formula}: {written} at {data:?}: {grad} {found}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 2 * count(), "{compared}");
}

/// A line of `formulas.txt`.
struct Line<'t> {
    order: usize,
    formula: &'t str,
    by: &'t str,
    shortest: &'t str,
}

fn lines() -> impl Iterator<Item = Line<'static>> {
    include_str!("formulas.txt").lines().map(|line| {
        let parts: Vec<&str> = line.split('\t').collect();
        let [order, formula, by, shortest] = parts[..] else {
            panic!("{line}");
        };
        let order = order.parse().expect("an order is a number");
        Line {
            order,
            formula,
            by,
            shortest,
        }
    })
}

#[test]
fn derivatives_are_as_short_as_those_of_sympy() {
    let table = Table::new();
    let mut ratios = Vec::new();
    for line in lines() {
        let written = derivative(&table, line.formula, line.by, line.order);
        let ratio = tokens(&written) as f64 / tokens(line.shortest) as f64;
        ratios.push((
            ratio,
            format!(
                "{} of {}: {written} {}",
                line.order, line.formula, line.shortest
            ),
        ));
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |part: f64| &ratios[(part * (ratios.len() - 1) as f64) as usize];
    let [median, most, worst] = [at(0.5), at(0.9), at(1.0)];
    assert!(median.0 <= 1.02, "{median:?}");
    assert!(most.0 <= 1.2, "{most:?}");
    assert!(worst.0 <= 2.0, "{worst:?}");
}

#[test]
fn derivatives_of_sympy_have_the_same_values() {
    let table = Table::new();
    let mut compared = 0;
    for line in lines() {
        let written = derivative(&table, line.formula, line.by, line.order);
        for at in 0..POINTS.len() {
            let names = ["x", "y", "a", "b"];
            let pairs = names.iter().enumerate();
            let data = pairs
                .map(|(nth, name)| (*name, POINTS[(at + 3 * nth) % POINTS.len()]))
                .collect();
            let [expected, found] = [line.shortest, &written].map(|it| value(it, &data));
            if value(line.formula, &data).is_finite() && expected.is_finite() {
                assert!(
                    is_near(expected, found) || expected.abs() > 1e8,
                    "{} of {}: {written} is {found} at {data:?}, not {expected}",
                    line.order,
                    line.formula
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn the_count_of_tokens_is_that_of_the_text() {
    let table = Table::new();
    for line in lines() {
        for formula in [line.formula, line.shortest] {
            let term = table.formula(formula);
            assert_eq!(
                count_tokens(&write(&term).expect(formula)),
                tokens(&text(&term)),
                "{formula}"
            );
        }
    }
}

#[test]
fn large_formulas_take_little_time_and_are_left_as_they_are() {
    let table = Table::new();
    let nested = (0..60).fold("x".to_string(), |inner, _| format!("sin({inner})"));
    let factors = (0..12)
        .map(|it| format!("(a{it}*x + b{it})"))
        .collect::<Vec<_>>()
        .join("*");
    let whole = (1..13)
        .map(|it| format!("(x + {it})"))
        .collect::<Vec<_>>()
        .join("*");
    let weights = (0..20)
        .map(|it| format!("w{it}*x{it}"))
        .collect::<Vec<_>>()
        .join(" + ");
    let neuron = format!("tanh({weights} + b)");
    let powers = "(x^2 + cos(x + 4))^7".to_string();
    let sum = (0..300)
        .map(|it| format!("c{it}*x^2"))
        .collect::<Vec<_>>()
        .join(" + ");
    for (formula, by) in [
        (&nested, "x"),
        (&factors, "x"),
        (&whole, "x"),
        (&neuron, "w7"),
        (&powers, "x"),
        (&sum, "x"),
    ] {
        let begin = std::time::Instant::now();
        let found = shortest_derivative(&table.formula(formula), &letter(formula, by), 2, &table);
        let is_large = [&nested, &factors].contains(&formula);
        assert_eq!(found.is_err(), is_large, "{formula}");
        assert!(begin.elapsed().as_secs() < 3, "{formula}");
    }
    assert_eq!(
        derivative(&table, &neuron, "w7", 1),
        format!("x7*(1 - tanh({weights} + b)^2)")
    );
}

#[test]
fn what_is_too_large_is_an_error_with_its_number_of_tokens() {
    let table = Table::new();
    let x = Term::letter("x", 0);
    let nested = |text: &str, count: usize| {
        (0..count).fold(x.clone(), |inner, _| {
            table.term(text, &mut |_| inner.clone())
        })
    };
    let terms = |count: i64| (0..count).map(|it| Term::letter("c", it));
    let chain = terms(100_000).fold(Term::whole(0), |sum, next| {
        table.term("a + b", &mut |name| match name {
            "a" => sum.clone(),
            _ => next.clone(),
        })
    });
    // It would be too large if it were multiplied out.
    let long = (0..100).map(|it| format!("a{it}")).collect::<Vec<_>>();
    let long = format!("sin({0})*cos({0})*(x + 1)^12", long.join(" + "));
    for (term, expected) in [
        (
            table.term(&long, &mut |name| match name {
                "x" => x.clone(),
                _ => Term::letter(name, name[1..].parse::<i64>().expect("a number") + 1),
            }),
            None,
        ),
        (nested("0.5*sin(x)", 20), None),
        (nested("sin(x)", 101), Some(304)),
        // Its derivative has 100 factors.
        (nested("sin(x)", 100), Some(15_399)),
        (nested("sin(x)", 10_000), Some(30_001)),
        (nested("1/(1 + x)", 30), None),
        (nested("sin(x) + cos(x)", 100), Some(u32::MAX)),
        (sum(terms(1000)), None),
        (sum(terms(1001)), Some(2001)),
        (sum(terms(100_000)), Some(199_999)),
        (chain, Some(199_999)),
    ] {
        let by = letter("x", "x");
        let tokens = shortest_derivative(&term, &by, 1, &table).map_err(|it| it.tokens);
        assert_eq!(tokens.err(), expected);
        for shape in [Term::clone, shortest, expanded, factored] {
            let is_large = term.check().is_err();
            assert_eq!(write(&shape(&term)).is_err(), is_large);
        }
    }
}
