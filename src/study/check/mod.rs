//! Gradient checking, for `:check`: compares gradients with finite differences. Works on a plan, so nothing is changed.
//!
//! In a small graph, the whole graph is evaluated again for each node that is moved. In a large graph, and where such a
//! difference is lost in rounding, the slopes of the single operations are multiplied and added instead. If gradient
//! and slope disagree, the one-sided slopes and the rows of the operations decide whether the point is a kink, has no
//! derivative, or the gradient is wrong.

mod differences;

use std::rc::Rc;

use self::differences::{BumpedFunction, BySteps, SlopeEstimate};
use crate::graph::{Node, Order, Plan, gradients, values};
use crate::session::{Error, Session};

/// A gradient and the slope it is compared with.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The node.
    pub node: Rc<Node>,
    /// Its gradient.
    pub grad: f64,
    /// The slope, from finite differences.
    pub difference: f64,
    /// The relative difference: divided by the larger of the two.
    pub error: f64,
    /// The result of the comparison.
    pub verdict: Verdict,
    /// Whether the slope was composed of those of the single operations.
    pub by_steps: bool,
    /// The node at which a convention applies or a number is missing, with the reason.
    pub because: Option<(Rc<Node>, String)>,
}

/// The result of comparing a gradient with a slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The slope equals the gradient.
    Ok,
    /// The slopes from left and right differ, and the gradient is the value between them set by convention.
    Kink,
    /// The slope grows without bound, and the gradient is infinite.
    Infinite,
    /// There is no number to compare.
    NotANumber,
    /// The slope cannot be determined well enough: the function is too rough or too steep here.
    Unclear,
    /// Slope and gradient differ.
    Wrong,
}

impl Verdict {
    /// The word for the result in tables.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Kink => "kink",
            Verdict::Infinite => "infinite",
            Verdict::NotANumber => "no number",
            Verdict::Unclear => "unclear",
            Verdict::Wrong => "wrong",
        }
    }

    /// Whether the gradient is as it should be.
    pub fn is_good(self) -> bool {
        matches!(self, Verdict::Ok | Verdict::Kink | Verdict::Infinite)
    }
}

/// The largest relative difference that counts as equal.
const TOLERANCE: f64 = 1e-6;

/// The largest product of checked nodes and nodes of the graph for which differences of the whole function are taken.
/// They take about a hundred passes for each checked node.
const MOST_WHOLE: usize = 100_000;

/// How many nodes are evaluated between two checks whether to stop.
const NODES_PER_QUESTION: usize = 1 << 14;

/// Checks the gradients of a root with respect to some of the nodes below it.
pub fn check(
    session: &Session,
    root: &Rc<Node>,
    nodes: &[Rc<Node>],
) -> Result<Vec<Checked>, Error> {
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    compare(session, &order, &grads, nodes)
}

/// Compares gradients, given in the order's sequence, with finite differences.
fn compare(
    session: &Session,
    order: &Order,
    grads: &[f64],
    nodes: &[Rc<Node>],
) -> Result<Vec<Checked>, Error> {
    let because = reason(order);
    let few = nodes.len().saturating_mul(order.nodes().len()) <= MOST_WHOLE;
    let mut whole = few.then(|| WholeFunction::of(order, grads)).flatten();
    let mut steps = None;
    let mut checked = Vec::with_capacity(nodes.len());
    for node in nodes {
        let mut row = Checked {
            node: Rc::clone(node),
            grad: 0.0,
            difference: 0.0,
            error: 0.0,
            verdict: Verdict::Ok,
            by_steps: false,
            because: None,
        };
        // The root does not depend on a node outside the order: both numbers are 0.
        if let Some(place) = order.position(node) {
            row.grad = grads[place];
            row.verdict = Verdict::Unclear;
            if let Some(whole) = &mut whole {
                let slope = whole_slope(session, whole, place, node)?;
                row.difference = slope.value;
                row.verdict = verdict(row.grad, node.data(), slope, because.is_some());
            }
            if row.verdict == Verdict::Unclear {
                let steps = match &mut steps {
                    Some(steps) => steps,
                    none => none.insert(BySteps::of(order, &*session.host())?),
                };
                row.judge_by(steps, place);
            }
            row.error = apart(row.grad, row.difference);
            row.because = (because.clone()).filter(|_| row.verdict != Verdict::Ok);
        }
        checked.push(row);
    }
    Ok(checked)
}

/// The slope of the root with respect to a node, from differences of the whole function.
fn whole_slope(
    session: &Session,
    whole: &mut WholeFunction,
    place: usize,
    node: &Node,
) -> Result<SlopeEstimate, Error> {
    let mut stopped = false;
    let size = whole.plan.order().nodes().len();
    let mut curve = BumpedFunction {
        at: node.data(),
        here: whole.here,
        rounding: whole.rounding,
        value: |bumped: f64| {
            whole.computed += size;
            if whole.computed > NODES_PER_QUESTION {
                whole.computed = 0;
                stopped |= session.host().stop();
            }
            if stopped {
                return f64::NAN;
            }
            whole.plan.set(place, bumped);
            whole.plan.forward_but(place);
            whole.plan.root_data()
        },
    };
    let slope = curve.slope();
    // Restores the plan for the next node.
    whole.plan.set(place, node.data());
    whole.plan.forward_but(place);
    if stopped {
        return Err(Error::Interrupted);
    }
    Ok(slope)
}

/// The root as a function of any node.
struct WholeFunction {
    plan: Plan,
    /// The root's data at the point itself.
    here: f64,
    /// The rounding error of the root: that of each computed node, times its grad.
    rounding: f64,
    /// How many nodes were evaluated since the last check whether to stop.
    computed: usize,
}

impl WholeFunction {
    fn of(order: &Order, grads: &[f64]) -> Option<WholeFunction> {
        let root = order.nodes().first()?;
        let computed = order.nodes().iter().zip(grads);
        let rounded = computed
            .filter(|(node, _)| !node.is_leaf())
            .map(|(node, grad)| (grad * node.data()).abs())
            .filter(|rounded| rounded.is_finite());
        Some(WholeFunction {
            plan: Plan::of(root),
            here: root.data(),
            rounding: f64::EPSILON * rounded.sum::<f64>().max(root.data().abs()),
            computed: 0,
        })
    }
}

impl Checked {
    /// Takes slope and verdict from the composed slopes.
    fn judge_by(&mut self, steps: &BySteps, place: usize) {
        let (grad, at, off) = (self.grad, self.node.data(), steps.offs[place]);
        let (slope, agreed) = (steps.slopes[place], steps.agreed[place]);
        let beside = |slope: f64| {
            let found = SlopeEstimate {
                value: slope,
                off,
                sides: (slope, slope),
                scale: steps.scales[place],
            };
            verdict(grad, at, found, false)
        };
        self.by_steps = true;
        self.difference = slope;
        self.verdict = match (beside(slope), beside(agreed)) {
            _ if grad.is_infinite() && agreed != grad => Verdict::Wrong,
            (_, Verdict::Ok) if steps.kinked[place] => Verdict::Kink,
            (Verdict::Wrong | Verdict::Unclear, Verdict::Ok) => Verdict::Kink,
            (Verdict::Wrong | Verdict::Unclear, on_agreement) => on_agreement,
            (said, _) => said,
        };
    }
}

/// The relative difference of two numbers.
fn apart(grad: f64, slope: f64) -> f64 {
    if grad == slope {
        return 0.0;
    }
    (grad - slope).abs() / grad.abs().max(slope.abs())
}

/// Judges a gradient by a slope; `kink` says that a convention applies somewhere below the root.
pub(crate) fn verdict(grad: f64, at: f64, found: SlopeEstimate, kink: bool) -> Verdict {
    let SlopeEstimate {
        value: slope,
        off,
        sides,
        scale,
    } = found;
    let size = grad.abs().max(slope.abs());
    let away = (grad - slope).abs();
    // They agree within the slope's own error bound, provided that this is small beside the slope, or beside 1.
    let agrees = apart(grad, slope) <= TOLERANCE
        || away <= 10.0 * off && off <= 1e-6 * size.max(scale).max(1e-3);
    let differ = (sides.0 - sides.1).abs() > 1e-3 * sides.0.abs().max(sides.1.abs()).max(1e-6);
    let between = sides.0.min(sides.1) - 1e-6 <= grad && grad <= sides.0.max(sides.1) + 1e-6;
    if grad.is_nan() || at.is_nan() {
        Verdict::NotANumber
    } else if grad.is_infinite() {
        // Near an infinite slope the difference quotient grows as the step shrinks.
        let steep = sides.0.abs().max(sides.1.abs()) > 1e3 || sides.0.is_nan() || sides.1.is_nan();
        if steep {
            Verdict::Infinite
        } else {
            Verdict::Wrong
        }
    } else if differ && between && kink {
        Verdict::Kink
    } else if agrees {
        Verdict::Ok
    } else if slope.is_nan() || off > 1e-3 * size || away <= 10.0 * off {
        // The slope is too uncertain to contradict the gradient.
        Verdict::Unclear
    } else {
        Verdict::Wrong
    }
}

/// The first node, operands first, at which a convention applies or that is outside its domain.
fn reason(order: &Order) -> Option<(Rc<Node>, String)> {
    for node in order.nodes().iter().rev() {
        let Some(op) = node.op() else { continue };
        let values = values(node.operands());
        if let Some(kink) = op.kinks.iter().find(|kink| (kink.holds)(&values)) {
            return Some((Rc::clone(node), format!("{}: {}", kink.at, kink.convention)));
        }
        if !op.domain.contains(&values) {
            return Some((Rc::clone(node), "it is outside its domain".to_string()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::ops;
    use crate::ops::Shape;

    /// `x1^2 + x2^2 + …`: the root and its leaves.
    fn squares(count: usize) -> (Rc<Node>, Vec<Rc<Node>>) {
        let mut graph = Graph::default();
        let op = |sign: &str| ops::operator(sign, Shape::Infix).expect("there is such a sign");
        let leaves: Vec<Rc<Node>> = (0..count)
            .map(|at| graph.leaf(at as f64 - 1.5, false))
            .collect();
        let mut made = |sign: &str, one: &Rc<Node>, other: &Rc<Node>| {
            graph.apply_2(op(sign), Rc::clone(one), Rc::clone(other))
        };
        let mut root = made("*", &leaves[0], &leaves[0]);
        for leaf in &leaves[1..] {
            let square = made("*", leaf, leaf);
            root = made("+", &root, &square);
        }
        (root, leaves)
    }

    /// A wrong gradient, such as a mistake in a row would cause, is found both by whole and by composed differences.
    #[test]
    fn a_wrong_gradient_is_found() {
        let session = Session::new();
        for count in [3, 1_000] {
            let (root, leaves) = squares(count);
            let order = Order::below([&root]);
            let right = gradients(&order, &root, |_| {});
            for (place, factor) in [(1, 2.0), (2, 1.001), (0, -1.0), (2, 0.0)] {
                let mut grads = right.clone();
                let at = order.position(&leaves[place]).expect("it is in the order");
                grads[at] *= factor;
                let checked = compare(&session, &order, &grads, &leaves).expect("it ends");
                for (row, leaf) in checked.iter().zip(0..) {
                    assert_eq!(row.by_steps, count > 3);
                    let expected = if leaf == place {
                        Verdict::Wrong
                    } else {
                        Verdict::Ok
                    };
                    assert_eq!(row.verdict, expected, "leaf {leaf} of {count}, {factor}");
                }
            }
        }
    }
}
