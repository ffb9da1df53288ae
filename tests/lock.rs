//! The lock on the table of operations: in every row, each derivative as a number equals its texts and the slope.
//!
//! The texts are evaluated by the calculator's own parser and engine. A wrong number, text or value in a row fails with
//! the row's name. Independent reference values are compared in `reference.rs`.

use crate::common::{Desk, Random, called, close, few_operands, is_refused, points};
use chainrule_engine::ops::{Domain, Op, Rule, TABLE};

/// Points on both sides of zero and of the small whole numbers where kinks and bounds lie; also tiny and huge ones.
const POINTS: &[f64] = &[
    -1e300, -1e10, -30.5, -7.25, -3.0, -2.0, -1.5, -1.000_001, -1.0, -0.999_999, -0.75, -0.3,
    -1e-3, -1e-9, -1e-300, -0.0, 0.0, 1e-300, 1e-9, 1e-3, 0.3, 0.75, 0.999_999, 1.0, 1.000_001,
    1.5, 2.0, 2.5, 3.0, 7.25, 30.5, 1e10, 1e300,
];

/// Points at which the formulas for people are accurate, without much cancellation.
fn is_moderate(operands: &[f64]) -> bool {
    operands.iter().all(|x| (0.2..=8.0).contains(&x.abs()))
}

/// Points that are neither tiny nor huge.
fn is_ordinary(operands: &[f64]) -> bool {
    operands
        .iter()
        .all(|x| *x == 0.0 || (1e-3..=31.0).contains(&x.abs()))
}

/// The distance of `got` from `want` in units in the last place.
fn ulps(got: f64, want: f64) -> f64 {
    if got == want || got.is_nan() && want.is_nan() {
        return 0.0;
    }
    let spacing = (want.abs().max(f64::MIN_POSITIVE) * f64::EPSILON).max(f64::from_bits(1));
    (got - want).abs() / spacing
}

/// All combinations of operands for an operation; with three operands from fewer points each.
fn grid(op: &Op, points: &[f64]) -> Vec<Vec<f64>> {
    let least = few_operands(op);
    grid_of(least, points, if least > 2 { 3 } else { 1 })
}

fn grid_of(operands: usize, points: &[f64], step: usize) -> Vec<Vec<f64>> {
    let mut grid: Vec<Vec<f64>> = vec![Vec::new()];
    for _ in 0..operands {
        grid = grid
            .iter()
            .flat_map(|chosen| {
                let points = points.iter().step_by(step);
                points.map(|&x| [chosen.as_slice(), &[x]].concat())
            })
            .collect();
    }
    grid
}

fn is_kink(op: &Op, operands: &[f64]) -> bool {
    op.kinks.iter().any(|kink| (kink.holds)(operands))
}

/// The largest error of a text in units in the last place.
const ALLOWED: f64 = 64.0;

/// Is the point so close to a jump of the derivative that rounding decides the side? As in `-3 % 0.3`: -3/0.3 rounds to
/// -10.
fn is_edge(op: &Op, operands: &[f64], position: usize) -> bool {
    let number = op.locals(operands, op.value(operands))[position];
    (0..operands.len()).any(|moved| {
        [1.0 - 1e-12, 1.0 + 1e-12].iter().any(|factor| {
            let mut near = operands.to_vec();
            near[moved] *= factor;
            !close(
                op.locals(&near, op.value(&near))[position],
                number,
                1e-3,
                1e-280,
            )
        })
    })
}

/// The operands that `x y z` in the text stand for: in an operation of many operands, `x` is the operand in question
/// and `y` the other one.
fn operands_in_text(op: &Op, operands: &[f64], position: usize) -> Vec<f64> {
    if matches!(op.rule, Rule::Many { .. }) {
        vec![operands[position], operands[1 - position]]
    } else {
        operands.to_vec()
    }
}

/// A desk with the names of the texts; the scale is 1.
fn desk() -> Desk {
    Desk::with(&["x, y, z, out, length, scale = 0, 0, 0, 0, 0, 1;"])
}

fn evaluate(desk: &mut Desk, text: &str, operands: &[f64], out: f64) -> f64 {
    use chainrule_session::{Setting, Widths};
    let leaf = |desk: &Desk, name: &str| {
        std::rc::Rc::clone(desk.session.names().find_node(name).expect("it was bound"))
    };
    let mut settings = vec![Setting {
        leaf: leaf(desk, "out"),
        data: out,
    }];
    let length = operands.iter().fold(0.0, |length: f64, x| length.hypot(*x));
    let data = std::iter::once(&length).chain(operands);
    for (name, &data) in ["length", "x", "y", "z"].into_iter().zip(data) {
        settings.push(Setting {
            leaf: leaf(desk, name),
            data,
        });
    }
    desk.session.set(&settings, Widths::new(), |_, _| {});
    let span = chainrule_language::Span::new(0, text.len());
    let expression = chainrule_language::expression(text, span)
        .unwrap_or_else(|error| panic!("{text}: {}", error.message));
    let (node, _) = desk
        .session
        .evaluate_number(text, &expression)
        .unwrap_or_else(|error| panic!("{text}: {error:?}"));
    node.data()
}

/// Rows whose derivative has a second text: where the one that people learn loses digits at ordinary points, or is
/// wrong at a special one.
const TWO_TEXTS: &str = "modulo power factorial expm1 log10 asin acos atan asec acsc acot atan2 tanh asinh acosh atanh sigmoid \
    leakyrelu_with_slope gelu silu softsign hypot logsumexp rem gamma lgamma digamma";

#[test]
fn rows_with_two_texts_are_named() {
    let has_two = |op: &&Op| {
        (0..few_operands(op))
            .any(|at| op.derivable_text(at, few_operands(op)) != op.learned_text(at))
    };
    let found: Vec<&str> = TABLE.iter().filter(has_two).map(|op| op.name).collect();
    assert_eq!(found.join(" "), TWO_TEXTS);
}

#[test]
fn number_and_built_text_agree_at_ordinary_points() {
    let mut desk = desk();
    let mut failures = Vec::new();
    for op in &TABLE {
        let least = few_operands(op);
        for operands in grid(op, POINTS) {
            if !op.domain.contains(&operands) || is_kink(op, &operands) || !is_ordinary(&operands) {
                continue;
            }
            let out = op.value(&operands);
            for position in 0..least {
                let number = op.locals(&operands, out)[position];
                let built = evaluate(
                    &mut desk,
                    op.derivable_text(position, least),
                    &operands_in_text(op, &operands, position),
                    out,
                );
                // An overflow in the text's intermediate results does not make the text wrong.
                let lost = !built.is_finite()
                    || !out.is_finite()
                    || out.abs() < 1e-290
                    || number.abs() < 1e-290;
                // Near a zero of the slope the error is relative to its terms. (That does not apply to slopes that are
                // tiny by nature, as tanh' at 20 is 1.7e-17: there 0 would be wrong.)
                let crossing = number.abs() > 1e-5 && (built - number).abs() < 1e-15;
                let wrong = ulps(built, number) > ALLOWED && !crossing;
                if wrong && !lost {
                    failures.push(format!("{} by operand {position} at {operands:?}: number {number:e}, `{}` {built:e}", op.name, op.derivable_text(position, least)));
                    break;
                }
            }
        }
    }
    failures.dedup_by_key(|failure| failure.split(' ').next().map(ToString::to_string));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn number_and_shown_text_agree_at_moderate_points() {
    let mut desk = desk();
    for op in &TABLE {
        let least = few_operands(op);
        for operands in grid(op, POINTS)
            .into_iter()
            .filter(|operands| is_moderate(operands))
        {
            if !op.domain.contains(&operands) || is_kink(op, &operands) {
                continue;
            }
            let out = op.value(&operands);
            for position in 0..least {
                if is_edge(op, &operands, position) {
                    continue;
                }
                let number = op.locals(&operands, out)[position];
                let shown = evaluate(
                    &mut desk,
                    op.learned_text(position),
                    &operands_in_text(op, &operands, position),
                    out,
                );
                let message = || {
                    format!(
                        "{} by operand {position} at {operands:?}: number {number:e}, `{}` {shown:e}",
                        op.name,
                        op.learned_text(position)
                    )
                };
                assert!(close(shown, number, 1e-9, 1e-12), "{}", message());
            }
        }
    }
}

#[test]
fn number_is_the_slope_of_the_value() {
    for op in &TABLE {
        let least = few_operands(op);
        for operands in grid(op, POINTS)
            .into_iter()
            .filter(|operands| is_moderate(operands))
        {
            let h = 1e-5;
            for position in 0..least {
                let at = |by: f64| {
                    let mut moved = operands.clone();
                    moved[position] += by;
                    moved
                };
                // A kink, a jump or the edge of the domain lies between the points, so there is no slope to compare
                // with.
                let around = [at(-h), operands.clone(), at(h)];
                let crossed = around
                    .iter()
                    .any(|point| is_kink(op, point) || !op.domain.contains(point));
                let (below, middle, above) = (
                    op.value(&around[0]),
                    op.value(&operands),
                    op.value(&around[2]),
                );
                let bent = (above - 2.0 * middle + below).abs() > 1e-7 * (1.0 + middle.abs());
                // The slope of trigamma is known right of 0 only.
                let is_unknown = op.name == "trigamma" && operands[0] < 0.0;
                if crossed || bent || is_unknown || !(below + above).is_finite() {
                    continue;
                }
                let slope = (above - below) / (2.0 * h);
                let number = op.locals(&operands, middle)[position];
                assert!(
                    close(number, slope, 1e-6, 1e-6 * (1.0 + middle.abs())),
                    "{} by operand {position} at {operands:?}: number {number:e}, slope {slope:e}",
                    op.name
                );
            }
        }
    }
}

#[test]
fn nan_operands_give_no_plausible_slope() {
    use chainrule_engine::graph::{Graph, Pass};
    for op in &TABLE {
        let least = few_operands(op);
        for position in 0..least {
            let mut graph = Graph::default();
            let mut leaves: Vec<_> = (0..least).map(|_| graph.leaf(0.5, false)).collect();
            leaves[position] = graph.leaf(f64::NAN, false);
            let root = graph.apply(op, &leaves);
            let pass = Pass::run(&root, &graph);
            for leaf in &leaves {
                // An exact zero absorbs a NaN; everything else that depends on a NaN is NaN.
                let grad = pass.grad(leaf).expect("a leaf of the root is in its pass");
                let cut_off = grad == 0.0 || !root.data().is_nan();
                assert!(
                    grad.is_nan() || cut_off,
                    "{} with NaN at {position}: {} {grad}",
                    op.name,
                    root.data()
                );
            }
        }
    }
}

#[test]
fn every_operator_of_the_language_has_a_row_and_every_row_an_operator() {
    use chainrule_engine::ops::{Shape, operator};
    use chainrule_language::precedence::{Grouping, OPERATORS};
    for written in &OPERATORS {
        let shape = match written.grouping {
            Grouping::Prefix => Shape::Prefix,
            Grouping::Postfix => Shape::Postfix,
            Grouping::Left | Grouping::Right | Grouping::Alone => Shape::Infix,
        };
        assert!(
            operator(written.spelling, shape).is_some(),
            "`{}` has no row",
            written.spelling
        );
    }
    for op in TABLE.iter().filter(|op| op.shape != Shape::Call) {
        assert!(
            OPERATORS
                .iter()
                .any(|written| written.spelling == op.spelling),
            "`{}` cannot be written",
            op.spelling
        );
    }
}

#[test]
fn every_example_runs() {
    for op in &TABLE {
        let mut desk = Desk::with(&["x, y, z, a, b = 0.5, 0.25, 2, 3, 4;"]);
        let answer = desk.try_line(op.example).pop();
        assert!(
            matches!(answer, Some(Ok(_))),
            "{}: `{}` {answer:?}",
            op.name,
            op.example
        );
    }
}

/// The ends of domains, kinks and flat regions, and points between them.
const NEAR: &[f64] = &[
    -3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0,
];

/// A row's domain says that something is required exactly where there is no finite value.
#[test]
fn a_domain_is_where_there_is_a_value() {
    let mut failures = Vec::new();
    for op in &TABLE {
        if matches!(op.domain, Domain::Everywhere) {
            continue;
        }
        for operands in grid(op, NEAR) {
            let value = op.value(&operands);
            if op.domain.contains(&operands) != value.is_finite() {
                failures.push(format!("{}{operands:?} is {value}", op.name));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Points where no convention is needed although the value ends or jumps: a choice at its condition, a power at 0,
/// clamp with equal bounds, and the branch cut of atan2, where the value jumps by a full circle but the slope does not.
/// Also `leakyrelu(x, 1)`, which has no kink, and functions too curved for a difference.
fn is_no_matter(op: &Op, operands: &[f64]) -> bool {
    match op.name {
        "if" | "power" => operands[0] == 0.0,
        "clamp" => operands[1] == operands[2],
        "atan2" => operands[0] == 0.0 && operands[1] < 0.0,
        "leakyrelu_with_slope" => operands == [0.0, 1.0],
        name => name == "polygamma",
    }
}

/// At a kink the value bends, jumps, is steep, or ends on one side; elsewhere both sides agree.
#[test]
fn a_kink_is_where_the_sides_differ() {
    let mut failures = Vec::new();
    for op in &TABLE {
        for operands in grid(op, NEAR) {
            if !op.domain.contains(&operands) || is_no_matter(op, &operands) {
                continue;
            }
            let here = op.value(&operands);
            let bends = |position: usize| {
                let side = |h: f64| {
                    let mut moved = operands.clone();
                    moved[position] += h;
                    (op.value(&moved) - here) / h
                };
                let (left, right) = (side(-1e-7), side(1e-7));
                let most = left.abs().max(right.abs());
                // A power of a negative number is undefined on both sides of each whole exponent.
                left.is_finite() != right.is_finite()
                    || most > 1e4 && is_steep(op)
                    || (left - right).abs() > 1e-3 * most.max(1e-3)
            };
            let bends = (0..operands.len()).any(bends);
            if bends != is_kink(op, &operands) {
                failures.push(format!("{}{operands:?}: {bends}", op.name));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Does the function have an infinite slope at a point where it is defined, the same on both sides?
fn is_steep(op: &Op) -> bool {
    matches!(op.name, "cbrt" | "sign")
}

/// Each language can write an operation and its derivative, or is known to refuse it. `--test tools` runs the programs.
#[test]
fn every_operation_can_be_exported() {
    let mut failures = Vec::new();
    let mut random = Random(3);
    for op in &TABLE {
        let mut number = || [0.5, 1.5, 2.0, 3.0][random.below(4)];
        let draw = |_| (0..few_operands(op)).map(|_| number()).collect();
        let names = ["x", "y", "z"].map(str::to_string);
        let mut desk = Desk::default();
        for (name, data) in names.iter().zip(&points(op, 1, draw)[0]) {
            // JAX counts orders, so they are constants.
            let word = if op.name == "polygamma" && name == "x" {
                "const "
            } else {
                ""
            };
            desk.line(&format!("{word}{name} = {data:?};"));
        }
        desk.line(&format!("L = {};", called(op, &names[..few_operands(op)])));
        for (language, ending) in [
            ("C", "c"),
            ("Python", "py"),
            ("Python", "np.py"),
            ("JAX", "jax.py"),
        ] {
            let mut answers = desk.try_line(&format!(":export L model.{ending}"));
            let is_written = answers.pop().is_some_and(|it| it.is_ok());
            if is_written == is_refused(language, op) {
                failures.push(format!("{} in {ending}: {is_written}", op.name));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
