//! The uncertainties of the leaves of a fit: from the scatter or the weights of the points, and from the uncertainties of
//! other leaves. In a fit, the equations of `implicit` are that the slopes of χ² are 0.
//!
//! Two kinds of leaves follow the tangents of a fit instead of exact second derivatives: the leaves that give the points
//! their weights, and the constants of a fit with very many points.

use super::problem::FitProblem;
use super::search::FoundFit;
use crate::command::prelude::*;
use crate::search::differences::Differences;
use crate::search::implicit::{
    Slopes, counted_sources, point_with_sources, run_until_stopped, slopes_by_sources,
};
use crate::search::leaf_texts::{name_lists, unknown_effect_note};
use crate::search::least_squares::{Residuals, SearchEnd};
use crate::search::penalties::Goal;
use crate::search::second_order::MinimumEquations;
use crate::search::{MOST_FIT_DERIVATIVES, MOST_SOURCES, apply, list_of};
use chainrule_program::Environment as _;
use chainrule_report::BandLevel;
use chainrule_session::Widths;

/// If a fit has more points than this, and no constant is uncertain, the tangents replace exact second derivatives.
const MANY_POINTS: usize = 10_000;

/// A fit whose search has ended, with the uncertainties of its leaves.
pub(super) struct FinishedFit<'p> {
    pub(super) problem: &'p FitProblem,
    pub(super) found: FoundFit,
    /// The uncertainties of the leaves that are not held at a bound.
    pub(super) widths: Widths,
    /// The constants with a `±` that counts in these.
    pub(super) constants: Vec<Rc<Node>>,
    /// The confidence of intervals and of the band, if it is typed.
    pub(super) level: Option<BandLevel>,
}

impl FinishedFit<'_> {
    /// Finds the uncertainties, and adds a note for each effect that they leave out.
    pub(super) fn of<'p>(
        session: &mut Session,
        problem: &'p FitProblem,
        found: FoundFit,
        notes: &mut Vec<Note>,
    ) -> FinishedFit<'p> {
        let (widths, constants) = (Widths::new(), Vec::new());
        let mut fit = FinishedFit {
            problem,
            found,
            widths,
            constants,
            level: None,
        };
        let has_weighting = fit.find_widths(session).unwrap_or(false);
        if fit.constants.is_empty() {
            notes.extend(unknown_effect_note(session, &problem.sources.constants));
        }
        let weighting = &problem.sources.weighting;
        if !has_weighting && weighting.len() > MOST_SOURCES {
            notes.push(Note::new(say!(
                "the leaves found count as independent of {}: more than {} leaves",
                name_lists(session, weighting).unwrap_or_default(),
                MOST_SOURCES
            )));
        }
        fit.constants
            .retain(|leaf| session.names().uncertain.has_width(leaf));
        fit
    }

    /// Finds the uncertainties, and returns whether they follow from the leaves that give the points their weights. `None` if
    /// the fit does not determine them.
    fn find_widths(&mut self, session: &mut Session) -> Option<bool> {
        let (problem, found) = (self.problem, &self.found);
        let certainty = found.certainty.clone();
        let mut joint = Some(certainty.filter(|it| !it.deviations.is_empty())?);
        let (mut sources, mut slopes) = (Vec::new(), Vec::new());
        if found.nearest.end == SearchEnd::Settled {
            if let Some(few) = some_sources(session, problem.sources.weighting.clone()) {
                let by_weighting = |_: &mut Session| Some(slopes_by_tangents(problem, found, &few));
                slopes = run_until_stopped(session, by_weighting)?;
                // The deviations of the data come from these sources, and count only once.
                joint = None;
                sources = few;
            }
            if let Some(few) = some_sources(session, problem.sources.constants.clone())
                && let Some(by_constants) = slopes_by_constants(session, problem, found, &few)
            {
                slopes.extend(by_constants);
                sources.extend_from_slice(&few);
                self.constants = few;
            }
        }
        let has_weighting = joint.is_none();
        let uncertain = &session.names().uncertain;
        let widths = uncertain.of_found(&found.nearest.point, joint, &sources, &slopes);
        let leaves = problem.points.leaves.iter().cloned();
        let each = leaves.zip(widths).enumerate();
        let free = each.filter(|(leaf, _)| !found.nearest.held.contains(leaf));
        self.widths = free.map(|(_, width)| width).collect();
        Some(has_weighting)
    }
}

/// Returns the sources to differentiate by, or `None` if there are none or too many.
fn some_sources(session: &Session, possible: Vec<Rc<Node>>) -> Option<Vec<Rc<Node>>> {
    counted_sources(session, possible).filter(|sources| !sources.is_empty())
}

/// Returns the derivatives of fitted leaves by each of these sources, to first order.
fn slopes_by_tangents(problem: &FitProblem, found: &FoundFit, sources: &[Rc<Node>]) -> Slopes {
    let points = &problem.points;
    let by = [&points.leaves, sources].concat();
    let at = point_with_sources(&found.nearest.point, sources);
    // The weights are constant here, as they are in the covariance.
    let units = found.units.clone();
    let mut system = Differences::of(&points.model, &points.data, &by, units, &[]);
    system.values(&at);
    let rows = system.rows();
    let column = |index: usize| rows.iter().skip(index).step_by(by.len()).copied().collect();
    let changes = (points.leaves.len()..by.len()).map(column).collect();
    found.nearest.responses(changes)
}

/// Returns the derivatives of fitted leaves by each of these constants: the slopes of χ² stay 0 while a constant moves, and
/// leaves that are held do not move. If no constant is uncertain yet, and there are very many points, exact second
/// derivatives would take too long for numbers that may never be used, so the tangents replace them.
fn slopes_by_constants(
    session: &mut Session,
    problem: &FitProblem,
    found: &FoundFit,
    constants: &[Rc<Node>],
) -> Option<Slopes> {
    let (leaves, nearest) = (&problem.points.leaves, &found.nearest);
    let is_uncertain = |leaf: &Rc<Node>| session.names().uncertain.has_width(leaf);
    let points = problem.points.model.len();
    if !constants.iter().any(is_uncertain) && points > MANY_POINTS {
        let is_affordable = points.saturating_mul(constants.len()) <= MOST_FIT_DERIVATIVES;
        let slopes = |_: &mut Session| Some(slopes_by_tangents(problem, found, constants));
        return is_affordable.then(|| run_until_stopped(session, slopes))?;
    }
    let equations = |builder: &mut Session, by: &[Rc<Node>], at: &[f64]| {
        let goal = goal_of_fit(builder, problem, &nearest.held)?;
        let multipliers = vec![0.0; nearest.held.len()];
        Some(MinimumEquations::of(builder, &goal, &multipliers, by)?.rows(at, &multipliers))
    };
    slopes_by_sources(session, leaves, &nearest.point, constants, equations)
}

/// Returns a fit as a goal: χ² is the target, and each leaf that is held is a constraint.
fn goal_of_fit(session: &mut Session, problem: &FitProblem, held: &[usize]) -> Option<Goal> {
    let mut roots = vec![chi_squared(session, problem)?];
    roots.extend(
        held.iter()
            .map(|&leaf| Rc::clone(&problem.points.leaves[leaf])),
    );
    Some(Goal {
        leaves: problem.points.leaves.clone(),
        roots,
        equations: vec![true; held.len()],
    })
}

/// Builds χ² of a fit, or the sum of squares if the deviations are not known.
fn chi_squared(session: &mut Session, problem: &FitProblem) -> Option<Rc<Node>> {
    let (points, sources) = (&problem.points, &problem.sources);
    let units = match (&sources.moving, &sources.deviations) {
        (Some(nodes), _) => list_of(nodes),
        (None, Some(known)) => session.program_mut().constants(known),
        // All points have the same weight.
        (None, None) => session
            .program_mut()
            .constants(&vec![1.0; points.data.len()]),
    };
    let sides = vec![list_of(&points.model), list_of(&points.data)];
    let differences = apply(session, "-", sides).ok()?;
    let residuals = apply(session, "/", vec![differences, units]).ok()?;
    let squares = apply(session, "*", vec![residuals.clone(), residuals]).ok()?;
    let sum = apply(session, "sum", vec![squares]).ok()?;
    sum.node().cloned()
}
