//! Which uncertainties (`±`) of leaves count in a fit. Leaves below a single point of the data give that point its
//! weight; constants below several points move those points together.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::session::Session;
use crate::study::goals::FitProblem;
use chainrule_engine::graph::{Jacobian, Node, NodeId, Order};
use chainrule_stop as stop;

/// The points of a fit above a node.
#[derive(Clone, Copy, PartialEq)]
enum PointsAbove {
    None,
    One(usize),
    Several,
}

/// The uncertain leaves of an order that a fit does not move, each with the points above it. `roots` are the nodes of the
/// points, with their numbers.
fn uncertain_leaves<'n>(
    session: &Session,
    problem: &FitProblem,
    order: &Order,
    roots: impl Iterator<Item = (usize, &'n Rc<Node>)>,
) -> Vec<(Rc<Node>, PointsAbove)> {
    let mut above = vec![PointsAbove::None; order.nodes().len()];
    let add = |above: &mut Vec<PointsAbove>, node: &Rc<Node>, more: PointsAbove| {
        if let Some(at) = order.slot(node) {
            above[at] = match above[at] {
                PointsAbove::None => more,
                known if known == more => known,
                _ => PointsAbove::Several,
            };
        }
    };
    for (point, root) in roots {
        add(&mut above, root, PointsAbove::One(point));
    }
    // Users come before their operands.
    for (at, node) in stop::with_checks(order.nodes().iter().enumerate()) {
        for operand in node.operands() {
            let more = above[at];
            add(&mut above, operand, more);
        }
    }
    let fitted: FxHashSet<NodeId> = problem.leaves.iter().map(|leaf| leaf.id()).collect();
    let leaves = order.nodes().iter().cloned().zip(above);
    let is_uncertain =
        |leaf: &Node| session.uncertainty(leaf) > Some(0.0) && !fitted.contains(&leaf.id());
    leaves.filter(|(leaf, _)| is_uncertain(leaf)).collect()
}

/// The standard deviations of the data that follow from the `±` of leaves below a single point, if any, and these leaves.
/// A leaf below several points moves them together, so it is no scatter.
pub(super) fn deviations_from_leaves(
    session: &Session,
    problem: &FitProblem,
) -> (Option<Vec<f64>>, FxHashSet<NodeId>) {
    let roots = problem.data.iter().enumerate();
    let mut leaves = uncertain_leaves(session, problem, &Order::below(&problem.data), roots);
    leaves.retain(|(_, above)| matches!(above, PointsAbove::One(_)));
    let leaves: Vec<Rc<Node>> = leaves.into_iter().map(|(leaf, _)| leaf).collect();
    let effect = |(leaf, grad): &(usize, f64)| {
        let width = session.uncertainty(&leaves[*leaf]);
        (grad * width.unwrap_or(0.0)).powi(2)
    };
    let rows = Jacobian::of(&problem.data, &leaves).sparse_rows();
    let deviations = rows
        .iter()
        .map(|row| row.iter().map(effect).sum::<f64>().sqrt());
    let deviations: Vec<f64> = deviations.collect();
    if deviations.iter().all(|deviation| *deviation == 0.0) {
        return (None, FxHashSet::default());
    }
    (
        Some(deviations),
        leaves.iter().map(|leaf| leaf.id()).collect(),
    )
}

/// The uncertain leaves that a fit does not move, in two lists: those whose `±` adds to the `±` of the fitted leaves, and
/// those that are left out, because the weights of the points (`of_points`) or their scatter contain them already.
pub(super) fn constants(
    session: &Session,
    problem: &FitProblem,
    is_typed: bool,
    of_points: &FxHashSet<NodeId>,
) -> (Vec<Rc<Node>>, Vec<Rc<Node>>) {
    // A typed ± of the data stands for all that is below them.
    let both = problem.model.iter().chain(&problem.data);
    let roots: Vec<Rc<Node>> = if is_typed {
        problem.model.clone()
    } else {
        both.cloned().collect()
    };
    let order = Order::below(&roots);
    let count = problem.data.len();
    let roots = roots
        .iter()
        .enumerate()
        .map(|(at, root)| (at % count, root));
    let is_of_points = |(node, above): &(Rc<Node>, PointsAbove)| {
        of_points.contains(&node.id())
            || problem.deviations.is_none() && matches!(above, PointsAbove::One(_))
    };
    let leaves = uncertain_leaves(session, problem, &order, roots);
    let (of_points, counted): (Vec<_>, Vec<_>) = leaves.into_iter().partition(is_of_points);
    let [mut left_out, mut counted] = [of_points, counted]
        .map(|leaves| -> Vec<Rc<Node>> { leaves.into_iter().map(|(leaf, _)| leaf).collect() });
    left_out.retain(|leaf| problem.order.slot(leaf).is_some());
    left_out.reverse();
    counted.sort_by_key(|leaf| leaf.id());
    (counted, left_out)
}
