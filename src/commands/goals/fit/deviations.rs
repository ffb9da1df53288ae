//! The standard deviations of the data of a fit: those that were typed, or those that follow from the `±` of the leaves
//! below the data.

use std::rc::Rc;

use super::parts::Parts;
use crate::commands::goals::named;
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Note, say};
use crate::session::Session;
use crate::session::values::ListShape;
use crate::study::goals::{FitProblem, Points, Reach};

/// What is known of the deviations.
#[derive(Default)]
pub(super) struct Deviations {
    /// One for each point, if any is known.
    pub(super) each: Option<Vec<f64>>,
    pub(super) notes: Vec<Note>,
}

/// The deviations of all points.
pub(super) fn of(
    session: &mut Session,
    text: &str,
    parts: &Parts,
    problem: &FitProblem,
    shape: &ListShape,
) -> Result<Deviations, Diagnostic> {
    let Some(width) = &parts.width else {
        return from_leaves(session, parts, problem);
    };
    let data: Vec<f64> = problem.data.iter().map(|node| node.data()).collect();
    let (each, notes) = session.widths(text, width, &data, shape)?;
    if let Some(point) = each.iter().position(|deviation| *deviation == 0.0) {
        let message = if each.len() == 1 {
            "a point with ± 0 is exact".to_string()
        } else {
            format!("point {} has ± 0, and would decide alone", point + 1)
        };
        return Err(Diagnostic::new(message)
            .at(width.span)
            .help("give it a positive one, or leave `±` out: then all points count alike"));
    }
    Ok(Deviations {
        each: Some(each),
        notes,
    })
}

/// What the uncertain leaves below the data say. A leaf that belongs to one point makes that point uncertain. One that
/// moves several points together says nothing of how they scatter.
fn from_leaves(
    session: &Session,
    parts: &Parts,
    problem: &FitProblem,
) -> Result<Deviations, Diagnostic> {
    let leaves_only = problem.data.iter().all(|node| node.is_leaf());
    if leaves_only && !session.has_uncertain() {
        return Ok(Deviations::default());
    }
    let reach = Reach::of(&problem.data);
    let mut variances = vec![0.0; problem.data.len()];
    let (mut common, mut idle) = (Vec::new(), Vec::new());
    let is_fitted = |leaf: &Rc<Node>| {
        let place = problem
            .leaves
            .binary_search_by_key(&leaf.id(), |leaf| leaf.id());
        place.is_ok()
    };
    for leaf in reach.leaves().filter(|leaf| !is_fitted(leaf)) {
        let width = session.uncertainty(leaf);
        match (reach.points(leaf), width) {
            (Points::One(point, grad), Some(width)) => {
                variances[point] += (grad * width).powi(2);
            }
            (Points::Several, Some(_)) => common.push(leaf),
            (Points::Several, None) if leaf.is_free() => idle.push(leaf),
            _ => {}
        }
    }
    let mut found = Deviations::default();
    if !common.is_empty() {
        found.notes.push(Note::new(say!(
            "the ± of {} is left out: it moves several points together",
            named(session, common.iter().copied())
        )));
    }
    if !idle.is_empty() && !leaves_only {
        found.notes.push(Note::new(say!(
            "only the leaves of the model move: not {}",
            named(session, idle.iter().copied())
        )));
    }
    if variances.iter().all(|variance| *variance == 0.0) {
        return Ok(found);
    }
    let usable = |variance: &f64| *variance > 0.0 && variance.is_finite();
    if let Some(point) = variances.iter().position(|variance| !usable(variance)) {
        let label = session.label(&problem.data[point]);
        let help = format!(
            "`:set {} ± 0.1` gives it one, `:fit Y ± 0.1 ~ …` all points",
            if leaves_only { &label } else { "LEAF" }
        );
        return Err(
            Diagnostic::new(format!("`{label}` has no ±, and other points have"))
                .at(parts.data.span)
                .help(help),
        );
    }
    found.each = Some(variances.into_iter().map(f64::sqrt).collect());
    Ok(found)
}
