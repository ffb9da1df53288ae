//! Adds the uncertainties of constants to those of fitted leaves.
//!
//! At the end of a fit the slopes of χ² with respect to the leaves p are 0. They stay 0 while a constant c moves and
//! the leaves follow it, so H·dp/dc = -∂slopes/∂c, with H the second derivatives of χ² with respect to the leaves. Both
//! sides are exact: they are derivatives of nodes, as `grad()` builds them.

use std::rc::Rc;

use super::differences::derivatives;
use super::fit::{Certainty, FitProblem, FoundFit, MOST_FIT_DERIVATIVES, correlations};
use super::linear::{dot, is_positive};
use super::solution_uncertainties::follow;
use crate::session::Session;
use crate::session::values::{List, Value};
use chainrule_engine::graph::Node;
use chainrule_engine::ops::{self, Op, Shape};
use chainrule_language::Span;
use chainrule_stop as stop;

/// Adds the uncertainties of the problem's constants, to first order, to those of the leaves. False if these are not
/// known, if the leaves do not follow the constants smoothly, or if the host stops it.
pub(crate) fn add_constants(
    session: &mut Session,
    problem: &FitProblem,
    found: &mut FoundFit,
) -> bool {
    if problem.constants.is_empty() {
        return true;
    }
    let host = session.host();
    let added = session.look(|session| {
        stop::run_until_stopped(move || host.stop(), || certainty(session, problem, found))
    });
    let Ok(Some(added)) = added else {
        return false;
    };
    found.certainty = Some(added);
    true
}

fn certainty(session: &mut Session, problem: &FitProblem, found: &FoundFit) -> Option<Certainty> {
    let before = found.certainty.as_ref()?;
    let deviations = before.deviations.as_ref()?;
    let is_free = |place: &usize| !found.nearest.held.contains(place);
    let free: Vec<usize> = (0..problem.leaves.len()).filter(is_free).collect();
    let (n, count) = (free.len(), problem.constants.len());
    let columns = problem.leaves.len() + count;
    if n.saturating_mul(columns) > MOST_FIT_DERIVATIVES {
        return None;
    }
    let mut curves = curves(session, problem, &found.nearest.point, &free)?;
    let by_leaves: Vec<f64> = curves.iter().flat_map(|row| &row[..n]).copied().collect();
    if !is_positive(&by_leaves, n) {
        return None;
    }
    for row in &mut curves {
        row.truncate(n + count);
    }
    let uncertain = &session.names().uncertain;
    let sources = uncertain.sources(&problem.constants);
    let partners = uncertain.partners(&sources.leaves);
    // By how much each leaf moves with a constant, and then if a source moves by its width.
    let mut effects = vec![vec![0.0; count]; problem.leaves.len()];
    for (at, slopes) in follow(curves, count)?.iter().enumerate() {
        for (&place, slope) in free.iter().zip(slopes) {
            effects[place][at] = *slope;
        }
    }
    let effects: Vec<Vec<f64>> = effects.iter().map(|row| sources.effects(row)).collect();
    let mut covariance = Vec::with_capacity(before.correlations.len());
    for (row, one) in effects.iter().enumerate() {
        stop::ask_now();
        let related = |(at, effect): (usize, &f64)| {
            let others = partners[at].iter();
            effect + others.map(|&(other, part)| part * one[other]).sum::<f64>()
        };
        let related: Vec<f64> = one.iter().enumerate().map(related).collect();
        for (column, other) in effects.iter().enumerate() {
            let correlation = before.correlations[row * effects.len() + column];
            let known = deviations[row] * deviations[column] * correlation;
            covariance.push(known + dot(&related, other));
        }
    }
    let (deviations, correlations) = correlations(&covariance, effects.len());
    let is_known = deviations.iter().all(|one| one.is_finite());
    is_known.then_some(Certainty {
        deviations: Some(deviations),
        correlations,
    })
}

/// The second derivatives of χ², times some number, at a point: for each of the `free` leaves a row of those by the free
/// leaves, by the constants, and by the other leaves. None if it would take too many nodes.
fn curves(
    session: &mut Session,
    problem: &FitProblem,
    point: &[f64],
    free: &[usize],
) -> Option<Vec<Vec<f64>>> {
    let list = |nodes: &[Rc<Node>]| -> Value {
        let items = nodes.iter().cloned().map(Value::from);
        List::from_items(items.collect()).into()
    };
    let infix = |sign| ops::operator(sign, Shape::Infix).expect("it is an operator");
    let apply = |session: &mut Session, op: &'static Op, operands: Vec<Value>| {
        session.operation(op, operands, Span::default()).ok()
    };
    let count = problem.data.len();
    // Without known deviations all points count alike.
    let deviations = problem.deviations.clone();
    let deviations = session.constants(&deviations.unwrap_or_else(|| vec![1.0; count]));
    let sides = vec![list(&problem.model), list(&problem.data)];
    let residuals = apply(session, infix("-"), sides)?;
    let residuals = apply(session, infix("/"), vec![residuals, deviations])?;
    let squares = apply(session, infix("*"), vec![residuals.clone(), residuals])?;
    let sum = ops::function("sum", count).expect("there are sums");
    let sum = apply(session, sum, vec![squares])?;
    let is_held = |place: &usize| free.binary_search(place).is_err();
    let held: Vec<usize> = (0..point.len()).filter(is_held).collect();
    let leaves = |places: &[usize]| -> Vec<Rc<Node>> {
        let each = places.iter().map(|&place| &problem.leaves[place]);
        each.cloned().collect()
    };
    let slopes = session.derivatives(sum.node()?, &leaves(free)).ok()?;
    let by = [leaves(free), problem.constants.clone(), leaves(&held)].concat();
    let constants = problem.constants.iter().map(|constant| constant.data());
    let data = |places: Vec<usize>| places.into_iter().map(|place| point[place]);
    let at = data(free.to_vec()).chain(constants).chain(data(held));
    Some(derivatives(&slopes, &by, &at.collect::<Vec<f64>>()))
}
