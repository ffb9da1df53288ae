//! Walks: each stop equals the sweep's step, and going back restores everything. `tests/screens/walks.txt`
//! records the text of stops.

use crate::common::{Desk, number};
use chainrule_session::Contents;
use chainrule_view::{self as view, Style};

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

/// The pictures of a walk are those that `:graph` draws after each `:next`.
#[test]
fn the_pictures_of_a_walk_are_those_of_its_stops() {
    let list = [
        "a = [0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9]",
        "o = sum(tanh(a)) + a[0]",
    ];
    let drawn = |contents: &Contents| {
        let Contents::Picture(picture, None) = contents else {
            panic!("{contents:?}");
        };
        view::picture(picture, "svg", &Style::default()).expect("it can be drawn")
    };
    for (lines, forward) in [
        (&NEURON[..], ""),
        (&NEURON, " forward"),
        (&list, ""),
        (&list, " forward"),
    ] {
        let mut desk = Desk::with(lines);
        let files = desk.all_files(&format!(":walk o{forward} fig.svg all"));
        let mut by_hand = Desk::with(lines);
        by_hand.line(&format!(":walk o{forward}"));
        for (at, (path, contents)) in files.iter().enumerate() {
            by_hand.line(":next");
            let (_, expected) = by_hand.try_file(":graph o w.svg").expect("it draws");
            assert_eq!(drawn(contents), drawn(&expected), "{lines:?} {path}");
            assert_eq!(*path, format!("fig-{:02}.svg", at + 1));
        }
        let end = by_hand.answer(":walk");
        assert_eq!(end["of"].as_u64(), Some(files.len() as u64));
        assert_eq!(desk.answer(":walk"), end, "both are at the end");
        assert_eq!(desk.answer(":vars"), by_hand.answer(":vars"));
    }
}

#[test]
fn the_files_of_a_walk_sort_by_name() {
    let mut desk = Desk::with(&["a = 2"]);
    for (count, first, last) in [
        (1, "w-01.svg", "w-01.svg"),
        (99, "w-01.svg", "w-99.svg"),
        (100, "w-001.svg", "w-100.svg"),
    ] {
        desk.line(&format!("s = a; for k in 1..{count}: s = sin(s)"));
        let files = desk.all_files(":walk s w.svg all");
        let paths: Vec<String> = files.into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths.len(), count);
        assert!(paths.is_sorted(), "{paths:?}");
        assert_eq!([&paths[0], &paths[count - 1]], [first, last]);
    }
    let before = desk.answer(":walk");
    desk.line("for k in 1..901: s = sin(s)");
    let error = desk.error(":walk s w.svg all");
    assert!(error.message.contains("1,001 stops"), "{}", error.message);
    assert_eq!(desk.answer(":walk"), before, "the open walk stays");
}

#[test]
fn a_word_chooses_the_ground_of_a_file() {
    let mut desk = Desk::with(&NEURON);
    for command in [":graph o", ":plot o b=0..1", ":walk o all"] {
        for (word, is_dark) in [("", None), ("dark", Some(true)), ("light", Some(false))] {
            let files = desk.all_files(&format!("{command} w.svg {word}"));
            let chosen = |contents: &Contents| match contents {
                Contents::Picture(_, is_dark) => *is_dark,
                other => panic!("{other:?}"),
            };
            assert!(!files.is_empty());
            assert!(
                files.iter().all(|(_, it)| chosen(it) == is_dark),
                "{command} {word}"
            );
        }
    }
}
