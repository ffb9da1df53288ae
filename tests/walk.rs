//! Walks: each stop equals the sweep's step, going back restores everything, and a change of data ends a walk.

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

#[test]
fn changed_data_ends_a_walk_and_nothing_else_does() {
    let mut desk = Desk::with(&["a = 3", "b = a*a + a", ":walk b", ":next"]);
    for line in ["a*b", "c = a + b", ":vars", ":grad c", ":help walk"] {
        desk.line(line);
        assert!(desk.session.walk().is_some(), "{line}");
    }
    let reply = desk
        .try_line(":set a 4")
        .pop()
        .expect("it answers")
        .expect("it is right");
    assert!(!reply.notes.is_empty() && desk.session.walk().is_none());
    desk.error(":next");
    desk.line(":walk b");
    desk.line(":undo");
    desk.error(":next");
    desk.line(":walk b forward");
    let stops = desk.line(":next all");
    assert_eq!(stops[0]["operands"][0]["data"], 3);
    desk.error(":next");
    desk.line(":walk end");
    desk.error(":prev");
}

#[test]
fn accumulation_is_seen() {
    let mut desk = Desk::with(&["a = 3", "b = a*a + a", ":walk b"]);
    let screen = desk.screen(":next 2");
    for said in [
        "second contribution",
        "third contribution",
        "1 → 4",
        "4 → 7",
    ] {
        assert!(screen.contains(said), "{said} in\n{screen}");
    }
    assert!(
        screen.lines().all(|line| line.chars().count() <= 80),
        "{screen}"
    );
    // After going back, the same is shown again.
    desk.line(":prev");
    let again = desk.screen(":next");
    assert!(screen.ends_with(&again), "{again}\nin\n{screen}");
    desk.line(":prev 2");
    assert_eq!(desk.screen(":next 2"), screen);
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
                .is_some_and(|walk| walk.next().is_some())
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
fn a_long_walk_shows_its_last_stops() {
    let mut desk = Desk::with(&["x = 1", "y = x", ":config table-rows 5"]);
    for _ in 0..20 {
        desk.line("y = 2y;");
    }
    desk.line(":walk y");
    let screen = desk.screen(":next all");
    assert!(
        screen.starts_with("… 15 stops before: --json writes all\n16 of 20 "),
        "{screen}"
    );
    desk.line(":prev 99");
    desk.session.all_rows = true;
    assert_eq!(desk.line(":next all").len(), 20);
    assert_eq!(desk.grad("x"), 1_048_576.0);
}

#[test]
fn nodes_that_read_alike_are_told_apart() {
    let mut desk = Desk::with(&["a, b = 2, 3", "L = (a*b)^2 + (a*b)"]);
    let rows = desk.line(":grad L");
    let table: Vec<&str> = rows[0]["rows"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| row["node"].as_str())
        .collect();
    for way in ["", " forward"] {
        let mut told: Vec<String> = Vec::new();
        let begun = desk.line(&format!(":walk L{way}"));
        let mut next = begun[0]["next"].clone();
        for stop in desk.line(":next all") {
            assert_eq!(stop["node"], next);
            next = stop["next"].clone();
            told.extend(stop["node"].as_str().map(ToString::to_string));
            for list in ["contributions", "operands"] {
                for operand in stop[list].as_array().into_iter().flatten() {
                    let operand = operand["operand"].as_str().unwrap_or_default();
                    assert!(table.contains(&operand) || operand == "2", "{operand}");
                }
            }
        }
        assert_eq!(told.len(), 4);
        assert!(
            told.iter().all(|node| table.contains(&node.as_str())),
            "{told:?}"
        );
        told.sort();
        told.dedup();
        assert_eq!(told.len(), 4, "each has a name of its own: {told:?}");
    }
    // A node with a name needs no id to distinguish it, until the name is undone.
    desk.line("t = L");
    desk.line(":walk L");
    desk.line(":next");
    let before = desk.screen(":walk");
    assert!(before.contains("next: a*b @"), "{before}");
    desk.line("u = (a*b)^2");
    assert_eq!(desk.screen(":walk"), before);
    desk.line(":undo");
    assert_eq!(desk.screen(":walk"), before);
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
