//! The leaves whose uncertainties (`±`) count in a fit, besides those that it moves. Leaves below a single point give that
//! point its weight; for leaves of the model, its slope there counts. Leaves below several points move those points
//! together.

use rustc_hash::FxHashSet;

use super::problem::FitProblem;
use crate::command::prelude::*;
use crate::search::leaf_texts::name_lists;
use crate::search::{MOST_SOURCES, apply, list_of};
use crate::session::values::Value;
use chainrule_engine::graph::{Jacobian, NodeId};

/// Gives the problem the leaves from which the `±` of the fitted leaves follow, and the deviations of points that follow
/// from the `±` of leaves. Leaves below several points become constants. Of those below one point, there are three cases:
///
/// - The data have a typed `±`: uncertain leaves of the model add theirs.
/// - Leaves below the data have a `±`: the deviations of the points follow from it, and those of the model add theirs.
/// - Neither: all points weigh the same. A note names the leaves of the model whose `±` is left out, because the scatter of
///   the points shows it already.
pub(super) fn add_sources(session: &mut Session, problem: &mut FitProblem) -> Result<Option<Note>> {
    let is_typed = problem.deviations.is_some();
    let leaves = PointLeaves::sort(session, problem, is_typed);
    let predictors = without_points(&leaves.of_model);
    if is_typed {
        // Leaves without a ± may get one later. If they are few, they count like constants.
        if problem.constants.len() + leaves.certain.len() <= MOST_SOURCES {
            problem.constants.extend(leaves.certain);
            problem.constants.sort_by_key(|leaf| leaf.id());
        }
    } else if leaves.is_data_uncertain {
        problem.deviations = Some(deviations_of_data(session, problem, &leaves.of_data_alone));
        problem.weighting = [&leaves.of_data_alone[..], &predictors, &leaves.certain].concat();
    } else {
        let line = |names| say!("the ± of {} is left out: the points show it already", names);
        return Ok(name_lists(session, &predictors).map(line).map(Note::new));
    }
    if !predictors.is_empty() {
        problem.moving_deviations =
            add_deviations_of_model(session, problem, &leaves.of_model, is_typed)?;
        problem.uncertain_predictors = predictors;
    }
    Ok(None)
}

/// The leaves that each belong to one point of a fit, by the side on which they are and whether they have a `±`.
#[derive(Default)]
struct PointLeaves {
    /// Uncertain leaves below the model, each with the index of its point.
    of_model: Vec<(usize, Rc<Node>)>,
    /// Uncertain leaves below the data only.
    of_data_alone: Vec<Rc<Node>>,
    /// Leaves without a `±`.
    certain: Vec<Rc<Node>>,
    /// Whether an uncertain leaf is below the data, so that the points have weights.
    is_data_uncertain: bool,
}

impl PointLeaves {
    /// Sorts the leaves below the points. Leaves below several points become constants of the problem.
    fn sort(session: &Session, problem: &mut FitProblem, is_typed: bool) -> PointLeaves {
        // A typed ± of the data covers all leaves below the data, so these do not count one by one.
        let data = if is_typed { &[][..] } else { &problem.data };
        let leaves = leaves_below_points(problem, data);
        let below_data = Order::below(data);
        let mut sorted = PointLeaves::default();
        for (leaf, only_point) in leaves {
            let Some(point) = only_point else {
                problem.constants.push(leaf);
                continue;
            };
            let is_uncertain = session.is_uncertain(&leaf);
            sorted.is_data_uncertain |= is_uncertain && below_data.slot(&leaf).is_some();
            if !is_uncertain {
                sorted.certain.push(leaf);
            } else if problem.order.slot(&leaf).is_some() {
                sorted.of_model.push((point, leaf));
            } else {
                sorted.of_data_alone.push(leaf);
            }
        }
        sorted
    }
}

fn without_points(leaves: &[(usize, Rc<Node>)]) -> Vec<Rc<Node>> {
    leaves.iter().map(|(_, leaf)| Rc::clone(leaf)).collect()
}

/// The leaves below the model and these data that a fit does not move, oldest first, each with the index of its point if
/// it is below one point only.
fn leaves_below_points(problem: &FitProblem, data: &[Rc<Node>]) -> Vec<(Rc<Node>, Option<usize>)> {
    // The root of a point in the data comes as many places after its root in the model as there are points.
    let roots = [&problem.model, data].concat();
    let order = Order::below(&roots);
    // The first and the last point above each node.
    let mut first = vec![usize::MAX; order.nodes().len()];
    let mut last = vec![0; order.nodes().len()];
    for (at, root) in roots.iter().enumerate() {
        if let Some(slot) = order.slot(root) {
            let point = at % problem.data.len();
            first[slot] = first[slot].min(point);
            last[slot] = last[slot].max(point);
        }
    }
    // Users come before their operands.
    for (at, node) in stop::with_checks(order.nodes().iter().enumerate()) {
        for slot in node
            .operands()
            .iter()
            .filter_map(|operand| order.slot(operand))
        {
            first[slot] = first[slot].min(first[at]);
            last[slot] = last[slot].max(last[at]);
        }
    }
    let fitted: FxHashSet<NodeId> = problem.leaves.iter().map(|leaf| leaf.id()).collect();
    let mut leaves = Vec::new();
    for (slot, node) in order.nodes().iter().enumerate() {
        if node.is_leaf() && !fitted.contains(&node.id()) {
            let is_of_one = first[slot] == last[slot];
            leaves.push((Rc::clone(node), is_of_one.then_some(first[slot])));
        }
    }
    leaves.sort_by_key(|(leaf, _)| leaf.id());
    leaves
}

/// The standard deviations of the data that follow from leaves below one point each.
fn deviations_of_data(session: &Session, problem: &FitProblem, sources: &[Rc<Node>]) -> Vec<f64> {
    let square = |(source, grad): &(usize, f64)| {
        let width = session.uncertainty(&sources[*source]);
        (grad * width.unwrap_or(0.0)).powi(2)
    };
    let rows = Jacobian::of(&problem.data, sources).sparse_rows();
    let variance = |row: &Vec<(usize, f64)>| row.iter().map(square).sum::<f64>();
    rows.iter().map(|row| variance(row).sqrt()).collect()
}

/// The standard deviations of the points, as nodes: hypot(σ, s·slope, …), with the known deviation σ of the point, and for
/// each leaf of the model below this point its `±` s and the slope of the model less the data, or of the model alone.
fn add_deviations_of_model(
    session: &mut Session,
    problem: &FitProblem,
    leaves: &[(usize, Rc<Node>)],
    is_model_alone: bool,
) -> Result<Vec<Rc<Node>>> {
    let mut differences = list_of(&problem.model);
    if !is_model_alone {
        differences = apply(session, "-", vec![differences, list_of(&problem.data)])?;
    }
    // Each leaf is below one point, so its slope in the sum of all points is its slope in this point.
    let sum = apply(session, "sum", vec![differences])?;
    let by = without_points(leaves);
    let slopes = session.derivatives(sum.node().expect("it is a number"), &by)?;
    let width = |leaf: &Rc<Node>| session.uncertainty(leaf).unwrap_or(0.0);
    let widths: Vec<f64> = by.iter().map(width).collect();
    let width_nodes = session.constants(&widths);
    let effects = apply(session, "*", vec![width_nodes, list_of(&slopes)])?;
    let known = session.constants(problem.deviations.as_deref().unwrap_or_default());
    let first = |node: &Rc<Node>| vec![Value::from(Rc::clone(node))];
    let mut terms_of_points: Vec<Vec<Value>> = known.nodes().iter().map(first).collect();
    for ((point, _), effect) in leaves.iter().zip(effects.nodes()) {
        terms_of_points[*point].push(Rc::clone(effect).into());
    }
    let mut deviations = Vec::new();
    for terms in stop::with_checks(terms_of_points.into_iter()) {
        let deviation = apply(session, "hypot", terms)?;
        deviations.push(Rc::clone(deviation.node().expect("it is a number")));
    }
    Ok(deviations)
}
