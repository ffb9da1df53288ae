//! The lock on the operations' JavaScript texts: run as JavaScript, each gives the same numbers as the program.
//!
//! One run covers all rows and points. Values and derivatives must agree to 1e-11 at ordinary points.

use std::fmt::Write as _;

use chainrule::ops::{Dialect, Op, TABLE, library};
use chainrule::study::page_operation;

/// Ordinary points on both sides of zero.
const POINTS: &[f64] = &[
    -29.5, -20.25, -7.25, -3.5, -2.5, -1.5, -0.75, -0.3, -0.01, 0.01, 0.3, 0.5, 0.75, 1.25, 2.5,
    3.5, 6.5, 12.3, 20.25, 29.5,
];

/// Formats a value or derivative in JavaScript so that Rust can parse it.
const WRITTEN: &str = "const written = (x) => (Object.is(x, -0) ? \"-0\" : String(x));\n";

fn combinations(points: &[f64], count: usize) -> Vec<Vec<f64>> {
    (0..count).fold(vec![Vec::new()], |chosen, _| {
        chosen
            .iter()
            .flat_map(|some| {
                points
                    .iter()
                    .map(move |&x| [some.as_slice(), &[x]].concat())
            })
            .collect()
    })
}

/// The combinations of operands in the domain; operations of any number of operands are tried with two and with three.
fn cases(op: &Op) -> Vec<Vec<f64>> {
    let few: Vec<f64> = POINTS.iter().copied().step_by(3).collect();
    let mut all = match op.arity() {
        (least @ (1 | 2), Some(_)) => combinations(POINTS, least),
        (3, _) => combinations(&few, 3),
        _ => [combinations(&few, 2), combinations(&few, 3)].concat(),
    };
    let is_kink = |case: &[f64]| op.kinks.iter().any(|kink| (kink.holds)(case));
    all.retain(|case| op.domain.contains(case) && !is_kink(case) && op.value(case).is_finite());
    all
}

fn literal(x: f64) -> String {
    match x {
        x if x.is_nan() => "NaN".to_string(),
        x if x.is_infinite() => (if x > 0.0 { "Infinity" } else { "-Infinity" }).to_string(),
        x => format!("{x:?}"),
    }
}

/// The rows that a script can compute.
fn spelled() -> impl Iterator<Item = (&'static Op, [String; 2])> {
    let rows = TABLE.iter();
    rows.filter_map(|op| Some((op, page_operation(op)?)))
}

/// The JavaScript: for each row and case it writes a line with the value and the derivatives.
fn script() -> String {
    let texts: Vec<String> = spelled().flat_map(|(_, texts)| texts).collect();
    let texts = texts.iter().map(String::as_str);
    let mut text = format!(
        "\"use strict\";\n{}\n{WRITTEN}const lines = [];\n",
        library(Dialect::JavaScript, texts)
    );
    for (op, [value, locals]) in spelled() {
        let cases: Vec<String> = cases(op)
            .iter()
            .map(|case| {
                format!(
                    "[{}]",
                    case.iter()
                        .map(|&x| literal(x))
                        .collect::<Vec<_>>()
                        .join(",")
                )
            })
            .collect();
        let _ = writeln!(
            text,
            "{{ const value = {value}; const locals = {locals};\nfor (const a of [{}]) {{\n  const out = value(a);\n  \
             lines.push([out, ...locals(a, out)].map(written).join(\" \"));\n}} }}",
            cases.join(",")
        );
    }
    text.push_str("const answer = lines.join(\"\\n\");\n");
    text
}

/// Do two numbers agree to 1e-11? Near a zero of a difference the error is relative to its terms.
fn agrees(got: f64, want: f64) -> bool {
    (got - want).abs() <= (1e-11 * want.abs()).max(1e-13)
}

#[test]
fn every_spelling_gives_the_numbers_of_its_row() {
    let Some(answer) = crate::common::browser::ran(&script()) else {
        crate::common::browser::skipped("the rows' spellings for scripts", "node or a Chromium");
        return;
    };
    let mut lines = answer.lines();
    let mut failures = Vec::new();
    for (op, _) in spelled() {
        let mut failed = 0;
        for operands in cases(op) {
            let line = lines.next().expect("there is a line for each case");
            let numbers: Vec<f64> = line
                .split(' ')
                .map(|word| word.parse().expect("a number is written"))
                .collect();
            let out = op.value(&operands);
            // The local derivative uses the value that was computed beside it.
            let slopes = (0..operands.len()).map(|at| op.local(&operands, at, out));
            let wanted: Vec<f64> = std::iter::once(out).chain(slopes).collect();
            assert_eq!(numbers.len(), wanted.len(), "{}: {line}", op.name);
            for (at, (&got, &want)) in numbers.iter().zip(&wanted).enumerate() {
                if !agrees(got, want) {
                    failed += 1;
                    if failed <= 6 {
                        let what = if at == 0 {
                            "value".to_string()
                        } else {
                            format!("operand {}", at - 1)
                        };
                        failures.push(format!(
                            "{} {operands:?} {what}: script {got:e}, row {want:e}",
                            op.name
                        ));
                    }
                }
            }
        }
        if failed > 6 {
            failures.push(format!("{}: {failed} in all", op.name));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert_eq!(lines.next(), None);
}

#[test]
fn what_has_no_spelling_is_known() {
    let without: Vec<&str> = TABLE
        .iter()
        .filter(|op| page_operation(op).is_none())
        .map(|op| op.name)
        .collect();
    // JavaScript has no functions for these or for their derivatives; the page replays their recorded numbers.
    let sums = [
        "factorial",
        "gelu",
        "median_low",
        "median_high",
        "gcd",
        "lcm",
        "round_to",
        "erf",
        "erfc",
        "gamma",
        "lgamma",
        "digamma",
        "trigamma",
        "polygamma",
    ];
    assert_eq!(
        without, sums,
        "give the row its `script` (see crates/engine/src/ops/script.rs), or name it here if a page shall replay it"
    );
}
