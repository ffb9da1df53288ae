//! Whose `±` counts in a fit: that of the leaves below one point of the data is the point's, that of constants below several
//! points moves them together.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::search::MOST_NAMED;
use crate::graph::{Node, NodeId, Order, gradients};
use crate::report::{Line, list, say};
use crate::session::Session;
use crate::stop;
use crate::study::goals::FitProblem;

/// Which points of a fit a node is below.
#[derive(Clone, Copy, PartialEq)]
enum PointsAbove {
    None,
    One(usize),
    Several,
}

/// For each node of an order which points it is below; `roots` are those of the points, with their numbers.
fn points_above<'n>(
    order: &Order,
    roots: impl Iterator<Item = (usize, &'n Rc<Node>)>,
) -> Vec<PointsAbove> {
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
    for (at, node) in stop::asking(order.nodes().iter().enumerate()) {
        for operand in node.operands() {
            let more = above[at];
            add(&mut above, operand, more);
        }
    }
    above
}

/// The standard deviations of the data that follow from the `±` of the leaves below one point each, if any, and these
/// leaves. A leaf below several points moves them together, which is no scatter.
pub(super) fn from_leaves(
    session: &Session,
    problem: &FitProblem,
) -> (Option<Vec<f64>>, FxHashSet<NodeId>) {
    let order = Order::below(&problem.data);
    let above = points_above(&order, problem.data.iter().enumerate());
    let single = order.nodes().iter().zip(above);
    let single = single.filter(|(_, above)| matches!(above, PointsAbove::One(_)));
    let fitted: FxHashSet<NodeId> = problem.leaves.iter().map(|leaf| leaf.id()).collect();
    let leaves: FxHashSet<NodeId> = single
        .map(|(node, _)| node)
        .filter(|node| !fitted.contains(&node.id()) && session.uncertainty(node).is_some())
        .map(|node| node.id())
        .collect();
    let mut variances = vec![0.0; problem.data.len()];
    for (root, variance) in stop::asking(problem.data.iter().zip(&mut variances)) {
        let order = Order::below([root]);
        let grads = gradients(&order, root, |_| {});
        for (node, grad) in order.nodes().iter().zip(grads) {
            if leaves.contains(&node.id()) {
                let width = session.uncertainty(node).unwrap_or(0.0);
                *variance += (grad * width).powi(2);
            }
        }
    }
    if variances.iter().all(|variance| *variance == 0.0) {
        return (None, FxHashSet::default());
    }
    (Some(variances.into_iter().map(f64::sqrt).collect()), leaves)
}

/// The uncertain leaves that a fit does not move, as far as their `±` counts in those of the leaves, and as far as it is
/// that of the points already: of `of_points` these have their weight, and what scatters shows all that is below one point.
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
    let above = points_above(&order, roots);
    let fitted: FxHashSet<NodeId> = problem.leaves.iter().map(|leaf| leaf.id()).collect();
    let nodes =
        order.nodes().iter().zip(above).filter(|(node, _)| {
            session.uncertainty(node) > Some(0.0) && !fitted.contains(&node.id())
        });
    let is_of_points = |(node, above): &(&Rc<Node>, PointsAbove)| {
        of_points.contains(&node.id())
            || problem.deviations.is_none() && matches!(above, PointsAbove::One(_))
    };
    let (of_points, mut counted): (Vec<_>, Vec<_>) = nodes.partition(is_of_points);
    counted.sort_by_key(|(node, _)| node.id());
    let in_model = of_points.into_iter().map(|(node, _)| node);
    let in_model = in_model.filter(|node| problem.order.slot(node).is_some());
    let left_out: Vec<Rc<Node>> = in_model.rev().cloned().collect();
    let counted = counted.into_iter().map(|(node, _)| Rc::clone(node));
    (counted.collect(), left_out)
}

/// Some leaves by their names, or by those of their lists.
pub(super) fn short_list(session: &Session, leaves: &[Rc<Node>]) -> Line {
    let mut known = FxHashSet::default();
    let mut names = Vec::new();
    for leaf in leaves {
        let label = session.label(leaf);
        let name = label.split('[').next().unwrap_or_default().to_string();
        if known.insert(name.clone()) {
            names.push(name);
        }
    }
    list(names.iter().map(|name| say!("{:name}", name)), MOST_NAMED)
}
