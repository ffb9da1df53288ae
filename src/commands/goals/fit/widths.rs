//! Which uncertainties (`±`) of leaves count in a fit. Leaves below a single point give that point its weight, those of
//! the model by its slope there; leaves below several points move those points together.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::session::Session;
use crate::session::values::Value;
use crate::study::goals::{FitProblem, apply, list_of};
use chainrule_engine::graph::{Jacobian, Node, NodeId, Order};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_stop as stop;

/// The points of a fit above a node.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PointsAbove {
    None,
    One(usize),
    Several,
}

/// The leaves below the model and these data that a fit does not move, in the order of their making, each with the points
/// above it.
pub(super) fn leaves_below_points(
    problem: &FitProblem,
    data: &[Rc<Node>],
) -> Vec<(Rc<Node>, PointsAbove)> {
    let roots = [&problem.model, data].concat();
    let order = Order::below(&roots);
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
    for (at, root) in roots.iter().enumerate() {
        add(&mut above, root, PointsAbove::One(at % problem.data.len()));
    }
    // Users come before their operands.
    for (at, node) in stop::with_checks(order.nodes().iter().enumerate()) {
        for operand in node.operands() {
            let more = above[at];
            add(&mut above, operand, more);
        }
    }
    let fitted: FxHashSet<NodeId> = problem.leaves.iter().map(|leaf| leaf.id()).collect();
    let stays = |leaf: &Node| leaf.is_leaf() && !fitted.contains(&leaf.id());
    let leaves = order.nodes().iter().cloned().zip(above);
    let mut leaves: Vec<_> = leaves.filter(|(leaf, _)| stays(leaf)).collect();
    leaves.sort_by_key(|(leaf, _)| leaf.id());
    leaves
}

/// The standard deviation of each point of the data that follows from the `±` of leaves below it alone.
pub(super) fn deviations_of_data(
    session: &Session,
    problem: &FitProblem,
    leaves: &[(usize, Rc<Node>)],
) -> Vec<f64> {
    let leaves: Vec<Rc<Node>> = leaves.iter().map(|(_, leaf)| Rc::clone(leaf)).collect();
    let effect = |(leaf, grad): &(usize, f64)| {
        let width = session.uncertainty(&leaves[*leaf]);
        (grad * width.unwrap_or(0.0)).powi(2)
    };
    let rows = Jacobian::of(&problem.data, &leaves).sparse_rows();
    let deviations = rows
        .iter()
        .map(|row| row.iter().map(effect).sum::<f64>().sqrt());
    deviations.collect()
}

/// The standard deviations of the points, as nodes, with those of leaves that the model uses, each below one point: the
/// effect of such a leaf is its `±` times the slope of model less data, or of the model alone.
pub(super) fn add_deviations_of_model(
    session: &mut Session,
    problem: &FitProblem,
    leaves: &[(usize, Rc<Node>)],
    is_model_alone: bool,
) -> Result<Vec<Rc<Node>>, Diagnostic> {
    let mut sides = list_of(&problem.model);
    if !is_model_alone {
        sides = apply(session, "-", vec![sides, list_of(&problem.data)])?;
    }
    let sum = apply(session, "sum", vec![sides])?;
    let by: Vec<Rc<Node>> = leaves.iter().map(|(_, leaf)| Rc::clone(leaf)).collect();
    let slopes = session.derivatives(sum.node().expect("it is a number"), &by)?;
    let widths = by
        .iter()
        .map(|leaf| session.uncertainty(leaf).unwrap_or(0.0));
    let widths = session.constants(&widths.collect::<Vec<f64>>());
    let effects = apply(session, "*", vec![widths, list_of(&slopes)])?;
    let known = session.constants(problem.deviations.as_deref().unwrap_or_default());
    let mut parts: Vec<Vec<Value>> = (known.nodes().iter())
        .map(|node| vec![Rc::clone(node).into()])
        .collect();
    for ((point, _), effect) in leaves.iter().zip(effects.nodes()) {
        parts[*point].push(Rc::clone(effect).into());
    }
    let mut deviations = Vec::new();
    for parts in stop::with_checks(parts.into_iter()) {
        let length = apply(session, "hypot", parts)?;
        deviations.push(Rc::clone(length.node().expect("it is a number")));
    }
    Ok(deviations)
}
