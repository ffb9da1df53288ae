//! `:step RATE k=A..B`, a rate for each step, is that many single steps. Its answers are recorded
//! in `tests/screens/rates.txt`.

use crate::common::{Desk, number};
use serde_json::{Value, json};

fn desk() -> Desk {
    Desk::with(&["x, w = 3, 0.5", "y = (x*w - 1)^2 + tanh(x)"])
}

/// The values of y after steps with these rates, one statement each.
fn one_by_one(rates: &[f64]) -> (Vec<f64>, Desk) {
    let mut desk = desk();
    let mut values = vec![desk.value("y")];
    for rate in rates {
        desk.line(&format!(":step ({rate:?}) of y"));
        values.push(desk.value("y"));
    }
    (values, desk)
}

fn numbers(value: &Value) -> Vec<f64> {
    let array = value.as_array().expect("an array");
    array.iter().map(number).collect()
}

#[test]
fn a_step_for_each_k_is_that_many_single_steps() {
    type Formula = fn(f64) -> f64;
    let cases: [(&str, i32, i32, Formula); 7] = [
        (":step (0.1 - 0.09k/100) k=0..99 of y", 0, 99, |k| {
            0.1 - 0.09 * k / 100.0
        }),
        (":step (0.1/k) k=1..20 of y", 1, 20, |k| 0.1 / k),
        (":step 0.01k k = 1 .. 2+3 of y", 1, 5, |k| 0.01 * k),
        (":step (0.1 + k/100) k=-3..3 of y", -3, 3, |k| {
            0.1 + k / 100.0
        }),
        (":step 0.05 k=1..10 of y", 1, 10, |_| 0.05),
        (":step 0.05 k=4..4 of y", 4, 4, |_| 0.05),
        (":step (-(k + 1)/100) k=0..8 of y", 0, 8, |k| {
            -(k + 1.0) / 100.0
        }),
    ];
    for (line, first, last, formula) in cases {
        let rates: Vec<f64> = (first..=last).map(|k| formula(f64::from(k))).collect();
        let (values, mut often) = one_by_one(&rates);
        let mut once = desk();
        let step = &once.line(line)[0];
        assert_eq!(numbers(&step["rate"]), rates, "{line}");
        assert_eq!(numbers(&step["values"]), values, "{line}");
        assert_eq!(step["steps"], json!(rates.len()), "{line}");
        for name in ["x", "w"] {
            assert_eq!(
                once.value(name).to_bits(),
                often.value(name).to_bits(),
                "{line}"
            );
            assert_eq!(
                once.grad(name).to_bits(),
                often.grad(name).to_bits(),
                "{line}"
            );
        }
        // All steps are one change.
        once.line(":undo");
        assert_eq!((once.value("x"), once.value("w")), (3.0, 0.5), "{line}");
    }
}

/// The losses and weights that `PyTorch` has after as many steps, see `reference/pytorch.py`.
#[test]
fn momentum_and_adam_are_those_of_pytorch() {
    for line in include_str!("reference/pytorch.txt").lines() {
        let (typed, recorded) = line.split_once('\t').expect("a run and its numbers");
        let recorded: Vec<f64> = recorded
            .split(' ')
            .map(|it| it.parse().expect("a number"))
            .collect();
        let (losses, weights) = recorded.split_at(41);
        let mut desk = Desk::with(&[
            "W = [[0.5, -1, 0.25], [0.1, 0.3, -0.7], [-0.2, 0.9, 0.4]]",
            "const xs = [[1, 2, -1], [0.5, -1, 2], [-2, 0.25, 1], [0.75, 1.5, 0.5]]",
            "const cs = [0, 2, 1, 2]",
            "loss = mean([logsumexp(dot(W, x)) - dot(W, x)[c] for x, c in zip(xs, cs)])",
        ]);
        let step = desk.answer(&format!(":step {typed} of loss"));
        let weights_here = numbers(&desk.answer("flat(W)")["data"]);
        let here = numbers(&step["values"]).into_iter().chain(weights_here);
        for (here, there) in here.zip(losses.iter().chain(weights)) {
            assert!(
                (here - there).abs() <= 1e-12 * there.abs(),
                "{typed}: {here} {there}"
            );
        }
        assert!(
            step["values"]
                .as_array()
                .is_some_and(|values| values.len() == 41)
        );
    }
}

/// Several steps at once equal as many single statements, as long as the remembered pass is valid.
#[test]
fn an_optimizer_goes_on_where_it_stopped() {
    for rule in ["adam", "momentum 0.9"] {
        let typed = format!(":step 0.1 4 {rule} of y");
        let mut once = desk();
        let whole = once.answer(&format!(":step 0.1 8 {rule} of y"));
        let mut twice = desk();
        assert_eq!(twice.answer(&typed)["earlier"], json!(0));
        // Statements that do not move the leaves change nothing here, nor do errors.
        twice.line("2 + 2; :grad y; z = 5; :freeze z");
        assert!(
            twice
                .try_line(":step nan of y")
                .pop()
                .is_some_and(|answer| answer.is_err())
        );
        assert_eq!(twice.answer(&typed)["earlier"], json!(4));
        assert_eq!(
            twice.value("y").to_bits(),
            number(&whole["after"]).to_bits()
        );
        // After a redo the leaves are again where the steps ended.
        twice.line(":undo; :redo");
        assert_eq!(twice.answer(&typed)["earlier"], json!(8));
        // It follows the name of its target, as long as that has the same leaves.
        for (change, earlier) in [
            (":undo", 0),
            (":set x 2", 0),
            (":step 0.01 of y", 0),
            (":freeze w", 0),
            ("y = x^2 + w^2", 4),
            ("y = x^2", 0),
            ("w = 1; y = x^2 + w^2", 0),
        ] {
            let mut desk = desk();
            desk.line(&typed);
            desk.line(change);
            assert_eq!(desk.answer(&typed)["earlier"], json!(earlier), "{change}");
        }
    }
}
