//! The graphs that are measured, as recipes: one step for each node, with operands by index. Made from fixed seeds.
//!
//! A recipe can be built as nodes, and it can run as a flat tape. The tape is the yardstick: what one would write for
//! speed alone, without names, notes or special rules for exact zeros.

use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::LazyLock;

use chainrule_engine::graph::{Graph, Node, Spelling};
use chainrule_engine::ops;
use chainrule_engine::ops::{Op, Shape};

use super::Random;

/// A node to be built. Operands are indices of earlier steps.
#[derive(Clone, Copy)]
pub enum Step {
    Leaf(f64),
    /// A constant.
    Number(f64),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
    Div(usize, usize),
    Tanh(usize),
    Exp(usize),
    Relu(usize),
    Power(usize, f64),
    /// The sum of a range of [`Recipe::terms`].
    Sum(usize, usize),
}

/// The operations that recipes use: looked up once, so that no measurement contains it.
static OPS: LazyLock<[&'static Op; 9]> = LazyLock::new(|| {
    let [add, sub, mul, div, power] = ["+", "-", "*", "/", "^"]
        .map(|it| ops::operator(it, Shape::Infix).expect("the table has what the bench uses"));
    let [tanh, exp, relu, sum] = ["tanh", "exp", "relu", "sum"]
        .map(|it| ops::function(it, 1).expect("the table has what the bench uses"));
    [add, sub, mul, div, power, tanh, exp, relu, sum]
});

/// Steps, operands first; the last one is the root.
#[derive(Default)]
pub struct Recipe {
    pub steps: Vec<Step>,
    pub terms: Vec<usize>,
}

/// How a recipe adds up many terms.
#[derive(Clone, Copy)]
pub enum Sums {
    /// One addition after the other.
    Chains,
    /// In one operation.
    Whole,
}

impl Recipe {
    /// The sum of these steps.
    fn sum(&mut self, terms: &[usize], sums: Sums) -> usize {
        if let Sums::Whole = sums {
            let from = self.terms.len();
            self.terms.extend(terms);
            return self.put(Step::Sum(from, self.terms.len()));
        }
        let (first, others) = terms.split_first().expect("a sum has terms");
        let add = |sum, term: &usize| self.put(Step::Add(sum, *term));
        others.iter().fold(*first, add)
    }

    fn put(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// The number of operations.
    pub fn operations(&self) -> usize {
        let given = |step: &&Step| matches!(step, Step::Leaf(_) | Step::Number(_));
        self.steps.len() - self.steps.iter().filter(given).count()
    }

    /// The indices of its leaves.
    pub fn leaves(&self) -> Vec<usize> {
        let places = self.steps.iter().enumerate();
        places
            .filter(|(_, step)| matches!(step, Step::Leaf(_)))
            .map(|(place, _)| place)
            .collect()
    }

    /// The recipe as lines of the calculator, one for each node. The root is also named `v`.
    pub fn script(&self) -> String {
        let mut text = String::new();
        let name = |place: &usize| match self.steps[*place] {
            Step::Number(value) if value < 0.0 => format!("({value})"),
            Step::Number(value) => format!("{value}"),
            _ => format!("v{place}"),
        };
        for (place, step) in self.steps.iter().enumerate() {
            let expression = match step {
                Step::Number(_) => continue,
                Step::Leaf(value) => format!("{value}"),
                Step::Add(x, y) => format!("{} + {}", name(x), name(y)),
                Step::Sub(x, y) => format!("{} - {}", name(x), name(y)),
                Step::Mul(x, y) => format!("{} * {}", name(x), name(y)),
                Step::Div(x, y) => format!("{} / {}", name(x), name(y)),
                Step::Tanh(x) => format!("tanh({})", name(x)),
                Step::Exp(x) => format!("exp({})", name(x)),
                Step::Relu(x) => format!("relu({})", name(x)),
                Step::Power(x, by) => format!("{} ^ {by}", name(x)),
                Step::Sum(from, to) => {
                    let terms: Vec<String> = self.terms[*from..*to].iter().map(name).collect();
                    format!("sum({})", terms.join(", "))
                }
            };
            let _ = writeln!(text, "v{place} = {expression};");
        }
        let _ = writeln!(text, "v = v{};", self.steps.len() - 1);
        text
    }

    /// The recipe for other programs: a line for each step, with its name, and the places of its operands or its number.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let _ = match *step {
                Step::Leaf(value) => writeln!(text, "leaf {value}"),
                Step::Number(value) => writeln!(text, "number {value}"),
                Step::Add(x, y) => writeln!(text, "add {x} {y}"),
                Step::Sub(x, y) => writeln!(text, "sub {x} {y}"),
                Step::Mul(x, y) => writeln!(text, "mul {x} {y}"),
                Step::Div(x, y) => writeln!(text, "div {x} {y}"),
                Step::Tanh(x) => writeln!(text, "tanh {x}"),
                Step::Exp(x) => writeln!(text, "exp {x}"),
                Step::Relu(x) => writeln!(text, "relu {x}"),
                Step::Power(x, by) => writeln!(text, "power {x} {by}"),
                Step::Sum(from, to) => {
                    let terms = self.terms[from..to].iter();
                    let terms: String = terms.map(|term| format!(" {term}")).collect();
                    writeln!(text, "sum{terms}")
                }
            };
        }
        text
    }

    /// The recipe as nodes: all of them in order, including leaves. They are made as a session makes them.
    pub fn nodes(&self, graph: &mut Graph) -> Vec<Rc<Node>> {
        let [add, sub, mul, div, power, tanh, exp, relu, total] = *OPS;
        let mut made: Vec<Rc<Node>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let node = |place: usize| Rc::clone(&made[place]);
            made.push(match *step {
                Step::Leaf(value) => graph.leaf(value, false),
                Step::Number(value) => graph.constant(value, Spelling::Plain),
                Step::Add(x, y) => graph.apply_2(add, node(x), node(y)),
                Step::Sub(x, y) => graph.apply_2(sub, node(x), node(y)),
                Step::Mul(x, y) => graph.apply_2(mul, node(x), node(y)),
                Step::Div(x, y) => graph.apply_2(div, node(x), node(y)),
                Step::Tanh(x) => graph.apply_1(tanh, node(x)),
                Step::Exp(x) => graph.apply_1(exp, node(x)),
                Step::Relu(x) => graph.apply_1(relu, node(x)),
                Step::Power(x, by) => {
                    let by = graph.constant(by, Spelling::Plain);
                    graph.apply_2(power, node(x), by)
                }
                Step::Sum(from, to) => {
                    let terms = self.terms[from..to].iter();
                    let operands: Vec<Rc<Node>> = terms.map(|&place| node(place)).collect();
                    graph.apply_many(total, Rc::new(operands.into()))
                }
            });
        }
        made
    }
}

/// `o = tanh(x1*w1 + x2*w2 + b)`.
pub fn neuron() -> Recipe {
    let mut recipe = Recipe::default();
    let [x1, x2, w1, w2, b] =
        [2.0, 0.0, -3.0, 1.0, 6.881_373_587_019_543].map(|value| recipe.put(Step::Leaf(value)));
    let first = recipe.put(Step::Mul(x1, w1));
    let second = recipe.put(Step::Mul(x2, w2));
    let sum = recipe.put(Step::Add(first, second));
    let sum = recipe.put(Step::Add(sum, b));
    recipe.put(Step::Tanh(sum));
    recipe
}

/// A chain that multiplies by 0.999999 and adds 1e-6 in turns.
pub fn chain(count: usize) -> Recipe {
    let mut recipe = Recipe::default();
    let [mut last, by, more] = [0.75, 0.999_999, 1e-6].map(|value| recipe.put(Step::Leaf(value)));
    for link in 0..count {
        last = recipe.put(if link % 2 == 0 {
            Step::Mul(last, by)
        } else {
            Step::Add(last, more)
        });
    }
    recipe
}

/// A layered random graph: `count` operations in 24 layers and a balanced sum of the last layer. First operands come
/// from the layer before, shuffled in blocks of 64, so that each node of it is used. Second operands come from that
/// layer or from anywhere before.
pub fn dag(count: usize) -> Recipe {
    const LAYERS: usize = 24;
    let mut random = Random(42);
    let width = ((count + 1) / (LAYERS + 1)).max(2);
    let rest = count - (LAYERS * width + width - 1);
    let leaves = (count / 50).max(8);
    let mut recipe = Recipe::default();
    for _ in 0..leaves {
        let size = 0.1 + 1.9 * random.unit();
        let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
        recipe.put(Step::Leaf((sign * size * 1e6).round() / 1e6));
    }
    let mut values = Tape::of(&recipe).data;
    let mut layer = 0..leaves;
    for number in 0..LAYERS {
        let first = recipe.steps.len();
        let mut shuffled: Vec<usize> = layer.clone().collect();
        for block in shuffled.chunks_mut(64) {
            for last in (1..block.len()).rev() {
                block.swap(last, random.below(last + 1));
            }
        }
        let many = width + if number == 0 { rest } else { 0 };
        for place in 0..many {
            let x = shuffled[if place < shuffled.len() && shuffled.len() <= many {
                place
            } else {
                place * shuffled.len() / many
            }];
            let y = if random.below(2) == 0 {
                random.below(first)
            } else {
                layer.start + random.below(layer.len())
            };
            let (step, value) = fitting(&mut random, &values, x, y);
            recipe.put(step);
            values.push(value);
        }
        layer = first..recipe.steps.len();
    }
    let mut open: Vec<usize> = layer.collect();
    while open.len() > 1 {
        let pairs = open.chunks(2).map(|pair| match *pair {
            [left, right] => recipe.put(Step::Add(left, right)),
            _ => pair[0],
        });
        open = pairs.collect();
    }
    recipe
}

/// A random operation whose value stays small; `tanh` if six tries find none.
fn fitting(random: &mut Random, values: &[f64], x: usize, y: usize) -> (Step, f64) {
    for _ in 0..6 {
        let step = match random.below(100) {
            0..25 => Step::Add(x, y),
            25..38 => Step::Sub(x, y),
            38..66 => Step::Mul(x, y),
            66..74 if values[y].abs() >= 0.3 => Step::Div(x, y),
            74..82 => Step::Tanh(x),
            82..87 if values[x] <= 1.2 => Step::Exp(x),
            87..93 => match [2.0, 3.0, 2.0, 0.5][random.below(4)] {
                0.5 if values[x] < 0.1 => continue,
                by => Step::Power(x, by),
            },
            93.. => Step::Relu(x),
            _ => continue,
        };
        let value = value(step, &[], values);
        let small = 1e-4..=4.0;
        if small.contains(&value.abs()) || matches!(step, Step::Relu(_)) && value == 0.0 {
            return (step, value);
        }
    }
    (Step::Tanh(x), values[x].tanh())
}

/// The demo of micrograd: a network of 2, 16, 16 and 1 relu neurons over 100 points of two moons, with the max-margin
/// loss and a small penalty on the squared weights. Built sample by sample, as one would write it.
pub fn moons(sums: Sums) -> Recipe {
    let mut random = Random(1337);
    let mut recipe = Recipe::default();
    let sizes = [2, 16, 16, 1];
    let mut layers: Vec<Vec<Vec<usize>>> = Vec::new();
    for pair in sizes.windows(2) {
        let mut neuron = || {
            let weights = (0..pair[0]).map(|_| 2.0 * random.unit() - 1.0);
            let all = weights.chain([0.0]);
            all.map(|value| recipe.put(Step::Leaf(value))).collect()
        };
        layers.push((0..pair[1]).map(|_| neuron()).collect());
    }
    let mut losses = Vec::new();
    for sample in 0..100_u32 {
        let turn = std::f64::consts::PI * f64::from(sample / 2) / 49.0;
        let (x, y, label) = if sample % 2 == 0 {
            (turn.cos(), turn.sin(), -1.0)
        } else {
            (1.0 - turn.cos(), 0.5 - turn.sin(), 1.0)
        };
        let mut values: Vec<usize> = [x, y]
            .map(|at| recipe.put(Step::Number(at + 0.1 * random.normal())))
            .to_vec();
        for (number, layer) in layers.iter().enumerate() {
            let mut outputs = Vec::new();
            for neuron in layer {
                let (bias, weights) = neuron.split_last().expect("a neuron has a bias");
                let sum = match sums {
                    Sums::Chains => {
                        let mut sum = *bias;
                        for (weight, value) in weights.iter().zip(&values) {
                            let product = recipe.put(Step::Mul(*weight, *value));
                            sum = recipe.put(Step::Add(sum, product));
                        }
                        sum
                    }
                    Sums::Whole => {
                        let pairs = weights.iter().zip(&values);
                        let product = |(&weight, &value)| recipe.put(Step::Mul(weight, value));
                        let products: Vec<usize> = pairs.map(product).collect();
                        let sum = recipe.sum(&products, sums);
                        recipe.put(Step::Add(sum, *bias))
                    }
                };
                let last = number + 1 == layers.len();
                outputs.push(if last {
                    sum
                } else {
                    recipe.put(Step::Relu(sum))
                });
            }
            values = outputs;
        }
        let sign = recipe.put(Step::Number(-label));
        let margin = recipe.put(Step::Mul(sign, values[0]));
        let one = recipe.put(Step::Number(1.0));
        let short = recipe.put(Step::Add(one, margin));
        losses.push(recipe.put(Step::Relu(short)));
    }
    let scaled_sum = |built: &mut Recipe, terms: &[usize], factor: f64| {
        let sum = built.sum(terms, sums);
        let number = built.put(Step::Number(factor));
        built.put(Step::Mul(sum, number))
    };
    let loss = scaled_sum(&mut recipe, &losses, 0.01);
    let weights: Vec<usize> = layers.into_iter().flatten().flatten().collect();
    let squares = weights.into_iter();
    let squares: Vec<usize> = squares.map(|at| recipe.put(Step::Mul(at, at))).collect();
    let size = scaled_sum(&mut recipe, &squares, 1e-4);
    recipe.put(Step::Add(loss, size));
    recipe
}

fn value(step: Step, terms: &[usize], data: &[f64]) -> f64 {
    match step {
        Step::Leaf(value) | Step::Number(value) => value,
        Step::Add(x, y) => data[x] + data[y],
        Step::Sub(x, y) => data[x] - data[y],
        Step::Mul(x, y) => data[x] * data[y],
        Step::Div(x, y) => data[x] / data[y],
        Step::Tanh(x) => data[x].tanh(),
        Step::Exp(x) => data[x].exp(),
        Step::Relu(x) => data[x].max(0.0),
        Step::Power(x, by) => data[x].powf(by),
        Step::Sum(from, to) => terms[from..to].iter().map(|&term| data[term]).sum(),
    }
}

/// The yardstick: a flat tape of twelve bytes for each operation.
pub struct Tape {
    codes: Vec<Code>,
    numbers: Vec<f64>,
    terms: Vec<usize>,
    pub data: Vec<f64>,
    pub grads: Vec<f64>,
}

/// An operation with the indices of its operands; for a power, `y` is the index of the exponent in `numbers`; for a sum
/// they are a range of `terms`.
#[derive(Clone, Copy)]
struct Code {
    kind: Kind,
    x: u32,
    y: u32,
}

#[derive(Clone, Copy)]
enum Kind {
    Given,
    Add,
    Sub,
    Mul,
    Div,
    Tanh,
    Exp,
    Relu,
    Power,
    Sum,
}

impl Tape {
    /// The tape of a recipe, with its values computed once.
    pub fn of(recipe: &Recipe) -> Tape {
        let mut numbers = Vec::new();
        let mut data = Vec::with_capacity(recipe.steps.len());
        let mut codes = Vec::with_capacity(recipe.steps.len());
        for step in &recipe.steps {
            let (kind, x, y) = match *step {
                Step::Leaf(_) | Step::Number(_) => (Kind::Given, 0, 0),
                Step::Add(x, y) => (Kind::Add, x, y),
                Step::Sub(x, y) => (Kind::Sub, x, y),
                Step::Mul(x, y) => (Kind::Mul, x, y),
                Step::Div(x, y) => (Kind::Div, x, y),
                Step::Tanh(x) => (Kind::Tanh, x, 0),
                Step::Exp(x) => (Kind::Exp, x, 0),
                Step::Relu(x) => (Kind::Relu, x, 0),
                Step::Power(x, by) => {
                    numbers.push(by);
                    (Kind::Power, x, numbers.len() - 1)
                }
                Step::Sum(from, to) => (Kind::Sum, from, to),
            };
            let (x, y) = (x as u32, y as u32);
            codes.push(Code { kind, x, y });
            data.push(value(*step, &recipe.terms, &data));
        }
        let grads = vec![0.0; data.len()];
        Tape {
            codes,
            numbers,
            terms: recipe.terms.clone(),
            data,
            grads,
        }
    }

    /// Computes all values except those of leaves.
    pub fn forward(&mut self) {
        let data = &mut self.data;
        for (place, code) in self.codes.iter().enumerate() {
            let (x, y) = (code.x as usize, code.y as usize);
            data[place] = match code.kind {
                Kind::Given => continue,
                Kind::Add => data[x] + data[y],
                Kind::Sub => data[x] - data[y],
                Kind::Mul => data[x] * data[y],
                Kind::Div => data[x] / data[y],
                Kind::Tanh => data[x].tanh(),
                Kind::Exp => data[x].exp(),
                Kind::Relu => data[x].max(0.0),
                Kind::Power => data[x].powf(self.numbers[y]),
                Kind::Sum => self.terms[x..y].iter().map(|&term| data[term]).sum(),
            };
        }
    }

    /// Computes all gradients.
    pub fn backward(&mut self) {
        let (data, grads) = (&self.data, &mut self.grads);
        grads.fill(0.0);
        if let Some(last) = grads.last_mut() {
            *last = 1.0;
        }
        for (place, code) in self.codes.iter().enumerate().rev() {
            let (up, out) = (grads[place], data[place]);
            let (x, y) = (code.x as usize, code.y as usize);
            match code.kind {
                Kind::Given => {}
                Kind::Add => {
                    grads[x] += up;
                    grads[y] += up;
                }
                Kind::Sub => {
                    grads[x] += up;
                    grads[y] -= up;
                }
                Kind::Mul => {
                    grads[x] += up * data[y];
                    grads[y] += up * data[x];
                }
                Kind::Div => {
                    grads[x] += up / data[y];
                    grads[y] -= up * out / data[y];
                }
                Kind::Tanh => grads[x] += up * (1.0 - out * out),
                Kind::Exp => grads[x] += up * out,
                Kind::Relu => grads[x] += if data[x] > 0.0 { up } else { 0.0 },
                Kind::Power => grads[x] += up * self.numbers[y] * out / data[x],
                Kind::Sum => self.terms[x..y].iter().for_each(|&term| grads[term] += up),
            }
        }
    }
}
