//! Random programs with a fixed seed: the backward pass compared with dual numbers (forward mode) and central
//! differences.
//!
//! The dual numbers are independent of the program, with formulas of their own, and carry a bound of their rounding
//! error, so that the comparison is as tight as possible. Programs are typed as text and so also test the parser.

use crate::common::{Desk, Random};

/// A value, its derivative by one leaf, and the sum of the magnitudes of the derivative's terms.
#[derive(Clone, Copy, Debug)]
struct Dual {
    v: f64,
    d: f64,
    m: f64,
}

impl Dual {
    fn chain(self, v: f64, slope: f64) -> Dual {
        Dual {
            v,
            d: slope * self.d,
            m: (slope * self.m).abs(),
        }
    }

    fn pair(self, other: Dual, v: f64, by_self: f64, by_other: f64) -> Dual {
        Dual {
            v,
            d: by_self * self.d + by_other * other.d,
            m: (by_self * self.m).abs() + (by_other * other.m).abs(),
        }
    }
}

/// A program: leaves, then nodes that use earlier ones.
struct Program {
    leaves: Vec<f64>,
    nodes: Vec<(Form, usize, usize, f64)>,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Add,
    Sub,
    Mul,
    Div,
    Square,
    Power,
    Exp,
    Ln,
    Sqrt,
    Sin,
    Cos,
    Tanh,
    Sigmoid,
    Relu,
    Abs,
    Max,
    Min,
    If,
    Neg,
    Scale,
}

const FORMS: [Form; 20] = [
    Form::Add,
    Form::Sub,
    Form::Mul,
    Form::Div,
    Form::Square,
    Form::Power,
    Form::Exp,
    Form::Ln,
    Form::Sqrt,
    Form::Sin,
    Form::Cos,
    Form::Tanh,
    Form::Sigmoid,
    Form::Relu,
    Form::Abs,
    Form::Max,
    Form::Min,
    Form::If,
    Form::Neg,
    Form::Scale,
];

fn text(form: Form, x: &str, y: &str, k: f64) -> String {
    match form {
        Form::Add => format!("{x} + {y}"),
        Form::Sub => format!("{x} - ({y})"),
        Form::Mul => format!("({x})*{y}"),
        Form::Div => format!("{x}/(1 + {y}^2)"),
        Form::Square => format!("({x})²"),
        Form::Power => format!("(1 + abs({x}))^{y}"),
        Form::Exp => format!("exp({x}/4)"),
        Form::Ln => format!("ln(1 + {x}*{x})"),
        Form::Sqrt => format!("√(1 + {x}**2)"),
        Form::Sin => format!("{x}.sin()"),
        Form::Cos => format!("cos({x})"),
        Form::Tanh => format!("{x}.tanh()"),
        Form::Sigmoid => format!("sigmoid({x})"),
        Form::Relu => format!("relu({x})"),
        Form::Abs => format!("abs({x})"),
        Form::Max => format!("max({x}, {y}, 0.1)"),
        Form::Min => format!("min({x}, {y})"),
        Form::If => format!("if({x} < {y}, {x}*{y}, {x} - 2{y})"),
        Form::Neg => format!("-{x}"),
        Form::Scale => format!("{k}{x} - 1"),
    }
}

fn dual(form: Form, x: Dual, y: Dual, k: f64) -> Dual {
    match form {
        Form::Add => x.pair(y, x.v + y.v, 1.0, 1.0),
        Form::Sub => x.pair(y, x.v - y.v, 1.0, -1.0),
        Form::Mul => x.pair(y, x.v * y.v, y.v, x.v),
        Form::Div => {
            let below = 1.0 + y.v * y.v;
            x.pair(
                y,
                x.v / below,
                1.0 / below,
                -2.0 * x.v * y.v / (below * below),
            )
        }
        Form::Square => x.chain(x.v * x.v, 2.0 * x.v),
        Form::Power => {
            let base = 1.0 + x.v.abs();
            let value = (y.v * base.ln()).exp();
            let sign = if x.v > 0.0 { 1.0 } else { -1.0 };
            x.pair(y, value, sign * y.v * value / base, value * base.ln())
        }
        Form::Exp => x.chain((x.v / 4.0).exp(), (x.v / 4.0).exp() / 4.0),
        Form::Ln => x.chain((1.0 + x.v * x.v).ln(), 2.0 * x.v / (1.0 + x.v * x.v)),
        Form::Sqrt => x.chain((1.0 + x.v * x.v).sqrt(), x.v / (1.0 + x.v * x.v).sqrt()),
        Form::Sin => x.chain(x.v.sin(), x.v.cos()),
        Form::Cos => x.chain(x.v.cos(), -x.v.sin()),
        Form::Tanh => x.chain(x.v.tanh(), 1.0 / x.v.cosh().powi(2)),
        Form::Sigmoid => x.chain(
            1.0 / (1.0 + (-x.v).exp()),
            0.25 / (x.v / 2.0).cosh().powi(2),
        ),
        Form::Relu => x.chain(x.v.max(0.0), if x.v > 0.0 { 1.0 } else { 0.0 }),
        Form::Abs => x.chain(x.v.abs(), if x.v > 0.0 { 1.0 } else { -1.0 }),
        Form::Max if x.v.max(y.v) < 0.1 => x.chain(0.1, 0.0),
        Form::Max => {
            if x.v > y.v {
                x
            } else {
                y
            }
        }
        Form::Min => {
            if x.v < y.v {
                x
            } else {
                y
            }
        }
        Form::If if x.v < y.v => x.pair(y, x.v * y.v, y.v, x.v),
        Form::If => x.pair(y, x.v - 2.0 * y.v, 1.0, -2.0),
        Form::Neg => x.chain(-x.v, -1.0),
        Form::Scale => x.chain(k * x.v - 1.0, k),
    }
}

impl Program {
    fn random(random: &mut Random) -> Program {
        let leaves: Vec<f64> = (0..2 + random.below(3))
            .map(|_| (random.unit() - 0.5) * 4.0)
            .collect();
        let mut nodes = Vec::new();
        for _ in 0..3 + random.below(12) {
            let known = leaves.len() + nodes.len();
            let scale = (random.unit() * 8.0).round() / 4.0 + 0.25;
            nodes.push((
                FORMS[random.below(FORMS.len())],
                random.below(known),
                random.below(known),
                scale,
            ));
        }
        Program { leaves, nodes }
    }

    /// The last node and its derivative by one leaf, for these values of the leaves. `None` if a value becomes too
    /// large, or if two values are so close that there may be a kink between them.
    fn forward(&self, leaves: &[f64], by: usize) -> Option<Dual> {
        let mut known: Vec<Dual> = (leaves.iter().enumerate())
            .map(|(place, &v)| Dual {
                v,
                d: f64::from(place == by),
                m: f64::from(place == by),
            })
            .collect();
        for &(form, x, y, k) in &self.nodes {
            let (one, other) = (known[x], known[y]);
            let near = |a: f64, b: f64| (a - b).abs() < 1e-3;
            let compares = matches!(form, Form::Max | Form::Min | Form::If);
            let kinked = matches!(form, Form::Relu | Form::Abs | Form::Power) && near(one.v, 0.0)
                || compares && near(one.v, other.v)
                || matches!(form, Form::Max) && near(one.v.max(other.v), 0.1);
            // A node compared with itself is always a tie, which this test does not cover.
            if kinked {
                return None;
            }
            let next = dual(form, one, other, k);
            if !next.v.is_finite() || next.v.abs() > 50.0 {
                return None;
            }
            known.push(next);
        }
        known.last().copied()
    }

    fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = (self.leaves.iter().enumerate())
            .map(|(at, v)| format!("n{at} = {v:?};"))
            .collect();
        for (place, &(form, x, y, k)) in self.nodes.iter().enumerate() {
            let place = place + self.leaves.len();
            lines.push(format!(
                "n{place} = {};",
                text(form, &format!("n{x}"), &format!("n{y}"), k)
            ));
        }
        lines
    }
}

#[test]
fn the_pass_agrees_with_duals_and_differences() {
    let mut random = Random(2026);
    let (mut tried, mut compared) = (0, 0);
    while tried < 1_500 {
        let program = Program::random(&mut random);
        if program.forward(&program.leaves, 0).is_none() {
            continue;
        }
        tried += 1;
        let mut desk = Desk::with(&program.lines());
        let last = program.leaves.len() + program.nodes.len() - 1;
        desk.line(&format!(":grad n{last};"));
        for (place, &at) in program.leaves.iter().enumerate() {
            let Some(want) = program.forward(&program.leaves, place) else {
                continue;
            };
            let got = desk.grad(&format!("n{place}"));
            let lines = program.lines().join("\n");
            let allowed = 1e-12 * want.m.max(want.d.abs());
            assert!(
                (got - want.d).abs() <= allowed,
                "n{place}: {got} is not {} in\n{lines}",
                want.d
            );
            let value = desk.value(&format!("n{last}"));
            assert!(
                (value - want.v).abs() <= 1e-12 * (1.0 + want.v.abs()),
                "{value} is not {} in\n{lines}",
                want.v
            );
            let h = 1e-5;
            let moved = |by: f64| {
                let mut leaves = program.leaves.clone();
                leaves[place] = at + by;
                program.forward(&leaves, place).map(|dual| dual.v)
            };
            if let (Some(above), Some(below)) = (moved(h), moved(-h)) {
                let difference = (above - below) / (2.0 * h);
                let allowed = 1e-5 * want.m.max(1.0);
                assert!(
                    (got - difference).abs() <= allowed,
                    "n{place}: {got} is not {difference} in\n{lines}"
                );
                compared += 1;
            }
        }
    }
    assert!(
        compared > 3_000,
        "only {compared} slopes were compared with differences"
    );
}

#[test]
fn derivatives_as_nodes_agree_with_the_pass_and_with_differences() {
    let mut random = Random(1_871);
    let (mut tried, mut compared) = (0, 0);
    while tried < 400 {
        let program = Program::random(&mut random);
        if program.forward(&program.leaves, 0).is_none() {
            continue;
        }
        tried += 1;
        let mut desk = Desk::with(&program.lines());
        let lines = program.lines().join("\n");
        let last = program.leaves.len() + program.nodes.len() - 1;
        desk.line(&format!(":grad n{last};"));
        for place in 0..program.leaves.len() {
            let Some(want) = program.forward(&program.leaves, place) else {
                continue;
            };
            let pass = desk.grad(&format!("n{place}"));
            let node = desk.value(&format!("grad(n{last}, n{place})"));
            let allowed = 1e-12 * want.m.max(want.d.abs());
            assert!(
                (node - pass).abs() <= allowed,
                "by n{place}: {node}, but the pass says {pass} in\n{lines}"
            );
            let by = random.below(program.leaves.len());
            let slope = |h: f64| {
                let at = |by_h: f64| {
                    let mut leaves = program.leaves.clone();
                    leaves[by] += by_h;
                    program.forward(&leaves, place).map(|dual| dual.d)
                };
                Some((at(h)? - at(-h)?) / (2.0 * h))
            };
            let (Some(rough), Some(fine)) = (slope(1e-4), slope(1e-5)) else {
                continue;
            };
            let scale = want.m.max(fine.abs()).max(1.0);
            if (rough - fine).abs() > 1e-5 * scale {
                // The curvature is too large for a difference to give the slope.
                continue;
            }
            let second = desk.value(&format!("grad(grad(n{last}, n{place}), n{by})"));
            assert!(
                (second - fine).abs() <= 1e-4 * scale,
                "by n{place} and n{by}: {second} is not {fine} in\n{lines}"
            );
            compared += 1;
        }
    }
    assert!(
        compared > 600,
        "only {compared} second derivatives were compared"
    );
}
