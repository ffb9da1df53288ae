//! Tests of the table: its rows are complete and found by name, derivatives at special points follow the conventions,
//! and NaN never becomes a number.
//!
//! `tests/reference.rs` measures accuracy, except that of polygamma, which is tested here; `tests/lock.rs` checks that
//! texts and numbers agree.
#![allow(clippy::unwrap_used)]

use super::*;
use std::collections::HashSet;
use std::f64::consts::{LN_2, PI};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// The row of a name.
fn row(name: &str) -> &'static Op {
    TABLE.iter().find(|op| op.name == name).unwrap()
}

fn same(got: f64, want: f64) -> bool {
    got == want || (got.is_nan() && want.is_nan())
}

/// The row, operands, the value and every derivative.
fn check(name: &str, operands: &[f64], value: f64, slopes: &[f64]) {
    let op = row(name);
    let out = op.value(operands);
    assert!(same(out, value), "{name}{operands:?} is {out}, not {value}");
    assert_eq!(operands.len(), slopes.len());
    for (position, &want) in slopes.iter().enumerate() {
        let got = op.locals(operands, out)[position];
        assert!(
            same(got, want),
            "{name}{operands:?} by operand {position} is {got}, not {want}"
        );
    }
}

#[test]
fn names_are_unique_and_rows_complete() {
    let mut names = HashSet::new();
    for (place, op) in TABLE.iter().enumerate() {
        assert!(names.insert(op.name), "two rows are named {}", op.name);
        assert_eq!(usize::from(op.row), place);
        for text in [op.name, op.spelling, op.summary, op.example] {
            assert!(!text.is_empty(), "{}", op.name);
        }
        assert!(op.example.contains(op.spelling), "{}", op.name);
        for position in 0..few(op) {
            assert!(!op.learned_text(position).is_empty(), "{}", op.name);
            assert!(
                !op.derivable_text(position, few(op)).is_empty(),
                "{}",
                op.name
            );
        }
        if let Domain::Where { text, .. } = op.domain {
            assert!(!text.is_empty(), "{}", op.name);
        }
    }
}

#[test]
fn a_spelling_and_a_number_of_operands_are_one_operation() {
    for name in function_names() {
        for count in 1..5 {
            let takers = functions(name).iter().filter(|op| op.takes(count));
            assert!(takers.count() <= 1, "{name} of {count}");
        }
        let answers = |op: &&Op| op.spelling == name || op.aliases.contains(&name);
        assert!(functions(name).iter().all(answers));
    }
    let distinct: HashSet<&str> = function_names().collect();
    assert_eq!(distinct.len(), function_names().count());
    for op in TABLE.iter().filter(|op| op.shape != Shape::Call) {
        assert_eq!(operator(op.spelling, op.shape), Some(op));
        assert!(!distinct.contains(op.spelling));
    }
}

#[test]
fn functions_are_found_by_name_and_operands() {
    assert_eq!(function("pow", 2), operator("^", Shape::Infix));
    assert_eq!(function("mod", 2), operator("%", Shape::Infix));
    assert_eq!(function("neg", 1), operator("-", Shape::Prefix));
    assert_eq!(function("log", 1), Some(row("ln")));
    assert_eq!(function("log", 2), None);
    assert_eq!(function("max", 5), Some(row("max")));
    assert_eq!(function("max", 1), Some(row("max")));
    assert_eq!(function("leakyrelu", 1), Some(row("leakyrelu")));
    assert_eq!(function("leakyrelu", 2), Some(row("leakyrelu_with_slope")));
    assert_eq!(functions("leakyrelu").len(), 2);
    assert!(functions("+").is_empty());
    assert!(functions("tahn").is_empty());
    assert_eq!(row("max").arity(), (1, None));
}

/// How many operands an operation takes; of one of any number two, which its texts are about.
fn few(op: &Op) -> usize {
    op.arity().1.unwrap_or(2)
}

/// Every operation of the contract is there.
#[test]
fn nothing_is_missing() {
    let operators = "+ - * / % ^ < <= > >= == !=";
    for spelling in operators.split(' ') {
        assert!(operator(spelling, Shape::Infix).is_some(), "{spelling}");
    }
    assert!(operator("-", Shape::Prefix).is_some());
    assert!(operator("!", Shape::Postfix).is_some());
    let called = "abs sqrt cbrt rsqrt square cube recip pow exp exp2 expm1 ln log log2 log10 log1p sin cos tan sec csc \
        cot asin acos atan asec acsc acot atan2 sinh cosh tanh sech csch coth asinh acosh atanh sigmoid logsigmoid relu leakyrelu elu gelu silu softplus \
        softsign sum prod hypot min max clamp floor ceil round trunc sign mod rem erf erfc gamma lgamma digamma trigamma \
        polygamma if neg";
    for name in called.split_whitespace() {
        assert!(!functions(name).is_empty(), "{name}");
    }
}

/// The texts name operations of the table, the operands, `out` and `pi`.
#[test]
fn texts_speak_the_calculators_language() {
    for op in &TABLE {
        let least = few(op);
        for position in 0..least {
            for (text, learned) in [
                (op.learned_text(position), true),
                (op.derivable_text(position, least), false),
            ] {
                for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
                    if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                        continue;
                    }
                    let operand = ["x", "y", "z"].iter().take(least).any(|&x| x == word);
                    let known = operand
                        || word == "out"
                        || !functions(word).is_empty()
                        || word == "pi"
                        || (!learned && ["nan", "scale", "length"].contains(&word));
                    assert!(known, "{}: `{word}` in `{text}`", op.name);
                }
                for sign in ["*", "/", "^"] {
                    assert!(!text.contains(&format!(" {sign}")), "{}: {text}", op.name);
                }
            }
        }
    }
}

#[test]
fn kinks_of_one_operand() {
    for zero in [0.0, -0.0] {
        check("abs", &[zero], 0.0, &[0.0]);
        check("relu", &[zero], 0.0, &[0.0]);
        check("leakyrelu", &[zero], 0.0, &[0.01]);
        check("elu", &[zero], 0.0, &[1.0]);
        check("sqrt", &[zero], 0.0, &[INF]);
        check("cbrt", &[zero], 0.0, &[INF]);
        check("ln", &[zero], -INF, &[INF]);
        check("log2", &[zero], -INF, &[INF]);
        check("log10", &[zero], -INF, &[INF]);
        check("rsqrt", &[zero], INF, &[-INF]);
        check("sign", &[zero], 0.0, &[0.0]);
    }
    check("log1p", &[-1.0], -INF, &[INF]);
    check("abs", &[-3.0], 3.0, &[-1.0]);
    check("relu", &[-3.0], 0.0, &[0.0]);
    check("relu", &[3.0], 3.0, &[1.0]);
    check("leakyrelu", &[-2.0], -0.02, &[0.01]);
    check("leakyrelu_with_slope", &[-2.0, 0.1], -0.2, &[0.1, -2.0]);
    check("leakyrelu_with_slope", &[0.0, 0.1], 0.0, &[0.1, 0.0]);
    check("leakyrelu_with_slope", &[0.0, 3.0], 0.0, &[1.0, 0.0]);
    check("leakyrelu_with_slope", &[0.0, -3.0], 0.0, &[0.0, 0.0]);
    check("leakyrelu_with_slope", &[5.0, 0.1], 5.0, &[1.0, 0.0]);
}

#[test]
fn ties_share() {
    check("max", &[2.0, 2.0], 2.0, &[0.5, 0.5]);
    check("min", &[0.0, -0.0], 0.0, &[0.5, 0.5]);
    check(
        "max",
        &[4.0, 1.0, 4.0, 4.0],
        4.0,
        &[1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0],
    );
    check("min", &[3.0, 1.0, 2.0], 1.0, &[0.0, 1.0, 0.0]);
    check("max", &[INF, INF], INF, &[0.5, 0.5]);
    for name in ["max", "min"] {
        check(name, &[NAN, 1.0], NAN, &[NAN, NAN]);
        check(name, &[1.0, NAN], NAN, &[NAN, NAN]);
        check(name, &[NAN, NAN, NAN], NAN, &[NAN, NAN, NAN]);
    }
}

#[test]
fn powers() {
    check("power", &[0.0, 0.0], 1.0, &[0.0, 0.0]);
    check("power", &[0.0, 1.0], 0.0, &[1.0, 0.0]);
    check("power", &[0.0, 2.0], 0.0, &[0.0, 0.0]);
    check("power", &[0.0, 0.5], 0.0, &[INF, 0.0]);
    check("power", &[-0.0, 1e-300], 0.0, &[INF, 0.0]);
    check("power", &[0.0, -1.0], INF, &[-INF, -INF]);
    check("power", &[-2.0, 3.0], -8.0, &[12.0, NAN]);
    check("power", &[-2.0, 2.0], 4.0, &[-4.0, NAN]);
    check("power", &[-8.0, 1.0 / 3.0], NAN, &[NAN, NAN]);
    check("power", &[3.0, 0.0], 1.0, &[0.0, 3f64.ln()]);
    check("power", &[2.0, 10.0], 1024.0, &[5120.0, 1024.0 * LN_2]);
    // The value is gone in both directions, the derivative is not.
    check("power", &[1e-200, 2.0], 0.0, &[2e-200, 0.0]);
    check("power", &[-1e-200, 2.0], 0.0, &[-2e-200, NAN]);
    check("power", &[1e200, 2.0], INF, &[2e200, INF]);
    check(
        "power",
        &[1e-320, 1.0],
        1e-320,
        &[1.0, 1e-320 * 1e-320f64.ln()],
    );
    check("power", &[INF, 2.0], INF, &[INF, INF]);
    check("power", &[INF, -1.0], 0.0, &[0.0, 0.0]);
    check("power", &[NAN, 2.0], NAN, &[NAN, NAN]);
    check("power", &[2.0, NAN], NAN, &[NAN, NAN]);
}

#[test]
fn quotients_and_remainders() {
    check("division", &[1.0, 0.0], INF, &[INF, -INF]);
    check("division", &[0.0, 0.0], NAN, &[INF, NAN]);
    check("multiplication", &[0.0, INF], NAN, &[INF, 0.0]);
    // The quotient is subnormal and has few digits, its derivative has them all.
    let (x, y) = (f64::from_bits(4), 3.0 * 2f64.powi(-30));
    let slope = row("division").locals(&[x, y], x / y)[1];
    assert!((slope / (-4.0 / 9.0 * 2f64.powi(-1014)) - 1.0).abs() < 1e-15);
    check("recip", &[0.0], INF, &[-INF]);
    check("modulo", &[-5.0, 3.0], 1.0, &[1.0, 2.0]);
    check("modulo", &[5.0, -3.0], -1.0, &[1.0, 2.0]);
    check("modulo", &[5.0, 3.0], 2.0, &[1.0, -1.0]);
    check("modulo", &[-6.0, 3.0], 0.0, &[1.0, 2.0]);
    check("modulo", &[5.0, INF], 5.0, &[1.0, 0.0]);
    check("modulo", &[5.0, 0.0], NAN, &[NAN, NAN]);
    check("rem", &[-5.0, 3.0], -2.0, &[1.0, 1.0]);
    check("rem", &[5.0, -3.0], 2.0, &[1.0, 1.0]);
    // floor(0.7/0.1) is 6, and 0.6/0.2 is rounded up to 3.
    check("modulo", &[0.6, 0.2], 0.6 % 0.2, &[1.0, -2.0]);
}

#[test]
fn outside_the_domain_everything_is_nan() {
    for (name, x) in [
        ("ln", -1.0),
        ("ln", -INF),
        ("log2", -1.0),
        ("log10", -1.0),
        ("sqrt", -1.0),
        ("rsqrt", -1.0),
        ("log1p", -2.0),
        ("asin", 2.0),
        ("acos", -2.0),
        ("atanh", 2.0),
        ("atanh", -INF),
        ("asec", 0.5),
        ("asec", 0.0),
        ("acsc", -0.5),
        ("acosh", 0.0),
        ("acosh", -3.0),
        ("gamma", -1.0),
        ("gamma", -INF),
        ("factorial", -1.0),
        ("digamma", -3.0),
    ] {
        check(name, &[x], NAN, &[NAN]);
        assert!(!row(name).domain.contains(&[x]), "{name}({x})");
    }
    check("clamp", &[1.0, 3.0, 2.0], NAN, &[NAN, NAN, NAN]);
    check("polygamma", &[1.5, 2.0], NAN, &[NAN, NAN]);
    check("polygamma", &[-1.0, 2.0], NAN, &[NAN, NAN]);
    check("polygamma", &[171.0, 2.0], NAN, &[NAN, NAN]);
    check("polygamma", &[2.0, -1.5], NAN, &[NAN, NAN]);
    check("polygamma", &[2.0, 0.0], NAN, &[NAN, NAN]);
    check("polygamma", &[2.0, INF], -0.0, &[NAN, 0.0]);
}

#[test]
fn poles_and_edges() {
    check("gamma", &[0.0], INF, &[NAN]);
    check("gamma", &[-0.0], -INF, &[NAN]);
    check("lgamma", &[0.0], INF, &[NAN]);
    check("lgamma", &[-3.0], INF, &[NAN]);
    check("trigamma", &[-3.0], INF, &[NAN]);
    check("asin", &[1.0], 1f64.asin(), &[INF]);
    check("acos", &[-1.0], (-1f64).acos(), &[-INF]);
    check("asec", &[1.0], 0.0, &[INF]);
    check("asec", &[-1.0], PI, &[INF]);
    check("acsc", &[1.0], PI / 2.0, &[-INF]);
    check("acsc", &[-1.0], -PI / 2.0, &[-INF]);
    check("acot", &[0.0], PI / 2.0, &[-1.0]);
    for name in ["csc", "cot", "csch", "coth"] {
        check(name, &[0.0], INF, &[-INF]);
        check(name, &[-0.0], -INF, &[-INF]);
    }
    check("atanh", &[1.0], INF, &[INF]);
    check("atanh", &[-1.0], -INF, &[INF]);
    check("acosh", &[1.0], 0.0, &[INF]);
    check("hypot", &[0.0, 0.0], 0.0, &[0.0, 0.0]);
    check("atan2", &[0.0, 0.0], 0.0, &[NAN, NAN]);
    check(
        "factorial",
        &[0.0],
        1.0,
        &[crate::ops::functions::polygamma::digamma(1.0)],
    );
    check(
        "gamma",
        &[171.0],
        7.257_415_615_307_999e306,
        &[7.257_415_615_307_999e306 * crate::ops::functions::polygamma::digamma(171.0)],
    );
    check("gamma", &[172.0], INF, &[INF]);
}

#[test]
fn zeros_and_poles_have_signs() {
    for (name, operands, value) in [
        ("digamma", &[0.0][..], -INF),
        ("digamma", &[-0.0], INF),
        ("digamma", &[-2.0], NAN),
        ("trigamma", &[-0.0], INF),
        // Below what a number can be, the sign is that of the stretch between two poles.
        ("gamma", &[-200.5], -0.0),
        ("gamma", &[-201.5], 0.0),
        ("silu", &[-INF], -0.0),
        ("silu", &[-1000.0], -0.0),
        ("gelu", &[-INF], -0.0),
        ("gelu", &[-1000.0], -0.0),
    ] {
        let got = row(name).value(operands);
        let alike = same_number(got, value);
        assert!(alike, "{name}{operands:?} is {got}, not {value}");
    }
}

#[test]
fn far_out_nothing_overflows_on_the_way() {
    check("tanh", &[1000.0], 1.0, &[0.0]);
    check("tanh", &[-1000.0], -1.0, &[0.0]);
    check("sigmoid", &[1000.0], 1.0, &[0.0]);
    check("sigmoid", &[-1000.0], 0.0, &[0.0]);
    check("exp", &[1000.0], INF, &[INF]);
    check("exp", &[-745.0], 5e-324, &[5e-324]);
    check("softplus", &[1000.0], 1000.0, &[1.0]);
    check("softplus", &[-1000.0], 0.0, &[0.0]);
    check("logsigmoid", &[-1000.0], -1000.0, &[1.0]);
    check(
        "hypot",
        // The length is 17, in the same units.
        &[8.0 * 2f64.powi(1020), 15.0 * 2f64.powi(1020)],
        INF,
        &[8.0 / 17.0, 15.0 / 17.0],
    );
    let [three, four, five] = [3, 4, 5].map(f64::from_bits);
    check("hypot", &[three, four], five, &[0.6, 0.8]);
    let slope = row("tanh").locals(&[20.0], 1.0)[0];
    assert!((slope / 1.699_341_702_116_635_5e-17 - 1.0).abs() < 1e-15);
}

#[test]
fn infinite_operands_give_limits() {
    for (name, at, value, slope) in [
        ("softsign", INF, 1.0, 0.0),
        ("softsign", -INF, -1.0, 0.0),
        ("silu", -INF, 0.0, 0.0),
        ("silu", INF, INF, 1.0),
        ("gelu", -INF, 0.0, 0.0),
        ("gelu", INF, INF, 1.0),
        ("elu", -INF, -1.0, 0.0),
        ("erf", INF, 1.0, 0.0),
        ("erfc", -INF, 2.0, 0.0),
        ("sigmoid", -INF, 0.0, 0.0),
        ("tanh", INF, 1.0, 0.0),
        ("softplus", -INF, 0.0, 0.0),
        ("logsigmoid", INF, 0.0, 0.0),
        ("atan", INF, INF.atan(), 0.0),
        ("acot", INF, 0.0, 0.0),
        ("acot", -INF, PI, 0.0),
        ("asec", -INF, PI / 2.0, 0.0),
        ("acsc", INF, 0.0, 0.0),
        ("sech", -INF, 0.0, 0.0),
        ("csch", INF, 0.0, 0.0),
        ("coth", -INF, -1.0, 0.0),
        ("cbrt", -INF, -INF, 0.0),
        ("sqrt", INF, INF, 0.0),
        ("ln", INF, INF, 0.0),
        ("asinh", -INF, -INF, 0.0),
        ("acosh", INF, INF, 0.0),
        ("lgamma", INF, INF, INF),
        ("gamma", INF, INF, INF),
        ("digamma", INF, INF, 0.0),
        ("trigamma", INF, 0.0, 0.0),
    ] {
        check(name, &[at], value, &[slope]);
    }
    check("atan2", &[INF, 1.0], INF.atan(), &[0.0, 0.0]);
    check("hypot", &[INF, 1.0], INF, &[NAN, 0.0]);
}

#[test]
fn steps_are_flat() {
    for name in ["sign", "floor", "ceil", "round", "trunc"] {
        for x in [-2.5, -1.0, 0.0, 0.5, 2.0, 1e300] {
            let op = row(name);
            assert_eq!(op.locals(&[x], op.value(&[x]))[0], 0.0, "{name}({x})");
        }
    }
    check("round", &[2.5], 2.0, &[0.0]);
    check("round", &[3.5], 4.0, &[0.0]);
    check("round", &[-2.5], -2.0, &[0.0]);
    check("round", &[0.499_999_999_999_999_94], 0.0, &[0.0]);
}

#[test]
fn clamp_takes_x_at_its_bounds() {
    check("clamp", &[0.0, 0.0, 5.0], 0.0, &[1.0, 0.0, 0.0]);
    check("clamp", &[5.0, 0.0, 5.0], 5.0, &[1.0, 0.0, 0.0]);
    check("clamp", &[7.0, 0.0, 5.0], 5.0, &[0.0, 0.0, 1.0]);
    check("clamp", &[-7.0, 0.0, 5.0], 0.0, &[0.0, 1.0, 0.0]);
    check("clamp", &[NAN, 0.0, 5.0], NAN, &[NAN, NAN, NAN]);
}

#[test]
fn only_the_side_taken_counts() {
    check("if", &[1.0, 10.0, NAN], 10.0, &[0.0, 1.0, 0.0]);
    check("if", &[0.0, NAN, 20.0], 20.0, &[0.0, 0.0, 1.0]);
    check("if", &[NAN, 10.0, 20.0], NAN, &[NAN, NAN, NAN]);
}

#[test]
fn comparisons_are_as_ieee_has_them() {
    for (name, below, equal, above, nan) in [
        ("less", 1.0, 0.0, 0.0, 0.0),
        ("less_or_equal", 1.0, 1.0, 0.0, 0.0),
        ("greater", 0.0, 0.0, 1.0, 0.0),
        ("greater_or_equal", 0.0, 1.0, 1.0, 0.0),
        ("equal", 0.0, 1.0, 0.0, 0.0),
        ("not_equal", 1.0, 0.0, 1.0, 1.0),
    ] {
        check(name, &[1.0, 2.0], below, &[0.0, 0.0]);
        check(name, &[2.0, 2.0], equal, &[0.0, 0.0]);
        check(name, &[3.0, 2.0], above, &[0.0, 0.0]);
        check(name, &[NAN, 2.0], nan, &[0.0, 0.0]);
    }
}

/// One NaN operand, the others 2: NaN comes out, and by the NaN operand the derivative is never a plausible number
/// except where the derivative does not depend on that operand.
#[test]
fn nan_never_turns_into_a_number() {
    // By IEEE, or because the operand is not looked at.
    let unmoved = |op: &Op| {
        op.name == "if"
            || (op.shape == Shape::Infix
                && ["<", ">", "=", "!"]
                    .iter()
                    .any(|c| op.spelling.starts_with(c)))
    };
    let constant = ["addition", "subtraction", "negation", "sum", "prod"];
    for op in TABLE.iter().filter(|op| !unmoved(op)) {
        let least = few(op);
        for position in 0..least {
            let mut operands = vec![2.0; least];
            operands[position] = NAN;
            let out = op.value(&operands);
            assert!(out.is_nan(), "{}{operands:?} is {out}", op.name);
            let slope = op.locals(&operands, out)[position];
            let linear = constant.contains(&op.name)
                || ["multiplication", "chain"].contains(&op.name)
                || (op.name == "leakyrelu_with_slope" && position == 1)
                || (["division", "chain_ln"].contains(&op.name) && position == 0);
            assert!(
                linear || slope.is_nan(),
                "{}{operands:?} by {position} is {slope}",
                op.name
            );
        }
    }
    check("leakyrelu_with_slope", &[NAN, 0.1], NAN, &[NAN, NAN]);
    check("leakyrelu_with_slope", &[-1.0, NAN], NAN, &[NAN, -1.0]);
    check("leakyrelu_with_slope", &[4.0, NAN], NAN, &[1.0, 0.0]);
}

#[test]
fn hypot_of_many() {
    let op = row("hypot");
    assert_eq!(op.value(&[2.0, 3.0, 6.0]), 7.0);
    let huge = 2f64.powi(1020);
    assert_eq!(op.value(&[2.0 * huge, 3.0 * huge, 6.0 * huge]), 7.0 * huge);
    let tiny = [2, 3, 6].map(f64::from_bits);
    assert_eq!(op.value(&tiny), f64::from_bits(7));
    assert_eq!(op.value(&vec![1.0; 10_000]), 100.0);
    assert_eq!(op.locals(&[2.0, 3.0, 6.0], 7.0)[2], 6.0 / 7.0);
    assert!(op.value(&[1.0, NAN, 2.0]).is_nan());
    assert_eq!(op.value(&[1.0, NAN, -INF]), INF);
}

#[test]
fn domains_and_kinks_hold_where_they_say() {
    let power = row("power");
    for (operands, inside) in [
        ([2.0, 0.5], true),
        ([-8.0, 1.0 / 3.0], false),
        ([-8.0, 3.0], true),
        ([0.0, 0.0], true),
        ([0.0, -1.0], false),
    ] {
        assert_eq!(power.domain.contains(&operands), inside, "{operands:?}");
    }
    let Domain::Where { hint, .. } = power.domain else {
        panic!("the power has a domain");
    };
    assert!(hint.is_some_and(|hint| hint.contains("cbrt")));
    let at_kink =
        |name: &str, operands: &[f64]| row(name).kinks.iter().any(|k| (k.holds)(operands));
    assert!(at_kink("abs", &[-0.0]));
    assert!(!at_kink("abs", &[1.0]));
    assert!(at_kink("max", &[1.0, 3.0, 3.0]));
    assert!(!at_kink("max", &[1.0, 1.0, 3.0]));
    assert!(at_kink("hypot", &[0.0, 0.0, 0.0]));
    assert!(at_kink("round", &[2.5]));
    assert!(!at_kink("trunc", &[0.0]));
    assert!(at_kink("modulo", &[-6.0, 3.0]));
    assert!(at_kink("power", &[0.0, 0.0]));
    assert!(!at_kink("power", &[0.0, 2.0]));
}

#[test]
fn a_wrong_number_of_operands_is_nan_and_no_panic() {
    assert!(row("sin").value(&[1.0, 2.0]).is_nan());
    assert!(row("sin").value(&[]).is_nan());
    assert!(row("addition").locals(&[1.0], 1.0).is_empty());
}

#[test]
fn polygamma_of_high_orders() {
    // By mpmath, in 800 digits.
    for (order, x, expected) in [
        (2.0, 1e-90, -2e270),
        (14.0, 0.034_699_308_631_111_44, -6.848_508_922_133_075e32),
        (50.0, 0.000_1, -3.041_409_320_171_330_3e268),
        (120.0, 55.5, -6.597_868_555_220_845e-13),
        (150.0, 4_285.714_285_714_285, -6.093_940_689_061_712e-285),
        (170.0, 102.606_115_259_616_57, -1.102_272_977_105_289e-37),
        (170.0, 1.25, -1.946_120_692_756_316_3e290),
        (169.0, 171.25, 1.305_600_772_360_742_6e-75),
        (170.0, 3_900.0, -1.441_389_270_625_883_2e-306),
    ] {
        let got = super::functions::polygamma::polygamma(order, x);
        let error = (got - expected).abs() / expected.abs();
        assert!(error < 2e-15, "polygamma({order}, {x}) = {got}: {error:e}");
    }
    // Beyond what a number can be.
    for (order, x, expected) in [(2.0, 1e-200, -INF), (169.0, 1e-3, INF), (170.0, 1e5, -0.0)] {
        let got = super::functions::polygamma::polygamma(order, x);
        assert_eq!(got, expected, "polygamma({order}, {x})");
    }
}

#[test]
fn digamma_where_its_asymptotic_series_takes_over() {
    // Its last terms count most there.
    for (x, expected) in [
        (12.0, 2.442_661_679_975_812),
        (12.25, 2.464_154_655_185_369),
        (12.5, 2.485_195_651_274_912_3),
        (13.0, 2.525_995_013_309_145_3),
    ] {
        let got = super::functions::polygamma::digamma(x);
        let error: f64 = got - expected;
        assert!(
            error.abs() <= f64::EPSILON * 2.0,
            "digamma({x}) = {got}: {error:e}"
        );
    }
}

/// Values that the crate `pxfm` gets wrong and that this program corrects.
#[test]
fn where_the_crate_is_mended() {
    let bits = |name: &str, operands: &[f64]| row(name).value(operands).to_bits();
    for (name, operands, value) in [
        ("sinh", &[-0.0][..], -0.0),
        ("atan2", &[-5e-324, 2.0], -0.0),
        ("atan2", &[-1e-17, 1e308], -0.0),
        ("power", &[NAN, 0.0], 1.0),
        ("power", &[1.0, NAN], 1.0),
        ("power", &[2f64.powi(1022), -0.5], 2f64.powi(-511)),
        ("power", &[2f64.powi(530), -2.0], 2f64.powi(-1060)),
        ("power", &[-2f64.powi(530), -2.0], 2f64.powi(-1060)),
        ("power", &[-0.0, -2.0], INF),
        ("power", &[INF, -2.0], 0.0),
        ("power", &[5e-324, -2.0], INF),
        ("rsqrt", &[-0.0], INF),
        ("gamma", &[-0.0], -INF),
        ("gamma", &[-1e5 - 0.5], -0.0),
        ("sigmoid", &[-1000.0], 0.0),
        ("sigmoid", &[-745.0], 5e-324),
        ("digamma", &[1e308], 709.196_208_642_166_1),
        ("trigamma", &[1e308], 1e-308),
        ("lgamma", &[1e308], INF),
    ] {
        let got = f64::from_bits(bits(name, operands));
        assert_eq!(
            bits(name, operands),
            value.to_bits(),
            "{name}{operands:?} is {got}"
        );
    }
    let far = row("lgamma").value(&[1e305]) / 7.012_884_533_631_839e307;
    assert!(
        (far - 1.0).abs() < 3e-16,
        "lgamma(1e305) is {far} of what it should be"
    );
}

#[test]
fn gamma_is_infinite_far_beyond_its_range_too() {
    for x in [171.7, 249.5, 300.25, 709.5, 1e5 + 0.5] {
        assert_eq!(row("gamma").value(&[x]), f64::INFINITY, "{x}");
        assert_eq!(row("factorial").value(&[x]), f64::INFINITY, "{x}");
    }
}
