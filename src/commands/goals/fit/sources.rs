//! The uncertainties (`±`) that count in a fit. Leaves below a single point give that point its weight; for leaves of the
//! model, its slope there counts. Leaves below several points move those points together.

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

impl PointsAbove {
    /// The points above a node that has users below these and below others.
    fn and(self, others: PointsAbove) -> PointsAbove {
        match self {
            PointsAbove::None => others,
            known if known == others => known,
            _ => PointsAbove::Several,
        }
    }
}

/// The leaves below the model and these data that a fit does not move, oldest first, each with the points above it.
pub(super) fn leaves_below_points(
    problem: &FitProblem,
    data: &[Rc<Node>],
) -> Vec<(Rc<Node>, PointsAbove)> {
    let roots = [&problem.model, data].concat();
    let order = Order::below(&roots);
    let mut above = vec![PointsAbove::None; order.nodes().len()];
    for (at, root) in roots.iter().enumerate() {
        if let Some(slot) = order.slot(root) {
            above[slot] = above[slot].and(PointsAbove::One(at % problem.data.len()));
        }
    }
    // Users come before their operands.
    for (at, node) in stop::with_checks(order.nodes().iter().enumerate()) {
        for operand in node.operands() {
            if let Some(slot) = order.slot(operand) {
                above[slot] = above[slot].and(above[at]);
            }
        }
    }
    let fitted: FxHashSet<NodeId> = problem.leaves.iter().map(|leaf| leaf.id()).collect();
    let stays = |leaf: &Node| leaf.is_leaf() && !fitted.contains(&leaf.id());
    let nodes = order.nodes().iter().cloned().zip(above);
    let mut leaves: Vec<_> = nodes.filter(|(node, _)| stays(node)).collect();
    leaves.sort_by_key(|(leaf, _)| leaf.id());
    leaves
}

/// The standard deviations of the data that follow from leaves below one point each.
pub(super) fn deviations_of_data(
    session: &Session,
    problem: &FitProblem,
    leaves: &[(usize, Rc<Node>)],
) -> Vec<f64> {
    let sources: Vec<Rc<Node>> = leaves.iter().map(|(_, leaf)| Rc::clone(leaf)).collect();
    let square = |(source, grad): &(usize, f64)| {
        let width = session.uncertainty(&sources[*source]);
        (grad * width.unwrap_or(0.0)).powi(2)
    };
    let rows = Jacobian::of(&problem.data, &sources).sparse_rows();
    let variance = |row: &Vec<(usize, f64)>| row.iter().map(square).sum::<f64>();
    rows.iter().map(|row| variance(row).sqrt()).collect()
}

/// The standard deviations of the points, as nodes, with the effects of leaves that the model uses, each below one point.
/// Such an effect is the `±` of the leaf times the slope of the model less the data, or of the model alone.
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
    let first = |node: &Rc<Node>| vec![Value::from(Rc::clone(node))];
    let mut parts: Vec<Vec<Value>> = known.nodes().iter().map(first).collect();
    for ((point, _), effect) in leaves.iter().zip(effects.nodes()) {
        parts[*point].push(Rc::clone(effect).into());
    }
    let mut deviations = Vec::new();
    for of_point in stop::with_checks(parts.into_iter()) {
        let length = apply(session, "hypot", of_point)?;
        deviations.push(Rc::clone(length.node().expect("it is a number")));
    }
    Ok(deviations)
}
