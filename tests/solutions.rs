//! `y = solve(x^2 + y^2 = 25, y)`: the solution of an equation as a node. The numbers were worked out by hand, or by mpmath
//! with 30 digits; slopes are also compared with differences.

use crate::common::{Desk, close};

/// Sets leaves, binds an equation to `y`, and compares its value and its derivatives by these leaves.
struct Solved {
    leaves: &'static str,
    equation: &'static str,
    value: f64,
    slopes: &'static [(&'static str, f64)],
}

const fn solved(
    leaves: &'static str,
    equation: &'static str,
    value: f64,
    slopes: &'static [(&'static str, f64)],
) -> Solved {
    Solved {
        leaves,
        equation,
        value,
        slopes,
    }
}

#[rustfmt::skip]
const SOLVED: [Solved; 12] = [
    solved("x = 3", "x^2 + y^2 = 25, y", 4.0, &[("x", -0.75)]),
    solved("x = 3", "x^2 + y^2 == 25, y, -3", -4.0, &[("x", 0.75)]),
    solved("x = 3", "x^2 + y^2 = 25, y, -10..0", -4.0, &[("x", 0.75)]),
    // The whole product is one operand.
    solved("a, b = 2, 3; p = a*b", "p*y = 3, y", 0.5, &[("p", -0.5 / 6.0), ("a", -0.25), ("b", -0.5 / 3.0)]),
    solved("p = 10", "t^3 + t = p, t", 2.0, &[("p", 1.0 / 13.0)]),
    // Kepler's equation.
    solved("M, e = 1, 0.9", "E - e*sin(E) = M, E", 1.862_086_686_874_532_3,
        &[("M", 0.794_615_924_244_102), ("e", 0.761_142_010_521_491_3)]),
    // A diode behind a resistor, from a bracket.
    solved("U, R, I = 5, 1000, 1e-12", "(U - v)/R = I*(exp(v/0.02585) - 1), v, 0..2", 0.574_147_339_189_913_4,
        &[("U", 0.005_806_766_975_198_036), ("R", -2.569_989_506_788_436_4e-5)]),
    // Van der Waals, the volume of a mole of CO2.
    solved("P, T = 1e6, 300", "(P + 0.3658/V^2)*(V - 4.286e-5) = 8.314462618*T, V, 1e-3", 0.002_386_684_114_141_537_6,
        &[("T", 8.863_192_890_696_153e-6)]),
    // Colebrook's friction factor.
    solved("Re, k = 1e5, 1e-4", "1/sqrt(f) = -2*log10(k/3.7 + 2.51/(Re*sqrt(f))), f, 0.02", 0.018_513_866_077_471_664,
        &[("k", 5.069_633_533_677_355)]),
    // An inverse function.
    solved("p = 0.5", "erf(z) = p, z", 0.476_936_276_204_469_9, &[("p", 1.112_584_818_971_949_8)]),
    solved("p = 3", "w*exp(w) = p, w", 1.049_908_894_964_04, &[("p", 0.170_724_480_738_847_3)]),
    // A solution within a solution.
    solved("a = 2", "u*solve(t^2 = u, t) = a, u", 1.587_401_051_968_199_4, &[("a", 0.529_133_683_989_399_8)]),
];

/// The answer to a line.
fn shown(desk: &mut Desk, line: &str) -> String {
    desk.screen(line).trim_end().to_owned()
}

#[test]
fn a_solution_has_its_value_and_its_derivatives() {
    for case in &SOLVED {
        let binding = format!("result = solve({})", case.equation);
        let mut desk = Desk::with(&[case.leaves, &binding]);
        let value = desk.value("result");
        assert!(close(value, case.value, 1e-12, 0.0), "{binding}: {value}");
        desk.line(":grad result");
        for (leaf, slope) in case.slopes {
            let node = desk.value(&format!("grad(result, {leaf})"));
            for got in [node, desk.grad(leaf)] {
                assert!(close(got, *slope, 1e-9, 0.0), "{binding} by {leaf}: {got}");
            }
        }
        let screen = shown(&mut desk, ":check result");
        assert!(
            screen.ends_with("every gradient agrees with its difference"),
            "{binding}: {screen}"
        );
        // Undone, the value has the same bits.
        desk.line(&format!(
            ":set {} 1.7",
            case.slopes.last().expect("there is one").0
        ));
        desk.line(":undo");
        assert_eq!(desk.value("result").to_bits(), value.to_bits(), "{binding}");
    }
}

#[test]
fn a_solution_follows_its_operands() {
    let mut desk = Desk::with(&["x = 3", "y = solve(x^2 + y^2 = 25, y)"]);
    desk.line(":set x 4");
    assert_eq!(desk.value("y"), 3.0);
    // -(1 + y'^2)/y
    assert!(close(
        desk.value("grad(grad(y, x), x)"),
        -25.0 / 27.0,
        1e-12,
        0.0
    ));
    assert_eq!(shown(&mut desk, "dy/dx"), "-1.33333333333   -x/y");
    assert_eq!(desk.value("grad(2*y, solve(x^2 + y^2 = 25, y))"), 2.0);
    assert_eq!(desk.value("grad(2*y, solve(z^2 + x^2 = 25, z))"), 2.0);
    let other = desk.error("grad(2*y, solve(x^2 + y^2 = 25, y, -1))");
    assert!(
        other.message.contains("does not occur"),
        "{}",
        other.message
    );
    desk.line("d = (y - x)^2");
    desk.line(":minimize d wrt x");
    assert!(close(desk.value("x"), 12.5_f64.sqrt(), 1e-6, 0.0));
}

#[test]
fn a_jump_to_another_solution_is_noted() {
    // y^3 - 3*y = 1 has -1.53, -0.347 and 1.88, and y^3 - y = 1 only 1.32.
    let mut desk = Desk::with(&["b = 3", "y = solve(y^3 - b*y = 1, y, 0)"]);
    assert!(close(desk.value("y"), -0.347_296_355_333_860_7, 1e-12, 0.0));
    assert!(!shown(&mut desk, ":set b 2.9").contains("note"));
    assert!(shown(&mut desk, ":set b 1").contains("note: y has jumped to another solution"));
}

#[test]
fn the_only_solution_does_not_jump() {
    let mut desk = Desk::with(&["p = 2", "y = solve(p*y = 3, y)"]);
    assert!(!shown(&mut desk, ":set p -2").contains("note"));
    assert_eq!(desk.value("y"), -1.5);
}

#[test]
fn equations_within_one_another_are_few() {
    let mut desk = Desk::with(&["x = 2", "f0(t) = t"]);
    for place in 1..=17 {
        let before = place - 1;
        desk.line(&format!(
            "f{place}(t) = solve(w + ln(-t) = f{before}(w + t), w)"
        ));
    }
    assert!(desk.value("f16(x)").is_nan());
    let error = desk.error("f17(x)");
    assert!(
        error.message.starts_with("at most 16 equations"),
        "{}",
        error.message
    );
}

#[test]
fn a_function_of_a_solution_has_formulas() {
    let mut desk = Desk::with(&["f(t) = solve(w^3 + w = t, w)", "x = 3"]);
    assert_eq!(shown(&mut desk, "f'"), "f'(t) = 1/(3*f(t)^2 + 1)");
    assert_eq!(shown(&mut desk, "f''"), "f''(t) = -6*f(t)/(3*f(t)^2 + 1)^3");
    assert_eq!(desk.value("f'(2)"), 0.25);
    assert_eq!(desk.value("f''(2)"), -6.0 / 64.0);
    assert_eq!(desk.value("sum(f([2, 10, 30]))"), 6.0);
    // Another letter may depend on the one that moves.
    assert_eq!(
        shown(&mut desk, ":formula f zeros"),
        "zeros found in -10..10: t = 0"
    );
    assert!(shown(&mut desk, ":solve x for f(x) = 2").contains("x           3      10"));
    desk.line(":undo");
    desk.line("y = solve(x^2 + y^2 = 25, y)");
    desk.line("L = y^2*x");
    assert_eq!(
        shown(&mut desk, ":formula y"),
        "y = solve(x^2 + y^2 = 25, y)\n∂y/∂x = -x/y   -0.75"
    );
    assert!(shown(&mut desk, ":formula L").contains("∂L/∂x = y^2 - 2*x^2"));
    assert!(
        shown(&mut desk, ":formula y steps").contains("implicit   (solve(x^2 + y^2 = 25, y))' = ")
    );
}

#[test]
fn an_equation_that_fails_says_why() {
    for (lines, message, help) in [
        (
            "solve(x^2 - 3, x)",
            "`solve` takes an equation",
            "write `solve(x^2 - 3 = 0, x)`",
        ),
        (
            "solve(x^2 = 3)",
            "the unknown of the equation is missing",
            "write `solve(x^2 = 3, x)`",
        ),
        (
            "solve(3 = 3, x)",
            "no side of the equation has the letter `x`",
            "the letter after the equation",
        ),
        (
            "s = 1; solve(x^2 = 3, x, s)",
            "the search begins at a plain number, which never changes",
            "as in",
        ),
        (
            "solve(x^2 = 3, x, [1, 2])",
            "the search begins at a plain number",
            "as in",
        ),
        (
            "solve(q + q.data = 3, q)",
            "the equation cannot read the number of its unknown `q`",
            "a condition on it is one node",
        ),
        (
            "solve(x^2 = 4, x, 0..inf)",
            "the search begins at a plain number",
            "as in",
        ),
        (
            "solve(x^2 < 4 = 0, x)",
            "an equation has one sign, `=`",
            "as in",
        ),
        (
            "solve(x^2 = 4, 2)",
            "the unknown of the equation is a letter",
            "as in",
        ),
        (
            "a = 2; y = solve(x^2 = a, x); :export y y.c",
            "`:export` cannot write `solve`",
            "export a part",
        ),
        (
            "a = 2; y = solve(x^2 = a, x); :export y y.tex",
            "`:export` cannot write `solve`",
            "export a part",
        ),
    ] {
        let mut desk = Desk::default();
        let lines: Vec<&str> = lines.split("; ").collect();
        let (last, before) = lines.split_last().expect("there is a line");
        for line in before {
            desk.line(line);
        }
        let error = desk.error(last);
        assert!(
            error.message.starts_with(message),
            "{last}: {}",
            error.message
        );
        let shown = error.help.unwrap_or_default();
        assert!(shown.starts_with(help), "{last}: {shown}");
    }
    let note = "note: no solution found: nearest is x = 0, where the sides are 0 and -1";
    let mut desk = Desk::with(&["a = -1"]);
    assert_eq!(
        shown(&mut desk, "solve(x^2 = -1, x)"),
        format!("NaN\n{note}")
    );
    assert!(shown(&mut desk, "solve(x^2 = a, x)").starts_with(&format!("NaN\n{note}")));
}

#[test]
fn a_saved_solution_is_the_same() {
    let mut desk = Desk::with(&[
        "x = 3",
        "y = solve(x^2 + y^2 = 25, y, -7..-1)",
        "z = solve((x + y)*t = 1, t, -2)",
    ]);
    let saved = desk.written_text(":save work.calc");
    assert!(
        saved.contains("y = solve(x^2 + y^2 = 25, y, -7..-1)"),
        "{saved}"
    );
    let mut other = Desk::default();
    for line in saved.lines().filter(|line| !line.starts_with('#')) {
        other.line(line);
    }
    for name in ["y", "z", "grad(z, x)"] {
        assert_eq!(other.value(name).to_bits(), desk.value(name).to_bits());
    }
}
