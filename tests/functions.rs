//! The user's functions: neither deep nesting nor thousands of labels cause trouble. Calls and their
//! values are recorded in `tests/screens/functions.txt`.

use crate::common::Desk;

/// The expression of a node in a table.
fn expression(desk: &mut Desk, line: &str, node: &str) -> String {
    let table = desk.line(line).remove(0);
    let rows = table["rows"].as_array().expect("it has rows").clone();
    let row = rows.into_iter().find(|row| row["node"] == node);
    let row = row.unwrap_or_else(|| panic!("no {node} in {table}"));
    row["expression"].as_str().unwrap_or_default().to_string()
}

#[test]
fn labels_leave_out_what_is_far() {
    let mut desk = Desk::with(&["p(x, y) = x*y", "a = 3"]);
    // A label examines sixty-four nodes: the root, and two for each level below it.
    for (open, close, step, seen, end) in [
        ("(", " + 1)", " + 1", 31, "… + 1"),
        ("max(", ", 1)", "max(", 32, "max(…)"),
        ("p(", ", 1)", "p(", 32, "p(…)"),
        ("tanh(", ")", "tanh(", 63, "tanh(…)"),
    ] {
        desk.line(&format!("w = {}a{};", open.repeat(80), close.repeat(80)));
        let shown = expression(&mut desk, ":grad w", "w");
        assert_eq!(shown.matches(step).count(), seen, "{shown}");
        assert!(shown.contains(end), "{shown}");
        desk.line(":del w;");
    }
}

#[test]
fn depth_is_no_matter() {
    let mut desk = Desk::with(&["f0(x) = x + 1;"]);
    for step in 1..2_500 {
        desk.line(&format!("f{step}(x) = f{}(x) + 1;", step - 1));
    }
    assert_eq!(desk.value("f2499(0)"), 2_500.0);
}

/// Caches about nodes are cleaned now and then, which must not remove labels of nodes that still exist.
#[test]
fn thousands_of_labels_are_kept() {
    let mut desk = Desk::with(&["f(t) = t + 1"]);
    for at in 0..2_500 {
        desk.line(&format!("a = {at}; b{at} = f(a)*2;"));
        desk.line(&format!("c{at} = Value({at}, label='l{at}')"));
        desk.line(&format!("gone = f({at}); gone = Value(1, label='gone');"));
    }
    for at in [0, 1, 1_023, 1_024, 2_000, 2_498] {
        let own = format!("f(a@{})", at + 1);
        let text = expression(&mut desk, &format!(":grad b{at}"), &own);
        assert_eq!(text, format!("a@{} + 1", at + 1));
        desk.line(&format!("d = c{at}*2"));
        assert_eq!(
            expression(&mut desk, ":grad d", &format!("l{at}")),
            "",
            "a leaf is shown by its label"
        );
    }
}
