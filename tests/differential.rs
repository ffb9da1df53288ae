//! Random programs over all operations: four ways to compute the same derivative must agree (differential testing).
//!
//! The reverse sweep over nodes and the plan must agree exactly, at two points each. Forward-mode dual numbers,
//! computed here from the local derivatives, must agree up to 1e-12 of the magnitude of the terms. Central differences
//! must agree as far as their accuracy allows, if the program is smooth. Whether the local derivatives themselves are
//! right is tested by `lock.rs` and `reference.rs`.
//!
//! `PROGRAMS=1000000 cargo test --release differential::` tries more; `SEED` chooses other programs, and with `PROGRAMS=1`
//! repeats the program that a failure names.

use std::fmt::Write as _;
use std::io::Write as _;
use std::rc::Rc;

use crate::common::{Random, same_bits};
use chainrule_engine::graph::gradients;
use chainrule_engine::graph::{Graph, NEWEST_FIRST, Node, NodeId, Pass, Plan, Spelling};
use chainrule_engine::ops;
use chainrule_engine::ops::{Op, Shape, TABLE};

/// The largest error of dual numbers, relative to the magnitude of the terms. (A chain of 60 products has about 1e-14.)
const DUALS: f64 = 1e-12;

/// Products below the smallest double may be lost.
const LOST: f64 = 4.0 * 5e-324;

/// A step of a program, independent of the code under test.
enum Step {
    Leaf,
    Constant,
    Apply(&'static Op, Vec<usize>),
}

/// A program: its steps, and the nodes built from them.
struct Program {
    steps: Vec<Step>,
    nodes: Vec<Rc<Node>>,
    graph: Graph,
}

/// What a run has compared.
#[derive(Default)]
struct Figures {
    /// Gradients compared with dual numbers.
    duals: u64,
    /// Gradients compared with differences.
    differences: u64,
    uses: Vec<u64>,
}

/// The values and tangents of a program at a point (forward mode), and the magnitudes of their terms.
struct Forward {
    values: Vec<f64>,
    tangents: Vec<f64>,
    magnitudes: Vec<f64>,
    /// The error of a value, in units in the last place of 1.
    blur: Vec<f64>,
    smooth: bool,
    finite: bool,
}

impl Program {
    fn random(random: &mut Random, size: usize) -> Program {
        let mut program = Program {
            steps: Vec::new(),
            nodes: Vec::new(),
            graph: Graph::default(),
        };
        for _ in 0..=random.below(5) {
            let leaf = program.graph.leaf(number(random), false);
            program.push(Step::Leaf, leaf);
        }
        while program.nodes.len() < size {
            let op = &TABLE[random.below(TABLE.len())];
            let (least, most) = op.arity();
            let many = if random.below(4) == 0 { 20 } else { 3 };
            let count = most.unwrap_or(least + random.below(many));
            let kept = program.nodes.len();
            let operands: Vec<usize> = (0..count)
                .map(|place| program.operand(random, op, place))
                .collect();
            let at = |&at: &usize| Rc::clone(&program.nodes[at]);
            let nodes: Vec<Rc<Node>> = operands.iter().map(at).collect();
            let node = program.graph.apply(op, &nodes);
            // Sessions contain NaN and infinities now and then, but not everywhere.
            let wanted = node.data().is_finite() && node.data().abs() < 1e9;
            if wanted || random.below(200) == 0 {
                program.push(Step::Apply(op, operands), node);
            } else {
                program.steps.truncate(kept);
                program.nodes.truncate(kept);
            }
        }
        program.gather(random);
        program
    }

    /// Makes a root that depends on more than the last steps: the sum of a few nodes that nothing uses.
    fn gather(&mut self, random: &mut Random) {
        let plus = ops::operator("+", Shape::Infix).expect("the operator has a row");
        let mut used = vec![false; self.steps.len()];
        for step in &self.steps {
            if let Step::Apply(_, from) = step {
                for &at in from {
                    used[at] = true;
                }
            }
        }
        let mut sum = self.root();
        for at in (0..sum).rev().filter(|&at| !used[at]).take(random.below(8)) {
            let [x, y] = [sum, at].map(|at| Rc::clone(&self.nodes[at]));
            let node = self.graph.apply_2(plus, x, y);
            if node.varies() && node.data().is_finite() {
                sum = self.push(Step::Apply(plus, vec![sum, at]), node);
            }
        }
    }

    fn push(&mut self, step: Step, node: Rc<Node>) -> usize {
        self.steps.push(step);
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// An operand: a recent node, any node or a literal. Some operations are undefined unless this operand is a whole
    /// number.
    fn operand(&mut self, random: &mut Random, op: &Op, place: usize) -> usize {
        let known = self.nodes.len();
        let counted = op.name == "polygamma" && place == 0;
        if counted {
            let order = 1 + random.below(3);
            let order = self.graph.constant(order as f64, Spelling::Plain);
            return self.push(Step::Constant, order);
        }
        match random.below(8) {
            0 => {
                let literal = self.graph.constant(number(random), Spelling::Plain);
                self.push(Step::Constant, literal)
            }
            1 | 2 => random.below(known),
            _ => known - 1 - random.below(known.min(4)),
        }
    }

    fn leaves(&self) -> impl Iterator<Item = usize> {
        (0..self.steps.len()).filter(|&at| matches!(self.steps[at], Step::Leaf))
    }

    /// The last node that depends on a leaf.
    fn root(&self) -> usize {
        (0..self.nodes.len())
            .rev()
            .find(|&at| self.nodes[at].varies())
            .expect("the first step is a leaf")
    }

    /// Forward mode with respect to a leaf, which has this data.
    fn forward(&self, by: usize, data: f64) -> Forward {
        let count = self.steps.len();
        let mut all = Forward {
            values: Vec::with_capacity(count),
            tangents: Vec::with_capacity(count),
            magnitudes: Vec::with_capacity(count),
            blur: Vec::with_capacity(count),
            smooth: true,
            finite: true,
        };
        let mut operands = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            let (value, tangent, magnitude, blur) = match step {
                Step::Leaf if at == by => (data, 1.0, 1.0, data.abs()),
                Step::Leaf | Step::Constant => {
                    let data = self.nodes[at].data();
                    (data, 0.0, 0.0, data.abs())
                }
                Step::Apply(op, from) => {
                    operands.clear();
                    operands.extend(from.iter().map(|&at| all.values[at]));
                    let value = op.value(&operands);
                    all.smooth &= !op.kinks.iter().any(|kink| (kink.holds)(&operands))
                        && op.domain.contains(&operands);
                    let (mut tangent, mut magnitude, mut blur) = (0.0, 0.0, value.abs());
                    for (place, &below) in from.iter().enumerate() {
                        let local = op.local(&operands, place, value);
                        if self.nodes[below].varies() {
                            all.finite &= local.is_finite();
                            tangent += local * all.tangents[below];
                            magnitude += local.abs() * all.magnitudes[below];
                        }
                        // A constant counts too: a large one in a sum takes digits from what is added to it.
                        if local.is_finite() {
                            blur += local.abs() * all.blur[below];
                        }
                    }
                    (value, tangent, magnitude, blur)
                }
            };
            all.finite &= value.is_finite() && magnitude.is_finite();
            all.values.push(value);
            all.tangents.push(tangent);
            all.magnitudes.push(magnitude);
            all.blur.push(blur);
        }
        all
    }

    /// The magnitudes of the upstream gradients of each node.
    fn upstream(&self, values: &[f64], root: usize) -> Vec<f64> {
        let mut up = vec![0.0; self.steps.len()];
        up[root] = 1.0;
        for at in (0..=root).rev() {
            if let Step::Apply(op, from) = &self.steps[at] {
                let operands: Vec<f64> = from.iter().map(|&at| values[at]).collect();
                for (place, &below) in from.iter().enumerate() {
                    if self.nodes[below].varies() && up[at] > 0.0 {
                        up[below] += up[at] * op.local(&operands, place, values[at]).abs();
                    }
                }
            }
        }
        up
    }

    fn check(&self, figures: &mut Figures) {
        let root = self.root();
        let pass = Pass::from(&self.nodes[root], &self.graph);
        engines_agree(&pass);
        let grads: Vec<Option<f64>> = self.nodes.iter().map(|node| pass.grad(node)).collect();
        for leaf in self.leaves() {
            let Some(grad) = grads[leaf] else { continue };
            let at = self.forward(leaf, self.nodes[leaf].data());
            for (value, node) in at.values.iter().zip(&self.nodes) {
                assert!(
                    same_bits(*value, node.data()),
                    "node {}: {value}",
                    node.id()
                );
            }
            if !at.finite {
                continue;
            }
            let magnitude = at.magnitudes[root];
            let up = self.upstream(&at.values, root);
            let lost: f64 = up.iter().chain(&at.magnitudes).sum::<f64>() * LOST;
            if !lost.is_finite() {
                continue;
            }
            let error = (grad - at.tangents[root]).abs();
            assert!(
                error <= DUALS * magnitude + lost,
                "n{leaf}: the pass gives {grad:e}, forward mode {:e}",
                at.tangents[root]
            );
            figures.duals += 1;
            if let Some((difference, allowed)) = self.difference(leaf, root, &at, lost) {
                assert!(
                    (grad - difference).abs() <= allowed,
                    "n{leaf}: the pass gives {grad:e}, differences {difference:e} ± {allowed:e}"
                );
                figures.differences += 1;
            }
        }
    }

    /// The central difference and its possible error. `None` if the program is not smooth there: at a kink, or if the
    /// derivative changes much or the value jumps within the step.
    fn difference(&self, leaf: usize, root: usize, at: &Forward, lost: f64) -> Option<(f64, f64)> {
        // The step is limited so that no node moves far: across several periods of a fast wave, differences mean
        // nothing.
        let fastest = at
            .tangents
            .iter()
            .fold(0.0, |most: f64, it| most.max(it.abs()));
        let h = (1e-5 * self.nodes[leaf].data().abs().max(1e-3)).min(1e-3 / fastest);
        if h < 1e-11 * self.nodes[leaf].data().abs() {
            return None;
        }
        let near: Vec<Forward> = [-h, -h / 2.0, h / 2.0, h]
            .iter()
            .map(|&by| self.forward(leaf, self.nodes[leaf].data() + by))
            .collect();
        if !at.smooth || near.iter().any(|near| !near.finite || !near.smooth) {
            return None;
        }
        if near.iter().any(|near| self.jumps(at, near)) {
            return None;
        }
        let slope = at.tangents[root];
        let spread = near
            .iter()
            .map(|near| (near.tangents[root] - slope).abs())
            .fold(0.0, f64::max);
        let (wide, narrow) = (
            (near[3].values[root] - near[0].values[root]) / (2.0 * h),
            (near[2].values[root] - near[1].values[root]) / h,
        );
        // Values are exact up to a few units in the last place, and errors propagate with the derivatives.
        let blur = near.iter().map(|near| near.blur[root]).fold(0.0, f64::max);
        let allowed = 2.0 * spread
            + (64.0 * f64::EPSILON * blur + lost) / h
            + 1e-9 * at.magnitudes[root]
            + lost;
        let scale = at.magnitudes[root].max(slope.abs());
        let telling = allowed <= 0.05 * scale || scale == 0.0 && allowed < 1e-3;
        (telling && (wide - narrow).abs() <= allowed).then_some((narrow, allowed))
    }

    /// Does a node jump between two points, such as a step function or a remainder? (Differences cannot detect it if
    /// there are many jumps in between.)
    fn jumps(&self, one: &Forward, other: &Forward) -> bool {
        self.steps.iter().enumerate().any(|(at, step)| {
            let Step::Apply(op, from) = step else {
                return false;
            };
            let operands = |point: &Forward| -> Vec<f64> {
                from.iter().map(|&below| point.values[below]).collect()
            };
            let (here, there) = (operands(one), operands(other));
            let flat = (0..from.len()).all(|place| op.local(&here, place, one.values[at]) == 0.0);
            let quotient = |a: &[f64]| (a[0] / a[1]).floor();
            let teeth = || (quotient(&here) - quotient(&there)).abs();
            flat && one.values[at] != other.values[at] && !op.kinks.is_empty()
                || matches!(op.name, "modulo" | "rem")
                    && (teeth() != 0.0 || quotient(&here).abs() > 1e15)
        })
    }

    /// Changes the data of the leaves in the nodes and in the plan, and compares again.
    fn engines_agree_elsewhere(&mut self, random: &mut Random) {
        let root = Rc::clone(&self.nodes[self.root()]);
        let mut pass = Pass::from(&root, &self.graph);
        let mut plan = Plan::of(&root);
        let leaves: Vec<Rc<Node>> = self.leaves().map(|at| Rc::clone(&self.nodes[at])).collect();
        for leaf in &leaves {
            let data = number(random);
            self.graph.set(leaf, data);
            if let Some(slot) = plan.order().slot(leaf) {
                plan.set(slot, data);
            }
        }
        self.graph.recompute(&leaves, NodeId::MAX, |_, _| {});
        pass.refresh(&self.graph);
        plan.forward(None);
        plan.backward();
        assert!(same_bits(plan.root_data(), root.data()));
        let swept = gradients(pass.order(), &root, |_| {});
        for ((swept, again), planned) in swept.iter().zip(pass.grads()).zip(plan.grads()) {
            assert!(
                same_bits(*swept, *planned) && same_bits(*swept, *again),
                "after a change: {swept}, {again}, {planned}"
            );
        }
    }

    /// The program as text, to investigate a failure.
    fn listing(&self) -> String {
        let mut out = String::new();
        for (at, step) in self.steps.iter().enumerate().take(200) {
            let data = self.nodes[at].data();
            let _ = match step {
                Step::Leaf => writeln!(out, "n{at} = {data:?}"),
                Step::Constant => writeln!(out, "n{at} = {data:?} (a literal)"),
                Step::Apply(op, from) => {
                    writeln!(out, "n{at} = {} of {from:?} = {data:?}", op.name)
                }
            };
        }
        out
    }
}

/// Compares the sweep and the plan at the present data.
fn engines_agree(pass: &Pass) {
    let mut plan = Plan::of(pass.root());
    plan.forward(None);
    plan.backward();
    assert!(same_bits(plan.root_data(), pass.root().data()));
    for (place, node) in pass.order().nodes().iter().enumerate() {
        let (swept, planned) = (pass.grads()[place], plan.grads()[place]);
        assert!(
            same_bits(swept, planned),
            "node {}: the sweep gives {swept}, the plan {planned}",
            node.id()
        );
    }
}

/// A number as people type it, or sometimes a special one.
fn number(random: &mut Random) -> f64 {
    const EDGES: [f64; 16] = [
        0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 3.0, 10.0, 1e-9, 1e-160, 1e9, 1e160, 20.0, -20.0, 1e-320,
        700.0,
    ];
    match random.below(40) {
        0 => [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX][random.below(4)],
        1..=5 => EDGES[random.below(EDGES.len())],
        6..=9 => (random.below(13) as f64 - 6.0) / 2.0,
        10..=14 => random.unit() * 40.0 - 20.0,
        _ => random.unit() * 4.0 - 2.0,
    }
}

/// Prints which program fails when it is dropped during a panic.
struct Told<'p>(u64, &'p Program);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = writeln!(
                std::io::stderr(),
                "PROGRAMS=1 SEED={} is this program:\n{}",
                self.0,
                self.1.listing()
            );
        }
    }
}

fn run(first: u64, programs: u64) -> Figures {
    let mut figures = Figures {
        uses: vec![0; TABLE.len()],
        ..Figures::default()
    };
    for seed in first..first.wrapping_add(programs) {
        let mut random = Random(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
        // Mostly sizes that people write; some above the size at which the order of a pass is determined differently.
        let size = match random.below(1_000) {
            0 => NEWEST_FIRST + 500 + random.below(500),
            1..=20 => 100 + random.below(300),
            _ => 4 + random.below(40),
        };
        let mut program = Program::random(&mut random, size);
        let told = Told(seed, &program);
        program.check(&mut figures);
        drop(told);
        program.engines_agree_elsewhere(&mut random);
        for step in &program.steps {
            if let Step::Apply(op, _) = step {
                figures.uses[usize::from(op.row)] += 1;
            }
        }
    }
    figures
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number"))
    })
}

#[test]
fn the_ways_to_a_derivative_agree() {
    let programs = from_environment("PROGRAMS", 10_000);
    let figures = run(from_environment("SEED", 1), programs);
    if programs < 10_000 {
        return;
    }
    assert!(figures.duals > 14_000, "only {} duals", figures.duals);
    assert!(
        figures.differences > 5_000,
        "only {} differences",
        figures.differences
    );
    for (op, uses) in TABLE.iter().zip(&figures.uses) {
        assert!(*uses > 20, "{} was used {uses} times only", op.name);
    }
}
