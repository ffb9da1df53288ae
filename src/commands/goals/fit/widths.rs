//! Which uncertainties (`±`) of leaves count in a fit. Leaves below a single point of the data give that point its
//! weight; constants below several points move those points together.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::session::Session;
use crate::study::goals::{FitProblem, MOST_SOURCES};
use chainrule_engine::graph::{Jacobian, Node, NodeId, Order};
use chainrule_stop as stop;

/// The points of a fit above a node.
#[derive(Clone, Copy, PartialEq)]
enum PointsAbove {
    None,
    One(usize),
    Several,
}

/// The leaves of an order that a fit does not move, each with the points above it. `roots` are the nodes of the points,
/// with their numbers.
fn leaves_below_points<'n>(
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
    let stays = |leaf: &Node| leaf.is_leaf() && !fitted.contains(&leaf.id());
    leaves.filter(|(leaf, _)| stays(leaf)).collect()
}

/// The standard deviations of the data that follow from the `±` of leaves below a single point, if any, and these leaves.
/// A leaf below several points moves them together, so it is no scatter.
pub(super) fn deviations_from_leaves(
    session: &Session,
    problem: &FitProblem,
) -> (Option<Vec<f64>>, FxHashSet<NodeId>) {
    let roots = problem.data.iter().enumerate();
    let mut leaves = leaves_below_points(problem, &Order::below(&problem.data), roots);
    leaves.retain(|(leaf, above)| {
        matches!(above, PointsAbove::One(_)) && session.uncertainty(leaf) > Some(0.0)
    });
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

/// Gives the problem the leaves from which the `±` of the fitted ones follow, and returns the uncertain ones that are left
/// out because the weights of the points (`of_points`) or their scatter contain them already.
pub(super) fn add_sources(
    session: &Session,
    problem: &mut FitProblem,
    is_typed: bool,
    of_points: &FxHashSet<NodeId>,
) -> Vec<Rc<Node>> {
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
    let is_weighted = problem.deviations.is_some() && !is_typed;
    let (mut left_out, mut certain) = (Vec::new(), Vec::new());
    for (leaf, above) in leaves_below_points(problem, &order, roots) {
        let is_uncertain = session.uncertainty(&leaf) > Some(0.0);
        let is_of_points = of_points.contains(&leaf.id());
        let is_single = matches!(above, PointsAbove::One(_));
        let is_in_scatter = is_single && problem.deviations.is_none();
        if is_uncertain && (is_of_points || is_in_scatter) {
            left_out.push(Rc::clone(&leaf));
        }
        if is_weighted && (is_of_points || is_single && !is_uncertain) {
            problem.weighting.push(leaf);
        } else if is_uncertain && !is_in_scatter || !is_single {
            problem.constants.push(leaf);
        } else if !is_in_scatter {
            certain.push(leaf);
        }
    }
    // They may become uncertain, as those below several points, which are few.
    if problem.constants.len() + certain.len() <= MOST_SOURCES {
        problem.constants.append(&mut certain);
    }
    left_out.retain(|leaf| problem.order.slot(leaf).is_some());
    left_out.reverse();
    problem.constants.sort_by_key(|leaf| leaf.id());
    left_out
}
