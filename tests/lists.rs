//! Lists: the forms and errors of the manual, items as nodes, and the same programs without lists, to the bit.

use crate::common::{Desk, Random};
use chainrule::graph::live_nodes;
use serde_json::{Value, json};

fn data(desk: &mut Desk, text: &str) -> Value {
    let answer = desk.line(text).pop().expect("there is an answer");
    answer["data"].clone()
}

/// Numbers in JSON as floats, so that 2 and 2.0 are the same.
fn floats(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(floats).collect(),
        Value::Number(number) => json!(number.as_f64()),
        other => other.clone(),
    }
}

#[test]
fn every_form_has_its_value() {
    let lines = [
        "w = [0.5, -1, 0.25]; x = [1, 2, 3]; a = 2; n = 3;",
        "W = [[1, 2], [3, 4]]; u = [5, 6];",
        "f(v) = sum(v^2); g(v, k) = [k*x for x in v]; for = 7; in = 8;",
    ];
    let mut desk = Desk::with(&lines);
    for (text, expected) in [
        ("w[2]", json!(-1.0)),
        ("W[2][1]", json!(3)),
        ("w[2..3]", json!([-1, 0.25])),
        ("w[[3, 1]]", json!([0.25, 0.5])),
        ("1..n", json!([1, 2, 3])),
        ("1..n + 1", json!([1, 2, 3, 4])),
        ("-1..1", json!([-1, 0, 1])),
        ("(0..2)/2", json!([0, 0.5, 1])),
        ("[1..3]", json!([1, 2, 3])),
        ("2w + 1", json!([2, -1, 1.5])),
        ("3w[2]", json!(-3)),
        ("√x[1]", json!(1)),
        ("w[1]^2", json!(0.25)),
        ("w*x", json!([0.5, -2, 0.75])),
        ("-w", json!([-0.5, 1, -0.25])),
        ("max(w, 0)", json!([0.5, 0, 0.25])),
        ("abs(w)", json!([0.5, 1, 0.25])),
        ("w.abs()", json!([0.5, 1, 0.25])),
        ("w > 0", json!([1, 0, 1])),
        ("if(w > 0, w, 0)", json!([0.5, 0, 0.25])),
        ("[x^2 for x in w]", json!([0.25, 1, 0.0625])),
        ("[p*q for p, q in zip(w, x)]", json!([0.5, -2, 0.75])),
        (
            "[[i*j for j in 1..3] for i in 1..2]",
            json!([[1, 2, 3], [2, 4, 6]]),
        ),
        ("sum(k^2 for k in 1..10)", json!(385)),
        ("sum(w)", json!(-0.25)),
        ("prod(x)", json!(6)),
        ("mean(x)", json!(2)),
        ("avg(x)", json!(2)),
        ("min(w)", json!(-1)),
        ("max(w)", json!(0.5)),
        ("max(3)", json!(3)),
        ("hypot([3, 4])", json!(5)),
        ("sum(W)", json!([4, 6])),
        ("mean(W)", json!([2, 3])),
        ("max(u, [7, 1])", json!([7, 6])),
        ("dot(w, x)", json!(-0.75)),
        ("dot(W, u)", json!([17, 39])),
        ("len(w)", json!(3)),
        ("len(W)", json!(2)),
        ("zip(u, [1, 2])", json!([[5, 1], [6, 2]])),
        ("zip(W)", json!([[1, 3], [2, 4]])),
        ("flat([W, u])", json!([1, 2, 3, 4, 5, 6])),
        ("flat(W)[3]", json!(3)),
        ("f(x)", json!(14)),
        ("g(x, 2)", json!([2, 4, 6])),
        ("g(x, 2)[3]", json!(6)),
        ("grad(f(x), x)", json!([2, 4, 6])),
        ("grad(dot(grad(f(x), x), [1, 1, 1]), x)", json!([2, 2, 2])),
        ("tanh'(0*x)", json!([1, 1, 1])),
        ("w.data", json!([0.5, -1, 0.25])),
        ("x[len(x)]", json!(3)),
        ("2for", json!(14)),
        ("for*in", json!(56)),
        ("[for for for in [1, 2]]", json!([1, 2])),
        ("[[1, 2], 3]", json!([[1, 2], 3])),
        ("[1,\n 2,\n]", json!([1, 2])),
        ("std([1, 3])", json!(1)),
    ] {
        assert_eq!(floats(&data(&mut desk, text)), floats(&expected), "{text}");
    }
    let shape = |desk: &mut Desk, text: &str| desk.line(text)[0]["shape"].clone();
    assert_eq!(shape(&mut desk, "W"), json!([2, 2]));
    assert_eq!(shape(&mut desk, "w"), json!([3]));
}

#[test]
fn every_mistake_is_told_and_changes_nothing() {
    for (lines, typed, message, help) in [
        (
            "w = [1, 2, 3];",
            "w[0]",
            "items are counted from 1",
            "`w[1]`, the last `w[3]`",
        ),
        (
            "w = [1, 2, 3];",
            "w[4]",
            "there is no item 4: `w` has 3",
            "w[3]",
        ),
        (
            "w = [1, 2, 3];",
            "w[1.5]",
            "a position is a whole number",
            "w[1]",
        ),
        (
            "a = 2;",
            "a[1]",
            "`a` is a number and has no items",
            "[1, 2, 3]",
        ),
        (
            "w = [1, 2, 3];",
            "w + [1, 2]",
            "`+` works item by item: 3 items and 2 do not match",
            "",
        ),
        (
            "W = [[1, 2], [3, 4]]; x = [1, 2];",
            "W*x",
            "a list of 2 lists of 2 and a list of 2",
            "dot(W, x)",
        ),
        (
            "w = [1, 2, 3];",
            "w[w > 0]",
            "by its position, not by a condition",
            "if(w > 0, w, 0)",
        ),
        ("w = [1, 2, 3];", "w[2] = 5", "", ":set w[2] 5"),
        (
            "w = [1, 2, 3];",
            ":set w [1, 2]",
            "`w` is a list of 3, and this is a list of 2",
            "",
        ),
        ("w = [1, 2, 3];", ":grad w", "`w` is a list", "sum(w)"),
        (
            "w = [1, 2, 3];",
            ":explain w of w[1]",
            "a number is needed",
            "w[1]",
        ),
        ("", "3..1", "a range counts up", "1..3"),
        ("", "1..2.5", "whole number", ""),
        ("", "[]", "at least one item", ""),
        ("", "1..100000000", "at most 10,000,000 nodes", ""),
        ("", "a, b = [1, 2, 3]", "2 names for a list of 3", ""),
        ("", "x, y = 1", "2 names for a number", ""),
        (
            "w = [1, 2];",
            "const v = 2w",
            "a `const` holds a number",
            "",
        ),
        ("", "[x for x in 3]", "`for` goes over a list", "1..n"),
        ("", "[p for p, q in [1, 2]]", "`for` has 2 names", "zip"),
        ("", "[[1, 2], 3] + 1", "items of one shape", "flat"),
        (
            "f(v) = sum(v);",
            "f'([1, 2])",
            "a prime differentiates by one number",
            "grad(f(w), w)",
        ),
        (
            "w = [1, 2];",
            "grad(w, w)",
            "`grad` takes the derivative of one number",
            "",
        ),
        ("w = [1, 2];", "ans, b = w", "`ans` cannot be bound", ""),
        (
            "",
            "[1, 2, 3][4]",
            "there is no item 4: `[1, 2, 3]` has 3",
            "the last `[1, 2, 3][3]`",
        ),
        ("", "[1][2]", "there is no item 2: `[1]` has 1", "`[1][1]`"),
        (
            "",
            "[1, 2][0]",
            "counted from 1",
            "the first is `[1, 2][1]`",
        ),
        ("", "[5] + [1, 2]", "1 item and 2 do not match", ""),
        (
            "x = 2; w = [x, 2];",
            "grad(w*x, x)",
            "and `w*x` is a list of 2",
            "grad(sum(y), w)",
        ),
        (
            "w = [1, 2, 3];",
            ":set w [1, 2, [3]]",
            "`w` is a list of 3, and this is a list of 3, numbers and lists",
            "",
        ),
        (
            "",
            "std([[1, 2], [3, 4]])",
            "`std` takes a list of numbers",
            "std(flat(W))",
        ),
        (
            "w = [1, 2];",
            "[x for in w]",
            "names",
            "`[k^2 for k in 1..3]`",
        ),
        ("w = [1, 2];", "[for x in w]", "", "`[k^2 for k in 1..3]`"),
        (
            "w = [1, 2];",
            "[k, for k in w]",
            "",
            "`[k^2 for k in 1..3]`",
        ),
        (
            "w = [1, 2];",
            "sum(k, for k in w)",
            "",
            "`[k^2 for k in 1..3]`",
        ),
        (
            "y = 2;",
            ":step k=1..3 of y",
            "`:step` needs a number",
            "`:step RATE [N] [k=A..B] [of T]`",
        ),
        ("W = [[1]]; x = [1];", "W @ x", "`@`", "`dot(W, x)`"),
        ("w = [1, 2];", ":grad w", "is a list", "`sum(w)`"),
        (
            "n = 2;",
            "n.layers[0].neurons[0].w[0]",
            "found `.layers`",
            "`.data` and `.grad`",
        ),
        ("w = [1, 2];", "w.shape", "found `.shape`", "`len(w)`"),
        ("w = [1, 2];", "w.length", "found `.length`", "`len(w)`"),
        ("w = [1, 2];", "argsort(w)", "", "shape of a graph"),
        ("w = [1, 2];", "unique(w)", "", "shape of a graph"),
        (
            "w = [1, 2];",
            "cumsum(w)",
            "",
            "[sum(w[1..k]) for k in 1..len(w)]",
        ),
        ("f(v) = v[3];", "f([1, 2])", "there is no item 3", ""),
    ] {
        let mut desk = Desk::with(&[lines]);
        let before = (desk.session.made(), live_nodes());
        let error = desk.error(typed);
        let told = error.help.unwrap_or_default();
        assert!(
            error.message.contains(message),
            "{typed}: {}",
            error.message
        );
        assert!(told.contains(help), "{typed}: {told}");
        assert_eq!((desk.session.made(), live_nodes()), before, "{typed}");
        assert_eq!(desk.session.audit(), Ok(()));
    }
}

#[test]
fn a_picture_shows_the_items_of_a_list_that_is_asked_for() {
    let mut desk = Desk::with(&["w = 1..9;", "y = sum(w^2);"]);
    assert!(!desk.screen(":graph y").contains("w[9]"));
    assert!(desk.screen(":graph y wrt w").contains("w[9]"));
    for file in ["y.svg", "y.png", "y.dot", "y.mmd"] {
        let told = |desk: &mut Desk, line: String| format!("{:?}", desk.picture(&line));
        let folded = told(&mut desk, format!(":graph y {file}"));
        let unfolded = told(&mut desk, format!(":graph y wrt w {file}"));
        assert!(!folded.contains("\"w[9]\""), "{folded}");
        assert!(unfolded.contains("\"w[9]\""), "{unfolded}");
    }
}

#[test]
fn lists_are_nested_64_deep_and_no_deeper() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let mut desk = Desk::with(&[format!("d = {};", nested(64))]);
    assert_eq!(desk.value(&format!("d{}", "[1]".repeat(64))), 1.0);
    desk.line("a = [d[1], d[1]];");
    assert_eq!(desk.value("sum(flat(a))"), 2.0);
    let message = "lists are nested at most 64 deep";
    for line in [
        &*format!("e = {}", nested(65)),
        "[d]",
        "zip(d, d)",
        "[d for k in 1..2]",
        "d, e = 1, [d]",
    ] {
        assert_eq!(desk.error(line).message, message, "{line}");
    }
    desk.line("b = [[[[[[1..9]]]]]];");
    assert!(desk.screen(":vars").contains("1 × 1 × 1 × 1 × 1 × 9"));
}

#[test]
fn items_are_told_as_they_are_typed() {
    let mut desk = Desk::with(&["w = [1, 2];", "y = sum(w^2);", ":grad y;"]);
    assert!(desk.screen(":guess w[1] 3").contains(":guess w[1] ?"));
    desk.line("w = [5, 6];");
    let screen = desk.screen(":explain w@1[2] of y");
    assert!(screen.starts_with("dy/d(w@1[2]) = 4"), "{screen}");
}

#[test]
fn a_matrix_of_second_derivatives_is_made_item_by_item() {
    let mut desk = Desk::with(&["w = [1 + 1/k^2 for k in 1..300];", "y = prod(w);"]);
    desk.line("g = grad(y, w);");
    desk.line("H = [grad(k, w) for k in g];");
    let exact = desk.value("y/w[7]/w[300]");
    let made = desk.value("H[7][300]");
    assert!(
        (made - exact).abs() <= 1e-12 * exact.abs(),
        "{made} {exact}"
    );
}

#[test]
fn items_are_nodes() {
    let mut desk = Desk::with(&["w, x = [0.5, -1, 0.25], [1, 2, 3]", "y = dot(w, x)"]);
    desk.line(":set w[2] 3, x[1] 2");
    assert_eq!(desk.value("y"), 0.5 * 2.0 + 3.0 * 2.0 + 0.75);
    desk.line(":set w [1, 2, 3]");
    assert_eq!(desk.value("y"), 2.0 + 4.0 + 9.0);
    desk.line(":set w 0.5");
    assert_eq!(desk.value("y"), 3.5);
    desk.line(":set x[2..3] 1");
    assert_eq!(desk.value("y"), 2.0);
    desk.line(":undo 4");
    assert_eq!(desk.value("y"), -0.75);
    desk.line(":grad y");
    assert_eq!(data(&mut desk, "w.grad"), json!([1, 2, 3]));
    assert_eq!(data(&mut desk, "w[3].grad"), json!(3));
    desk.line(":freeze w");
    desk.line(":step 1 of y");
    assert_eq!(data(&mut desk, "w"), json!([0.5, -1, 0.25]));
    assert_eq!(data(&mut desk, "x"), json!([0.5, 3, 2.75]));
    // Names of items follow the list; the old one keeps its number.
    desk.line("w = [9, 9]");
    assert_eq!(data(&mut desk, "w@1"), json!([0.5, -1, 0.25]));
    assert_eq!(data(&mut desk, "w@1[3]"), json!(0.25));
    let labels: Vec<String> = (desk.line(":grad y")[0]["rows"].as_array().expect("rows"))
        .iter()
        .map(|row| row["node"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert!(labels.contains(&"w@1[2]".to_owned()), "{labels:?}");
    desk.line(":undo");
    assert_eq!(data(&mut desk, "w"), json!([0.5, -1, 0.25]));
    assert_eq!(desk.session.audit(), Ok(()));
}

#[test]
fn a_list_of_nodes_gives_them_second_names() {
    let mut desk = Desk::with(&["a, b = 2, 3", "p = [a, b, 5]", "L = p[1]*p[3]"]);
    desk.line(":set a 10");
    assert_eq!(desk.value("L"), 50.0);
    assert_eq!(data(&mut desk, "p"), json!([10, 3, 5]));
    let names = |desk: &Desk, name: &str| {
        let node = desk.session.names().get(name).expect("it is there");
        desk.session.label(node)
    };
    assert_eq!(names(&desk, "a"), "a");
    desk.line("a = 1");
    let first = desk
        .session
        .names()
        .nodes()
        .find(|(name, _)| name == "p[1]");
    let (_, node) = first.expect("it is there");
    assert_eq!(desk.session.label(node), "p[1]", "the name that is left");
}

/// A step of 0.5 halves each leaf whose square is halved in the sum.
#[test]
fn a_step_has_a_row_for_each_list_it_moved() {
    let mut desk = Desk::with(&["w, b = [k for k in -4..24], 8", "L = (sum(w^2) + b^2)/2"]);
    let told = desk.screen(":step 0.5 3 of L");
    let words = |start: &str| {
        let line = told.lines().find(|line| line.trim().starts_with(start));
        let line = line.unwrap_or_else(|| panic!("{start}\n{told}"));
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for row in [
        "leaf before first grad change after new grad",
        "b 8 8 -7 1 1",
        "w 29 -4 … 24 -4 … 24 -21 … 3.5 -0.5 … 3 -0.5 … 3",
    ] {
        let start = row.split_once(' ').map_or(row, |(start, _)| start);
        assert_eq!(words(&format!("{start} ")), row, "{told}");
    }
    let table: Vec<&str> = (told.lines().filter(|line| line.starts_with("  "))).collect();
    assert_eq!(table.len(), 3, "{told}");
    // Programs get each leaf.
    desk.session.all_rows = true;
    let step = &desk.line(":step 0.5 3 of L")[0];
    assert_eq!(step["rows"].as_array().map(Vec::len), Some(30));
}

#[test]
fn labels_name_lists() {
    let mut desk = Desk::with(&[
        "x, y, w = [1, 2, 3], [4, 5, 6], [7, 8, 9]",
        "W = [[1, 2, 3], [4, 5, 6]]",
        "net(p) = sum(p^2)",
        "a = 2",
    ]);
    for (text, label) in [
        ("sum(w)", "sum(w)"),
        ("dot(w, x)", "dot(w, x)"),
        ("sum(w*x)", "dot(w, x)"),
        ("mean(relu(1 - y*x))", "mean(relu(1 - y*x))"),
        ("sum(relu(1 - y*x)) + a", "sum(relu(1 - y*x)) + a"),
        ("sum(2*v for v in w)", "sum(2*w)"),
        ("dot(W[2], x)", "dot(W[2], x)"),
        ("sum(w[2..3])", "sum(w[2..3])"),
        ("sum(flat(W)^2)", "sum(flat(W)^2)"),
        ("max(w)", "max(w)"),
        ("sum(w[1], w[3])", "sum(w[1], w[3])"),
        ("sum(a, a)", "sum(a, a)"),
        ("net(x)", "net(x)"),
        ("net([x[1], a])", "net([x[1], a])"),
        ("net(W[1])", "net(W[1])"),
        ("sum(a*w)", "sum(a*w)"),
    ] {
        let typed = format!("it = {text}");
        desk.line(&typed);
        let node = desk.session.names().get("it").expect("it is bound");
        assert_eq!(desk.session.expression(node), label, "{text}");
        let value = node.data();
        assert_eq!(desk.value(label), value, "{label} reads back");
    }
}

#[test]
fn loops_may_be_long() {
    let mut desk = Desk::default();
    desk.line("v = [k^2 for k in 1..200000];");
    assert_eq!(desk.value("v[200000]"), 4e10);
    let made = desk.session.made();
    desk.line("s = sum(x*2 for x in v);");
    let per_item = f64::from(desk.session.made() - made) / 200_000.0;
    assert!(per_item < 3.0, "{per_item} nodes for each item");
    desk.line("v = 1; s = 2;");
    assert_eq!(desk.session.audit(), Ok(()));
}

/// A number between -2 and 2 with few digits.
fn number(random: &mut Random) -> f64 {
    (random.below(4_001) as f64 - 2_000.0) / 1_000.0
}

/// A program in two spellings: with lists, and with a name for each item.
#[derive(Default)]
struct Twins {
    lists: Vec<String>,
    scalars: Vec<String>,
    /// Each list with its length.
    known: Vec<(String, usize)>,
    numbers: Vec<String>,
}

impl Twins {
    fn random(random: &mut Random) -> Twins {
        let mut twins = Twins::default();
        for (at, length) in [(0, 3), (1, 3), (2, 4)] {
            twins.leaves(&format!("w{at}"), length, random);
        }
        twins.number("a", "0.75", "0.75");
        for at in 0..12 {
            twins.statement(at, random);
        }
        let all: Vec<String> = twins.numbers.clone();
        let sum = all.join(" + ");
        twins.number("L", &sum, &sum);
        twins
    }

    fn leaves(&mut self, name: &str, length: usize, random: &mut Random) {
        let numbers: Vec<String> = (0..length).map(|_| number(random).to_string()).collect();
        self.list(name, &format!("[{}]", numbers.join(", ")), &numbers);
    }

    fn list(&mut self, name: &str, list: &str, items: &[String]) {
        self.lists.push(format!("{name} = {list}"));
        let names: Vec<String> = (1..=items.len()).map(|at| format!("{name}_{at}")).collect();
        self.scalars
            .push(format!("{} = {}", names.join(", "), items.join(", ")));
        self.known.push((name.to_owned(), items.len()));
    }

    fn number(&mut self, name: &str, list: &str, scalar: &str) {
        self.lists.push(format!("{name} = {list}"));
        self.scalars.push(format!("{name} = {scalar}"));
        self.numbers.push(name.to_owned());
    }

    fn statement(&mut self, at: usize, random: &mut Random) {
        let (one, length) = self.known[random.below(self.known.len())].clone();
        let alike: Vec<&(String, usize)> = self
            .known
            .iter()
            .filter(|(_, other)| *other == length)
            .collect();
        let other = alike[random.below(alike.len())].0.clone();
        let number = self.numbers[random.below(self.numbers.len())].clone();
        let item = |name: &str, at: usize| format!("{name}_{at}");
        let each =
            |text: &dyn Fn(usize) -> String| -> Vec<String> { (1..=length).map(text).collect() };
        let name = format!("v{at}");
        match random.below(9) {
            0 => self.list(
                &name,
                &format!("tanh({one}*{other} + {number})"),
                &each(&|at| format!("tanh({}*{} + {number})", item(&one, at), item(&other, at))),
            ),
            1 => self.list(
                &name,
                &format!("[x^2 - k*{number} for x, k in zip({one}, 1..{length})]"),
                &each(&|at| format!("{}^2 - {at}*{number}", item(&one, at))),
            ),
            2 => self.list(
                &name,
                &format!("max({one}, {other}, 0.1)"),
                &each(&|at| format!("max({}, {}, 0.1)", item(&one, at), item(&other, at))),
            ),
            3 => {
                let terms = each(&|at| item(&one, at));
                self.number(
                    &name,
                    &format!("sum({one})/2"),
                    &format!("sum({})/2", terms.join(", ")),
                );
            }
            4 => {
                let terms = each(&|at| format!("{}*{}", item(&one, at), item(&other, at)));
                self.number(
                    &name,
                    &format!("dot({one}, {other})"),
                    &format!("sum({})", terms.join(", ")),
                );
            }
            5 => {
                let terms = each(&|at| item(&one, at));
                self.number(
                    &name,
                    &format!("mean({one})"),
                    &format!("sum({})/{length}", terms.join(", ")),
                );
            }
            6 => {
                let (first, last) = (item(&one, 1), item(&one, length));
                self.number(
                    &name,
                    &format!("{one}[1]*{one}[len({one})]"),
                    &format!("{first}*{last}"),
                );
            }
            7 => {
                let terms = each(&|at| item(&one, at));
                self.number(
                    &name,
                    &format!("prod({one})"),
                    &format!("prod({})", terms.join(", ")),
                );
            }
            _ => {
                let terms = each(&|at| format!("{}^2", item(&one, at)));
                self.number(
                    &name,
                    &format!("tanh(sum(x^2 for x in {one}))"),
                    &format!("tanh(sum({}))", terms.join(", ")),
                );
            }
        }
    }
}

#[test]
fn programs_with_lists_give_the_bits_of_those_without() {
    let mut random = Random(7);
    for round in 0..300 {
        let twins = Twins::random(&mut random);
        let mut lists = Desk::with(&twins.lists);
        let mut scalars = Desk::with(&twins.scalars);
        for desk in [&mut lists, &mut scalars] {
            desk.line(":grad L");
        }
        let told = || {
            format!(
                "{round}:\n{}\n\n{}",
                twins.lists.join("\n"),
                twins.scalars.join("\n")
            )
        };
        let compare = |lists: &Desk, scalars: &Desk| {
            for (name, node) in lists.session.names().nodes() {
                let flat = name.replace('[', "_").replace(']', "");
                let other = scalars.session.names().get(&flat).expect("the same names");
                let bits = |desk: &Desk, node: &_| {
                    let grad = desk.session.pass().and_then(|pass| pass.grad(node));
                    grad.map(f64::to_bits)
                };
                assert_eq!(
                    node.data().to_bits(),
                    other.data().to_bits(),
                    "{name} in {}",
                    told()
                );
                assert_eq!(
                    bits(lists, node),
                    bits(scalars, other),
                    "grad of {name} in {}",
                    told()
                );
            }
        };
        compare(&lists, &scalars);
        for desk in [&mut lists, &mut scalars] {
            desk.line(":step 0.001 3 of L");
            desk.line(":grad L");
        }
        compare(&lists, &scalars);
    }
}
