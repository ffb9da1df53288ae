//! The user's functions: values and gradients through calls, names that are looked up at each call, errors, and that
//! neither deep nesting nor doubling causes trouble.

use crate::common::Desk;
use chainrule::graph::live_nodes;

#[test]
fn calls_have_values_and_gradients() {
    for (lines, target, value, grads) in [
        (
            vec!["f(x) = 3x^2 - 4x + 5", "a = 3"],
            "f(a)",
            20.0,
            vec![("a", 14.0)],
        ),
        // An argument is evaluated once and shared: x*x of a sum contains one sum.
        (
            vec!["sq(x) = x*x", "a, b = 2, 3"],
            "sq(a + b)",
            25.0,
            vec![("a", 10.0), ("b", 10.0)],
        ),
        (
            vec!["f(x, y) = x*y^2", "a, b = 2, 3"],
            "f(b, a)",
            12.0,
            vec![("a", 12.0), ("b", 4.0)],
        ),
        (
            vec!["f(x) = x^2", "g(x) = f(x) + f(2x)", "a = 3"],
            "g(f(a))",
            405.0,
            vec![("a", 540.0)],
        ),
        // A name in the body is looked up when the function is called.
        (
            vec!["k = 2", "f(x) = k*x", "k = 10", "a = 3"],
            "f(a)",
            30.0,
            vec![("a", 10.0), ("k", 3.0)],
        ),
        (vec!["id(x) = x", "a = 3"], "id(a)*a", 9.0, vec![("a", 6.0)]),
        // The user's functions take precedence over built-in ones, and have a namespace of their own.
        (
            vec!["sin(x) = 2x", "sin = 5", "a = 3"],
            "sin(a) + sin",
            11.0,
            vec![("a", 2.0), ("sin", 1.0)],
        ),
        (
            vec!["f(e, pi) = e - pi", "a, b = 5, 3"],
            "f(a, b)",
            2.0,
            vec![("a", 1.0), ("b", -1.0)],
        ),
        (
            vec!["cube_of(x) = x.square()*x", "a = 2"],
            "a.cube_of()",
            8.0,
            vec![("a", 12.0)],
        ),
        (vec!["c() = 3"], "", 0.0, vec![]),
    ] {
        let mut desk = Desk::default();
        if target.is_empty() {
            desk.error(lines[0]);
            continue;
        }
        for line in lines {
            desk.line(line);
        }
        desk.line(&format!("L = {target}"));
        assert_eq!(desk.value("L"), value, "{target}");
        desk.line(":grad L");
        for (name, grad) in grads {
            assert_eq!(desk.grad(name), grad, "{target} by {name}");
        }
    }
}

#[test]
fn a_call_that_reaches_a_name_is_no_leaf() {
    let mut desk = Desk::with(&[
        "a = 2",
        "f(x) = a*x",
        "y = f(3)",
        "g(x) = x + 1",
        "z = g(3)",
    ]);
    desk.line(":set a 5");
    assert_eq!(desk.value("y"), 15.0);
    desk.error(":set y 1");
    desk.line(":set z 7");
    assert_eq!(desk.value("z"), 7.0);
}

#[test]
fn tables_stay_readable() {
    let mut desk = Desk::with(&["f(x) = 3x^2 - 4x + 5", "a, b = 2, 3", "L = f(a) + f(b)"]);
    let screen = desk.screen(":grad L");
    for (node, expression) in [
        ("L", "f(a) + f(b)"),
        ("f(a)", ""),
        ("f(b)", ""),
        ("3*a^2", ""),
    ] {
        let row = screen
            .lines()
            .find(|line| line.trim_start().starts_with(&format!("{node} ")));
        assert!(
            row.is_some_and(|row| row.contains(expression)),
            "{node} in\n{screen}"
        );
    }
}

/// The expression of a node in a table.
fn expression(desk: &mut Desk, line: &str, node: &str) -> String {
    let table = desk.line(line).remove(0);
    let rows = table["rows"].as_array().expect("it has rows").clone();
    let row = rows.into_iter().find(|row| row["node"] == node);
    let row = row.unwrap_or_else(|| panic!("no {node} in {table}"));
    row["expression"].as_str().unwrap_or_default().to_string()
}

#[test]
fn labels_show_calls_as_they_were_typed_and_leave_out_what_is_far() {
    let mut desk = Desk::with(&["g(x) = 2x", "f(x) = x^2 + 1", "p(x, y) = x*y"]);
    desk.line("a = 3");
    desk.line("y = f(g(a))*3");
    for (node, text) in [
        ("y", "f(g(a))*3"),
        ("f(g(a))", "g(a)^2 + 1"),
        ("g(a)", "2*a"),
        ("g(a)^2", ""),
    ] {
        assert!(
            expression(&mut desk, ":grad y", node).contains(text),
            "{node}"
        );
    }
    // Derivatives are shown as calls too, if all of their arguments occur in them, and literals keep their spelling.
    desk.line("c(x) = x^3 + 2.0");
    desk.line("h(s, t) = grad(s^3, s)");
    desk.line("k(s, t) = grad(s^3*t, s)");
    desk.line("b = 2");
    for (call, label, text) in [
        ("c(a)", "c(a)", "a^3 + 2.0"),
        ("c'(a)", "c'(a)", "3*a^2"),
        ("c''(a)", "c''(a)", "6*a"),
        ("tanh'(a)", "tanh'(a)", "sech(a)^2"),
        ("h(a, b)", "3*a^2", "3*a^2"),
        ("k(a, b)", "k(a, b)", "3*(a^2*b)"),
    ] {
        desk.line(&format!("v = {call}*7"));
        assert_eq!(expression(&mut desk, ":grad v", label), text, "{call}");
        assert_eq!(
            expression(&mut desk, ":grad v", "v"),
            format!("{label}*7"),
            "{call}"
        );
    }
    // A constant is shown by its name unless the user has bound that name.
    desk.line("z = a*pi");
    assert_eq!(expression(&mut desk, ":grad z", "z"), "a*pi");
    desk.line("pi = 3");
    assert_eq!(expression(&mut desk, ":grad z", "z"), "a*3.141592653589793");
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
fn a_name_in_a_body_is_missing() {
    let mut desk = Desk::with(&["a = 2"]);
    // A name in a body may be deleted after the definition; the error at the call says what is missing, and where.
    desk.line("h(x) = a*x");
    desk.line(":del a");
    let error = desk.error("1 + h(3)");
    assert!(
        error.message.contains("unknown name `a`, in `h(x) = a*x`"),
        "{}",
        error.message
    );
    assert_eq!(error.span, Some(4..5));
}

#[test]
fn definitions_are_changes() {
    let mut desk = Desk::with(&["f(x) = x^2", "f(x) = x^3"]);
    assert_eq!(desk.value("f(2)"), 8.0);
    desk.line(":undo");
    assert_eq!(desk.value("f(2)"), 4.0);
    desk.line(":redo");
    assert_eq!(desk.value("f(2)"), 8.0);
    desk.line(":del f");
    desk.error("f(2)");
    desk.line(":undo");
    assert_eq!(desk.value("f(2)"), 8.0);
    desk.line(":reset");
    desk.error("f(2)");
    desk.line(":undo");
    assert_eq!(desk.value("f(2)"), 8.0);
    // Nodes built by the old definition do not change.
    desk.line("a = 2");
    desk.line("y = f(a)");
    desk.line("f(x) = 0*x");
    desk.line(":set a 3");
    assert_eq!(desk.value("y"), 27.0);
    // If a value and a function have the same name, the name means the value, and `f()` the function.
    desk.line("f = 1");
    desk.line(":del f");
    assert_eq!(desk.value("f(2)"), 0.0);
    desk.line(":del f()");
    desk.error("f(2)");
}

#[test]
fn depth_is_no_matter_and_doubling_has_a_limit() {
    let mut desk = Desk::with(&["f0(x) = x + 1;"]);
    for step in 1..5_000 {
        desk.line(&format!("f{step}(x) = f{}(x) + 1;", step - 1));
    }
    assert_eq!(desk.value("f4999(0)"), 5_000.0);
    let mut desk = Desk::with(&["g0(x) = x + 1;"]);
    for step in 1..30 {
        desk.line(&format!("g{step}(x) = g{0}(x) + g{0}(x);", step - 1));
    }
    desk.line("a = 1");
    let (made, live) = (desk.session.made(), live_nodes());
    let error = desk.error("g29(a)");
    assert!(
        error.message.contains("at most 10,000,000 nodes"),
        "{}",
        error.message
    );
    assert_eq!((desk.session.made(), live_nodes()), (made, live));
}

#[test]
fn a_built_in_name_is_hidden_with_a_note() {
    let mut desk = Desk::default();
    let reply = desk
        .try_line("sin(x) = x")
        .pop()
        .expect("it answers")
        .expect("it is right");
    assert_eq!(reply.notes.len(), 1);
    let reply = desk
        .try_line("sin(x) = 2x")
        .pop()
        .expect("it answers")
        .expect("it is right");
    assert!(reply.notes.is_empty(), "said once");
    desk.line(":del sin");
    assert_eq!(desk.value("sin(0)"), 0.0);
}

#[test]
fn grad_in_a_body_is_by_a_name_or_by_a_part_of_the_first_argument() {
    // At x = 3 and k = 2; the derivative by a name that does not occur is 0.
    for (body, want) in [
        ("grad(x^2, x)", 6.0),
        ("grad(x^2, k)", 0.0),
        ("1 + grad(x^2 + 1, k)", 1.0),
        ("x + x + grad(k*x^2, k)", 15.0),
        ("2*grad(3*x*k + x, (k))", 18.0),
        ("grad(x*(k + 1), k + 1)", 3.0),
        ("k*grad(sin(x*x), x*x)", 2.0 * 9.0_f64.cos()),
    ] {
        let mut desk = Desk::with(&["k = 2", &format!("f(x) = {body}")]);
        assert_eq!(desk.value("f(3)"), want, "{body}");
    }
    // A function of the user called `grad` is an ordinary function.
    let mut desk = Desk::with(&["a = 3", "y = a^2", "grad(x) = 2x", "f(x) = grad(x)"]);
    assert_eq!((desk.value("grad(3)"), desk.value("f(4)")), (6.0, 8.0));
    assert_eq!(desk.value("grad'(3)"), 2.0);
    desk.line(":del grad");
    assert_eq!(desk.value("grad(y, a)"), 6.0);
}

#[test]
fn what_is_not_finite_in_a_call_is_told_in_the_words_of_the_body() {
    let mut desk = Desk::with(&[
        "f(x) = ln(x)",
        "g(x) = 2*f(x)",
        "h(x) = f'(x)",
        "p(x) = 1/x",
        "q(x) = p(x - 3) + 1",
    ]);
    for (line, said) in [
        ("f(-1)", "ln(-1) is NaN: ln needs x > 0 (in f(-1))"),
        ("g(-1)", "ln(-1) is NaN: ln needs x > 0 (in f(-1))"),
        ("h(-1)", "ln(-1) is NaN: ln needs x > 0 (in ln(-1))"),
        ("g'(-1)", "ln(-1) is NaN: ln needs x > 0 (in f(-1))"),
        ("p'(0)", "1/0 is inf: division needs y != 0 (in 1/0)"),
        ("q(3)", "1/0 is inf: division needs y != 0 (in p(3 - 3))"),
    ] {
        let screen = desk.screen(line);
        assert!(screen.contains(said), "{line}: {screen}");
    }
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
