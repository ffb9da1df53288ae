//! `:check`: right gradients pass at every scale, kinks and undefined values are explained, and a bad verdict fails a
//! script.

use crate::common::Desk;

/// A desk with the leaves `n1 = 1` to `ncount = count`.
fn numbered(count: usize) -> Desk {
    let leaves: String = (1..=count).map(|at| format!("n{at} = {at};")).collect();
    let mut desk = Desk::with(&[leaves]);
    desk.session.all_rows = true;
    desk
}

fn joined(count: usize, between: &str, one: impl Fn(usize) -> String) -> String {
    let all: Vec<String> = (1..=count).map(one).collect();
    all.join(between)
}

/// Each gradient is small beside the sum that it is a part of; that must not make the verdict wrong or unclear.
#[test]
fn right_gradients_of_large_graphs_pass() {
    let squares = |count| joined(count, " + ", |at| format!("n{at}^2"));
    let hypots = |count: usize| {
        let parts = (0..count / 500).map(|part| {
            let of = joined(500, ", ", |at| format!("n{}", part * 500 + at));
            format!("hypot({of})")
        });
        parts.collect::<Vec<_>>().join("*")
    };
    let most = |count| format!("max({})^2", joined(count, ", ", |at| format!("n{at}")));
    for (count, function) in [
        (100, squares(100)),
        (1_000, squares(1_000)),
        (1_000, hypots(1_000)),
        (1_000, most(1_000)),
        (1_000, joined(1_000, "*", |at| format!("(n{at}/n{at})"))),
    ] {
        let mut desk = numbered(count);
        desk.line(&format!("S = {function};"));
        let check = &desk.line(":check S")[0];
        let told = &function[..30];
        let rows = check["rows"].as_array().expect("it has rows");
        assert_eq!(rows.len(), count, "{told}");
        for row in rows {
            assert_eq!(row["verdict"], "ok", "{count} of {told}: {row}");
            let error = row["error"].as_f64().expect("a number");
            assert!(
                error < 1e-6 || row["grad"].as_f64().expect("a number").abs() < 1e-9,
                "{row}"
            );
        }
        assert_eq!(check["ok"], true);
    }
}

/// Of many leaves 200 are checked, and a direction in which all move.
#[test]
fn very_large_graphs_are_sampled() {
    let mut desk = numbered(8_000);
    desk.line(&format!(
        "S = {};",
        joined(8_000, " + ", |at| format!("sin(n{at})"))
    ));
    let check = &desk.line(":check S")[0];
    let number = |key: &str| check[key].as_u64();
    assert_eq!((number("sampled"), number("of")), (Some(200), Some(8_000)));
    assert_eq!(check["rows"].as_array().map(Vec::len), Some(201));
    assert_eq!(check["rows"][200]["node"], "all leaves at once");
    assert_eq!(check["rows"][200]["verdict"], "ok");
    assert_eq!(check["ok"], true);
    let screen = desk.screen(":check S");
    assert!(
        screen.contains("a sample of 8000 nodes, and a direction in which all leaves move\n"),
        "{screen}"
    );
}

#[test]
fn verdicts() {
    for (line, verdict, ok) in [
        ("x = 3; L = 3x^2 - 4x + 5", "ok", true),
        ("x = 20; L = tanh(x)", "ok", true),
        ("x = 1e10; L = sin(x)", "ok", true),
        ("x = 1e-8; L = sqrt(x)", "ok", true),
        ("x = 1e-5; L = ln(x)", "ok", true),
        ("x = 2; L = 1e300*x", "ok", true),
        ("x = 2; L = x*x*1e-300", "ok", true),
        ("x = -700; L = exp(x)", "ok", true),
        ("x = 3; L = gamma(x)/x", "ok", true),
        ("x = 0.3; L = x^x - atan2(x, 2)", "ok", true),
        ("x = 0; L = abs(x)", "kink", true),
        ("x = 0; L = relu(x) + x", "kink", true),
        ("x = 3; L = max(x, 3)", "kink", true),
        ("x = 2; L = floor(x)", "kink", true),
        ("x = 0; L = sqrt(x)", "infinite", true),
        ("x = 0; L = cbrt(x)", "infinite", true),
        ("x = 1; L = asin(x)", "infinite", true),
        ("x = 2; L = 1/(x - 2)", "infinite", true),
        ("x = 1; L = max(x, 1)*1e-3", "kink", true),
        ("x = 2; L = relu(x - 2)*1e5", "kink", true),
        ("k, x = 0, 3; L = x^2 + abs(k)", "ok", true),
        ("x = -1; L = ln(x)", "no number", false),
        // The difference is lost in rounding.
        ("x = 1e-8; L = 1e-9*x^2 + 1e8", "unclear", false),
        ("x = 1e17; L = sin(x)", "unclear", false),
    ] {
        let mut desk = Desk::default();
        desk.line(line);
        let reply = desk
            .try_line(":check L")
            .pop()
            .expect("it answers")
            .expect("it is right");
        assert_eq!(reply.failed, !ok, "{line}");
        let check = &desk.line(":check L")[0];
        assert_eq!(
            (check["rows"][0]["verdict"].as_str(), check["ok"].as_bool()),
            (Some(verdict), Some(ok)),
            "{line}"
        );
        assert!(desk.session.pass().is_none(), "nothing is changed");
    }
}

#[test]
fn it_says_at_which_node_and_why() {
    let mut desk = Desk::with(&["x, y = 0, 2", "L = y*relu(x) + y"]);
    let screen = desk.screen(":check L");
    assert!(
        screen.contains("at relu(x), x = 0: the derivative is taken as 0"),
        "{screen}"
    );
    assert!(
        screen.contains("L: 1 of 2 agree; a convention applies to the others"),
        "{screen}"
    );
}

#[test]
fn which_nodes_are_checked() {
    let mut desk = Desk::with(&["const a = 2", "b = 3", "d = a*b", "L = d*d + b"]);
    for (line, nodes) in [
        (":check L", vec!["b", "a"]),
        (":check L all", vec!["L", "d*d", "d", "b", "a"]),
        (":check L wrt d a", vec!["d", "a"]),
    ] {
        let check = &desk.line(line)[0];
        let rows = check["rows"].as_array().into_iter().flatten();
        assert_eq!(
            rows.map(|row| row["node"].as_str().unwrap_or(""))
                .collect::<Vec<_>>(),
            nodes,
            "{line}"
        );
        assert_eq!(check["ok"], true, "{line}");
    }
}
