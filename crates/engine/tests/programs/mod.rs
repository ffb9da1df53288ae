//! Random programs over all operations, for tests of everything that differentiates. They are known step by step, apart
//! from their nodes, so that other ways to the same numbers can be computed from the steps.
#![allow(dead_code)]

use std::rc::Rc;

use chainrule_engine::graph::{Graph, Node, Spelling};
use chainrule_engine::ops::{self, Op, Shape, TABLE};

/// A small random number generator with a fixed seed, so that failures can be reproduced.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits (splitmix).
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number as people type it, or sometimes a special one.
    pub fn number(&mut self) -> f64 {
        const EDGES: [f64; 16] = [
            0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 3.0, 10.0, 1e-9, 1e-160, 1e9, 1e160, 20.0, -20.0,
            1e-320, 700.0,
        ];
        match self.below(40) {
            0 => [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX][self.below(4)],
            1..=5 => EDGES[self.below(EDGES.len())],
            6..=9 => (self.below(13) as f64 - 6.0) / 2.0,
            10..=14 => self.unit() * 40.0 - 20.0,
            _ => self.unit() * 4.0 - 2.0,
        }
    }
}

/// Are two numbers the same to the bit? All NaNs are.
pub fn same_bits(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

/// The operator between two operands.
pub fn infix(spelling: &str) -> &'static Op {
    ops::operator(spelling, Shape::Infix).expect("the operator has a row")
}

pub fn function(name: &str) -> &'static Op {
    ops::function(name, 1).expect("the function has a row")
}

/// A step of a program, independent of the code under test.
pub enum Step {
    Leaf,
    Constant,
    Apply(&'static Op, Vec<usize>),
}

/// A program: its steps, and the nodes built from them.
#[derive(Default)]
pub struct Program {
    pub steps: Vec<Step>,
    pub nodes: Vec<Rc<Node>>,
    pub graph: Graph,
}

/// The values and tangents of a program at a point (forward mode), and the magnitudes of their terms.
pub struct Forward {
    pub values: Vec<f64>,
    pub tangents: Vec<f64>,
    pub magnitudes: Vec<f64>,
    /// The error of a value, in units in the last place of 1.
    pub blur: Vec<f64>,
    pub smooth: bool,
    pub finite: bool,
}

/// An operand of a step that each sample takes.
#[derive(Clone, Copy)]
enum Source {
    Shared(usize),
    Own(usize),
    /// Of the sample before, so that the operands of neighbours overlap.
    Before(usize),
}

/// A step for each sample: an operation, and its operands.
type SampleStep = (&'static Op, Vec<Source>);

impl Program {
    pub fn random(random: &mut Random, size: usize) -> Program {
        let mut program = Program::default();
        for _ in 0..=random.below(5) {
            program.leaf(random.number());
        }
        while program.nodes.len() < size {
            let op = &TABLE[random.below(TABLE.len())];
            let kept = program.nodes.len();
            let operands: Vec<usize> = (0..operand_count(op, random))
                .map(|place| program.operand(random, op, place))
                .collect();
            let data = program.apply(op, operands);
            // Sessions contain NaN and infinities now and then, but not everywhere.
            let is_usual = data.is_finite() && data.abs() < 1e9;
            if !is_usual && random.below(200) > 0 {
                program.steps.truncate(kept);
                program.nodes.truncate(kept);
            }
        }
        program.gather(random);
        program
    }

    /// The same steps for each of many samples, as in a neural network: rows of neighbours with one operation, which
    /// passes that come again compute together.
    pub fn in_step(random: &mut Random, samples: usize) -> Program {
        let is_odd = random.below(3) == 0;
        let data = |random: &mut Random| {
            if is_odd && random.below(20) == 0 {
                random.number()
            } else {
                random.unit() * 4.0 - 2.0
            }
        };
        let shared: Vec<f64> = (0..12).map(|_| data(random)).collect();
        let mut rows: Vec<Vec<f64>> = (0..5)
            .map(|_| (0..samples).map(|_| data(random)).collect())
            .collect();
        let mut steps: Vec<SampleStep> = Vec::new();
        while steps.len() < 16 {
            let op = &TABLE[random.below(TABLE.len())];
            let sources: Vec<Source> = (0..operand_count(op, random))
                .map(|_| match random.below(6) {
                    0 | 1 => Source::Shared(random.below(shared.len())),
                    2 => Source::Before(random.below(rows.len())),
                    _ => Source::Own(rows.len() - 1 - random.below(rows.len().min(6))),
                })
                .collect();
            let row: Vec<f64> = (0..samples)
                .map(|sample| {
                    let values = sources.iter().map(|source| match *source {
                        Source::Shared(at) => shared[at],
                        Source::Own(at) => rows[at][sample],
                        Source::Before(at) => rows[at][sample.saturating_sub(1)],
                    });
                    op.value(&values.collect::<Vec<f64>>())
                })
                .collect();
            let is_usual = row
                .iter()
                .all(|value| value.is_finite() && value.abs() < 1e3);
            if is_usual || is_odd && random.below(10) == 0 {
                rows.push(row);
                steps.push((op, sources));
            }
        }
        Program::of_samples(random, &shared, &rows[..5], &steps)
    }

    /// Builds sample by sample, as functions do, or row by row, as lists do.
    fn of_samples(
        random: &mut Random,
        shared: &[f64],
        inputs: &[Vec<f64>],
        steps: &[SampleStep],
    ) -> Program {
        let mut program = Program::default();
        let shared: Vec<usize> = shared.iter().map(|&data| program.leaf(data)).collect();
        let mut places: Vec<Vec<usize>> = Vec::new();
        for row in inputs {
            let place = |&data: &f64| match random.below(5) {
                0 => program.constant(data),
                _ => program.leaf(data),
            };
            places.push(row.iter().map(place).collect());
        }
        places.resize(inputs.len() + steps.len(), Vec::new());
        let samples = inputs[0].len();
        let mut turns: Vec<(usize, usize)> = (0..samples)
            .flat_map(|sample| (0..steps.len()).map(move |step| (sample, step)))
            .collect();
        if random.below(2) == 0 {
            turns.sort_by_key(|&(sample, step)| (step, sample));
        }
        for (sample, step) in turns {
            let (op, sources) = &steps[step];
            let operand = |source: &Source| match *source {
                Source::Shared(at) => shared[at],
                Source::Own(at) => places[at][sample],
                Source::Before(at) => places[at][sample.saturating_sub(1)],
            };
            let operands = sources.iter().map(operand).collect();
            program.apply(op, operands);
            places[inputs.len() + step].push(program.nodes.len() - 1);
        }
        let mut ends = places.pop().expect("there are steps");
        ends.extend(&shared);
        program.apply(function("sum"), ends);
        program
    }

    pub fn leaf(&mut self, data: f64) -> usize {
        let leaf = self.graph.leaf(data, false);
        self.push(Step::Leaf, leaf)
    }

    fn constant(&mut self, data: f64) -> usize {
        let constant = self.graph.constant(data, Spelling::Plain);
        self.push(Step::Constant, constant)
    }

    /// Takes one more step, and returns its data.
    pub fn apply(&mut self, op: &'static Op, operands: Vec<usize>) -> f64 {
        let at = |&at: &usize| Rc::clone(&self.nodes[at]);
        let nodes: Vec<Rc<Node>> = operands.iter().map(at).collect();
        let node = self.graph.apply(op, &nodes);
        let data = node.data();
        self.push(Step::Apply(op, operands), node);
        data
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
        if op.name == "polygamma" && place == 0 {
            return self.constant(1.0 + random.below(3) as f64);
        }
        match random.below(8) {
            0 => self.constant(random.number()),
            1 | 2 => random.below(known),
            _ => known - 1 - random.below(known.min(4)),
        }
    }

    /// Makes a root that depends on more than the last steps: the sum of a few nodes that nothing uses.
    fn gather(&mut self, random: &mut Random) {
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
            if self.nodes[at].data().is_finite() {
                self.apply(infix("+"), vec![sum, at]);
                sum = self.nodes.len() - 1;
            }
        }
    }

    pub fn leaves(&self) -> impl Iterator<Item = usize> {
        (0..self.steps.len()).filter(|&at| matches!(self.steps[at], Step::Leaf))
    }

    /// The last node that depends on a leaf.
    pub fn root(&self) -> usize {
        let mut places = (0..self.nodes.len()).rev();
        let root = places.find(|&at| self.nodes[at].varies());
        root.expect("the first step is a leaf")
    }

    /// The values of all steps, where the data of some is given.
    pub fn values(&self, given: &[(usize, f64)]) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.steps.len());
        for (at, step) in self.steps.iter().enumerate() {
            let data = given.iter().find(|(place, _)| *place == at);
            values.push(match (data, step) {
                (Some((_, data)), _) => *data,
                (None, Step::Apply(op, from)) => {
                    op.value(&from.iter().map(|&at| values[at]).collect::<Vec<f64>>())
                }
                (None, _) => self.nodes[at].data(),
            });
        }
        values
    }

    /// Forward mode with respect to a leaf, where some leaves have other data.
    pub fn forward(&self, by: usize, moved: &[(usize, f64)]) -> Forward {
        let count = self.steps.len();
        let mut all = Forward {
            values: self.values(moved),
            tangents: vec![0.0; count],
            magnitudes: vec![0.0; count],
            blur: vec![0.0; count],
            smooth: true,
            finite: true,
        };
        all.tangents[by] = 1.0;
        all.magnitudes[by] = 1.0;
        for (at, step) in self.steps.iter().enumerate() {
            let value = all.values[at];
            all.blur[at] = value.abs();
            if let Step::Apply(op, from) = step {
                let operands: Vec<f64> = from.iter().map(|&at| all.values[at]).collect();
                all.smooth &= !op.kinks.iter().any(|kink| (kink.holds)(&operands))
                    && op.domain.contains(&operands);
                for (place, &below) in from.iter().enumerate() {
                    let local = op.locals(&operands, value)[place];
                    if self.nodes[below].varies() {
                        all.finite &= local.is_finite();
                        all.tangents[at] += local * all.tangents[below];
                        all.magnitudes[at] += local.abs() * all.magnitudes[below];
                    }
                    // A constant counts too: a large one in a sum takes digits from what is added to it.
                    if local.is_finite() {
                        all.blur[at] += local.abs() * all.blur[below];
                    }
                }
            }
            all.finite &= value.is_finite() && all.magnitudes[at].is_finite();
        }
        all
    }

    /// Does a node jump between two points, such as a step function or a remainder? (Differences cannot detect it if there
    /// are many jumps in between.)
    pub fn jumps(&self, one: &Forward, other: &Forward) -> bool {
        self.steps.iter().enumerate().any(|(at, step)| {
            let Step::Apply(op, from) = step else {
                return false;
            };
            let operands = |point: &Forward| from.iter().map(|&at| point.values[at]).collect();
            let (here, there): (Vec<f64>, Vec<f64>) = (operands(one), operands(other));
            let flat = (0..from.len()).all(|place| op.locals(&here, one.values[at])[place] == 0.0);
            let quotient = |a: &[f64]| (a[0] / a[1]).floor();
            let teeth = || (quotient(&here) - quotient(&there)).abs();
            flat && one.values[at] != other.values[at] && !op.kinks.is_empty()
                || matches!(op.name, "modulo" | "rem")
                    && (teeth() != 0.0 || quotient(&here).abs() > 1e15)
        })
    }

    /// The program as it is typed: each step but literals has a name, `n0`, `n1` and so on.
    pub fn lines(&self) -> Vec<String> {
        let literal = |at: usize| match self.nodes[at].data() {
            data if data.is_nan() => "nan".to_string(),
            data => format!("({data:?})"),
        };
        let operand = |&at: &usize| match self.steps[at] {
            Step::Constant => literal(at),
            _ => format!("n{at}"),
        };
        let line = |(at, step): (usize, &Step)| match step {
            Step::Constant => None,
            Step::Leaf => Some(format!("n{at} = {};", literal(at))),
            Step::Apply(op, from) => {
                let operands: Vec<String> = from.iter().map(operand).collect();
                Some(format!("n{at} = {};", called(op, &operands)))
            }
        };
        self.steps.iter().enumerate().filter_map(line).collect()
    }
}

/// How many operands a random step has.
fn operand_count(op: &Op, random: &mut Random) -> usize {
    let (least, most) = op.arity();
    let many = if random.below(4) == 0 { 20 } else { 3 };
    most.unwrap_or_else(|| least + random.below(many))
}

/// How an operation is typed.
pub fn called(op: &Op, operands: &[String]) -> String {
    match op.shape {
        Shape::Infix => format!("({}{}{})", operands[0], op.spelling, operands[1]),
        Shape::Prefix => format!("({}{})", op.spelling, operands[0]),
        Shape::Postfix => format!("({}{})", operands[0], op.spelling),
        Shape::Call => format!("{}({})", op.spelling, operands.join(", ")),
    }
}
