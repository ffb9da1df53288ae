//! Commands that examine a graph without changing it: nudges and orders, compared with the numbers of the blog posts.

use crate::common::{Desk, close, number};
use serde_json::Value;

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("cases/worked_examples.json")).expect("the cases are JSON")
}

fn desk(case: &Value) -> Desk {
    let lines: Vec<&str> = case["script"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    Desk::with(&lines)
}

#[test]
fn a_nudge_says_what_the_posts_print() {
    let mut desk = Desk::with(&["x = 3", "y = 3x^2 - 4x + 5"]);
    let nudge = &desk.line(":nudge x 1e-6")[0];
    assert_eq!(
        number(&nudge["slope"]).to_bits(),
        14.000_003_002_223_593_f64.to_bits()
    );
    assert_eq!(
        (number(&nudge["grad"]), nudge["method"].as_str()),
        (14.0, Some("forward"))
    );
    assert_eq!(desk.value("y"), 20.0, "nothing is changed");
    assert!(desk.session.pass().is_none(), "not even the last pass");
    let central = &desk.line(":nudge x central")[0];
    assert!(close(number(&central["slope"]), 14.0, 1e-9, 0.0));
    // An inner node is treated as a leaf, which gives a local derivative.
    let mut desk = Desk::with(&[
        "a, b, c, f = 2, -3, 10, -2",
        "e = a*b",
        "d = e + c",
        "L = d*f",
    ]);
    for (line, slope) in [
        (":nudge d 1e-4 of L", -2.0),
        (":nudge c 1e-4 of d", 1.0),
        (":nudge e", -2.0),
        (":nudge a of c", 0.0),
    ] {
        let nudge = &desk.line(line)[0];
        assert!(
            close(number(&nudge["slope"]), slope, 1e-7, 1e-12),
            "{line}: {nudge}"
        );
        assert_eq!(number(&nudge["grad"]), slope, "{line}");
    }
    for line in [
        ":nudge",
        ":nudge pi",
        ":nudge a 0",
        ":nudge a inf",
        ":nudge q",
    ] {
        desk.error(line);
    }
}

#[test]
fn finite_differences_of_the_cases_come_out() {
    let mut tried = 0;
    for case in cases()
        .iter()
        .filter(|case| case["finite_difference"].is_object())
    {
        let target = case["target"].as_str().expect("a case has a target");
        let difference = &case["finite_difference"];
        for (name, slope) in difference["forward"].as_object().into_iter().flatten() {
            let line = format!(":nudge {name} {} of {target}", difference["h"]);
            let nudge = &desk(case).line(&line)[0];
            assert!(
                close(number(&nudge["slope"]), number(slope), 1e-15, 0.0),
                "{line}: {nudge}"
            );
            tried += 1;
        }
    }
    assert!(tried > 0);
}

#[test]
fn levels_and_orders_are_those_of_the_cases() {
    let mut tried = 0;
    for case in cases().iter().filter(|case| case["levels"].is_object()) {
        let target = case["target"].as_str().expect("a case has a target");
        let topo = &desk(case).line(&format!(":topo {target}"))[0];
        let order: Vec<&str> = topo["order"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for (name, level) in case["levels"].as_object().into_iter().flatten() {
            let place = order.iter().position(|node| node == name);
            let place = place.unwrap_or_else(|| panic!("{name} is not in {order:?}"));
            assert_eq!(&topo["levels"][place], level, "{name}");
        }
        // The post's figure omits the target, which may be anywhere before the loss.
        if let Some(orders) = case["topological_orders_of_names"].as_u64() {
            assert_eq!(desk(case).line(":topo g")[0]["orders"], orders);
        }
        tried += 1;
    }
    assert!(tried > 0);
}

#[test]
fn orders_are_counted() {
    for (lines, orders) in [
        (vec!["a = 2", "L = a + a"], Some(1)),
        (vec!["a, b = 2, 3", "L = a + b"], Some(2)),
        (
            vec!["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"],
            Some(48),
        ),
        // Five independent pairs: 10!/2^5 orders, then the sums.
        (
            vec![
                "a, b, c, d, e = 1, 2, 3, 4, 5",
                "L = max(-a, -b, -c, -d, -e)",
            ],
            Some(113_400),
        ),
    ] {
        let mut desk = Desk::with(&lines);
        assert_eq!(
            desk.line(":topo L")[0]["orders"].as_u64(),
            orders,
            "{lines:?}"
        );
    }
    let names: Vec<String> = (0..80).map(|at| format!("x{at}")).collect();
    let mut desk = Desk::with(&[format!(
        "{} = {}",
        names.join(", "),
        vec!["1"; 80].join(", ")
    )]);
    desk.line(&format!("L = {}", names.join(" + ")));
    assert!(
        desk.line(":topo L")[0]["orders"].is_null(),
        "too many to count"
    );
}
