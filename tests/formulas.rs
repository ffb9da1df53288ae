//! `:formula`: what it prints has the values of the graph.
//!
//! The formulas are typed back and compared with `grad` at several numbers of their letter.

use crate::common::{Desk, close};
use chainrule_program::Environment as _;

/// Functions of x of every kind.
const FUNCTIONS: &str = include_str!("reference/functions.txt");

/// Numbers for x at which each function is smooth, or has no value.
const NUMBERS: &str = "[-2.3, -0.4, 0.3, 1.2, 3.7]";

/// The texts of a key of each step in JSON that has it.
fn texts(json: &serde_json::Value, key: &str) -> Vec<String> {
    let steps = json["steps"].as_array().unwrap_or_else(|| panic!("{json}"));
    let texts = steps.iter().filter_map(|step| step[key].as_str());
    texts.map(str::to_string).collect()
}

fn parsed(json: &str) -> serde_json::Value {
    serde_json::from_str(json).expect("it is JSON")
}

#[test]
fn every_step_is_the_derivative_of_its_part() {
    let mut desk = Desk::with(&["x = 1".to_string(), format!("numbers = {NUMBERS};")]);
    let mut compared = 0;
    for function in FUNCTIONS.lines().filter(|line| !line.starts_with('#')) {
        let steps = parsed(&desk.json(&format!(":formula {function} steps")));
        let answer = parsed(&desk.json(&format!(":formula {function}")));
        let derivatives = texts(&steps, "derivative");
        assert_eq!(
            derivatives.last().map(String::as_str),
            answer["derivatives"][0]["formula"].as_str(),
            "{function}"
        );
        let parts = texts(&steps, "part");
        for (part, derivative) in parts.iter().zip(derivatives) {
            desk.line(&format!("p(x) = {part}; d(x) = {derivative};"));
            desk.line("want = [p'(x) for x in numbers]; got = [d(x) for x in numbers];");
            let data = |name: &str| {
                let list = desk.session.find(name).expect("it is bound");
                list.nodes().iter().map(|node| node.data())
            };
            for (want, got) in data("want").zip(data("got")) {
                // Where a part has no value, its derivative may have one.
                if want.is_finite() {
                    assert!(
                        close(got, want, 1e-9, 1e-12),
                        "{function}: ({part})' = {derivative} is {got} and not {want}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 800, "{compared}");
}

#[test]
fn a_taylor_polynomial_is_near_its_function() {
    for (function, center, order) in [
        ("exp(x)", 0.0, 6),
        ("sin(x)*exp(x)", 1.0, 5),
        ("ln(1 + x^2)", -0.5, 5),
        ("sqrt(x)", 2.0, 4),
        ("1/(2 + tanh(x))", 0.3, 4),
        ("x^3 - 2*x + 1", 1.0, 3),
    ] {
        let mut desk = Desk::with(&["x = 1"]);
        let typed = format!(":formula {function} at {center} order {order}");
        let json = parsed(&desk.json(&typed));
        let polynomial = json["formula"].as_str().expect("a text").to_string();
        let mut error_at = |x: f64| {
            desk.line(&format!(":set x {x}"));
            (desk.value(&polynomial) - desk.value(function)).abs()
        };
        // The error falls like a power of the distance that is one more than the order.
        let [far, near] = [0.1, 0.05].map(|distance| error_at(center + distance));
        let wanted = 2f64.powi(order + 1);
        assert!(
            far < 1e-12 || far / near > 0.7 * wanted && far < 1e-3,
            "{function}: {polynomial}: {far} and {near}"
        );
    }
}

#[test]
fn numbers_stay_exact() {
    for (f, typed, expected) in [
        ("1/x", "f'(3)", "-1/9"),
        ("1/x", "f'(3) + a", "a - 1/9"),
        ("sin(x)", "f'(pi/3)", "1/2"),
        ("sin(x)", "f'(pi/12)", "cos(pi/12)"),
        ("x^3*sin(x)", "f''(pi)", "-6*pi^2"),
        ("sqrt(x)", "f'(2)", "sqrt(2)/4"),
        ("log(x, 2)", "f'(8)", "1/(8*ln(2))"),
        ("log(x, 2)", "f'(x)", "1/(x*ln(2))"),
        ("sin(2*pi*x)", "f'(x)", "2*pi*cos(2*pi*x)"),
        ("sin(2*pi*x)", "f''(x)", "-4*pi^2*sin(2*pi*x)"),
        ("sin(2*pi*x)", "grad(f(x), x)", "2*pi*cos(2*pi*x)"),
        ("if(x > 0, x^2, 1/x)", "f'(pi)", "2*pi"),
        ("0.1*x^2", "f'(x)", "0.2*x"),
        (
            "sin(x)",
            "f(x) at pi/6 order 1",
            "1/2 + sqrt(3)*(x - pi/6)/2",
        ),
        ("cos(x)", "f(x) at pi order 3", "-1 + (x - pi)^2/2"),
        ("exp(x)", "f(x) at pi order 1", "exp(pi) + exp(pi)*(x - pi)"),
        (
            "exp(x)",
            "f(x) at 1/2 order 1",
            "exp(1/2) + exp(1/2)*(x - 1/2)",
        ),
        ("ln(x)", "f(x) at e order 1", "1 + (x - e)/e"),
        ("ln(x)", "f(x) at 1 order 2", "(x - 1) - (x - 1)^2/2"),
        ("1/x", "f(x) at 3 order 1", "1/3 - (x - 3)/9"),
        ("x^2", "f(x) at c order 2", "4 + 4*(x - 2) + (x - 2)^2"),
    ] {
        let mut desk = Desk::with(&["c = 2".to_string(), format!("f(x) = {f}")]);
        let json: serde_json::Value =
            serde_json::from_str(&desk.json(&format!(":formula {typed}"))).expect("JSON");
        assert_eq!(json["formula"], expected, "{f}: {typed}");
    }
}

#[test]
fn the_exact_number_stands_behind_that_of_a_call() {
    for (f, typed, expected) in [
        ("1/x", "f'(3)", "-1/9"),
        ("1/x", "f(0.3)", "10/3"),
        ("1/x", "f(2)", ""),
        ("1/x", "f(3) + 1", ""),
        ("sin(x)", "f(pi/3)", "sqrt(3)/2"),
        ("sin(x)", "f'(pi/3)", ""),
        ("sin(x)", "f(5)", ""),
        ("x^x", "f'(2)", "4*ln(2) + 4"),
        ("x^x", "f''(3)", ""),
        ("(12345678*x + 1)^5", "f'(2)", ""),
        ("c*x^2/3", "f(2)", ""),
        ("log(x, 2)", "f'(3)", "1/(3*ln(2))"),
        ("if(x > 0, pi, 0)", "f(3)", "pi"),
        ("sqrt(x)", "f(-1)", ""),
    ] {
        let mut desk = Desk::with(&["c = 2".to_string(), format!("f(x) = {f}")]);
        // A script has the number alone.
        assert!(desk.answer(typed)["exact"].is_null(), "{f}: {typed}");
        desk.session.show.reads_letters = true;
        let exact = &desk.answer(typed)["exact"];
        assert_eq!(exact.as_str().unwrap_or(""), expected, "{f}: {typed}");
    }
}

#[test]
fn letters_keep_the_order_of_their_products() {
    for (typed, expected) in [
        ("x*exp(a*x + b)", "x*exp(a*x + b)"),
        ("x*sin(a*x)", "x*sin(a*x)"),
        ("b*sin(x) + x*b*a", "x*b*a + b*sin(x)"),
        ("grad(a*x^2, x)", "2*a*x"),
        ("grad(grad(x^2*y^3, x), y)", "6*x*y^2"),
        ("sin(k*t)*A*t", "A*t*sin(k*t)"),
    ] {
        let mut desk = Desk::with(&[""]);
        let json: serde_json::Value =
            serde_json::from_str(&desk.json(&format!(":formula {typed}"))).expect("JSON");
        assert_eq!(json["formula"], expected, "{typed}");
    }
}

#[test]
fn derivatives_at_letters_are_those_of_textbooks() {
    for (f, typed, expected) in [
        ("0^(x + 1)", "f'(x)", "0"),
        ("atan2(x, 3)", "f'(x)", "3/(x^2 + 9)"),
        ("asinh(x)", "f'(x)", "1/sqrt(x^2 + 1)"),
        ("asec(x)", "f'(x)", "1/(abs(x)*sqrt(x^2 - 1))"),
        ("hypot(x, 3)", "f'(x)", "x/hypot(x, 3)"),
        ("erf(x)", "f''(x)", "-4*x*exp(-x^2)/sqrt(pi)"),
    ] {
        let mut desk = Desk::with(&[format!("f(x) = {f}")]);
        let json: serde_json::Value =
            serde_json::from_str(&desk.json(&format!(":formula {typed}"))).expect("JSON");
        assert_eq!(json["formula"], expected, "{f}: {typed}");
    }
}

#[test]
fn the_formulas_of_lists_are_their_gradients() {
    for root in [
        "sum(w^2)",
        "mean((a*xs + b - ys)^2)",
        "sum((ys - a*exp(-b*xs))^2/ys)",
        "dot(w, w)*a + mean(w)",
        "sum((xs - mean(xs))^2)",
        "sum(xs*xs[1]) + xs[0]",
        "sum(xs[1:5]*ys[0:4])",
        "tanh(dot(w, xs[0:3]) + b)",
        "sum(sin(xs))^2/sum(cos(ys) + 2)",
        "sum([x*a for x in xs]) + sum([b, b, b, b, b, b])",
        "sqrt(sum(w^2))*sum(max(xs, ys))",
        "sum([sum((a*x - ys)^2) for x in w])",
        "sum([x*sum(tanh(x + xs)) for x in w])",
        "sum([ln(sum(exp(x*ys/9))) for x in xs])",
        "-sum(ln(1/(1 + exp(-(a*xs + b)))))",
    ] {
        let mut desk = Desk::with(&[
            "w = [0.3, -1.2, 2]; xs = [1, 2.5, -3, 4, 0.5, 6]; ys = [2, 4, 6, 8, 9, 11]",
            "a, b = 1.5, -0.5",
        ]);
        let json: serde_json::Value =
            serde_json::from_str(&desk.json(&format!(":formula {root}"))).expect("JSON");
        let whole = json["formula"].as_str().expect("a text");
        let [got, want] = [whole, root].map(|it| desk.value(it));
        assert!(
            close(got, want, 1e-12, 1e-12),
            "{root}: {whole} is {got} and not {want}"
        );
        let derivatives = json["derivatives"].as_array().expect("a list");
        assert!(!derivatives.is_empty(), "{root}");
        for row in derivatives {
            let (formula, grad) = (&row["formula"], &row["grad"]);
            let formula = formula.as_str().expect("a text");
            let difference = desk.value(&format!("sum(abs(({formula}) - ({grad})))"));
            assert!(difference < 1e-9, "{root}: {formula} differs from {grad}");
        }
    }
}
