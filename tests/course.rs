//! What a course asks: equations, zeros, other solutions, tangents. The answers were worked out by hand.

use crate::common::Desk;

/// Types lines on a fresh desk where letters need no numbers, and compares the answer to the last one, without its arrow.
fn answers(rows: &[(&str, &str)]) {
    for (lines, want) in rows {
        let mut desk = Desk::default();
        desk.session.show.reads_letters = true;
        let mut lines: Vec<&str> = lines.split(" ;; ").collect();
        let last = lines.pop().expect("there is a line");
        for line in lines {
            desk.line(line);
        }
        let screen = desk.screen(last);
        let shown: Vec<&str> = screen
            .lines()
            .filter(|it| !it.starts_with('→') && !it.starts_with("note: new"))
            .map(str::trim)
            .collect();
        assert_eq!(shown.join(" | "), *want, "{last}");
    }
}

#[test]
fn zeros() {
    answers(&[
        ("zeros of x^2 - 4", "x = -2 and x = 2"),
        ("roots of t^2 - 2", "t = ±sqrt(2)"),
        ("zeros of x^2 - 5x + 3", "x = (5 ± sqrt(13))/2"),
        ("zeros of (x - 1)^2 (x + 3)", "x = -3 and x = 1"),
        (
            "zeros of 6x^3 - 11x^2 + 6x - 1",
            "x = 1/3, x = 1/2 and x = 1",
        ),
        ("zeros of x^2 + 1", "no real zeros"),
        ("zeros of 1 - 4/x^2", "x = -2 and x = 2"),
        ("zeros of x^2/x", "no real zeros"),
        ("zeros of x - x", "x = any number"),
        ("zeros of 0.5x^2 - 0.125", "x = -0.5 and x = 0.5"),
        ("zeros of x^2 - 1e-14", "x = -1e-7 and x = 1e-7"),
        (
            "zeros of x^4 - 4x^2 + 4",
            "x = -1.41421356237 and x = 1.41421356237",
        ),
        (
            "zeros of x^6 - 9x^4 + 27x^2 - 27",
            "x = -1.73205080757 and x = 1.73205080757",
        ),
        ("zeros of x^40 - 1", "x = -1 and x = 1"),
        // 2*cos(2pi*k/9) for k = 4, 2, 1.
        (
            "zeros of x^3 - 3x + 1",
            "x = -1.87938524157, x = 0.347296355334 and x = 1.53208888624",
        ),
        ("f(x) = x^3 - 3x ;; zeros of f", "x = ±sqrt(3) and x = 0"),
        ("f(x) = x^3 - 3x ;; zeros of f'", "x = -1 and x = 1"),
        ("f(x) = x^3 - 3x ;; roots of f''", "x = 0"),
        ("h(t) = t^2 - 2t ;; zeros of h", "t = 0 and t = 2"),
        ("f(x) = a*x - 6 ;; a = 3 ;; zeros of f", "x = 2"),
        ("zeros of e^x", "no real zeros"),
        ("zeros of 2^x", "no real zeros found in -10..10"),
        ("zeros of sqrt(x^2 - 9)", "x = -3 and x = 3"),
        ("zeros of x^3/x - 4x", "x = 4"),
        ("f(x) = x/(x^2 + 1) ;; zeros of f'", "x = -1 and x = 1"),
        ("f(x) = x*exp(-x^2) ;; zeros of f'", "x = ±sqrt(2)/2"),
        ("zeros of ln x", "zeros found in -10..10: x = 1"),
        ("zeros of 1/x", "no real zeros"),
        ("zeros of 1/sin(x)", "no real zeros"),
        ("zeros of sin(x)/x - 2", "no real zeros found in -10..10"),
        ("zeros of floor(x) - 0.5", "no real zeros found in -10..10"),
        // The fixed point of the cosine.
        (
            "zeros of cos(x) - x",
            "zeros found in -10..10: x = 0.739085133215",
        ),
        // Curves that only touch 0.
        (
            "t = 0 in 0..10 ;; zeros of 1 + cos t",
            "zeros found in 0..10: t = 3.14159265359 and t = 9.42477796077",
        ),
        (
            "zeros of (x - pi)^2",
            "zeros found in -10..10: x = 3.14159265359",
        ),
        (
            "zeros of (x - √2)^2 (x - 1)",
            "zeros found in -10..10: x = 1 and x = 1.41421356237",
        ),
        ("zeros of x^3 - 11.1x^2 + 41.07x - 50.653", "x = 3.7"),
        ("zeros of sin^2 x + cos^2 x - 1", "x = any number"),
        ("f(x) = |x| ;; f'(x) = 1", "no real zeros found in -10..10"),
        // Equations that begin with a function.
        ("ln x = 1", "zeros found in -10..10: x = 2.71828182846"),
        ("|x| = 3", "zeros found in -10..10: x = -3 and x = 3"),
        ("√x = 3", "zeros found in -10..10: x = 9"),
        (
            "b = 1 in 0..4 ;; zeros of cos(pi*b/2)",
            "zeros found in 0..4: b = 1 and b = 3",
        ),
    ]);
}

#[test]
fn other_solutions() {
    let also = |line: &str, want: &str| {
        let mut desk = Desk::default();
        let screen = desk.screen(line);
        let found = screen
            .lines()
            .find(|it| it.contains("also") || it.contains("others"));
        assert_eq!(found, Some(want), "{screen}");
    };
    also(":solve x for x^2 - 5x + 6 = 0", "also: x = 3");
    also(":solve x for x^2 = 4", "also: x = -2");
    also(
        ":solve x for x^2 - 5x + 3 = 0",
        "also: x = (5 ± sqrt(13))/2",
    );
    also(":solve x for x^3 = 2x", "also: x = ±sqrt(2) and x = 0");
    also(":solve x for x^3 = 8", "no others");
    also(":solve k for k^2 = 4 where k >= 0", "no others");
    also(":solve k for k^2 = 2 where k <= 0", "no others");
    also(
        ":solve k for (k - 30)*(k - 40) = 0 where k >= 20",
        "also: k = 40",
    );
    also(":solve x for x^2 = 1e-14", "also: x = -1e-7");
    also(":solve x for exp(x) = 2", "no others found in -10..10");
    also(
        ":solve x for cos(x) = 0 where x >= 0, x <= 8",
        "also found in 0..8: x = 4.71238898038 and x = 7.85398163397",
    );
    also(
        ":solve x for tan(x) = 0 where x >= 1, x <= 7",
        "also found in 1..7: x = 6.28318530718",
    );

    let mut desk = Desk::with(&["a, b, c = 1, -5, 6"]);
    assert_eq!(
        desk.answer(":solve x for a*x^2 + b*x + c = 0")["also"],
        serde_json::json!([3])
    );
    assert_eq!(
        desk.answer(":solve x for x^2 = 2")["also"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    let long = format!(":solve x for x^2{} = 4", " + sin(x)*0".repeat(3000));
    assert_eq!(desk.answer(&long)["also"], serde_json::Value::Null);
}

#[test]
fn equations() {
    answers(&[
        ("x^2 - 5x + 6 = 0", "x = 2 and x = 3"),
        ("0 = x^2 - 5x + 6", "x = 2 and x = 3"),
        ("2x = 6", "x = 3"),
        ("3 = x", "x = 3"),
        ("x^2 = 2x + 3", "x = -1 and x = 3"),
        ("(x+1)(x-2) = 0", "x = -1 and x = 2"),
        ("2t + 1 = t - 1/2", "t = -3/2"),
        ("x^2 + 1 = 0", "no real zeros"),
        ("|x| - 3 = 0", "zeros found in -10..10: x = -3 and x = 3"),
        ("f(x) = x^3 - 3x ;; f'(x) = 0", "x = -1 and x = 1"),
        ("f(x) = x^3 - 3x ;; f'(x) = 9", "x = -2 and x = 2"),
    ]);
    let slope = |line: &str, want: &str, point: &str| {
        let note = format!("{want} | a point of it: {point} for {line}");
        answers(&[(line, &note)]);
    };
    slope("x^2 + y^2 = 25", "dy/dx = -x/y", "x = 1; :solve y");
    slope("y^2 + x^2 = 25", "dy/dx = -x/y", "x = 1; :solve y");
    slope("2x + 3y = 6", "dy/dx = -2/3", "x = 1; :solve y");
    slope("y^2 = x^3", "dy/dx = 3*x^2/(2*y)", "x = 1; :solve y");
    slope("x*y = 1", "dy/dx = -y/x", "x = 1; :solve y");
    slope(
        "x^3 + y^3 = 6*x*y",
        "dy/dx = (2*y - x^2)/(y^2 - 2*x)",
        "x = 1; :solve y",
    );
    slope("e^y = x + y", "dy/dx = 1/(e^y - 1)", "x = 1; :solve y");
    slope(
        "a^2 + b^2 = 1",
        "db/da = -a/b | da/db = -b/a",
        "a = 1; :solve b",
    );
    answers(&[(
        "y - y + x = 3",
        "error: `y - y + x = 3` does not depend on `y` | help: `:solve x for y - y + x = 3` finds a solution",
    )]);
    answers(&[("x^2 + y^2 = 25; ", ""), ("x^2 = 4; 3x", "3*x | d/dx = 3")]);
}

#[test]
fn derivatives_in_the_notation_of_books() {
    let of_function = |line: &str, want: &str| {
        answers(&[(&format!("y(x) = x^5 ;; {line}"), want)]);
    };
    of_function("y'", "y'(x) = 5*x^4");
    of_function("dy/dx", "y(x) = x^5 | y'(x) = 5*x^4");
    of_function("d²y/dx²", "y''(x) = 20*x^3");
    of_function("d^2y/dx^2", "y''(x) = 20*x^3");
    of_function("d³y/dx³", "y'''(x) = 60*x^2");
    of_function("d^3y/dx^3", "y'''(x) = 60*x^2");
    of_function("dy/dx at 2", "80");
    of_function("d²y/dx² at x = 2", "160");
    of_function("d^2y/dx^2 at 2", "160");
    answers(&[
        ("y = x^3 ;; dy/dx", "3*x^2"),
        ("y = x^3 ;; y'", "y = x^3 | y'(x) = 3*x^2"),
        ("y = x^3 ;; y''", "6*x"),
        ("y = x^3 ;; d²y/dx²", "6*x"),
        ("y = x^3 ;; d^2y/dx^2", "6*x"),
        ("f(t) = t^3 ;; df/dt at 2", "12"),
    ]);
}

#[test]
fn tangents() {
    answers(&[
        ("f(x) = x^3 ;; tangent to f at 2", "12*x - 16"),
        ("f(x) = x^3 ;; tangent line to f at x = 1", "3*x - 2"),
        ("f(x) = x^3 ;; tangent to f at 0", "0"),
        ("f(x) = x^3 ;; tangent to f' at 1", "6*x - 3"),
        ("h(t) = t^2 ;; tangent to h at 3", "6*t - 9"),
        ("tangent to x^3 at 2", "12*x - 16"),
        ("tangent to sqrt(x) at 4", "x/4 + 1"),
        ("tangent to 1/x at 2", "1 - x/4"),
        ("tangent to e^x at 0", "x + 1"),
        ("tangent to e^x at 1", "e*x"),
        (
            "tangent to sin x at pi/6",
            "sqrt(3)*x/2 - sqrt(3)*pi/12 + 1/2",
        ),
        ("tangent to x^2 at pi", "2*pi*x - pi^2"),
        ("tangent to x ln x at 1", "x - 1"),
        ("y = x^2 ;; tangent to y at 3", "6*x - 9"),
    ]);
}

#[test]
fn hessians() {
    answers(&[
        ("hessian(x^2*y)", "x     y | x   2*y   2*x | y   2*x   0"),
        (
            "hessian of x y + sin y",
            "x   y | x   0   1 | y   1   -sin(y)",
        ),
        (
            "f(a, b) = a^3 b^2 ;; hessian of f",
            "a         b | a   6*a*b^2   6*a^2*b | b   6*a^2*b   2*a^3",
        ),
        ("h(x) = x^3 ;; hessian of h", "x | x   6*x"),
        (
            "x, y = 1, 2 ;; L = x^2*y ;; hessian of L",
            "x     y | x   2*y   2*x | y   2*x   0",
        ),
    ]);
}

#[test]
fn what_is_no_equation_keeps_its_meaning() {
    let mut desk = Desk::default();
    desk.session.show.reads_letters = true;
    for line in [
        "x y = 3",
        "[x] = 3",
        "x != 3",
        "xs[0] = 3",
        "2 = 2",
        "zz + 1 = 3",
        "x^2 = 4 = 5",
    ] {
        desk.error(line);
    }
    desk.line("y = x^2");
    assert_eq!(desk.session.waiting().len(), 1);
    desk.error("y^2 = x");
    desk.line("x = 3");
    desk.error("x^2 - 5x + 6 = 0");
    // A script has the error.
    let mut script = Desk::default();
    script.error("x^2 - 5x + 6 = 0");
    script.error("x^2 + y^2 = 25");
    script.line("f(x) = x^2");
    script.line("f(x) = 0");
    assert_eq!(script.value("f(3)"), 0.0);
}

#[test]
fn a_function_is_not_replaced_by_an_equation() {
    let mut desk = Desk::default();
    desk.session.show.reads_letters = true;
    desk.line("f(x) = 5; f(x) = 0; f(x) = x^2; f(x) = 3x; g(t) = 2");
    for (line, help) in [
        (
            "f(x) = 0",
            "an equation is solved by `:solve x for f(x) = 0`; a function is defined by `def f(x): return 0`, too",
        ),
        (
            "f(t) = -3",
            "an equation is solved by `:solve t for f(t) = -3`; a function is defined by `def f(t): return -3`, too",
        ),
        (
            "sin(x) = 0.5",
            "an equation is solved by `:solve x for sin(x) = 0.5`; a function is defined by `def sin(x): return 0.5`, too",
        ),
    ] {
        assert_eq!(desk.error(line).help.as_deref(), Some(help), "{line}");
    }
    assert_eq!(desk.value("f(2)"), 6.0);
    desk.line(":solve x for sin(x) = 0.5");
    desk.line("def f(x): return 0");
    assert_eq!(desk.value("f(2)"), 0.0);
}
