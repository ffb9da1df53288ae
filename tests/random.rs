//! Random numbers: they equal Python's, and only what must draw them does.

use std::rc::Rc;

use crate::common::Desk;
use chainrule::interpret;
use chainrule_program::functions::LIBRARY;
use chainrule_session::QuietHost;
use serde_json::json;

/// The calls of `draws` in `tests/reference/python_random.py`, by turns.
const CALLS: [&str; 5] = [
    "uniform(-1, 1)",
    "normal(0, 1)",
    "uniform(3, -0.25)",
    "normal(2.5, 0.1)",
    "normal(-1e10, 1e-3)",
];

#[test]
fn the_numbers_are_those_of_python() {
    let mut desk = Desk::default();
    let mut at = 0;
    let (mut seeds, mut compared) = (0, 0);
    let mut far: Option<usize> = None;
    for line in include_str!("reference/random.txt").lines() {
        if let Some(seed) = line.strip_prefix("seed ") {
            desk.line(&format!(":config seed {seed}"));
            (at, seeds) = (0, seeds + 1);
            continue;
        }
        if let Some(count) = line.strip_prefix("far ") {
            let count: usize = count.parse().expect("a count");
            desk.line(":config seed 7");
            let turn = format!("({})", CALLS.join(" + "));
            desk.line(&format!("f(x) = {}", vec![turn; 100].join(" + ")));
            for _ in 0..count / (CALLS.len() * 100) {
                desk.line("f(0);");
            }
            (at, far) = (0, Some(count));
            continue;
        }
        let bits = u64::from_str_radix(line, 16).expect("16 digits");
        let call = CALLS[at % CALLS.len()];
        let call = if far.is_some() && at == 0 {
            "uniform(0, 1)"
        } else {
            call
        };
        assert_eq!(
            desk.value(call).to_bits(),
            bits,
            "draw {at} of seed {seeds}: {call}"
        );
        (at, compared) = (at + 1, compared + 1);
    }
    assert!(seeds >= 7 && compared > 4_000 && far == Some(50_000));
}

/// The next numbers of the default seed, by `random.seed(0)` in Python.
const FIRST: f64 = 0.844_421_851_525_048_1;
const SECOND: f64 = 0.757_954_402_940_302_5;
const THIRD: f64 = 0.420_571_580_830_845;

#[test]
fn a_bound_number_is_a_leaf_and_others_are_constants() {
    let mut desk = Desk::with(&["x = uniform(0, 1)", "y = x*uniform(0, 1)", ":grad y"]);
    assert_eq!((desk.value("x"), desk.grad("x")), (FIRST, SECOND));
    let rows = desk.line(":grad y")[0]["rows"].clone();
    let rows = rows.as_array().expect("rows");
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(
        (&rows[1]["leaf"], &rows[1]["id"]),
        (&json!(true), &json!(1))
    );
    // Setting x computes y again with the same number.
    desk.line(":set x 2");
    assert_eq!(desk.value("y"), 2.0 * SECOND);
    // The arguments' numbers are taken at that moment, so the result depends on no leaf.
    let mut desk = Desk::with(&[
        "a, b = 0, 2",
        "c = uniform(a, b)",
        "const d = uniform(a, b)",
        ":set b 5",
    ]);
    assert_eq!(
        (desk.value("c"), desk.value("d")),
        (2.0 * FIRST, 2.0 * SECOND)
    );
    assert_eq!(
        desk.line(":grad c + d")[0]["rows"].as_array().map(Vec::len),
        Some(3)
    );
    // A function draws at each call, and its derivative takes the number as a constant.
    let mut desk = Desk::with(&["f(x) = x^2*uniform(0, 1)"]);
    assert_eq!(
        (desk.value("f(3)"), desk.value("f'(3)")),
        (9.0 * FIRST, 6.0 * SECOND)
    );
    assert_eq!(desk.value("uniform(-1, -1) + 0"), -1.0);
    let mut desk = Desk::with(&["x = 3", "x += uniform(0, 1)"]);
    assert_eq!(desk.value("x"), 3.0 + FIRST);
}

#[test]
fn what_fails_or_only_tries_draws_nothing() {
    for line in [
        "uniform(0, 1) + q",
        "a, b = uniform(0, 1), q",
        "a = uniform(0, 1)*tanh(1, 2)",
        ":set x uniform(0, 1), q 3",
        ":grad x*uniform(0, 1) wrt q",
        ":step uniform(0, 1) 0",
        "uniform(0, 1, 2)",
        "uniform'(0, 1)",
    ] {
        let mut desk = Desk::with(&["x = 3"]);
        desk.error(line);
        assert_eq!(desk.value("uniform(0, 1)"), FIRST, "{line}");
    }
    for line in [
        ":plot x*uniform(0, 1) x=0..1",
        ":plot uniform(0, 1)*t t=0..1",
        ":tree x*uniform(0, 1)",
        ":graph x*uniform(0, 1)",
        ":check x*uniform(0, 1)",
        ":explain x of x*uniform(0, 1)",
        "f(x) = uniform(0, q)",
        "g(x) = uniform(0, 1)",
    ] {
        let mut desk = Desk::with(&["x = 3"]);
        desk.line(line);
        assert_eq!(desk.value("uniform(0, 1)"), FIRST, "{line}");
    }
    // The hint shows the number that Enter then gives.
    let mut desk = Desk::with(&["x = 3"]);
    for _ in 0..3 {
        let hint = interpret::preview(&mut desk.session, "y = uniform(0, 1)", Rc::new(QuietHost));
        let hint = hint.answer;
        assert!(
            format!("{hint:?}").contains("0.8444218515250481"),
            "{hint:?}"
        );
    }
    assert_eq!(desk.value("uniform(0, 1)"), FIRST);
    // A line that runs again without `Value` draws once.
    let mut desk = Desk::default();
    desk.line("a, b = uniform(0, 1), Value(2.0)");
    desk.line("c = uniform(0, 1) + Value(1.0)");
    assert_eq!((desk.value("a"), desk.value("c")), (FIRST, 1.0 + SECOND));
}

#[test]
fn undo_gives_numbers_back_and_redo_takes_them() {
    let mut desk = Desk::default();
    desk.line("a = uniform(0, 1)");
    desk.line("b = uniform(0, 1)");
    desk.line(":undo");
    assert_eq!(desk.value("uniform(0, 1)"), SECOND);
    let mut desk = Desk::with(&["a = uniform(0, 1)", "b = uniform(0, 1)", ":undo 2", ":redo"]);
    assert_eq!(desk.value("uniform(0, 1)"), SECOND);
    let mut desk = Desk::with(&[
        "a = uniform(0, 1)",
        "b = uniform(0, 1)",
        ":undo 2",
        ":redo 2",
    ]);
    assert_eq!(desk.value("uniform(0, 1)"), THIRD);
    // A number that is not bound is a change of its own.
    let mut desk = Desk::with(&["a = uniform(0, 1)", ":undo", "uniform(0, 1)"]);
    assert!(desk.error(":redo").message.contains("nothing"));
    let mut desk = Desk::with(&["uniform(0, 1)", "uniform(0, 1)", "x = 5", ":undo 2"]);
    assert_eq!(desk.value("uniform(0, 1)"), SECOND);
    let mut desk = Desk::with(&["x = 5", "uniform(0, 1)", ":undo", ":redo", "y = 2", ":undo"]);
    assert_eq!(desk.value("uniform(0, 1)"), SECOND);
    let mut desk = Desk::with(&["x = 5", "uniform(0, 1)", ":undo"]);
    assert_eq!((desk.value("x"), desk.value("uniform(0, 1)")), (5.0, FIRST));
    // The second number of a normal pair comes back too.
    let mut desk = Desk::default();
    desk.line("a = normal(0, 1)");
    let second = desk.value("normal(0, 1)");
    let mut desk = Desk::with(&[
        "a = normal(0, 1)",
        "b = normal(0, 1)",
        "c = normal(0, 1)",
        ":undo 2",
    ]);
    assert_eq!(desk.value("normal(0, 1)"), second);
    // Settings, `:set` and steps draw and give back.
    let mut desk = Desk::with(&[
        "x = 1",
        "y = x^2",
        ":set x uniform(0, 1)",
        ":step (uniform(0, 1)) 3 of y",
        ":undo 2",
    ]);
    assert_eq!((desk.value("x"), desk.value("uniform(0, 1)")), (1.0, FIRST));
    // Far apart: the entries share the words between them.
    let mut desk = Desk::default();
    let sum = vec!["uniform(0, 1)"; 1_000].join(" + ");
    let mut sums = Vec::new();
    for _ in 0..20 {
        desk.line(&format!("s = {sum}"));
        sums.push(desk.value("s"));
    }
    for expected in sums.iter().rev().skip(1) {
        desk.line(":undo");
        assert_eq!(desk.value("s"), *expected);
    }
    desk.line(&format!("s = {sum}"));
    assert_eq!(desk.value("s"), sums[1]);
}

#[test]
fn a_seed_begins_its_sequence() {
    let mut desk = Desk::with(&["uniform(0, 1)", ":config seed 0"]);
    assert_eq!(desk.value("uniform(0, 1)"), FIRST);
    desk.line(":config seed 1");
    assert_eq!(desk.value("uniform(0, 1)"), 0.134_364_244_112_401_22);
    desk.line(":undo 2");
    assert_eq!(desk.value("uniform(0, 1)"), SECOND);
    desk.line(":config seed default");
    assert_eq!(desk.value("uniform(0, 1)"), FIRST);
    desk.line("x = uniform(0, 1)");
    desk.line(":reset");
    assert_eq!(desk.value("uniform(0, 1)"), FIRST);
    desk.line(":undo 2");
    assert_eq!(
        (desk.value("x"), desk.value("uniform(0, 1)")),
        (SECOND, THIRD)
    );
    for (wrong, place) in [
        ("-1", 13..15),
        ("1.5", 13..16),
        ("1e16", 13..17),
        ("nan", 13..16),
    ] {
        let error = desk.error(&format!(":config seed {wrong}"));
        assert_eq!(error.message, format!("`seed` cannot be `{wrong}`"));
        assert_eq!(error.span, Some(place));
    }
    let most = desk.line(":config seed 9007199254740992");
    assert_eq!(most[0]["value"], json!(9_007_199_254_740_992_u64));
}

#[test]
fn draws_are_functions_like_others() {
    let mut desk = Desk::with(&["x = 3"]);
    let draws = LIBRARY.iter().filter(|it| it.topic == "random");
    for draw in draws {
        let page = desk.screen(&format!(":help {}", draw.name));
        assert!(
            page.contains("random.seed(1337)") && page.contains(draw.arguments),
            "{page}"
        );
        let typed = &draw.name[..4];
        let found = interpret::completions(&desk.session, typed, typed.len());
        let found = format!("{found:?}");
        assert!(found.contains(&format!("{}(", draw.name)), "{found}");
    }
    // A function of one's own hides a built-in one.
    let notes = desk.screen("uniform(a, b) = a + b");
    assert!(notes.contains("built-in"), "{notes}");
    assert_eq!(desk.value("uniform(1, 2)"), 3.0);
    desk.line(":del uniform");
    assert_eq!(desk.value("uniform(0, 1)"), FIRST);
    // A value does not.
    desk.line("normal = 4");
    assert_eq!(desk.value("normal*uniform(2, 2)"), 8.0);
}
