//! `:wrong`: all recorded numbers of the mistakes are reproduced; on random graphs each rule does the same as a slow
//! and literal version of the lecture's code.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::common::{Desk, Patience, Random, close, everything, number};
use chainrule::study::FAMOUS_MISTAKES;
use serde_json::Value;

use crate::worked_examples::{cases, script, squeeze};

const RULES: [&str; 10] = [
    "overwrite",
    "queue",
    "queue-set",
    "queue-visited",
    "recursive",
    "nozero",
    "noupstream",
    "subadd",
    "parenthesis",
    "naivetanh",
];

/// The row of a node, by its label or another of its names.
fn row<'v>(answer: &'v Value, node: &str) -> Option<&'v Value> {
    let called = |row: &&Value| {
        let names = row["names"].as_array().into_iter().flatten();
        std::iter::once(&row["node"])
            .chain(names)
            .any(|name| squeeze(name.as_str().unwrap_or("")) == squeeze(node))
    };
    answer["rows"].as_array()?.iter().find(called)
}

#[test]
fn every_recorded_number_comes_out() {
    let mut compared = 0;
    for case in &cases() {
        for (rule, expected) in case["wrong_if"].as_object().into_iter().flatten() {
            let mut desk = Desk::with(&script(case));
            let target = case["target"].as_str().expect("a case has a target");
            let answer = desk.answer(&format!(":wrong {rule} {target}"));
            assert_eq!(answer["kind"], "wrong");
            assert_eq!(answer["rule"], *rule);
            assert_eq!(answer["root"], target);
            for (node, want) in expected.as_object().into_iter().flatten() {
                let row = row(&answer, node)
                    .unwrap_or_else(|| panic!("{} {rule}: no row {node}", case["name"]));
                let got = number(&row["wrong"]);
                assert!(
                    close(got, number(want), 1e-12, 0.0),
                    "{} {rule}: {node} is {got}, not {want}",
                    case["name"]
                );
                compared += 1;
            }
            assert!(!answer["first"].is_null(), "{} {rule}", case["name"]);
        }
    }
    assert!(compared > 380, "only {compared} numbers were compared");
}

/// A graph in the form of the lecture: literals are nodes too.
#[derive(Clone, Default)]
struct Slow {
    /// Data, operation, operands.
    nodes: Vec<(f64, &'static str, Vec<usize>)>,
}

impl Slow {
    fn push(&mut self, op: &'static str, prev: Vec<usize>, literal: f64) -> usize {
        let x = |at: usize| self.nodes[prev[at]].0;
        let data = match op {
            "+" => x(0) + x(1),
            "-" => x(0) - x(1),
            "*" => x(0) * x(1),
            "neg" => -x(0),
            "tanh" => x(0).tanh(),
            _ => literal,
        };
        self.nodes.push((data, op, prev));
        self.nodes.len() - 1
    }

    /// The contribution of a node's `_backward` to an operand, with a mistake in it.
    fn share(&self, node: usize, operand: usize, upstream: f64, rule: &str) -> f64 {
        let (t, op, prev) = &self.nodes[node];
        let other = |at: usize| self.nodes[prev[at]].0;
        let local = match (*op, operand) {
            ("+", _) | ("-", 0) => 1.0,
            ("-", _) if rule == "subadd" => 1.0,
            ("-" | "neg", _) => -1.0,
            ("*", at) => other(1 - at),
            ("tanh", _) if rule == "parenthesis" => return 1.0 - t * t * upstream,
            ("tanh", _) => 1.0 - t * t,
            _ => 0.0,
        };
        match rule {
            "noupstream" => local,
            _ => local * upstream,
        }
    }

    fn turn(&self, node: usize, grads: &mut [f64], rule: &str) {
        let upstream = grads[node];
        for (operand, below) in self.nodes[node].2.iter().enumerate() {
            let share = self.share(node, operand, upstream, rule);
            grads[*below] = if rule == "overwrite" {
                share
            } else {
                grads[*below] + share
            };
        }
    }

    fn topo(&self, node: usize, seen: &mut Vec<usize>, out: &mut Vec<usize>) {
        if !seen.contains(&node) {
            seen.push(node);
            for below in &self.nodes[node].2 {
                self.topo(*below, seen, out);
            }
            out.push(node);
        }
    }

    fn pass_on(&self, node: usize, grads: &mut [f64]) {
        self.turn(node, grads, "");
        for below in &self.nodes[node].2 {
            self.pass_on(*below, grads);
        }
    }

    fn backward(&self, rule: &str) -> Vec<f64> {
        let root = self.nodes.len() - 1;
        let mut grads = vec![0.0; self.nodes.len()];
        grads[root] = 1.0;
        let mut order = Vec::new();
        self.topo(root, &mut Vec::new(), &mut order);
        order.reverse();
        match rule {
            "queue" | "queue-set" | "queue-visited" => {
                let mut visited = vec![root];
                let mut queue = VecDeque::from([root]);
                while let Some(node) = queue.pop_front() {
                    self.turn(node, &mut grads, rule);
                    let mut below = self.nodes[node].2.clone();
                    if rule != "queue" {
                        below.dedup();
                    }
                    for below in below {
                        if rule != "queue-visited" || !visited.contains(&below) {
                            visited.push(below);
                            queue.push_back(below);
                        }
                    }
                }
            }
            "recursive" => self.pass_on(root, &mut grads),
            "nozero" => {
                for _ in 0..2 {
                    grads[root] = 1.0;
                    for node in &order {
                        self.turn(*node, &mut grads, rule);
                    }
                }
            }
            _ => order
                .iter()
                .for_each(|node| self.turn(*node, &mut grads, rule)),
        }
        grads
    }
}

/// The same random graph as lines to type and in the form of the lecture, and the nodes of the names.
fn random_graph(random: &mut Random) -> (Vec<String>, Slow, Vec<(String, usize)>) {
    let mut slow = Slow::default();
    let mut lines = Vec::new();
    let mut names: Vec<(String, usize)> = Vec::new();
    for leaf in 0..=random.below(3) {
        let data = random.unit() * 3.0 - 1.5;
        lines.push(format!("x{leaf} = {data}"));
        let node = slow.push("", Vec::new(), data);
        names.push((format!("x{leaf}"), node));
    }
    for step in 0..2 + random.below(7) {
        let mut pick = |names: &[(String, usize)], slow: &mut Slow| {
            if random.below(6) == 0 {
                let literal = 1 + random.below(3);
                let node = slow.push("", Vec::new(), literal as f64);
                (literal.to_string(), node)
            } else {
                // Prefers recent nodes, so that graphs become deep.
                let back = random.below(names.len().min(4));
                names[names.len() - 1 - back].clone()
            }
        };
        let (left, a) = pick(&names, &mut slow);
        let (right, b) = pick(&names, &mut slow);
        let literals = left.parse::<f64>().is_ok() && right.parse::<f64>().is_ok();
        let (op, text) = match random.below(5) {
            0 => ("+", format!("{left} + {right}")),
            1 => ("-", format!("{left} - {right}")),
            2 | 3 => ("*", format!("{left}*{right}")),
            _ if left.parse::<f64>().is_err() => ("tanh", format!("tanh({left})")),
            _ => ("+", format!("{left} + {right}")),
        };
        if literals {
            continue;
        }
        let prev = if op == "tanh" { vec![a] } else { vec![a, b] };
        let node = slow.push(op, prev, 0.0);
        lines.push(format!("v{step} = {text}"));
        names.push((format!("v{step}"), node));
    }
    (lines, slow, names)
}

#[test]
fn random_graphs_go_wrong_as_the_lecture_s_code_does() {
    let mut random = Random(20);
    let mut parted = [0; 10];
    for _ in 0..300 {
        let (lines, mut slow, names) = random_graph(&mut random);
        let (root, place) = names.last().expect("there are nodes").clone();
        slow.nodes.truncate(place + 1);
        let mut desk = Desk::with(&lines);
        let right = slow.backward("");
        for (at, rule) in RULES.iter().enumerate() {
            let answer = desk.answer(&format!(":wrong {rule} {root}"));
            let grads = slow.backward(rule);
            for (name, place) in names.iter().filter(|(_, place)| *place < grads.len()) {
                let Some(row) = row(&answer, name) else {
                    continue;
                };
                let scale = 1e-9 * (1.0 + right[*place].abs());
                for (got, want) in [("right", right[*place]), ("wrong", grads[*place])] {
                    let got = number(&row[got]);
                    assert!(
                        close(got, want, 1e-9, scale),
                        "{rule}: {name} is {got}, not {want}\n{}",
                        lines.join("\n")
                    );
                }
                let apart = (right[*place] - grads[*place]).abs() > scale;
                if apart {
                    assert_eq!(row["differs"], true, "{rule} {name}\n{}", lines.join("\n"));
                }
            }
            // The first wrong node is the first row that differs.
            let mut rows = answer["rows"].as_array().into_iter().flatten();
            let first = rows.find(|row| row["differs"] == true);
            assert_eq!(
                answer["first"],
                first.map_or(Value::Null, |row| row["node"].clone())
            );
            parted[at] += i32::from(first.is_some());
        }
    }
    for (rule, times) in RULES.iter().zip(parted) {
        assert!(
            times > 20 || *rule == "naivetanh",
            "{rule} went wrong only {times} times"
        );
    }
}

#[test]
fn the_right_ones_are_those_of_grad_to_the_bit() {
    let mut random = Random(7);
    for _ in 0..50 {
        let (lines, ..) = random_graph(&mut random);
        let mut desk = Desk::with(&lines);
        let answer = desk.answer(":wrong nozero");
        let grad = desk.answer(":grad");
        let pairs = answer["rows"].as_array().into_iter().flatten();
        let of_grad = grad["rows"].as_array().into_iter().flatten();
        for (row, same) in pairs.zip(of_grad) {
            assert_eq!(
                (&row["node"], &row["right"]),
                (&same["node"], &same["grad"])
            );
        }
    }
}

#[test]
fn every_rule_is_told_and_has_a_graph_to_go_wrong_on() {
    let told: Vec<&str> = FAMOUS_MISTAKES.iter().map(|rule| rule.rule).collect();
    assert_eq!(told, RULES);
    let listed = Desk::default().answer(":wrong");
    for (rule, row) in FAMOUS_MISTAKES
        .iter()
        .zip(listed["rules"].as_array().expect("they are listed"))
    {
        assert_eq!(row["rule"], rule.rule);
        assert_eq!(row["what"], rule.summary);
        let answer = Desk::with(rule.example).answer(&format!(":wrong {}", rule.rule));
        assert!(!answer["first"].is_null(), "{}", rule.rule);
        assert_eq!(answer["change"]["right"], rule.right);
        assert_eq!(answer["change"]["wrong"], rule.wrong);
    }
}

#[test]
fn rounding_is_no_mistake_and_lost_digits_are() {
    // Near 0 the value loses digits, and so does everything multiplied by it.
    let mut desk = Desk::with(&["x, w = 1e-10, 1", "y = w*tanh(x)"]);
    assert_eq!(desk.answer(":wrong naivetanh")["first"], "w");
    // The lost digits propagate through the users, and nodes that are not affected stay right.
    let mut desk = Desk::with(&[
        "x, w, v = 1e-10, 1, 3",
        "u = v*tanh(x) + 0*w",
        "y = w*(u + u)",
    ]);
    let answer = desk.answer(":wrong naivetanh");
    let e = 2e-10_f64.exp();
    let lost = (e - 1.0) / (e + 1.0);
    for (node, right, spoilt) in [
        ("w", 6.0 * 1e-10_f64.tanh(), 6.0 * lost),
        ("v", 2.0 * 1e-10_f64.tanh(), 2.0 * lost),
        ("u", 2.0, 2.0),
    ] {
        let row = row(&answer, node).expect("a row");
        assert!(close(number(&row["right"]), right, 1e-14, 0.0), "{row}");
        assert!(close(number(&row["wrong"]), spoilt, 1e-14, 0.0), "{row}");
    }
    // Sums that cancel are added in another order.
    let mut desk = Desk::with(&["x = 0.1", "L = 0.1*x + 0.2*x - 0.3*x"]);
    assert!(desk.answer(":wrong queue")["first"].is_null());
}

#[test]
fn nothing_is_changed() {
    let mut desk = Desk::with(&["a, b = 2, -3", "L = a*b + a", ":grad L"]);
    desk.line(":walk L");
    desk.line(":next");
    let before = everything(&desk.session);
    for rule in RULES {
        desk.line(&format!(":wrong {rule} L*L + tanh(a)"));
    }
    assert_eq!(everything(&desk.session), before);
    assert_eq!(desk.session.walk().map(|walk| walk.position), Some(1));
}

#[test]
fn a_mistake_that_takes_too_long_is_stopped() {
    let mut desk = Desk::with(&["x = 1", "y = x"]);
    for _ in 0..1_000 {
        desk.line("y = y + y;");
    }
    for rule in ["queue", "recursive"] {
        let start = Instant::now();
        let error = desk.error(&format!(":wrong {rule} y"));
        assert!(
            error.message.contains("more than 10,000,000 contributions"),
            "{}",
            error.message
        );
        assert!(start.elapsed() < Duration::from_secs(30), "{rule}");
    }
    for rule in ["queue-set", "queue-visited", "overwrite", "nozero"] {
        desk.line(&format!(":wrong {rule} y"));
    }
    assert_eq!(desk.value("x + 1"), 2.0);
}

#[test]
fn it_stops_when_it_is_told_to() {
    let mut desk = Desk::with(&["x = 1", "y = x"]);
    for _ in 0..40 {
        desk.line("y = y + y;");
    }
    desk.session.set_host(Patience::of(5));
    let error = desk.error(":wrong recursive y");
    assert!(error.is_interrupt, "{}", error.message);
}

#[test]
fn a_long_chain_is_no_trouble() {
    let sum = vec!["x"; 20_000].join(" + ");
    let mut desk = Desk::with(&["x = 1".to_string(), format!("y = 2*({sum});")]);
    for rule in RULES {
        let answer = desk.answer(&format!(":wrong {rule} y"));
        let right = number(&row(&answer, "x").expect("a row")["right"]);
        assert_eq!(right, 40_000.0, "{rule}");
    }
    let answer = desk.answer(":wrong overwrite y");
    assert_eq!(answer["what"], "x got 2, not 40000");
}
