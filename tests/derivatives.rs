//! Derivatives as nodes: `f'(3)`, `grad(L, a)`, closed forms.
//!
//! Numbers are compared with a fixture from elsewhere and with `:grad`, never with the code that built them.

mod common;

use common::Desk;
use std::rc::Rc;

/// The closed form of the derivative of `L` by `name`.
fn closed(lines: &[&str], name: &str) -> String {
    let mut desk = Desk::with(lines);
    let node = |desk: &Desk, name: &str| Rc::clone(desk.session.names().get(name).expect("bound"));
    let (root, by) = (node(&desk, "L"), node(&desk, name));
    desk.session.closed_form(&root, &by).expect("it is small")
}

#[test]
fn closed_forms_read_as_by_hand() {
    let anchor = ["a, b, c, f = 2, -3, 10, -2;", "L = (a*b + c)*f;"];
    assert_eq!(closed(&anchor, "a"), "b*f");
    assert_eq!(closed(&anchor, "c"), "f");
    assert_eq!(closed(&anchor, "f"), "a*b + c");
    for (expression, want) in [
        ("x^2", "2*x"),
        ("x^3", "3*x^2"),
        ("3x^2 - 4x + 5", "6*x - 4"),
        ("x + x", "2"),
        ("x*x", "2*x"),
        ("5 - x", "-1"),
        ("x/2", "0.5"),
        ("1/x", "-(L/x)"),
        ("sin(x)*exp(x)", "L + cos(x)*exp(x)"),
        ("cos(x)", "-sin(x)"),
        ("ln(x)", "rsqrt(x)^2"),
        ("relu(x)", "if(L, 1, 0)"),
        ("floor(x)", "0"),
        ("x^y", "if(y, y*x^(y - 1), if(x, y*x^(y - 1), 0))"),
    ] {
        let lines = ["x, y = 3, 2;", &format!("L = {expression};")];
        assert_eq!(closed(&lines, "x"), want, "{expression}");
    }
}
