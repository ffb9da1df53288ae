//! Uncertainties of leaves: how `±` is read, what refuses it, what lasts and what goes when a leaf moves.

use std::rc::Rc;

use crate::common::{Desk, number};
use chainrule::graph::Node;
use chainrule::session::Setting;
use chainrule::session::naming::Uncertainty;
use chainrule::view::Style;
use serde_json::{Value, json};

fn leaf(desk: &Desk, name: &str) -> Rc<Node> {
    Rc::clone(desk.session.names().get(name).expect("it has a name"))
}

/// The uncertainties of all numbers that a name stands for.
fn widths(desk: &Desk, name: &str) -> Vec<Option<f64>> {
    let value = desk.session.names().find(name).expect("it has a name");
    let nodes = value.nodes().iter();
    nodes.map(|node| desk.session.uncertainty(node)).collect()
}

fn width(desk: &Desk, name: &str) -> Option<f64> {
    widths(desk, name)[0]
}

#[test]
fn every_form_has_its_width() {
    let forms: &[(&str, &[f64])] = &[
        ("x = 5 ± 0.1", &[0.1]),
        ("x = 5 +/- 0.1", &[0.1]),
        ("x=5±0.1", &[0.1]),
        ("x=5+/-0.1", &[0.1]),
        ("x = 5 ± 5%", &[0.25]),
        ("x = -5 ± 5%", &[0.25]),
        ("x = 5 ± .5%", &[0.025]),
        ("x = 5 ± (5%)", &[0.25]),
        ("x = 5 ± 5%  # a comment", &[0.25]),
        ("x = 2*3 + 1 ± 0.1", &[0.1]),
        ("x = 5 % 3 ± 0.5", &[0.5]),
        ("x = 1..3 ± 0.5", &[0.5, 0.5, 0.5]),
        ("const x = 9.81 ± 0.01", &[0.01]),
        ("x = 5 ± s", &[0.3]),
        ("x = 5 ± s.data", &[0.3]),
        ("x = 5 ± t[2]", &[0.2]),
        ("x = 5 ± (s + 1)", &[1.3]),
        ("x = 5 ± hypot(3, 4)", &[5.0]),
        ("x = 5 ± 1e-3", &[1e-3]),
        ("x = 5 ± $1", &[0.3]),
        ("x = [5, 5, 5] ± 0.3", &[0.3, 0.3, 0.3]),
        ("x = [5, 6, 7] ± [0.1, 0.2, 0.3]", &[0.1, 0.2, 0.3]),
        ("x = [5, -6] ± 10%", &[0.5, 0.6]),
        ("x = [5, 6] ± [10%, 0.2]", &[0.5, 0.2]),
        ("x = [5, 6] ± [\n10%\n,\n0.2\n]", &[0.5, 0.2]),
        ("x = [5, 6] ± t", &[0.1, 0.2]),
        (
            "x = [[1, 2], [3, 4]] ± [[1, 2], [3, 4]]",
            &[1.0, 2.0, 3.0, 4.0],
        ),
        ("x = [k for k in 1..2] ± [k/10 for k in 1..2]", &[0.1, 0.2]),
        ("y, x = 1 ± 0.5, 2 ± 0.25", &[0.25]),
        ("y, x = 1, 2 ± 0.25", &[0.25]),
        ("y, x = [1, 2] ± [0.5, 0.25]", &[0.25]),
        ("y, x = [[1, 2], [3, 4]] ± 0.25", &[0.25, 0.25]),
        ("y, x = 1 ± 5%, 2 ± 5%", &[0.1]),
    ];
    for (line, expected) in forms {
        let mut desk = Desk::with(&["s = 0.3; t = [0.1, 0.2]", "s"]);
        desk.line(line);
        let found: Vec<f64> = widths(&desk, "x").into_iter().flatten().collect();
        assert_eq!(&found, expected, "{line}");
        // One entry of the journal.
        desk.line(":undo");
        assert!(desk.session.names().find("x").is_none(), "{line}");
        desk.line(":redo");
        let found: Vec<f64> = widths(&desk, "x").into_iter().flatten().collect();
        assert_eq!(&found, expected, "{line}");
        assert_eq!(desk.session.audit(), Ok(()));
    }
}

#[test]
fn set_gives_and_changes_and_takes_away() {
    let mut desk = Desk::with(&["R1, R2 = 1000, 2750", "w = [5, 6, 7]", "a = 2", "y = 3a"]);
    for (line, name, expected) in [
        (":set R1 ± 1%, R2 ± 1%", "R2", vec![Some(27.5)]),
        (":set R1 ± 1%, R2 ± 1%", "R1", vec![Some(10.0)]),
        (":set R1 2000 ± 1%", "R1", vec![Some(20.0)]),
        (":set R1 = 3000 ± 1", "R1", vec![Some(1.0)]),
        (":set R1± 2", "R1", vec![Some(2.0)]),
        (":set R1+/-3", "R1", vec![Some(3.0)]),
        // It is absolute, and stays.
        (":set R1 5000", "R1", vec![Some(3.0)]),
        (":set w ± 0.1", "w", vec![Some(0.1); 3]),
        (":set w [1, 2, 3] ± 0.2", "w", vec![Some(0.2); 3]),
        (
            ":set w[2..3] ± [1, 2]",
            "w",
            vec![Some(0.2), Some(1.0), Some(2.0)],
        ),
        (":set w[2] ± 0", "w", vec![Some(0.2), None, Some(2.0)]),
        (":step 0.1 of sum(w)", "w", vec![Some(0.2), None, Some(2.0)]),
        ("a.data = 5", "a", vec![None]),
        (":set a 5 ± a", "a", vec![Some(5.0)]),
    ] {
        let silenced = format!("{line};");
        for line in [line, &silenced] {
            desk.line(line);
            assert_eq!(widths(&desk, name), expected, "{line}");
            assert_eq!(desk.session.audit(), Ok(()));
        }
    }
    // One undo takes back data and uncertainty.
    let mut desk = Desk::with(&["x = 3 ± 0.1", ":set x 4 ± 0.2"]);
    desk.line(":undo");
    assert_eq!((desk.value("x"), width(&desk, "x")), (3.0, Some(0.1)));
    desk.line(":redo");
    assert_eq!((desk.value("x"), width(&desk, "x")), (4.0, Some(0.2)));
    // What changes nothing is no entry.
    let before = desk.session.journal().recorded();
    desk.line(":set x ± 0.2");
    assert_eq!(desk.session.journal().recorded(), before);
}

#[test]
fn an_uncertainty_belongs_to_its_leaf() {
    let mut desk = Desk::with(&["x = 3 ± 0.1", "y = 2x", "z = x"]);
    assert_eq!(width(&desk, "z"), Some(0.1));
    desk.line("x = 3");
    assert_eq!((width(&desk, "x"), width(&desk, "z")), (None, Some(0.1)));
    desk.line(":del z");
    assert_eq!(desk.line("z@1")[0]["sigma"], json!(0.1));
    desk.line(":undo 2");
    assert_eq!(width(&desk, "x"), Some(0.1));
    desk.line(":freeze x");
    assert_eq!(width(&desk, "x"), Some(0.1));
    desk.line(":reset");
    desk.line("x = 3");
    assert_eq!(width(&desk, "x"), None);
    desk.line(":undo 2");
    assert_eq!(width(&desk, "x"), Some(0.1));
    desk.line(":del x y z");
    desk.line(":undo");
    assert_eq!(width(&desk, "x"), Some(0.1));
    assert_eq!(desk.session.audit(), Ok(()));
}

/// A session after a fit of `a`, `b` and `c` to something.
fn fitted() -> Desk {
    let mut desk = Desk::with(&["a, b, c, d = 1, 1, 1, 1", "y = a + b + c"]);
    let leaves: Vec<Rc<Node>> = ["a", "b", "c"].map(|name| leaf(&desk, name)).into();
    let settings: Vec<Setting> = (leaves.iter().zip([2.0, 3.0, 4.0]))
        .map(|(leaf, data)| Setting {
            leaf: Rc::clone(leaf),
            data,
        })
        .collect();
    let correlations = vec![1.0, 0.5, -0.25, 0.5, 1.0, 0.125, -0.25, 0.125, 1.0];
    let widths = Uncertainty::fitted(&[0.1, 0.2, 0.3], correlations);
    let widths = leaves.into_iter().zip(widths).collect();
    let before = desk.session.journal().recorded();
    let mut moved = 0;
    let notes = desk.session.set(&settings, widths, |_, _| moved += 1);
    desk.session.end_statement(":fit");
    assert!(notes.is_empty());
    assert_eq!(moved, 5, "three leaves and two sums");
    assert_eq!(desk.session.journal().recorded(), before + 1);
    desk
}

fn correlations(desk: &Desk) -> [f64; 3] {
    let [a, b, c] = ["a", "b", "c"].map(|name| leaf(desk, name));
    let session = &desk.session;
    [
        session.correlation(&a, &b),
        session.correlation(&c, &a),
        session.correlation(&b, &c),
    ]
}

#[test]
fn what_a_fit_leaves_goes_when_its_leaf_moves() {
    for line in [
        ":set b 5",
        "b.data = 5",
        "b.data += 1",
        ":set b b + 1",
        ":set b 5;",
        ":step 0.1 of b",
        ":step 0.1 5 of b",
    ] {
        let mut desk = fitted();
        assert_eq!(correlations(&desk), [0.5, -0.25, 0.125]);
        assert_eq!(
            desk.session
                .correlation(&leaf(&desk, "b"), &leaf(&desk, "b")),
            1.0
        );
        assert_eq!(
            desk.session
                .correlation(&leaf(&desk, "b"), &leaf(&desk, "d")),
            0.0
        );
        // A leaf that does not move keeps it.
        assert!(!desk.screen(":set b 3").contains("fit"));
        assert_eq!(width(&desk, "b"), Some(0.2));
        let shown = desk.screen(line);
        assert!(
            shown.contains("the ± of b came from a fit and is gone"),
            "{line}: {shown}"
        );
        let all = ["a", "b", "c"].map(|name| width(&desk, name));
        assert_eq!(all, [Some(0.1), None, Some(0.3)], "{line}");
        assert_eq!(correlations(&desk), [0.0, -0.25, 0.0], "{line}");
        desk.line(":undo");
        assert_eq!(width(&desk, "b"), Some(0.2), "{line}");
        assert_eq!(correlations(&desk), [0.5, -0.25, 0.125], "{line}");
        desk.line(":redo");
        assert_eq!(
            (width(&desk, "b"), correlations(&desk)[0]),
            (None, 0.0),
            "{line}"
        );
        desk.line(":undo 2");
        assert_eq!((width(&desk, "a"), desk.value("a")), (None, 1.0));
        assert_eq!(desk.session.audit(), Ok(()));
    }
    // One that is typed takes its place, and is correlated with nothing.
    let mut desk = fitted();
    assert!(!desk.screen(":set b 5 ± 0.5").contains("fit"));
    assert_eq!(
        (width(&desk, "b"), correlations(&desk)[0]),
        (Some(0.5), 0.0)
    );
    desk.line(":set b 6");
    assert_eq!(width(&desk, "b"), Some(0.5));
}

#[test]
fn it_is_shown_wherever_its_leaf_is_answered() {
    let mut desk = Desk::default();
    for (line, shown) in [
        (
            "l, T = 0.993 ± 0.001, 2.0 ± 0.01",
            "l = 0.993 ± 0.001, T = 2 ± 0.01\n",
        ),
        ("l", "0.993 ± 0.001\n"),
        ("v = [5, 5, 5] ± 0.3", "v = [5, 5, 5] ± 0.3\n"),
        ("v", "[5, 5, 5] ± 0.3\n"),
        ("w = [5, 6] ± [0.1, 0.2]", "w = [5, 6] ± [0.1, 0.2]\n"),
        ("p = [l, 7]", "p = [0.993, 7] ± [0.001, 0]\n"),
        ("const g = 9.81 ± 0.01", "g = 9.81 ± 0.01\n"),
        ("2T", "4\n"),
        (
            ":set T ± 1%",
            "  node   data      ±\n  T         2   0.01 → 0.02\n",
        ),
        (
            ":set T 3",
            "  node   data          ±\n  2*T       4 → 6\n  T         2 → 3   0.02\n",
        ),
    ] {
        assert_eq!(desk.screen(line), shown, "{line}");
    }
    let mut plain = String::new();
    let reply = desk
        .try_line("l")
        .pop()
        .expect("an answer")
        .expect("no error");
    let style = Style {
        ascii: true,
        ..desk.style()
    };
    chainrule::view::report(reply.report.as_ref().expect("a report"), &style, &mut plain);
    assert_eq!(plain, "0.993 +/- 0.001\n");
}

#[test]
fn json_has_it_beside_the_data() {
    let mut desk = Desk::default();
    let bound = &desk.line("l, n = 0.993 ± 0.001, 2")[0]["bindings"];
    assert_eq!(
        (&bound[0]["sigma"], &bound[1]["sigma"]),
        (&json!(0.001), &Value::Null)
    );
    assert!(
        bound[1].get("sigma").is_none(),
        "no key where there is none"
    );
    assert_eq!(number(&desk.line("l")[0]["sigma"]), 0.001);
    assert_eq!(
        desk.line("w = [5, 6] ± 10%")[0]["bindings"][0]["sigma"],
        json!([0.5, 0.6])
    );
    assert_eq!(
        desk.line(":set w[1] ± 2")[0]["changed"][0]["sigma"],
        json!(2)
    );
    let vars = desk.line(":vars");
    let rows = vars[0]["rows"].as_array().expect("rows");
    let sigmas: Vec<Option<f64>> = rows
        .iter()
        .map(|row| row.get("sigma").map(number))
        .collect();
    assert_eq!(sigmas, [Some(0.001), None, Some(2.0), Some(0.6)]);
}

#[test]
fn a_session_comes_back_with_it() {
    let mut desk = Desk::with(&[
        "x = 5 ± 5%",
        "const g = 9.81 ± 0.01",
        "v = [5, 5, 5] ± 0.3",
        "w = [5, 6] ± [0.1, 0]",
        "p = [x, 7]",
        ":set p[2] ± 0.5",
        "y = x*g",
        "x = 7 ± 0.1",
        "a, b, c = 1, 2, 3",
        ":set a ± 0.1, b ± 0.2",
    ]);
    let text = desk.session.script().text;
    for line in [
        "const g = 9.81 ± 0.01;",
        "v = [5, 5, 5] ± 0.3;",
        "w = [5, 6] ± [0.1, 0];",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let mut back = Desk::default();
    for line in text.lines() {
        back.line(line);
    }
    for name in ["x", "g", "v", "w", "p", "a", "b", "c"] {
        assert_eq!(widths(&back, name), widths(&desk, name), "{name}");
    }
    for desk in [&mut desk, &mut back] {
        assert_eq!(desk.line("p[1]")[0]["sigma"], json!(0.25));
    }
}

#[test]
fn names_and_signs_that_mean_the_same() {
    let mut desk = Desk::with(&[
        "x, b, tau1 = 8, 2, 0",
        "f(x) = log(x, 3)",
        "v = [1, 10, 100]",
    ]);
    for (text, same) in [
        ("log(x, b)", "ln(x)/ln(b)"),
        ("log(1000, 10)", "ln(1000)/ln(10)"),
        ("log(x)", "ln(x)"),
        ("f(9)", "ln(9)/ln(3)"),
        ("mod(7, 3)", "7 % 3"),
        ("sgn(-3)", "sign(-3)"),
        ("signum(3)", "sign(3)"),
        ("τ", "tau"),
        ("2τ", "2tau"),
        ("grad(log(x, b), b)", "-ln(x)/(b*ln(b)^2)"),
    ] {
        let (got, want) = (desk.value(text), desk.value(same));
        assert!(
            (got - want).abs() <= 4e-16 * want.abs(),
            "{text}: {got} and {want}"
        );
    }
    assert_eq!(
        desk.line("log(v, 10)")[0]["data"],
        desk.line("ln(v)/ln(10)")[0]["data"]
    );
    let shown = desk.screen("log(-8, b)");
    assert!(shown.contains("ln needs x > 0"), "{shown}");
    assert!(
        desk.error("log(1, 2, 3)")
            .message
            .contains("1 or 2 arguments")
    );
    // One's own function of that name goes before.
    desk.line("log(x, b) = x*b");
    assert_eq!(desk.value("log(3, 4)"), 12.0);
}
