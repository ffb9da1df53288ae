//! Compares two formulas at numbers of their letters: the present ones, and others that are far apart and on both sides of 0,
//! so that no branch of `abs`, `max` or a condition decides alone.

use std::iter;
use std::rc::Rc;

use chainrule_engine::graph::{Node, Order, gradients};
use chainrule_engine::ops::{self, Op};
use chainrule_program::Environment as _;
use chainrule_session::{Session, Setting};
use chainrule_stop as stop;

const SUBTRACT: &Op = ops::row("subtraction");

/// The numbers of letters. Their count has no divisor in common with [`STRIDE`].
const NUMBERS: [f64; 29] = [
    2.0, 0.37, -0.53, 1.43, -1.71, 2.63, 0.81, -0.29, 3.87, -2.87, 5.19, 0.229, -4.41, 7.7, 0.119,
    -9.3, 12.9, 1.91, -0.91, 20.3, -30.7, 0.613, 4.73, 57.1, -0.083, 0.047, 103.9, 1.13, -1.19,
];
/// How far apart in the list the numbers of two neighbouring letters are.
const STRIDE: usize = 7;
/// The number of points.
pub(crate) const POINTS: usize = 8;
/// The rounding error of a formula, as a part of what its nodes contribute to it.
const ROUNDING: f64 = 1e-12;

/// Two formulas at numbers of their letters at which both are finite.
pub(crate) struct ComparedPoint<T> {
    pub settings: Vec<Setting>,
    pub sides: [f64; 2],
    /// The rounding error of their difference.
    pub error: f64,
    /// What a caller has seen there.
    pub seen: T,
}

impl<T> ComparedPoint<T> {
    pub(crate) fn is_same(&self) -> bool {
        (self.sides[0] - self.sides[1]).abs() <= self.error
    }
}

/// The points at which two formulas are compared; the first one has the present numbers, if it is one. `see` looks at each
/// point and may refuse it. Leaves a node behind.
pub(crate) fn compare<T>(
    session: &mut Session,
    sides: [&Rc<Node>; 2],
    see: impl Fn() -> Option<T>,
) -> Vec<ComparedPoint<T>> {
    let graph = &mut session.program_mut().graph;
    let difference = graph.apply(SUBTRACT, &sides.map(Rc::clone));
    let order = Order::below([&difference]);
    let leaves = order.leaves(Node::is_free);
    let setting = |(leaf, data): (&Rc<Node>, f64)| Setting {
        leaf: Rc::clone(leaf),
        data,
    };
    let present = leaves.iter().map(|leaf| setting((leaf, leaf.data())));
    let others = (0..NUMBERS.len()).map(|start| {
        let numbers = NUMBERS.iter().copied().cycle().skip(start);
        leaves
            .iter()
            .zip(numbers.step_by(STRIDE))
            .map(setting)
            .collect()
    });
    let point = |settings: Vec<Setting>| {
        stop::ask_now();
        session.look_with(&settings, |_| {
            let grads = gradients(&order, &difference, |_| {});
            let nodes = order.nodes().iter().zip(grads);
            let size: f64 = nodes.map(|(it, grad)| (it.data() * grad).abs()).sum();
            let point = ComparedPoint {
                settings: settings.clone(),
                sides: sides.map(|it| it.data()),
                error: ROUNDING * size,
                seen: see()?,
            };
            let [left, right] = point.sides;
            let is_finite = [left, right, point.error].iter().all(|it| it.is_finite());
            is_finite.then_some(point)
        })
    };
    let all = iter::once(present.collect()).chain(others);
    all.filter_map(point).take(POINTS).collect()
}
