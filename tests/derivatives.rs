//! Derivatives as nodes: `f'(3)`, `grad(L, a)`, closed forms.
//!
//! Numbers are compared with independently computed values and with `:grad`, never with the code under test.

use crate::common::{Desk, close};
use chainrule_engine::graph::Order;
use chainrule_engine::ops::{Op, Shape, TABLE};
use chainrule_program::Environment as _;
use std::rc::Rc;

fn closed_form(lines: &[&str], name: &str) -> String {
    let mut desk = Desk::with(lines);
    let node =
        |desk: &Desk, name: &str| Rc::clone(desk.session.names().find_node(name).expect("bound"));
    let (root, by) = (node(&desk, "L"), node(&desk, name));
    let derivative = desk
        .session
        .program_mut()
        .derivatives(&root, &[by])
        .expect("it is small");
    desk.session.label(&derivative[0])
}

#[test]
fn closed_forms_read_as_by_hand() {
    let anchor = ["a, b, c, f = 2, -3, 10, -2;", "L = (a*b + c)*f;"];
    assert_eq!(closed_form(&anchor, "a"), "b*f");
    assert_eq!(closed_form(&anchor, "c"), "f");
    assert_eq!(closed_form(&anchor, "f"), "a*b + c");
    for (expression, want) in [
        ("x^2", "2*x"),
        ("x^3", "3*x^2"),
        ("3x^2 - 4x + 5", "6*x - 4"),
        ("x + x", "2"),
        ("x*x", "2*x"),
        ("5 - x", "-1"),
        ("x/2", "0.5"),
        ("1/x", "-(L/x)"),
        ("sin(x)*exp(x)", "exp(x)*sin(x) + cos(x)*exp(x)"),
        ("cos(x)", "-sin(x)"),
        ("ln(x)", "1/x"),
        ("relu(x)", "if(x > 0, 1, 0)"),
        ("floor(x)", "0"),
        ("x^y", "y*x^(y - 1)"),
        // Special points are taken care of in the values, not in the text.
        ("y^x", "L*ln(y)"),
        ("2^x", "0.6931471805599453*L"),
        ("sin(y)^x", "L*ln(sin(y))"),
        ("5*y^x", "5*(y^x*ln(y))"),
        // Neutral elements are left out of sums, products and powers.
        ("x^0", "0"),
        ("x^1*y", "y"),
        ("y - x", "-1"),
        ("-(x - y)", "-1"),
        ("-(-(-x))", "-1"),
        ("0*x + x", "1"),
        // Like terms are combined, but terms that cancel stay.
        ("2*x - 3*x", "-1"),
        ("x*y + x*y", "2*y"),
        ("x*y - x*y", "y - y"),
        ("sin(x) + 2*sin(x)", "3*cos(x)"),
        ("3*sin(x) - sin(x)", "2*cos(x)"),
        ("5 - 2*x^2 + x^3", "3*x^2 - 4*x"),
        ("(x + y)*(x + y)", "x + y + (x + y)"),
        // A minus is either in front of a term or between two.
        ("x*sin(y) - 3*x", "sin(y) - 3"),
        ("-3*x + y*x", "y - 3"),
        ("sin(x) - cos(x)", "sin(x) + cos(x)"),
        ("cos(x) + sin(x)", "cos(x) - sin(x)"),
        ("-2*sin(-x)", "2*cos(-x)"),
        ("x - -y*x", "1 + y"),
        ("(y - z)*-x", "-(y - z)"),
        ("x/(y - z)", "1/(y - z)"),
        ("-x/y", "-(1/y)"),
        ("(-2*x)/y", "-2*(1/y)"),
        // Numeric factors are combined at the front, unless they would overflow.
        ("2*(3*(4*x))", "24"),
        ("(y*2)*(x*3)", "6*y"),
        ("(x*y)*(x*2)", "2*(x*y) + 2*(y*x)"),
        ("sin(2x)*3", "6*cos(2*x)"),
        ("sin(x)*-2 + y", "-2*cos(x)"),
        ("1e200*sin(1e200*x)", "1e200*(cos(1e200*x)*1e200)"),
        // Choices with and without a constant condition.
        ("if(1, x, 2x)", "1"),
        ("if(0, x, 2x)", "2"),
        ("if(nan, x, 2x)", "nan"),
        ("if(y, x, 2x)", "if(y, 1, 0) + 2*if(y, 0, 1)"),
        ("if(x > 0, x, -x)", "if(x > 0, 1, 0) - if(x > 0, 0, 1)"),
        // A NaN is passed on, but an exact zero absorbs infinities.
        ("0*ln(x) + x", "1"),
        ("grad(x^4 - x^2, x)", "12*x^2 - 2"),
        ("grad(sin(x)*cos(x), x)", "-4*(sin(x)*cos(x))"),
        ("grad(x*exp(x), x)", "exp(x) + exp(x)*(1 + x)"),
        ("grad((x + y)^3, x)", "6*(x + y)"),
        ("grad(sin(x), x)", "-sin(x)"),
    ] {
        let lines = ["x, y, z = 3, 2, 5;", &format!("L = {expression};")];
        assert_eq!(closed_form(&lines, "x"), want, "{expression}");
    }
}

/// The orders of nested derivatives have much in common; without sharing it, each has three times the nodes of the one
/// before. The numbers are from mpmath, with 80 digits.
#[test]
fn derivatives_of_derivatives_share_nodes() {
    for (expression, twelfth, most) in [
        ("x^x", 78_398.610_869_502_94, 20_000),
        ("ln(x)/x", -6_639_747.810_898_267, 15_000),
        ("sqrt(1 + x^2)", -2_865.684_228_538_986, 5_000),
        ("tanh(x)", -18_685.471_370_455_74, 1_000),
        ("atan(x)", -23_649.403_127_805_8, 10_000),
    ] {
        let nested = "grad(".repeat(12) + expression + &", x)".repeat(12);
        let made = |lines: &[&str]| {
            let desk = Desk::with(lines);
            Rc::clone(desk.session.names().find_node("z").expect("bound"))
        };
        let z = made(&["x = 1.5;", &format!("z = {nested};")]);
        assert!(
            close(z.data(), twelfth, 1e-12, 0.0),
            "{expression}: {}",
            z.data()
        );
        let count = Order::below([&z]).nodes().len();
        assert!(count < most, "{expression}: {count}");
        // With a line for each, the derivatives are the same.
        let mut lines = vec!["x = 1.5;".to_string(), format!("z = {expression};")];
        lines.extend(std::iter::repeat_n("z = grad(z, x);".to_string(), 12));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(made(&lines).data(), z.data(), "{expression}");
    }
}

/// Ordinary points, among them kinks, poles and bounds. Further operands take every second or third.
const SPECIAL: &[f64] = &[
    0.0, 1.0, -1.0, 0.5, -0.75, 2.0, -2.0, 2.5, -3.0, 3.0, 20.0, -20.0, 0.01, -0.02, 29.5,
];

/// The text of an operation with these operands.
fn call(op: &Op, operands: &[&str]) -> String {
    match (op.shape, operands) {
        (Shape::Infix, [x, y]) => format!("({x}) {} ({y})", op.spelling),
        (Shape::Prefix, [x]) => format!("-({x})"),
        (Shape::Postfix, [x]) => format!("({x})!"),
        _ => format!("{}({})", op.spelling, operands.join(", ")),
    }
}

/// The difference between `grad(root, by)` and a pass, if they disagree.
fn difference(desk: &mut Desk, root: &str, by: &str) -> Option<String> {
    let got = desk.value(&format!("grad({root}, {by})"));
    desk.line(&format!(":grad {root};"));
    let want = desk.grad(by);
    (!agree(got, want)).then(|| format!("grad({root}, {by}) is {got:e}, :grad says {want:e}"))
}

/// Zeros, infinities and NaNs must be the same, except for the sign of zero: a pass adds to 0. Near a zero of the slope
/// the error is relative to its terms.
fn agree(got: f64, want: f64) -> bool {
    got == want || got.is_nan() && want.is_nan() || close(got, want, 1e-9, 1e-12)
}

/// An expression for a number.
fn bound(value: f64) -> String {
    format!("{value:?}")
}

/// Cases in which the text of a derivative does not give the number: polygamma of orders that are fractional or
/// negative.
fn is_excused(op: &Op, operands: &[f64]) -> bool {
    match op.name {
        "polygamma" => operands[0] < 0.0 || operands[0].fract() != 0.0,
        _ => !op.domain.contains(operands),
    }
}

/// All combinations of special points for this number of operands.
fn points(count: usize) -> Vec<Vec<f64>> {
    let steps: &[usize] = [&[1][..], &[1, 2], &[2, 2, 3]][count - 1];
    let mut chosen: Vec<Vec<f64>> = vec![Vec::new()];
    for &step in steps {
        let longer = |chosen: &Vec<f64>| {
            let more = |&x: &f64| [chosen.as_slice(), &[x]].concat();
            SPECIAL.iter().step_by(step).map(more).collect::<Vec<_>>()
        };
        chosen = chosen.iter().flat_map(longer).collect();
    }
    chosen
}

#[test]
fn special_points_of_every_operation_are_those_of_a_pass() {
    let mut failures = Vec::new();
    for op in &TABLE {
        let (least, most) = op.arity();
        for count in least..=most.unwrap_or(3) {
            let names = &["x", "y", "z"][..count];
            let mut desk = Desk::with(&["x, y, z = 1, 1, 1;"]);
            for values in points(count) {
                if is_excused(op, &values) {
                    continue;
                }
                for (name, value) in names.iter().zip(&values) {
                    desk.line(&format!("{name} = {};", bound(*value)));
                }
                desk.line(&format!("r = {};", call(op, names)));
                let mut failed = |what: String| {
                    failures.push(format!("{} at {values:?}: {what}", op.name));
                };
                for by in names {
                    if let Some(found) = difference(&mut desk, "r", by) {
                        failed(found);
                    }
                }
                if most == Some(1) && op.shape == Shape::Call {
                    let primed = desk.value(&format!("{}'(x)", op.spelling));
                    desk.line(":grad r;");
                    let want = desk.grad("x");
                    if !agree(primed, want) {
                        failed(format!("the prime is {primed:e}, not {want:e}"));
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Derivatives whose formula in a textbook overflows, vanishes or loses all digits on the way. The numbers follow from
/// the formulas on paper; those at 0 are conventions.
#[test]
fn derivatives_as_expressions_hold_at_extreme_points() {
    let half = 0.5;
    let share = 1.0 / (1.0 + 1.0_f64.exp());
    for (lines, expression, want) in [
        ("x = 1e200;", "asinh'(x)", 1e-200),
        ("x = -1e200;", "grad(asinh(x), x)", 1e-200),
        ("x = 1e155;", "softsign'(x)", 1e-310),
        ("x = 1.7e308;", "log10'(x)", 1.0 / 10_f64.ln() / 1.7e308),
        (
            "x, y = 1e160, 1e160;",
            "grad(atan2(x, y), x)",
            half * 1e-160,
        ),
        (
            "x, y = 1e160, 1e160;",
            "grad(atan2(x, y), y)",
            -half * 1e-160,
        ),
        (
            "x, y = 1e-170, 1e-170;",
            "grad(atan2(x, y), x)",
            half * 1e170,
        ),
        ("x, y = 0, 1e-170;", "grad(atan2(x, y), x)", 1e170),
        ("x, y = 0, 0;", "grad(x^y, y)", 0.0),
        ("x, y = 0, 0;", "grad(grad(x^y, y), y)", 0.0),
        ("x, y = 0, 2;", "grad(x^y, y)", 0.0),
        ("f(t) = 0^t;", "f'(0)", 0.0),
        ("f(t) = 2^t;", "f'(0)", 2_f64.ln()),
        ("a = 0;", "grad(a^a, a)", 0.0),
        ("w = [1e17, 1e17];", "grad(logsumexp(w), w)[0]", half),
        (
            "w = [1e17, 1e17];",
            "grad(logsumexp(w) - w[0], w)[0]",
            -half,
        ),
        (
            "w = [1e17, 1e17, 1e17];",
            "grad(logsumexp(w), w)[2]",
            1.0 / 3.0,
        ),
        ("w = [1e12, 1e12 + 1];", "grad(logsumexp(w), w)[0]", share),
        ("x, y = 1e12, 1e12 + 1;", "grad(logsumexp(x, y), x)", share),
        ("w = [-1e17, -1e17];", "softmax(w)[0]", half),
        ("w = [1e12, 1e12 + 1];", "softmax(w)[0]", share),
        ("w = [1e12, 1e12 + 1];", "sum(softmax(w))", 1.0),
        ("w = [1e17, 1e17];", "grad(softmax(w)[0], w)[0]", 0.25),
        ("w = [1e17, 1e17];", "grad(softmax(w)[0], w)[1]", -0.25),
    ] {
        let mut desk = Desk::with(&[lines]);
        let got = desk.value(expression);
        assert!(
            close(got, want, 1e-13, 0.0),
            "{lines} {expression} is {got:e}, not {want:e}"
        );
    }
}

const REFERENCE: &str = include_str!("reference/derivatives.txt");

#[test]
fn higher_derivatives_and_hessian_entries_are_right() {
    let mut failures = Vec::new();
    for line in REFERENCE.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [expression, point, by, want] = columns[..] else {
            panic!("a row has four columns: {line}")
        };
        let want: f64 = want.parse().expect("a number");
        let mut desk = Desk::default();
        for (name, value) in ["x", "y", "z"].into_iter().zip(point.split(' ')) {
            desk.line(&format!("{name} = {value};"));
        }
        let mut forms = vec![by.chars().fold(expression.to_string(), |inner, by| {
            format!("grad({inner}, {by})")
        })];
        if !by.contains(['y', 'z']) && !expression.contains(['y', 'z']) {
            let primes = "'".repeat(by.len());
            desk.line(&format!(
                "own(t) = {};",
                expression.replace("(x)", "(t)").replace("x!", "t!")
            ));
            forms.push(format!("own{primes}(x)"));
            forms.push(format!("own{primes}({point})"));
            if let Some(name) = expression.strip_suffix("(x)") {
                forms.push(format!("{name}{primes}(x)"));
            }
        }
        for form in forms {
            let got = desk.value(&form);
            if !close(got, want, 1e-9, 1e-12) {
                failures.push(format!("{form} at {point} is {got:e}, not {want:e}"));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{}\n{}\n",
        failures.len(),
        failures.join("\n")
    );
}

/// The derivatives of a chain with respect to all leaves share their common parts, and each equals the one that `grad`
/// gives for its leaf alone.
#[test]
fn a_root_is_differentiated_by_all_leaves_of_a_list_in_one_sweep() {
    let mut desk = Desk::with(&["y = 0.5;"]);
    let links = 80;
    for link in 0..links {
        desk.line(&format!("w{link} = {};", 0.01 * f64::from(link)));
        desk.line(&format!("y = tanh(y + w{link});"));
    }
    let all: Vec<String> = (0..links).map(|link| format!("w{link}")).collect();
    let before = desk.session.newest_id();
    desk.line(&format!("g = grad(y, [{}]);", all.join(", ")));
    let made = desk.session.newest_id() - before;
    assert!(made < 10 * links as u32, "{made} nodes");
    for (at, leaf) in all.iter().enumerate() {
        let [together, alone] = [format!("g[{at}]"), format!("grad(y, {leaf})")];
        let [together, alone] = [together, alone].map(|typed| desk.value(&typed).to_bits());
        assert_eq!(together, alone, "{leaf}");
    }
}
