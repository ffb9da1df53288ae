//! `:check`: right gradients pass at every scale, kinks and missing numbers are told, and a bad verdict fails a script.

use crate::common::Desk;

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
        ("x = 1e-8; L = x^2 + 1e8", "unclear", false),
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
        screen.contains("L: 1 of 2 agree, the others are as agreed on"),
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
