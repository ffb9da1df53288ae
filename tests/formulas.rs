//! `:formula`: what it prints has the values of the graph.
//!
//! The formulas are typed back and compared with `grad` at several numbers of their letter.

use crate::common::{Desk, close};

/// Functions of x of every kind.
const FUNCTIONS: &str = include_str!("reference/functions.txt");

/// Numbers for x at which each function is smooth, or has no value.
const NUMBERS: [f64; 5] = [-2.3, -0.4, 0.3, 1.2, 3.7];

/// The texts of a key in JSON.
fn texts(json: &str, key: &str) -> Vec<String> {
    let value: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
    let steps = value["steps"]
        .as_array()
        .unwrap_or_else(|| panic!("{json}"));
    let text = |step: &serde_json::Value| step[key].as_str().expect("a text").to_string();
    steps.iter().map(text).collect()
}

#[test]
fn every_step_is_the_derivative_of_its_part() {
    let mut desk = Desk::with(&["x = 1"]);
    let mut compared = 0;
    for function in FUNCTIONS.lines().filter(|line| !line.starts_with('#')) {
        let json = desk.json(&format!(":formula {function} steps"));
        let parts = texts(&json, "part");
        for (part, derivative) in parts.iter().zip(texts(&json, "derivative")) {
            for x in NUMBERS {
                desk.line(&format!(":set x {x}"));
                let want = desk.value(&format!("grad({part}, x)"));
                let got = desk.value(&derivative);
                // Where a part has no value, its derivative may have one.
                if want.is_finite() {
                    assert!(
                        close(got, want, 1e-9, 1e-12),
                        "{function}: ({part})' = {derivative} is {got} at {x} and not {want}"
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
        let json: serde_json::Value = serde_json::from_str(&desk.json(&typed)).expect("JSON");
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
