//! `:guess`: right numbers are accepted, mistakes are recognized, wrong guesses do not reveal the truth, and the
//! session is not changed. The right numbers are calculated by hand.

use crate::common::{Desk, number};
use serde_json::Value;

/// L is -8; by hand, its gradients are 4 for f, -2 for c, -4 for b, 6 for a.
const ANCHOR: &[&str] = &["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"];
/// The neuron: o is 1/sqrt(2), so do/dn is 1 - 1/2.
const NEURON: &[&str] = &[
    "x1, x2, w1, w2, b = 2.0, 0.0, -3.0, 1.0, 6.8813735870195432",
    "n = x1*w1 + x2*w2 + b",
    "o = tanh(n)",
];
/// f = 6/2; dg/df = 6, df/dd = 1/2, df/de = -3/2, so c gets 6 through d and -9 through e.
const REUSE: &[&str] = &[
    "a, b, target = 2, 1, 4",
    "c = a + b",
    "d, e = c*2, c - 1",
    "f = d/e",
    "g = f^2",
    "loss = g - target",
];

fn answer(desk: &mut Desk, line: &str) -> Value {
    desk.line(line)
        .pop()
        .unwrap_or_else(|| panic!("{line}: no answer"))
}

/// The judgement: "right", the name of a slip, or "-" for wrong without a known slip.
fn judged(lines: &[&str], line: &str) -> String {
    let answer = answer(&mut Desk::with(lines), line);
    match (answer["right"].as_bool(), answer["slip"].as_str()) {
        (Some(true), None) => "right".to_string(),
        (Some(false), Some(slip)) => slip.to_string(),
        (Some(false), None) => "-".to_string(),
        _ => panic!("{line}: {answer}"),
    }
}

fn check(wrong: &mut Vec<String>, lines: &[&str], line: &str, expected: &str) {
    let judged = judged(lines, line);
    if judged != expected {
        wrong.push(format!("{judged}, not {expected}: {line} after {lines:?}"));
    }
}

#[test]
fn right_is_right_to_the_digits_typed() {
    let mut wrong = Vec::new();
    let root_of_half = &["x = 0.25", "y = x*0.70710678118654757"];
    let cancelled = &["s, x = 2^40, 0.5", "y = (x*(3s))*(0.1*s) - (x*(0.3*s))*s"];
    for (lines, line, expected) in [
        (ANCHOR, ":guess a 6", "right"),
        (ANCHOR, ":guess a b*f", "right"),
        (ANCHOR, ":guess a = 6.0", "right"),
        (ANCHOR, ":guess (a*b + c) -2", "right"),
        (ANCHOR, ":guess (a*b + c) f", "right"),
        (ANCHOR, ":guess f 4", "right"),
        (ANCHOR, ":guess L 1", "right"),
        (ANCHOR, ":guess a -3 of a*b", "right"),
        (ANCHOR, ":guess f 0 of a*b", "right"),
        (ANCHOR, ":guess f 1 of a*b", "-"),
        (NEURON, ":guess n 0.5", "right"),
        (NEURON, ":guess n 1 - o^2", "right"),
        (NEURON, ":guess w2 0", "right"),
        (NEURON, ":guess w2 -0.0", "right"),
        (NEURON, ":guess x1 -1.5", "right"),
        (root_of_half, ":guess x 0.7071067811865476", "right"),
        (root_of_half, ":guess x 0.7071068", "right"),
        (root_of_half, ":guess x 0.7071067", "right"),
        (root_of_half, ":guess x 0.707", "right"),
        (root_of_half, ":guess x .71", "right"),
        (root_of_half, ":guess x 7.07e-1", "right"),
        (root_of_half, ":guess x 0.7", "digits"),
        (root_of_half, ":guess x 0.708", "-"),
        (root_of_half, ":guess x 0.72", "-"),
        (root_of_half, ":guess x 1.414/2", "digits"),
        // 0.3 - 0.3, up to the rounding of numbers of this size.
        (cancelled, ":guess x 0", "right"),
        (root_of_half, ":guess x sqrt(2)/2", "right"),
    ] {
        check(&mut wrong, lines, line, expected);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn slips_have_names() {
    let mut wrong = Vec::new();
    let product = |more: &'static str| ["a, b = 3, 5", more];
    let chain = &["x = 0.5", "u = sin(x)", "v = u*4", "y = exp(v)"];
    let several = &product("y = a*b + 7*a + sin(a)");
    let doubled = &product("y = a + a");
    let squared = &product("y = a*a*b + b*a");
    let quotient = &product("y = 7*(a/b)");
    let minus = &product("y = 2*(a - b) + a*b");
    let brackets = &["x = 1", "y = 3*tanh(x)"];
    let shared = &["a = 3", "u, v = 2a, a*a", "y = 5u + 7v"];
    let many = &["a = 2", "y = a*a + 3a + 5a + 7a + 11a + 13a + 17a + 19a"];
    let beside = &["a, b, c = 2, 3, 5", "u, v = a*b, c*c", "y = u + 11*v"];
    let doubled_above = &["a = 1", "u = 5a", "y = (2u)*(3u) + 7a"];
    let length = &["a = 2", "y = hypot(a, a, a, a, a, a, a, a, a)*3"];
    for (lines, line, expected) in [
        // The anchor: the gradient of a is b*f = 6, with b = -3 and f = -2; a*f is -4.
        (ANCHOR, ":guess a -6", "sign"),
        (ANCHOR, ":guess a -3", "upstream"),
        (ANCHOR, ":guess a b", "upstream"),
        (ANCHOR, ":guess a -2", "local"),
        (ANCHOR, ":guess a -4", "operand"),
        (ANCHOR, ":guess a a*f", "operand"),
        (ANCHOR, ":guess a 2", "value"),
        (ANCHOR, ":guess a 7", "-"),
        (ANCHOR, ":guess c 1", "upstream"),
        (ANCHOR, ":guess c 10", "value"),
        (ANCHOR, ":guess f -2", "operand"),
        (ANCHOR, ":guess L 2", "-"),
        (NEURON, ":guess n 0.2", "-"),
        (&["x = 9", "y = tanh(x)*3"], ":guess x 1", "-"),
        (NEURON, ":guess w1 2", "upstream"),
        (NEURON, ":guess w1 0.5", "local"),
        (NEURON, ":guess w1 -1.5", "operand"),
        (NEURON, ":guess x2 0", "operand"),
        (NEURON, ":guess w1 -1", "sign"),
        // dy/dx = exp(v)*4*cos(x). Only what is wrong at x itself and at its user u has a name.
        (chain, ":guess x cos(x)", "upstream"),
        (chain, ":guess x 4*cos(x)", "-"),
        (chain, ":guess x 4*exp(v)", "local"),
        (chain, ":guess x exp(v)", "-"),
        // Three users, which contribute 5, 7 and cos(3).
        (several, ":guess a 5", "path"),
        (several, ":guess a b", "path"),
        (several, ":guess a 12", "path"),
        (several, ":guess a 7 + cos(a)", "path"),
        (several, ":guess a 12 - cos(a)", "sign"),
        (several, ":guess a 3 + 7 + cos(a)", "operand"),
        (doubled, ":guess a 1", "accumulation"),
        (doubled, ":guess a 2", "right"),
        // a*a*b contributes 5*3 twice, b*a contributes 5.
        (squared, ":guess a 15", "accumulation"),
        (squared, ":guess a 20", "accumulation"),
        (squared, ":guess a 30", "path"),
        (squared, ":guess a 35", "right"),
        (quotient, ":guess a 1/5", "upstream"),
        (minus, ":guess b 3 + 2", "sign"),
        (minus, ":guess b 1", "right"),
        // Paths that meet below two users.
        (REUSE, ":guess c 6", "path"),
        (REUSE, ":guess c -9", "path"),
        (REUSE, ":guess a -9", "-"),
        (REUSE, ":guess b 6", "-"),
        (REUSE, ":guess c 15", "sign"),
        (REUSE, ":guess c -3", "right"),
        (REUSE, ":guess a -3", "right"),
        (brackets, ":guess x 3(1 - tanh(1)^2)", "right"),
        (ANCHOR, ":guess a 0", "-"),
        // u contributes 5*2, v twice 7*3: the local derivatives are 2, 3 and 3, the upstreams 5, 7 and 7.
        (shared, ":guess a 2 + 3 + 3", "upstream"),
        (shared, ":guess a 5 + 7 + 7", "local"),
        (shared, ":guess a 0", "-"),
        // u contributes 300 over two paths; there is also a 7.
        (doubled_above, ":guess a 7 - 300", "sign"),
        // 11 is the grad of v, which does not depend on a.
        (beside, ":guess a 11", "-"),
        (beside, ":guess a 0", "-"),
        // Ten contributions: twice 2, and 3 to 19.
        (many, ":guess a 79", "right"),
        (many, ":guess a 77", "accumulation"),
        (many, ":guess a 76", "path"),
        (many, ":guess a 60", "path"),
        (many, ":guess a 19", "path"),
        (many, ":guess a 3", "path"),
        // Nine contributions of one user, 1/3 each.
        (length, ":guess a 9", "right"),
        (length, ":guess a 1", "accumulation"),
    ] {
        check(&mut wrong, lines, line, expected);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sentences_say_where_to_look() {
    let twice = &["a, b = 3, 5", "y = a*a + b*a"];
    for (lines, line, sentences) in [
        (
            ANCHOR,
            ":guess a -6",
            "dL/da is not -6: a sign is wrong\nscore: 0 of 1\n",
        ),
        (
            ANCHOR,
            ":guess a -3",
            "that is the local derivative alone; what comes from above multiplies it\n",
        ),
        (
            ANCHOR,
            ":guess a -2",
            "that is what comes from above; how much does the user itself move?\n",
        ),
        (ANCHOR, ":guess a -4", "the operands are mixed up\n"),
        (ANCHOR, ":guess a 7", "dL/da is not 7\na hint: :guess a ?\n"),
        (
            ANCHOR,
            ":guess (a*b) 7",
            "dL/d(a*b) is not 7\na hint: :guess (a*b) ?\n",
        ),
        (
            ANCHOR,
            ":guess a 7 of a*b",
            "d(a*b)/da is not 7\na hint: :guess a ?\n",
        ),
        (
            ANCHOR,
            ":guess a ?",
            "  user   passes on its grad times    =\n  a*b    b                          -3\nall of this adds up to dL/da\n",
        ),
        (
            ANCHOR,
            ":guess L ?",
            "L is the root: how much does it move when it moves?\n",
        ),
        (
            ANCHOR,
            ":guess f ? of a*b",
            "is there a path from f to a*b?\n",
        ),
        (REUSE, ":guess c -9", "that is only part of the sum\n"),
        (REUSE, ":guess c 15", "a sign is wrong\n"),
        (REUSE, ":guess c ?", "all of this adds up to dloss/dc\n"),
        (
            twice,
            ":guess a 8",
            "it is an operand of one node more than once, and each counts\n",
        ),
        (
            &["a = 2", "y = a*a + 3a"],
            ":guess a 3",
            "there is more than one path to it\n",
        ),
        (
            &["a = 2", "y = 3a + 5a + 7a + 11a + 13a"],
            ":guess a 3",
            "there is more than one path to it\n",
        ),
        (
            twice,
            ":guess a ?",
            "  b*a    b                          5\n  a*a    a                          3\n  a*a    a                          3\n",
        ),
    ] {
        let screen = Desk::with(lines).screen(line);
        assert!(screen.contains(sentences), "{line}:\n{screen}");
    }
}

#[test]
fn a_wrong_guess_is_not_told_the_number() {
    // dy/da = 1234.5*cos(b*a)*b, whose digits cannot occur by accident.
    let lines = &["a, b = 0.3, 0.7", "u = sin(b*a)", "y = 1234.5*u"];
    let truth = 1234.5 * (0.7_f64 * 0.3).cos() * 0.7;
    let digits = format!("{truth:.2}");
    let digits = &digits[..4];
    let mut desk = Desk::with(lines);
    for guess in [
        "2",
        "-truth",
        "b",
        "1234.5",
        "1/truth",
        "cos(b*a)*b",
        "a",
        "nan",
        "inf",
        "truth + 1",
    ] {
        let guess = guess.replace("truth", &truth.to_string());
        for line in [
            format!(":guess a {guess}"),
            format!(":guess a {guess} of y"),
        ] {
            let screen = desk.screen(&line);
            let told = screen
                .replace(&line, "")
                .lines()
                .skip(1)
                .any(|line| line.contains(digits));
            assert!(!told, "{line}:\n{screen}");
            assert!(screen.starts_with("dy/da is not "), "{screen}");
        }
    }
    assert!(!desk.screen(":guess a ?").contains(digits));
    assert!(desk.screen(":guess a ?").contains(digits));
}

#[test]
fn the_score_is_kept() {
    let mut desk = Desk::with(ANCHOR);
    let mut score = |line: &str| {
        let answer = answer(&mut desk, line);
        let count = |place: usize| answer["score"][place].as_u64().expect("a count");
        (
            count(0),
            count(1),
            answer["shown"].as_u64().expect("a count"),
        )
    };
    for (line, expected) in [
        (":guess", (0, 0, 0)),
        (":guess f 3", (0, 1, 0)),
        (":guess f 4", (1, 2, 0)),
        // A question that was answered is not counted again.
        (":guess f 4", (1, 2, 0)),
        (":guess f 5", (1, 2, 0)),
        (":guess a ?", (1, 2, 0)),
        (":guess a ?", (1, 2, 1)),
        (":guess a ?", (1, 2, 1)),
        (":guess a 6", (1, 2, 1)),
        // Hints other than the answer cost nothing.
        (":guess b ?", (1, 2, 1)),
        (":guess b -4", (2, 3, 1)),
        // The same node with another root is another question.
        (":guess b 2 of a*b", (3, 4, 1)),
        (":guess b 2 of a*b", (3, 4, 1)),
    ] {
        assert_eq!(score(line), expected, "{line}");
    }
    // It is also another question after data has changed: dL/df is a*b + c = 1 with a = 3.
    desk.line(":set a 3");
    assert_eq!(answer(&mut desk, ":guess f 1 of L")["score"][0], 4);
    desk.line(":undo");
    assert_eq!(
        answer(&mut desk, ":guess")["score"][1],
        5,
        "no change to be undone"
    );
    desk.line(":guess f 2;");
    assert_eq!(answer(&mut desk, ":guess")["score"][1], 5);
    desk.line(":reset");
    assert_eq!(answer(&mut desk, ":guess")["score"][1], 0);
}

#[test]
fn what_has_been_shown_is_not_counted() {
    for (shown, still_open) in [
        (":grad L", ""),
        (":grad L;", "abcf"),
        (":grad L wrt a b", "cf"),
        (":explain a of L", "bcf"),
        (":wrong overwrite L", ""),
        // Its stop shows f and the sum, the next one c and the product.
        (":walk L; :next", "abc"),
        (":walk L; :next 2", "ab"),
        (":walk L; :next all", ""),
        (":walk L; :next;", "abcf"),
        // Another root.
        (":grad a*b", "abcf"),
    ] {
        let mut desk = Desk::with(ANCHOR);
        for statement in shown.split_inclusive("; ") {
            desk.line(statement.trim_end_matches(' '));
        }
        let mut counted = String::new();
        for (node, grad) in [("a", 6), ("b", -4), ("c", -2), ("f", 4)] {
            let before = answer(&mut desk, ":guess")["score"][1].clone();
            let answered = answer(&mut desk, &format!(":guess {node} {grad} of L"));
            assert_eq!(answered["right"], true, "{shown} {node}");
            if answered["score"][1] != before {
                counted.push_str(node);
            }
        }
        assert_eq!(counted, still_open, "{shown}");
    }
    // Of other data nothing has been shown.
    let mut desk = Desk::with(ANCHOR);
    desk.line(":grad L");
    desk.line(":set f 5;");
    assert_eq!(answer(&mut desk, ":guess a -15 of L")["score"][0], 1);
}

#[test]
fn a_walk_asks_for_each_number() {
    let mut desk = Desk::with(&["a, b = 2, -3", "L = (a*b + 10)*a"]);
    let begun = answer(&mut desk, ":walk L ask");
    assert_eq!(begun["asks"], "a*b + 10");
    // A wrong answer, a hint, the right one: the stop follows by itself, and so does the next question.
    let wrong = &desk.line("3")[0];
    assert_eq!(
        (&wrong["right"], &wrong["node"]),
        (&Value::Bool(false), &begun["asks"])
    );
    assert_eq!(desk.line("?")[0]["hint"], 1);
    let [right, stop] = &desk.line("a")[..] else {
        panic!("a judgement and a stop");
    };
    assert_eq!(right["right"], true);
    assert_eq!(
        (&stop["position"], &stop["asks"]),
        (&Value::from(1), &Value::from("a*b"))
    );
    // What is typed is no result, and other statements do as ever.
    assert_eq!(desk.line("c = 7")[0]["kind"], "binding");
    assert_eq!(answer(&mut desk, ":walk")["asks"], "a*b");
    // Without an answer the stop is shown all the same.
    let stop = answer(&mut desk, ":next");
    assert_eq!(
        (&stop["position"], &stop["asks"]),
        (&Value::from(2), &Value::from("a"))
    );
    // Both contributions of the last stop are asked for, in the order of the operands.
    assert_eq!(desk.line("-2").len(), 1);
    let [right, stop] = &desk.line("4")[..] else {
        panic!("a judgement and a stop");
    };
    assert_eq!(right["score"], serde_json::json!([3, 4]));
    assert_eq!(
        (&stop["position"], &stop["asks"]),
        (&Value::from(3), &Value::Null)
    );
    assert_eq!(desk.line("2")[0]["kind"], "value");

    let mut desk = Desk::with(&["a, b = 2, -3", "L = (a*b + 10)*a"]);
    assert_eq!(answer(&mut desk, ":walk L forward ask")["asks"], "a*b");
    assert_eq!(desk.line("-6").len(), 2);
    assert_eq!(answer(&mut desk, ":prev")["asks"], "a*b");
}

#[test]
fn a_hint_comes_before_the_answer() {
    let mut desk = Desk::with(REUSE);
    let hint = answer(&mut desk, ":guess c ?");
    assert_eq!(
        (hint["hint"].as_u64(), hint["answer"].is_null()),
        (Some(1), true)
    );
    let locals: Vec<(&str, f64)> = hint["users"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|user| (user["user"].as_str().unwrap_or(""), number(&user["local"])))
        .collect();
    assert_eq!(locals, [("e", 1.0), ("d", 2.0)]);
    let hint = answer(&mut desk, ":guess c ?");
    assert_eq!(
        (hint["hint"].as_u64(), number(&hint["answer"])),
        (Some(2), -3.0)
    );
    for line in [":guess loss ?", ":guess target ? of c", ":guess a ?"] {
        assert_eq!(answer(&mut desk, line)["hint"], 1, "{line}");
    }
}

#[test]
fn a_forward_walk_asks_for_values() {
    let mut desk = Desk::with(ANCHOR);
    desk.line(":walk L forward");
    for (line, right, slip) in [
        (":guess (a*b) -6", true, None),
        (":guess (a*b + c) -4", false, Some("sign")),
        (":guess (a*b + c) 4", true, None),
        (":guess L -2", false, Some("operand")),
        (":guess L 3", false, None),
        (":guess L -8", true, None),
        (":guess a 2", true, None),
    ] {
        let answer = answer(&mut desk, line);
        assert_eq!(answer["asked"], "data", "{line}");
        assert_eq!(
            (answer["right"].as_bool(), answer["slip"].as_str()),
            (Some(right), slip),
            "{line}"
        );
    }
    for (lines, line, slip) in [
        ("y = a - b", ":guess y b - a", "sign"),
        ("y = a/b", ":guess y b/a", "operand"),
        ("y = a^c", ":guess y 100", "operand"),
    ] {
        let walk = [ANCHOR[0], lines, ":walk y forward"];
        assert_eq!(judged(&walk, line), slip, "{line}");
    }
    let mut desk = Desk::with(&[ANCHOR[0], ANCHOR[1], ":walk L forward"]);
    for (line, said) in [
        (
            ":guess L ?",
            "L is (a*b + c)*f with a*b + c = 4 and f = -2\n",
        ),
        (":guess L ?", "L = -8\n"),
        (":guess a ?", "a is a leaf: it has the value it was given\n"),
    ] {
        let screen = desk.screen(line);
        assert!(screen.contains(said), "{line}:\n{screen}");
    }
    // When the walk is finished, guesses are about gradients again.
    desk.line(":next all");
    assert_eq!(answer(&mut desk, ":guess a 6")["asked"], "grad");
}

#[test]
fn nothing_else_is_touched() {
    let mut desk = Desk::with(ANCHOR);
    desk.line(":grad L");
    desk.line("7*a");
    desk.line(":walk L");
    desk.line(":next");
    let state = |desk: &mut Desk| {
        let session = &desk.session;
        let grads = session.pass().map(|pass| pass.grads().to_vec());
        let target = session
            .default_target()
            .map(|(node, shown)| (node.id(), shown));
        let walk = session
            .walk()
            .map(chainrule::session::by_hand::walk::Walk::position);
        let done = session.journal().done().count();
        let made = session.made();
        (grads, target, walk, done, made, desk.value("ans.data"))
    };
    let before = state(&mut desk);
    let before = (before, state(&mut desk));
    for line in [
        ":guess a 6",
        ":guess a 5",
        ":guess a b*f + 0*sin(a)",
        ":guess a ?",
        ":guess a 3 of a*b*c",
        ":guess",
        ":guess a ? of a^2 + 1",
    ] {
        desk.line(line);
    }
    for line in [
        ":guess q 1",
        ":guess a",
        ":guess a 1 +",
        ":guess a q",
        ":guess pi 1",
    ] {
        desk.error(line);
    }
    let after = (state(&mut desk), state(&mut desk));
    // Reading the state adds results itself.
    assert_eq!(
        (before.0.0, before.0.2, before.0.3),
        (after.0.0, after.0.2, after.0.3)
    );
    assert_eq!(before.0.1, after.0.1, "the target");
    let step = |one: u32, two: u32| two - one;
    assert_eq!(step(before.0.4, before.1.4), step(after.0.4, after.1.4));
    // Stale gradients do not matter: the question is about the present data, where dL/da is b*f = -10.
    desk.line(":walk end");
    desk.line(":set b 5;");
    assert!(desk.session.is_stale());
    assert_eq!(answer(&mut desk, ":guess a -10 of L")["right"], true);
    assert!(desk.session.is_stale());
}

#[test]
fn which_root_a_guess_is_about() {
    let mut desk = Desk::with(&[ANCHOR[0], ANCHOR[1], ":grad L", "z = 3*c"]);
    for (line, root) in [
        (":guess c 3", "z"),
        (":guess a 6", "L"),
        (":guess (a*b) -2", "L"),
        (":guess c 1 of c", "c"),
    ] {
        assert_eq!(answer(&mut desk, line)["root"], root, "{line}");
        assert_eq!(answer(&mut desk, line)["right"], true, "{line}");
    }
    desk.line(":walk L");
    assert_eq!(
        answer(&mut desk, ":guess c -2")["root"],
        "L",
        "the walk comes first"
    );
    // A value that was merely shown is not the root.
    desk.line("d = a*b");
    desk.line(":walk end");
    desk.line(":grad L");
    desk.line("c");
    assert_eq!(answer(&mut desk, ":guess c -2")["root"], "L");
    // A silent script has a default target too.
    let mut desk = Desk::with(&["a = 2; y = a^2;"]);
    assert_eq!(answer(&mut desk, ":guess a 4")["right"], true);
    // Former names, frozen leaves, ids of nodes.
    let mut desk = Desk::with(&["const a = 2", "y = a^3", "a = 5", ":grad y"]);
    for line in [":guess a@1 12", ":guess @1 12", ":guess (a@1^3) 1"] {
        assert_eq!(answer(&mut desk, line)["right"], true, "{line}");
    }
}

#[test]
fn numbers_that_are_none() {
    for (lines, line, expected) in [
        (&["x = -1", "y = ln(x)"], ":guess x nan", "right"),
        (&["x = -1", "y = ln(x)"], ":guess x 7", "-"),
        (&["x = 0", "y = sqrt(x)"], ":guess x inf", "right"),
        (&["x = 0", "y = sqrt(x)"], ":guess x -inf", "-"),
        (&["x = 0", "y = sqrt(x)"], ":guess x 0", "value"),
        (&["x = 2", "y = x^2"], ":guess x inf", "-"),
        (&["x = 2", "y = x^2"], ":guess x nan", "-"),
        (&["x = -0", "y = x^2"], ":guess x 0", "right"),
        // Zeros up to rounding.
        (&["x = pi/2", "y = sin(x)"], ":guess x 0", "right"),
        (&["x = 20", "y = tanh(x)"], ":guess x 0", "right"),
        (&["x = 1e-20", "y = x^2"], ":guess x 2e-20", "right"),
        (&["x = 1e-20", "y = x^2"], ":guess x 3e-20", "-"),
    ] {
        assert_eq!(judged(lines, line), expected, "{lines:?} {line}");
    }
}

#[test]
fn large_graphs_are_judged_too() {
    let mut desk = Desk::with(&["x = 1", "y = x;"]);
    for _ in 0..1_000 {
        desk.line("y = y + y;");
    }
    // 2^1000 paths.
    assert_eq!(answer(&mut desk, ":guess x 2^1000")["right"], true);
    assert_eq!(answer(&mut desk, ":guess x 2^999")["slip"], "accumulation");
    let terms = vec!["x"; 5_000].join(" + ");
    let mut desk = Desk::with(&["x = 1", &format!("y = {terms}")]);
    assert_eq!(answer(&mut desk, ":guess x 5000")["right"], true);
    assert_eq!(answer(&mut desk, ":guess x 4999")["slip"], "path");
    desk.screen(":guess x ?");
    desk.screen(":guess x ?");
}
