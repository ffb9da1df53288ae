//! Walks: each stop equals the sweep's step, and going back restores everything. `tests/screens/walks.txt`
//! records the text of stops.

use crate::common::{Desk, number};

const NEURON: [&str; 3] = [
    "x1, x2, w1, w2, b = 2.0, 0.0, -3.0, 1.0, 6.8813735870195432",
    "n = x1*w1 + x2*w2 + b",
    "o = tanh(n)*n + n",
];

#[test]
fn a_finished_walk_is_the_pass_to_the_bit() {
    let names = ["x1", "x2", "w1", "w2", "b", "n", "o"];
    let mut passed = Desk::with(&NEURON);
    passed.line(":grad o");
    let mut walked = Desk::with(&NEURON);
    walked.line(":walk o");
    assert!(
        walked.session.pass().is_none(),
        "a walk that has begun is no pass"
    );
    let stops = walked.line(":next all");
    assert_eq!(stops.last().map(|stop| stop["next"].is_null()), Some(true));
    for name in names {
        assert_eq!(
            walked.grad(name).to_bits(),
            passed.grad(name).to_bits(),
            "{name}"
        );
    }
}

#[test]
fn the_numbers_of_a_stop_fit_together() {
    let mut desk = Desk::with(&NEURON);
    let begun = desk.line(":walk o");
    assert_eq!(
        (begun[0]["position"].as_u64(), begun[0]["node"].is_null()),
        (Some(0), true)
    );
    let stops = desk.line(":next all");
    assert_eq!(stops.len() as u64, begun[0]["of"].as_u64().unwrap_or(0));
    let mut expected = begun[0]["next"].clone();
    for (place, stop) in stops.iter().enumerate() {
        assert_eq!(stop["position"], place + 1);
        assert_eq!(stop["node"], expected, "the next one comes next");
        expected = stop["next"].clone();
        for share in stop["contributions"].as_array().into_iter().flatten() {
            let amount = number(&stop["upstream"]) * number(&share["local"]);
            assert_eq!(number(&share["contribution"]), amount, "{share}");
            assert_eq!(
                number(&share["after"]),
                number(&share["before"]) + amount,
                "{share}"
            );
            // The formula evaluates to the number.
            let formula = desk.value(share["formula"].as_str().unwrap_or("nan"));
            assert!((formula - number(&share["local"])).abs() < 1e-12, "{share}");
        }
    }
}

#[test]
fn going_back_is_really_back() {
    let mut desk = Desk::with(&NEURON);
    desk.line(":walk o");
    let forth: Vec<_> = (0..4).flat_map(|_| desk.line(":next")).collect();
    for stop in forth.iter().rev().skip(1) {
        assert_eq!(&desk.line(":prev")[0], stop);
    }
    assert_eq!(desk.line(":next")[0], forth[1]);
    desk.line(":prev 99");
    desk.error(":prev");
    assert_eq!(desk.line(":next 2")[1], forth[1]);
}

/// A stop fits on a screen of 80 columns and 24 lines, together with its prompt.
#[test]
fn a_stop_fits_on_a_screen() {
    let long = "weight_of_the_first_layer";
    let many = vec!["a"; 300].join(", ");
    for (lines, target) in [
        (NEURON.map(String::from).to_vec(), "o"),
        (
            vec![
                format!("a, {long} = 0.1234567890123, 2"),
                format!("y = tanh({long}*{long} + sin(a)^{long})/({long} + a)"),
            ],
            "y",
        ),
        (vec!["a = 2".to_string(), format!("m = max({many})")], "m"),
        (
            vec!["a = 2".to_string(), format!("{long}{long}{long} = a*a")],
            "",
        ),
    ] {
        for direction in ["", "forward"] {
            let mut desk = Desk::with(&lines);
            let begun = desk.screen(&format!(":walk {target} {direction}"));
            let mut screens = vec![begun];
            while desk
                .session
                .walk()
                .is_some_and(|walk| walk.next_node().is_some())
            {
                screens.push(desk.screen(":next"));
                // `:walk` shows the same as the step that led there.
                let last = screens.last().cloned().unwrap_or_default();
                assert_eq!(desk.screen(":walk"), last);
            }
            for screen in screens {
                assert!(screen.lines().count() <= 23, "{screen}");
                let wide = screen.lines().find(|line| line.chars().count() > 80);
                assert_eq!(wide, None, "{screen}");
            }
        }
    }
}

#[test]
fn in_a_large_walk_each_unnamed_node_has_its_number() {
    let mut desk = Desk::with(&["a = 2"]);
    desk.line(&format!("L = a{};", " + 1*a".repeat(6_000)));
    let begun = desk.line(":walk L");
    assert_eq!(begun[0]["next"], "L");
    let stop = &desk.line(":next")[0];
    let operands: Vec<&str> = stop["contributions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| it["operand"].as_str())
        .collect();
    assert!(
        operands.iter().all(|operand| operand.contains(" @")),
        "{operands:?}"
    );
}
