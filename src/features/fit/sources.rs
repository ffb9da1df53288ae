//! The points of a fit, and the leaves whose uncertainties (`±`) count in it, besides those that it moves. Leaves below a single point give that
//! point its weight; for leaves of the model, its slope there counts. Leaves below several points move those points
//! together.

use std::ops::Range;

use crate::command::prelude::*;
use crate::search::checks::index_of;
use crate::search::leaf_texts::name_lists;
use crate::search::{MOST_SOURCES, apply, list_of};
use chainrule_engine::graph::Jacobian;
use chainrule_program::Environment as _;
use chainrule_program::values::Value;

/// The points of a fit: as many nodes of the model as of the data, and at least as many as leaves.
pub(super) struct FitPoints {
    /// The order of the nodes below the model.
    pub(super) order: Order,
    /// The values of the model at each point.
    pub(super) model: Vec<Rc<Node>>,
    /// The values that the model should have.
    pub(super) data: Vec<Rc<Node>>,
    /// The leaves that the fit moves, oldest first.
    pub(super) leaves: Vec<Rc<Node>>,
    /// The points of each list if the data are a list of lists; otherwise all points.
    pub(super) sets: Vec<Range<usize>>,
}

/// The leaves from which the `±` of the fitted leaves follow. The fit does not move them.
#[derive(Default)]
pub(super) struct FitSources {
    /// The standard deviation of the data at each point, if it is known.
    pub(super) deviations: Option<Vec<f64>>,
    /// These deviations with the uncertainties of the predictors, which the model passes on through its slopes, if there are
    /// some. They move with the leaves.
    pub(super) moving: Option<Vec<Rc<Node>>>,
    /// The leaves that are the model's own data and have uncertainties, each with the index of its only point.
    pub(super) predictors: Vec<(usize, Rc<Node>)>,
    /// The leaves whose uncertainties add to those of the moved leaves.
    pub(super) constants: Vec<Rc<Node>>,
    /// The leaves below a single point, if the deviations of the data follow from their uncertainties. They give the points
    /// their weights, and must not count a second time.
    pub(super) weighting: Vec<Rc<Node>>,
}

impl FitSources {
    /// Finds the sources, and the deviations of points that follow from the `±` of leaves. Leaves below several points are
    /// constants. Of those below one point, there are three cases:
    ///
    /// - The data have a typed `±`: uncertain leaves of the model add theirs.
    /// - Leaves below the data have a `±`: the deviations of the points follow from it, and those of the model add theirs.
    /// - Neither: all points weigh the same. A note names the leaves of the model whose `±` is left out, because the scatter
    ///   of the points shows it already.
    pub(super) fn of(
        session: &mut Session,
        points: &FitPoints,
        typed: Option<Vec<f64>>,
        notes: &mut Vec<Note>,
    ) -> Result<FitSources> {
        let is_typed = typed.is_some();
        let mut sources = FitSources {
            deviations: typed,
            ..FitSources::default()
        };
        sources.add_leaves(session, points);
        let names = name_lists(session, sources.predictors.iter().map(|(_, leaf)| leaf));
        if let (Some(predictors), None) = (&names, &sources.deviations) {
            let line = say!(
                "the ± of {} is left out: the points show it already",
                predictors.clone()
            );
            notes.push(Note::new(line));
        } else if names.is_some() {
            sources.moving = Some(add_deviations_of_model(
                session, points, &sources, is_typed,
            )?);
        }
        Ok(sources)
    }

    /// Adds the leaves below the points, and the deviations of the data that follow from them.
    fn add_leaves(&mut self, session: &Session, points: &FitPoints) {
        // A typed ± of the data covers all leaves below the data, so these do not count one by one.
        let is_typed = self.deviations.is_some();
        let data = if is_typed { &[][..] } else { &points.data };
        let below_data = Order::below(data);
        let (mut certain, mut is_data_uncertain) = (Vec::new(), false);
        for (leaf, only_point) in leaves_below_points(points, data) {
            let Some(point) = only_point else {
                self.constants.push(leaf);
                continue;
            };
            let is_uncertain = session.names().uncertain.has_width(&leaf);
            is_data_uncertain |= is_uncertain && below_data.slot(&leaf).is_some();
            if !is_uncertain {
                certain.push(leaf);
            } else if points.order.slot(&leaf).is_some() {
                self.predictors.push((point, leaf));
            } else {
                self.weighting.push(leaf);
            }
        }
        if is_data_uncertain {
            self.deviations = Some(deviations_of_data(session, points, &self.weighting));
            self.weighting.extend(without_points(&self.predictors));
            self.weighting.extend(certain);
        } else if is_typed && self.constants.len() + certain.len() <= MOST_SOURCES {
            // Leaves without a ± may get one later. If they are few, they count like constants.
            self.constants.extend(certain);
            self.constants.sort_by_key(|leaf| leaf.id());
        }
    }

    /// Returns the standard deviation of each point at the present data of the leaves, if it is known.
    pub(super) fn deviations_now(&self) -> Option<Vec<f64>> {
        let moving = self.moving.as_deref().map(values);
        moving.or_else(|| self.deviations.clone())
    }
}

fn without_points(leaves: &[(usize, Rc<Node>)]) -> Vec<Rc<Node>> {
    leaves.iter().map(|(_, leaf)| Rc::clone(leaf)).collect()
}

/// The leaves below the model and these data that a fit does not move, oldest first, each with the index of its point if
/// it is below one point only.
fn leaves_below_points(points: &FitPoints, data: &[Rc<Node>]) -> Vec<(Rc<Node>, Option<usize>)> {
    // The root of a point in the data comes as many places after its root in the model as there are points.
    let roots = [&points.model, data].concat();
    let order = Order::below(&roots);
    // The first and the last point above each node.
    let mut first = vec![usize::MAX; order.nodes().len()];
    let mut last = vec![0; order.nodes().len()];
    for (at, root) in roots.iter().enumerate() {
        if let Some(slot) = order.slot(root) {
            let point = at % points.data.len();
            first[slot] = first[slot].min(point);
            last[slot] = last[slot].max(point);
        }
    }
    // Users come before their operands.
    for (at, node) in stop::with_checks(order.nodes().iter().enumerate()) {
        let operands = node.operands().iter();
        for slot in operands.filter_map(|operand| order.slot(operand)) {
            first[slot] = first[slot].min(first[at]);
            last[slot] = last[slot].max(last[at]);
        }
    }
    let mut leaves = Vec::new();
    for (slot, node) in order.nodes().iter().enumerate() {
        if node.is_leaf() && index_of(node, &points.leaves).is_none() {
            let is_of_one = first[slot] == last[slot];
            leaves.push((Rc::clone(node), is_of_one.then_some(first[slot])));
        }
    }
    leaves.sort_by_key(|(leaf, _)| leaf.id());
    leaves
}

/// The standard deviations of the data that follow from leaves below one point each.
fn deviations_of_data(session: &Session, points: &FitPoints, sources: &[Rc<Node>]) -> Vec<f64> {
    let square = |(source, grad): &(usize, f64)| {
        let width = session.names().uncertain.width(&sources[*source]);
        (grad * width.unwrap_or(0.0)).powi(2)
    };
    let rows = Jacobian::of(&points.data, sources).sparse_rows();
    let variance = |row: &Vec<(usize, f64)>| row.iter().map(square).sum::<f64>();
    rows.iter().map(|row| variance(row).sqrt()).collect()
}

/// The standard deviations of the points, as nodes: hypot(σ, s·slope, …), with the known deviation σ of the point, and for
/// each leaf of the model below this point its `±` s and the slope of the model less the data, or of the model alone.
fn add_deviations_of_model(
    session: &mut Session,
    points: &FitPoints,
    sources: &FitSources,
    is_model_alone: bool,
) -> Result<Vec<Rc<Node>>> {
    let mut differences = list_of(&points.model);
    if !is_model_alone {
        differences = apply(session, "-", vec![differences, list_of(&points.data)])?;
    }
    // Each leaf is below one point, so its slope in the sum of all points is its slope in this point.
    let sum = apply(session, "sum", vec![differences])?;
    let by = without_points(&sources.predictors);
    let slopes = session
        .program_mut()
        .derivatives(sum.node().expect("it is a number"), &by)?;
    let width = |leaf: &Rc<Node>| session.names().uncertain.width(leaf).unwrap_or(0.0);
    let widths: Vec<f64> = by.iter().map(width).collect();
    let width_nodes = session.program_mut().constants(&widths);
    let effects = apply(session, "*", vec![width_nodes, list_of(&slopes)])?;
    let known = session
        .program_mut()
        .constants(sources.deviations.as_deref().unwrap_or_default());
    let first = |node: &Rc<Node>| vec![Value::from(Rc::clone(node))];
    let mut terms_of_points: Vec<Vec<Value>> = known.nodes().iter().map(first).collect();
    for ((point, _), effect) in sources.predictors.iter().zip(effects.nodes()) {
        terms_of_points[*point].push(Rc::clone(effect).into());
    }
    let mut deviations = Vec::new();
    for terms in stop::with_checks(terms_of_points.into_iter()) {
        let deviation = apply(session, "hypot", terms)?;
        deviations.push(Rc::clone(deviation.node().expect("it is a number")));
    }
    Ok(deviations)
}
