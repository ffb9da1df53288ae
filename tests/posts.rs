//! Every number that the four blog posts print, and the command that computes it, compared to all printed digits.
//!
//! The posts follow the lecture on backpropagation; the lessons in `examples/` go through them in order. Their own
//! mistakes are listed at the end with the right numbers. Numbers in their programs (line counts, indents) are not
//! covered.

use crate::common::{Desk, number};
use serde_json::Value;

/// Where a number is in the answer to a command.
enum At {
    /// A key of the answer.
    Key(&'static str),
    /// A number in a row of `:grad`: the node, then `grad` or `data`.
    Row(&'static str, &'static str),
}
use At::{Key, Row};

/// A number of a post: which post, what it is, its printed digits, and how to compute it.
struct Printed {
    post: u32,
    what: &'static str,
    digits: &'static str,
    lines: &'static [&'static str],
    command: &'static str,
    at: At,
}

const ANCHOR: &[&str] = &[
    "a, b, c, f = 2.0, -3.0, 10.0, -2.0",
    "e = a * b",
    "d = e + c",
    "L = d * f",
];
const PARABOLA: &[&str] = &["f(x) = 3*x**2 - 4*x + 5", "x = 3.0", "y = f(x)"];
const PARTIAL: &[&str] = &["a, b, c = 2.0, -3.0, 10.0", "g = a * b + c"];
const FOUR: &[&str] = &["a = Value(2.5)", "b = Value(7.0)"];
const LETTERS: &[&str] = &[
    "a = Value(-2.0, label=\"a\")",
    "b = Value(10.0, label=\"b\")",
    "c = Value(2.0, label=\"c\")",
    "d = Value(-3.0, label=\"d\")",
    "e = c*d",
    "f = b+e",
    "L = a*f",
];
const TWICE: &[&str] = &["a = 3.0", "b = a + a"];
const SQUARE: &[&str] = &["a = 3.0", "b = a * a"];
const NETWORK: &[&str] = &[
    "a, b, target = 2, 1, 4",
    "c = a + b",
    "d = c * 2",
    "e = c - 1",
    "f = d / e",
    "g = f ^ 2",
    "loss = g - target",
];
const NEURON: &[&str] = &[
    "x1 = Value(2.0, label='x1')",
    "x2 = Value(0.0, label='x2')",
    "w1 = Value(-3.0, label='w1')",
    "w2 = Value(1.0, label='w2')",
    "b = Value(6.8813735870195432, label='b')",
    "x1w1 = x1*w1",
    "x2w2 = x2*w2",
    "x1w1x2w2 = x1w1 + x2w2",
    "n = x1w1x2w2 + b",
    "o = n.tanh()",
];
const BROKEN_DOWN: &[&str] = &[
    "n = 0.8813735870195432",
    "tanh_n = (exp(2n) - 1)/(exp(2n) + 1)",
];
const POWER: &[&str] = &["x = 4.0", "y = x^-1"];

macro_rules! printed {
    ($($post:literal, $what:literal, $digits:literal, $lines:expr, $command:literal, $at:expr;)*) => {
        &[$(Printed { post: $post, what: $what, digits: $digits, lines: $lines, command: $command, at: $at },)*]
    };
}

#[rustfmt::skip]
const PRINTED: &[Printed] = printed![
    0, "a = Value(2.0)", "2.0", &["a, b = 2.0, 3.0"], "a", Key("data");
    0, "b = Value(3.0)", "3.0", &["a, b = 2.0, 3.0"], "b", Key("data");
    0, "c = a + b", "5", &["a, b = 2.0, 3.0"], "a + b", Key("data");
    0, "dL/dL = 1", "1", ANCHOR, ":grad L", Row("L", "grad");
    0, "dL/dd is f", "-2", ANCHOR, ":grad L", Row("d", "grad");
    0, "dL/df is d", "4", ANCHOR, ":grad L", Row("f", "grad");
    0, "dd/dc = 1", "1", ANCHOR, ":nudge c of d", Key("grad");
    0, "dL/dc = 1 * f = f", "-2", ANCHOR, ":grad L", Row("c", "grad");
    0, "dL/de = 1 * f", "-2", ANCHOR, ":grad L", Row("e", "grad");
    0, "de/da is b", "-3", ANCHOR, ":nudge a of e", Key("grad");
    0, "dL/da = b * f", "6", ANCHOR, ":grad L", Row("a", "grad");
    0, "dL/db = a * f", "-4", ANCHOR, ":grad L", Row("b", "grad");
    0, "a car, a bicycle and a man: 2 * 4", "8", &[], "2 * 4", Key("data");
    0, "tanh(x) = (e^2x - 1)/(e^2x + 1), against tanh", "0", BROKEN_DOWN, "abs(tanh_n - tanh(n)) > 1e-15", Key("data");
    0, "do/d(x2w2) = 0.5", "0.5", NEURON, ":grad o", Row("x2w2", "grad");
    0, "do/d(x1w1) = 0.5", "0.5", NEURON, ":grad o", Row("x1w1", "grad");
    0, "do/dn = 1 - o^2", "0.5", NEURON, "1 - o^2", Key("data");
    0, "d(x2w2)/d(w2) = x2", "0.0", NEURON, ":nudge w2 of x2w2", Key("grad");
    0, "do/d(w2) = 0.5 * x2", "0.0", NEURON, ":grad o", Row("w2", "grad");
    0, "do/d(w1), repeated", "1.0", NEURON, ":grad o", Row("w1", "grad");
    0, "b = a + a: not 1 but 2", "2", TWICE, ":grad b", Row("a", "grad");
    0, "e^x keeps its derivative", "1", &["x = 0", "y = exp(x)"], ":grad y", Row("x", "grad");
    0, "other * data**(other - 1), other = -1, at 4", "-0.0625", POWER, ":grad y", Row("x", "grad");
    0, "division is a power of -1", "0.25", POWER, "1/x", Key("data");

    1, "(f(x + h) - f(x))/h at 3", "14.000003002223593", PARABOLA, ":nudge x 0.000001", Key("slope");
    1, "the same, typed out", "14.000003002223593", &["f(x) = 3x^2 - 4x + 5", "h = 0.000001", "x = 3.0"], "(f(x + h) - f(x))/h", Key("data");
    1, "f'(x) = 6(3.0) - 4 = 14.0", "14.0", PARABOLA, ":grad y", Row("x", "grad");
    1, "f'(3.0)", "14.0", PARABOLA, "f'(3.0)", Key("data");
    1, "6x - 4, typed out", "14.0", PARABOLA, "6(3.0) - 4", Key("data");
    1, "dgda", "-3.000000000419334", PARTIAL, ":nudge a 0.000001", Key("slope");
    1, "dgdb", "2.000000000279556", PARTIAL, ":nudge b 0.000001", Key("slope");
    1, "dgdc", "0.9999999992515995", PARTIAL, ":nudge c 0.000001", Key("slope");
    1, "dg/da = b", "-3", PARTIAL, ":grad g", Row("a", "grad");
    1, "dg/db = a", "2", PARTIAL, ":grad g", Row("b", "grad");
    1, "dg/dc", "1", PARTIAL, ":grad g", Row("c", "grad");
    1, "Value(3.14)", "3.14", &["v = Value(3.14)"], "v", Key("data");
    1, "a + b", "9.5", FOUR, "a + b", Key("data");
    1, "a - b", "-4.5", FOUR, "a - b", Key("data");
    1, "a * b", "17.5", FOUR, "a * b", Key("data");
    1, "a / b", "0.35714285714285715", FOUR, "a / b", Key("data");
    1, "1 + 2 = 3", "3", &[], "1+2", Key("data");
    1, "a*b+c, the root of its tree", "4.0", PARTIAL, ":grad g", Row("g", "data");
    1, "c in the tree", "10.0", PARTIAL, ":grad g", Row("c", "data");
    1, "a*b in the tree", "-6.0", PARTIAL, ":grad g", Row("a*b", "data");
    1, "b in the tree", "-3.0", PARTIAL, ":grad g", Row("b", "data");
    1, "a in the tree", "2.0", PARTIAL, ":grad g", Row("a", "data");
    1, "L by itself", "1", LETTERS, ":grad L", Row("L", "grad");
    1, "L by b + cd is a", "-2.0", LETTERS, ":grad L", Row("f", "grad");
    1, "L by a is b + cd", "4", LETTERS, ":grad L", Row("a", "grad");
    1, "L by b is a", "-2.0", LETTERS, ":grad L", Row("b", "grad");
    1, "L by cd is a", "-2", LETTERS, ":grad L", Row("e", "grad");
    1, "b + cd by b", "1", LETTERS, ":nudge b of f", Key("grad");
    1, "b + cd by cd", "1", LETTERS, ":nudge e of f", Key("grad");
    1, "cd by c", "-3", LETTERS, ":nudge c of e", Key("grad");
    1, "-2 * 1 * -3", "6", LETTERS, "-2 * 1 * -3", Key("data");
    1, "L by c is ad", "6", LETTERS, ":grad L", Row("c", "grad");
    1, "L by d is ac", "-4", LETTERS, ":grad L", Row("d", "grad");

    1, "b + cd, explained", "4", LETTERS, ":explain a", Key("grad");

    2, "the loss by itself is one", "1", NETWORK, ":grad loss", Row("loss", "grad");
    2, "a + a: derivatives are added", "2", TWICE, ":grad b", Row("a", "grad");
    2, "a * a: derivatives are added", "6", SQUARE, ":grad b", Row("a", "grad");
    2, "c = a + b", "3", NETWORK, "c", Key("data");
    2, "d = c * 2", "6", NETWORK, "d", Key("data");
    2, "e = c - 1", "2", NETWORK, "e", Key("data");
    2, "f = d / e", "3", NETWORK, "f", Key("data");
    2, "g = f ^ 2", "9", NETWORK, "g", Key("data");

    3, "o by o", "1", NEURON, ":grad o", Row("o", "grad");
    3, "b", "6.8813735870195432", NEURON, ":grad o", Row("b", "data");
    3, "x1", "2.0", NEURON, ":grad o", Row("x1", "data");
    3, "x2", "0.0", NEURON, ":grad o", Row("x2", "data");
    3, "w1", "-3.0", NEURON, ":grad o", Row("w1", "data");
    3, "w2", "1.0", NEURON, ":grad o", Row("w2", "data");
    3, "n, the derivative of tanh", "0.5", NEURON, ":grad o", Row("n", "grad");
    3, "x1w1x2w2", "0.5", NEURON, ":grad o", Row("x1w1x2w2", "grad");
    3, "b", "0.5", NEURON, ":grad o", Row("b", "grad");
    3, "x1w1", "0.5", NEURON, ":grad o", Row("x1w1", "grad");
    3, "x2w2", "0.5", NEURON, ":grad o", Row("x2w2", "grad");
    3, "w2: x2 times that of x2w2", "0.0", NEURON, ":grad o", Row("w2", "grad");
    3, "x2: w2 times that of x2w2", "0.5", NEURON, ":grad o", Row("x2", "grad");
    3, "x1: w1 times that of x1w1", "-1.5", NEURON, ":grad o", Row("x1", "grad");
    3, "w1: x1 times that of x1w1", "1.0", NEURON, ":grad o", Row("w1", "grad");
    3, "a car, a bicycle and a man: 2 x 4", "8", &[], "2 × 4", Key("data");
    3, "tanh from exp(2*x)", "0.707107", NEURON, "(exp(2*n) - 1)/(exp(2*n) + 1)", Key("data");
    3, "(1 - t**2) * out.grad", "0.5", NEURON, "(1 - o**2) * 1.0", Key("data");
];

/// A wrong statement of a post: what it says, what is right, and the command that shows it.
struct Slipped {
    post: u32,
    says: &'static str,
    lines: &'static [&'static str],
    command: &'static str,
    at: At,
    right: f64,
    slip: &'static str,
    guess: &'static str,
}

#[rustfmt::skip]
const SLIPPED: &[Slipped] = &[
    Slipped {
        post: 0, says: "`b.grad` = 1 not 2, of b = a + a: it is a.grad that the bug makes 1",
        lines: TWICE, command: ":grad b", at: Row("a", "grad"), right: 2.0, slip: "accumulation", guess: ":guess a 1",
    },
    Slipped {
        post: 1, says: "in multiplication, the gradient for one value is just the other value (taken back further down)",
        lines: LETTERS, command: ":grad L", at: Row("c", "grad"), right: 6.0, slip: "upstream", guess: ":guess c d",
    },
];

fn found(lines: &[&str], command: &str, at: &At) -> f64 {
    let mut desk = Desk::with(lines);
    let answer = desk
        .line(command)
        .pop()
        .unwrap_or_else(|| panic!("{command}: no answer"));
    match at {
        Key(key) => number(&answer[key]),
        Row(node, key) => {
            let rows = answer["rows"].as_array().into_iter().flatten();
            let of_node = |row: &&Value| row["node"] == *node;
            let row = rows.into_iter().find(of_node);
            number(&row.unwrap_or_else(|| panic!("{command}: no row {node}"))[key])
        }
    }
}

#[test]
fn every_number_of_the_posts_is_reached() {
    let mut wrong = Vec::new();
    for printed in PRINTED {
        let found = found(printed.lines, printed.command, &printed.at);
        let decimals = printed
            .digits
            .split_once('.')
            .map_or(0, |(_, after)| after.len());
        // 0.9999999992515995 has all digits of a double, so it must be the same double.
        let same =
            printed.digits.parse() == Ok(found) || format!("{found:.decimals$}") == printed.digits;
        if !same {
            let Printed {
                post,
                what,
                digits,
                command,
                ..
            } = printed;
            wrong.push(format!(
                "post {post}, {what}: {digits}, but `{command}` gives {found}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for post in 0..4 {
        assert!(
            PRINTED.iter().any(|printed| printed.post == post),
            "post {post}"
        );
    }
}

#[test]
fn what_the_posts_get_wrong_is_called_so() {
    for slipped in SLIPPED {
        let found = found(slipped.lines, slipped.command, &slipped.at);
        let what = format!("post {}, {}", slipped.post, slipped.says);
        assert!((found - slipped.right).abs() < 1e-14, "{what}: {found}");
        let guess = Desk::with(slipped.lines).line(slipped.guess);
        assert_eq!(guess[0]["slip"], slipped.slip, "{what}");
    }
}

/// Post 2 lists three orders of its network, and the level of each node.
#[test]
fn the_orders_and_levels_of_the_second_post() {
    let mut desk = Desk::with(NETWORK);
    let topo = desk.line(":topo g").remove(0);
    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().into_iter().flatten();
        list.map(|name| name.as_str().unwrap_or("").to_string())
            .collect()
    };
    let order = names(&topo["order"]);
    let levels: Vec<u64> = topo["levels"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
        .collect();
    let printed = ["a b c d e f g", "b a c d e f g", "b a c e d f g"];
    assert!(printed.contains(&&*order.join(" ")), "{order:?}");
    assert!(topo["orders"].is_null(), "it is not the only one");
    for (node, level) in [
        ("a", 0),
        ("b", 0),
        ("c", 1),
        ("d", 2),
        ("e", 2),
        ("f", 3),
        ("g", 4),
    ] {
        let place = order.iter().position(|name| name == node);
        assert_eq!(place.map(|place| levels[place]), Some(level), "{node}");
    }
    let loss = desk.line(":topo loss").remove(0);
    let order = names(&loss["order"]);
    assert_eq!(order.last().map(String::as_str), Some("loss"));
    assert_eq!(
        loss["levels"]
            .as_array()
            .and_then(|levels| levels.last())
            .and_then(Value::as_u64),
        Some(5)
    );
}

/// The slope of the first post's parabola is 0 where 6x = 4; the lecture asks where that is.
#[test]
fn the_bottom_of_the_parabola() {
    let mut desk = Desk::with(PARABOLA);
    desk.line(":grad y");
    desk.line(":set x 2/3");
    assert_eq!(desk.grad("x"), 0.0);
}

/// The step that the lecture takes along the gradients of the posts' first expression.
#[test]
fn the_step_of_the_lecture() {
    let mut desk = Desk::with(ANCHOR);
    desk.line(":grad L");
    let step = desk.line(":step -0.01").remove(0);
    assert!((number(&step["after"]) - -7.286_496).abs() < 1e-12);
}

/// The first post's bug: with `=` instead of `+=` the gradient of b = a + a by a is 1.
#[test]
fn the_bug_of_the_first_post_gives_what_it_says() {
    let wrong = Desk::with(TWICE).line(":wrong overwrite b").remove(0);
    let rows = wrong["rows"].as_array().into_iter().flatten();
    let of_a = rows.into_iter().find(|row| row["node"] == "a");
    let of_a = of_a.expect("a has a row");
    assert_eq!((number(&of_a["right"]), number(&of_a["wrong"])), (2.0, 1.0));
}
