//! What a node costs in a pass: forward and backward over the graph of `Rc` nodes, and over a plan made from it.
//!
//! Two shapes, made from a fixed seed: a chain, and a layered random graph (sums, products, quotients, `tanh`, `exp`,
//! `relu`, squares; values stay within ±4). The yardstick is a flat tape: what one would write for this purpose alone,
//! without names, notes or rules for exact zeros. `cargo bench --bench passes`

mod common;

use std::hint::black_box;
use std::rc::Rc;

use chainrule::graph::{Graph, Node, Order, Pass, Plan, Spelling, forward};
use chainrule::ops::{self, Shape};
use common::{Random, row, table, time};

fn main() {
    let mut rows = vec![
        row([
            "ns a node",
            "tape",
            "nodes",
            "",
            "",
            "",
            "ratio",
            "plan",
            "",
            "ratio",
        ]),
        row([
            "", "both", "order", "forward", "backward", "both", "", "lower", "both", "",
        ]),
    ];
    for (name, recipe) in [
        ("chain 1e3", chain(1_000)),
        ("chain 1e5", chain(100_000)),
        ("dag 1e3", dag(1_000)),
        ("dag 1e5", dag(100_000)),
    ] {
        rows.push(measure(name, &recipe));
    }
    table("passes", &rows);
}

/// A node before it is one: the places of its operands among the steps before it.
#[derive(Clone, Copy)]
enum Step {
    Leaf(f64),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
    Div(usize, usize),
    Tanh(usize),
    Exp(usize),
    Relu(usize),
    Square(usize),
}

/// `* 0.999999` and `+ 1e-6` in turns.
fn chain(count: usize) -> Vec<Step> {
    let mut steps = vec![Step::Leaf(0.75), Step::Leaf(0.999_999), Step::Leaf(1e-6)];
    for link in 0..count {
        let last = if link == 0 { 0 } else { steps.len() - 1 };
        steps.push(if link % 2 == 0 {
            Step::Mul(last, 1)
        } else {
            Step::Add(last, 2)
        });
    }
    steps
}

/// About `count` nodes in 24 layers. The first operand comes from the layer before, in blocks of 64; the second from
/// there or from anywhere earlier. A balanced sum of the last layer ends it, so that every node has an upstream.
fn dag(count: usize) -> Vec<Step> {
    let mut random = Random(42);
    let width = (count / 25).max(2);
    let mut steps: Vec<Step> = (0..(count / 50).max(8))
        .map(|_| Step::Leaf(0.1 + 1.9 * random.unit()))
        .collect();
    let mut values = Tape::of(&steps).data;
    let mut layer = 0..steps.len();
    for _ in 0..24 {
        let first = steps.len();
        for place in 0..width {
            let near = layer.start
                + (place * layer.len() / width / 64 * 64 + random.below(64)).min(layer.len() - 1);
            let far = if random.below(2) == 0 {
                layer.start + random.below(layer.len())
            } else {
                random.below(first)
            };
            let (step, value) = fitting(&mut random, &values, near, far);
            steps.push(step);
            values.push(value);
        }
        layer = first..steps.len();
    }
    let mut open: Vec<usize> = layer.collect();
    while open.len() > 1 {
        let pairs = open.chunks(2).map(|pair| match *pair {
            [left, right] => {
                steps.push(Step::Add(left, right));
                steps.len() - 1
            }
            _ => pair[0],
        });
        open = pairs.collect();
    }
    steps
}

/// A random operation whose value stays small: `tanh` if six tries find none.
fn fitting(random: &mut Random, values: &[f64], x: usize, y: usize) -> (Step, f64) {
    for _ in 0..6 {
        let step = match random.below(100) {
            0..25 => Step::Add(x, y),
            25..38 => Step::Sub(x, y),
            38..66 => Step::Mul(x, y),
            66..74 if values[y].abs() > 0.3 => Step::Div(x, y),
            74..82 => Step::Tanh(x),
            82..87 if values[x] < 1.2 => Step::Exp(x),
            87..93 => Step::Square(x),
            93.. => Step::Relu(x),
            _ => continue,
        };
        let value = value(step, values);
        if (1e-4..4.0).contains(&value.abs()) {
            return (step, value);
        }
    }
    (Step::Tanh(x), values[x].tanh())
}

fn value(step: Step, data: &[f64]) -> f64 {
    match step {
        Step::Leaf(value) => value,
        Step::Add(x, y) => data[x] + data[y],
        Step::Sub(x, y) => data[x] - data[y],
        Step::Mul(x, y) => data[x] * data[y],
        Step::Div(x, y) => data[x] / data[y],
        Step::Tanh(x) => data[x].tanh(),
        Step::Exp(x) => data[x].exp(),
        Step::Relu(x) => data[x].max(0.0),
        Step::Square(x) => data[x] * data[x],
    }
}

/// The yardstick.
struct Tape {
    steps: Vec<Step>,
    data: Vec<f64>,
    grads: Vec<f64>,
}

impl Tape {
    fn of(steps: &[Step]) -> Tape {
        let mut tape = Tape {
            steps: steps.to_vec(),
            data: vec![0.0; steps.len()],
            grads: vec![0.0; steps.len()],
        };
        tape.forward();
        tape
    }

    fn forward(&mut self) {
        for (place, step) in self.steps.iter().enumerate() {
            self.data[place] = value(*step, &self.data);
        }
    }

    fn backward(&mut self) {
        let (data, grads) = (&self.data, &mut self.grads);
        grads.fill(0.0);
        if let Some(last) = grads.last_mut() {
            *last = 1.0;
        }
        for (place, step) in self.steps.iter().enumerate().rev() {
            let (up, out) = (grads[place], data[place]);
            match *step {
                Step::Leaf(_) => {}
                Step::Add(x, y) => {
                    grads[x] += up;
                    grads[y] += up;
                }
                Step::Sub(x, y) => {
                    grads[x] += up;
                    grads[y] -= up;
                }
                Step::Mul(x, y) => {
                    grads[x] += up * data[y];
                    grads[y] += up * data[x];
                }
                Step::Div(x, y) => {
                    grads[x] += up / data[y];
                    grads[y] -= up * out / data[y];
                }
                Step::Tanh(x) => grads[x] += up * (1.0 - out * out),
                Step::Exp(x) => grads[x] += up * out,
                Step::Relu(x) => grads[x] += if data[x] > 0.0 { up } else { 0.0 },
                Step::Square(x) => grads[x] += up * 2.0 * data[x],
            }
        }
    }
}

/// The same as nodes: all of them, leaves included.
fn nodes(steps: &[Step]) -> Vec<Rc<Node>> {
    let mut graph = Graph::default();
    let mut made: Vec<Rc<Node>> = Vec::with_capacity(steps.len());
    let mut stack = Vec::new();
    for step in steps {
        let (spelling, shape, operands) = match *step {
            Step::Leaf(value) => {
                made.push(graph.leaf(value, false));
                continue;
            }
            Step::Add(x, y) => ("+", Shape::Infix, [Some(x), Some(y)]),
            Step::Sub(x, y) => ("-", Shape::Infix, [Some(x), Some(y)]),
            Step::Mul(x, y) => ("*", Shape::Infix, [Some(x), Some(y)]),
            Step::Div(x, y) => ("/", Shape::Infix, [Some(x), Some(y)]),
            Step::Tanh(x) => ("tanh", Shape::Call, [Some(x), None]),
            Step::Exp(x) => ("exp", Shape::Call, [Some(x), None]),
            Step::Relu(x) => ("relu", Shape::Call, [Some(x), None]),
            Step::Square(x) => ("^", Shape::Infix, [Some(x), None]),
        };
        stack.extend(
            operands
                .into_iter()
                .flatten()
                .map(|place| Rc::clone(&made[place])),
        );
        if spelling == "^" {
            stack.push(graph.constant(2.0, Spelling::Plain));
        }
        let op = ops::operator(spelling, shape).expect("the table has what the bench uses");
        let count = stack.len();
        made.push(graph.apply(op, &mut stack, count));
    }
    made
}

fn measure(name: &str, steps: &[Step]) -> Vec<String> {
    let count = steps.len() as f64;
    let mut tape = Tape::of(steps);
    let tape_both = time(|| {
        tape.forward();
        tape.backward();
    }) / count;

    let made = nodes(steps);
    let root = made.last().expect("a recipe has steps");
    let leaves: Vec<Rc<Node>> = made
        .iter()
        .filter(|node| node.is_leaf())
        .map(Rc::clone)
        .collect();
    let mut pass = Pass::from(root, 0);
    let lead = pass.grad(&made[0]).unwrap_or(0.0);
    assert!(
        (lead - tape.grads[0]).abs() <= 1e-6 * lead.abs(),
        "tape and nodes disagree: {} {lead}",
        tape.grads[0]
    );
    let order = time(|| drop(black_box(Order::below([root])))) / count;
    let forward = time(|| drop(black_box(forward::recompute(pass.order(), &leaves)))) / count;
    let backward = time(|| pass.refresh(0)) / count;

    let mut plan = Plan::of(root);
    let lower = time(|| drop(black_box(Plan::of(root)))) / count;
    let plan_both = time(|| {
        plan.forward();
        plan.backward();
    }) / count;

    let mut cells = vec![name.to_string()];
    cells.extend(
        [tape_both, order, forward, backward, forward + backward].map(|ns| format!("{ns:.1}")),
    );
    cells.push(format!("{:.1}x", (forward + backward) / tape_both));
    cells.extend([lower, plan_both].map(|ns| format!("{ns:.1}")));
    cells.push(format!("{:.1}x", plan_both / tape_both));
    cells
}
