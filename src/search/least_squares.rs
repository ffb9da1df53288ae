//! Least squares: brings a list of residuals close to 0, by the method of Levenberg and Marquardt in a trust region.
//!
//! Each round replaces the residuals by their tangents and takes the step that is best for those, but no longer than a
//! radius within which the tangents have proved right. Far away, this is a careful step downhill; near the end, it is
//! Newton's step. The unit of each unknown is how strongly the residuals depend on it, so that an unknown of 1e-6 and
//! one of 1e6 are treated equally.
//!
//! The tests are those of MINPACK's `lmder`, and so are the names of the constants. Where a value differs from MINPACK's,
//! it was chosen on the problems of NIST in `tests/reference/nist.txt`, which are all solved from both of their starts.

use std::cell::OnceCell;

use super::SearchWatch;
use super::linear::{Factors, dependent_columns, divide_columns, lengths, norm};
use chainrule_stop as stop;

/// Residuals as functions of some unknowns.
pub(crate) trait Residuals {
    /// Returns the residuals at a point.
    fn values(&mut self, point: &[f64]) -> Vec<f64>;

    /// Returns the derivatives of the residuals at the point of the last call of `values`: a row for each residual.
    fn rows(&mut self) -> Vec<f64>;

    /// Returns the least and the greatest number that each unknown may be; nothing if none is bounded.
    fn bounds(&self) -> &[(f64, f64)];

    /// Moves a point to within the bounds, and exactly onto a bound that only rounding separates it from.
    fn clamp(&self, point: &mut [f64]) {
        for (x, &(low, high)) in point.iter_mut().zip(self.bounds()) {
            // Without a bound these comparisons are false, because infinity less infinity is NaN.
            if *x <= low + BOUND_ROUNDING * low.abs() {
                *x = low;
            } else if *x >= high - BOUND_ROUNDING * high.abs() {
                *x = high;
            }
        }
    }
}

/// The point at which a search ended, and the reason.
#[derive(Clone, Debug)]
pub(crate) struct NearestPoint {
    pub(crate) point: Vec<f64>,
    pub(crate) residuals: Vec<f64>,
    /// The derivatives at the point, row by row.
    pub(crate) rows: Vec<f64>,
    /// The indices of the unknowns at a bound beyond which the residuals would be smaller. These unknowns do not move, and
    /// count as known.
    pub(crate) held: Vec<usize>,
    tangents: OnceCell<Tangents>,
    /// The number of times that the derivatives were computed, in all searches.
    pub(crate) passes: u64,
    /// `Settled` until a search ends in another way.
    pub(crate) end: SearchEnd,
}

/// The derivatives at a point, in units of the unknowns, and factored.
#[derive(Clone, Debug)]
pub(crate) struct Tangents {
    /// How strongly the residuals depend on each of the unknowns.
    pub(crate) units: Vec<f64>,
    /// The factors of the derivatives in these units.
    pub(crate) factors: Factors,
}

/// The reason for the end of a search: of least squares, of a fit, or of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    /// The search has converged: no step makes the residuals smaller, and equations hold.
    Settled,
    /// No step makes the residuals smaller although the tangents promise it, or equations do not hold.
    Stuck,
    /// The search has used all its passes.
    Exhausted,
    /// The host stopped the search.
    Stopped,
    /// The leaves with these indices can move together without an effect on the residuals.
    Undetermined(Vec<usize>),
    /// At the start of a fit a derivative is not a finite number: at this point, by this leaf.
    Undefined { point: usize, leaf: usize },
}

/// An unknown whose distance from a bound is below this part of the bound is at the bound.
const BOUND_ROUNDING: f64 = 4.0 * f64::EPSILON;
/// A step is accepted if the sum of squares falls by at least this part of what the tangents promise (MINPACK's 0.0001).
const ACCEPTED_FALL: f64 = 1e-4;
/// After a fall of at most this part of the promise the radius shrinks (MINPACK's 0.25).
const POOR_FALL: f64 = 0.25;
/// After a fall of at least this part of the promise the radius grows to twice the step (MINPACK's 0.75).
const GOOD_FALL: f64 = 0.75;
/// The factor by which the radius shrinks. MINPACK computes one between 0.1 and 0.5.
const SHRINK: f64 = 0.3;
/// A step is as long as the radius if the two differ by at most this part (`lmpar`'s 0.1).
const RADIUS_TOLERANCE: f64 = 0.1;
/// The most steps that are tried from one point, each shorter than the one before: `SHRINK` to this power is below the
/// smallest part of a number that a step can change.
const MOST_STEPS: usize = 100;
/// The most dampings that are tried for a step of the right length. A few are usual.
const MOST_DAMPINGS: usize = 30;
/// The damping to begin with if none is known: the square of 1e-5, in units in which the derivatives are about 1.
const LEAST_DAMPING: f64 = 1e-10;

/// `ftol`: a relative change of the sum of squares below this may be rounding. It is far above the machine epsilon,
/// because a sum of thousands of squares loses digits. The search does not end there: steps may still improve the last
/// digits of the unknowns.
const FTOL: f64 = 1e-10;
/// The search ends after more than this many steps that are lost in rounding and do not become shorter.
const MOST_IDLE_STEPS: u32 = 1;
/// A step that is lost in rounding becomes shorter if it has less than this part of the shortest one before.
const SHORTER: f64 = 0.7;
/// `xtol`: a step below this part of the size of the point changes no unknown.
const XTOL: f64 = 1e-2 * f64::EPSILON;
/// A promised part of the sum of squares below this is no fall at all.
const LEAST_PROMISE: f64 = f64::EPSILON * f64::EPSILON;
/// `gtol`: a point is level if the residuals are at right angles to all tangents, up to this cosine. It decides only
/// whether a search that cannot go on has converged.
const GTOL: f64 = 1e-4;

/// A point whose size is below this part of the residuals is so close to 0 that it does not give a scale for steps.
const LEAST_SIZE: f64 = 1e-3;
/// A column whose length is below this part of the longest, in the units of the unknowns, adds nothing: the rounding of
/// derivatives is a few digits below.
pub(crate) const DEPENDENT: f64 = 1e-11;
/// A column whose length is below this part of the longest hardly adds anything: half of the digits are lost.
pub(crate) const NEARLY_DEPENDENT: f64 = 1e-8;

impl NearestPoint {
    pub(crate) fn at(system: &mut impl Residuals, point: &[f64]) -> NearestPoint {
        let (residuals, rows) = (system.values(point), system.rows());
        NearestPoint::of(system.bounds(), point.to_vec(), residuals, rows)
    }

    /// Finds the unknowns that are held by their bounds, and makes their derivatives 0.
    fn of(bounds: &[(f64, f64)], point: Vec<f64>, residuals: Vec<f64>, mut rows: Vec<f64>) -> Self {
        let n = point.len();
        let mut held = Vec::new();
        for (place, (x, (low, high))) in point.iter().zip(bounds).enumerate() {
            let column = rows.iter().skip(place).step_by(n).zip(&residuals);
            let slope: f64 = column.map(|(entry, residual)| entry * residual).sum();
            if x <= low && slope > 0.0 || x >= high && slope < 0.0 {
                for entry in rows.iter_mut().skip(place).step_by(n) {
                    *entry = 0.0;
                }
                held.push(place);
            }
        }
        NearestPoint {
            point,
            residuals,
            rows,
            held,
            tangents: OnceCell::new(),
            passes: 1,
            end: SearchEnd::Settled,
        }
    }

    /// Returns the factored derivatives at the point, which are computed once.
    pub(crate) fn tangents(&self) -> &Tangents {
        self.tangents
            .get_or_init(|| self.factor(vec![self.residuals.clone()]))
    }

    /// Factors the derivatives at the point with these right sides.
    fn factor(&self, mut right_sides: Vec<Vec<f64>>) -> Tangents {
        let n = self.point.len();
        let mut rows = self.rows.clone();
        // An unknown that is held is known, as if it had been measured by itself.
        for &held in &self.held {
            rows.extend((0..n).map(|place| if place == held { 1.0 } else { 0.0 }));
            for right in &mut right_sides {
                right.push(0.0);
            }
        }
        let units = lengths(&rows, n);
        let factors = Factors::of_several(&divide_columns(&rows, &units), n, right_sides);
        Tangents { units, factors }
    }

    /// Returns how the nearest point moves, to first order, for each of these changes of the residuals.
    pub(crate) fn responses(&self, changes: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let tangents = self.factor(changes);
        let solutions = tangents.factors.solutions();
        let steps = solutions.map(|it| divide_columns(&it, &tangents.units));
        let subtracted = |step: Vec<f64>| step.iter().map(|part| -part).collect();
        steps.map(subtracted).collect()
    }

    /// Returns whether all derivatives are finite, and the length of the residuals, too.
    pub(crate) fn is_finite(&self) -> bool {
        norm(&self.residuals).is_finite() && self.rows.iter().all(|number| number.is_finite())
    }

    /// Returns the distance of the point from 0, in these units.
    fn size(&self, units: &[f64]) -> f64 {
        let parts = units.iter().zip(&self.point).map(|(unit, x)| unit * x);
        norm(&parts.collect::<Vec<f64>>()).min(f64::MAX)
    }

    /// Returns whether the tangents promise next to nothing: the part of the residuals along them is small.
    fn is_level(&self) -> bool {
        let tangents = self.tangents();
        let best_step = tangents.factors.solve(tangents.factors.rank(DEPENDENT));
        let along_tangents = norm(&tangents.factors.image(&best_step));
        along_tangents <= GTOL * norm(&self.residuals)
            || along_tangents <= FTOL * self.size(&tangents.units)
    }

    /// Returns whether the derivatives hardly tell the unknowns apart, as if some have run away together.
    pub(crate) fn is_degenerate(&self) -> bool {
        self.undetermined_unknowns(NEARLY_DEPENDENT).is_some()
    }

    /// Returns the indices of the unknowns that the derivatives do not tell apart, if there are any. `tolerance` is
    /// `DEPENDENT` or `NEARLY_DEPENDENT`.
    pub(crate) fn undetermined_unknowns(&self, tolerance: f64) -> Option<Vec<usize>> {
        let Tangents { units, factors } = self.tangents();
        let rank = factors.rank(tolerance);
        (rank < units.len()).then(|| dependent_columns(factors, units, rank))
    }
}

/// Searches for the point with the least sum of squares, by steps no longer than a radius within which the tangents have
/// proved right. The first step is no longer than `first_radius` times the size of the start.
pub(crate) fn in_trust_region(
    residuals: &mut impl Residuals,
    start: &NearestPoint,
    first_radius: f64,
    most_passes: u64,
    watch: SearchWatch,
) -> NearestPoint {
    let mut found = start.clone();
    let mut region = TrustRegion::around(start, first_radius);
    loop {
        let length = norm(&found.residuals);
        if length == 0.0 {
            return found;
        }
        if found.passes >= most_passes {
            found.end = SearchEnd::Exhausted;
            return found;
        }
        let next = stop::run_stoppable(|| region.next_point(residuals, &found, watch));
        // There is no next point if no step helps, and after a stop. The watch tells which it is.
        let Some(next) = next.ok().flatten() else {
            if !watch(found.passes, length, &found.point) {
                found.end = SearchEnd::Stopped;
            } else if !found.is_level() {
                found.end = SearchEnd::Stuck;
            }
            return found;
        };
        found = next;
    }
}

/// The region around a point in which its tangents are trusted.
struct TrustRegion {
    /// The unit of each unknown: the largest length of its derivatives so far.
    units: Vec<f64>,
    /// The length of the longest step, in these units.
    radius: f64,
    /// The damping of the last step.
    damping: f64,
    /// The length of the shortest step whose effect was lost in rounding.
    shortest_idle: f64,
    /// The number of steps that were lost in rounding and did not become shorter.
    idle_steps: u32,
}

impl TrustRegion {
    fn around(start: &NearestPoint, first_radius: f64) -> TrustRegion {
        let units = lengths(&start.rows, start.point.len());
        let (size, length) = (start.size(&units), norm(&start.residuals));
        let has_size = size > LEAST_SIZE * length;
        let scale = if has_size { size } else { length };
        TrustRegion {
            units,
            radius: first_radius * scale,
            damping: 0.0,
            shortest_idle: f64::INFINITY,
            idle_steps: 0,
        }
    }

    /// Returns the next point, or `None` if no step makes the residuals smaller. A step to a residual or a derivative that
    /// is not finite has gone too far.
    fn next_point(
        &mut self,
        residuals: &mut impl Residuals,
        found: &NearestPoint,
        watch: SearchWatch,
    ) -> Option<NearestPoint> {
        let length = norm(&found.residuals);
        self.widen_units(found);
        let scaled_rows = divide_columns(&found.rows, &self.units);
        let factors = Factors::of(&scaled_rows, found.point.len(), &found.residuals);
        let size = found.size(&self.units);
        for _ in 0..MOST_STEPS {
            if !watch(found.passes, length, &found.point) {
                return None;
            }
            let step = BoundedStep::within(&factors, self.radius, self.damping);
            self.damping = step.damping;
            let promised = step.promised_fall(&factors, length);
            let is_step = step.length > XTOL * size && promised > LEAST_PROMISE;
            if !is_step {
                return None;
            }
            let parts = divide_columns(&step.parts, &self.units);
            let unbounded = found.point.iter().zip(parts).map(|(x, part)| x - part);
            let mut point: Vec<f64> = unbounded.collect();
            residuals.clamp(&mut point);
            let values = residuals.values(&point);
            let fall = 1.0 - (norm(&values) / length).powi(2);
            // The sum of squares no longer tells whether the step is good, but its length does.
            let is_lost_in_rounding =
                fall.abs() < FTOL && promised < FTOL.sqrt() && step.damping == 0.0;
            if is_lost_in_rounding {
                self.count_idle_step(step.length);
            }
            if self.idle_steps > MOST_IDLE_STEPS {
                return None;
            }
            // A NaN is no fall.
            let is_accepted = is_lost_in_rounding || fall >= ACCEPTED_FALL * promised;
            let rows = is_accepted.then(|| residuals.rows());
            let Some(rows) = rows.filter(|rows| rows.iter().all(|entry| entry.is_finite())) else {
                self.shrink(step.length);
                continue;
            };
            if !is_lost_in_rounding {
                self.adjust_radius(&step, fall, promised);
            }
            let mut next = NearestPoint::of(residuals.bounds(), point, values, rows);
            next.passes += found.passes;
            return Some(next);
        }
        None
    }

    /// Makes the units at least as large as the derivatives at this point. Units never become smaller (Moré's scaling).
    fn widen_units(&mut self, found: &NearestPoint) {
        let lengths = lengths(&found.rows, found.point.len());
        for (unit, length) in self.units.iter_mut().zip(lengths) {
            *unit = f64::max(*unit, length);
        }
    }

    /// Counts a step that was lost in rounding, unless it is clearly shorter than the ones before.
    fn count_idle_step(&mut self, length: f64) {
        if length >= SHORTER * self.shortest_idle {
            self.idle_steps += 1;
        }
        self.shortest_idle = self.shortest_idle.min(length);
    }

    /// Adjusts the radius by how much of the promise an accepted step has kept.
    fn adjust_radius(&mut self, step: &BoundedStep, fall: f64, promised: f64) {
        if fall <= POOR_FALL * promised {
            self.shrink(step.length);
        } else if step.damping == 0.0 || fall >= GOOD_FALL * promised {
            self.radius = 2.0 * step.length;
            self.damping *= 0.5;
        }
    }

    /// Makes the radius smaller, and raises the damping to match.
    fn shrink(&mut self, step_length: f64) {
        self.radius = SHRINK * self.radius.min(step_length);
        self.damping /= SHRINK;
    }
}

/// A step in the units of the unknowns, which is subtracted from the point.
struct BoundedStep {
    parts: Vec<f64>,
    length: f64,
    /// The weight that the squares of the parts had beside those of the residuals, to keep the step short. MINPACK's `par`.
    damping: f64,
}

impl BoundedStep {
    fn new(parts: Vec<f64>, damping: f64) -> BoundedStep {
        BoundedStep {
            length: norm(&parts),
            parts,
            damping,
        }
    }

    /// Returns the best step that is hardly longer than the radius. `guess` is a guess of the damping; 0 if none is known.
    fn within(factors: &Factors, radius: f64, guess: f64) -> BoundedStep {
        let full_step = factors.solve(factors.rank(f64::EPSILON));
        let mut step = BoundedStep::new(full_step, 0.0);
        if step.length <= (1.0 + RADIUS_TOLERANCE) * radius {
            return step;
        }
        let mut damping = guess.max(LEAST_DAMPING);
        for _ in 0..MOST_DAMPINGS {
            let damped = factors.with_damping(damping.sqrt());
            step = BoundedStep::new(damped.solve(factors.columns()), damping);
            if (step.length - radius).abs() <= RADIUS_TOLERANCE * radius {
                break;
            }
            // The length is about 1/damping if that is large, and changes less if it is small.
            damping *= (step.length / radius).powf(1.5);
        }
        step
    }

    /// Returns the fraction of the sum of squares that the tangents promise to remove. `length` is the length of the
    /// residuals r. A damped step p satisfies `(JᵀJ + λ)p = Jᵀr`, so `|r|² - |r - Jp|² = |Jp|² + 2λ|p|²`.
    fn promised_fall(&self, factors: &Factors, length: f64) -> f64 {
        let along_tangents = norm(&factors.image(&self.parts)) / length;
        along_tangents.powi(2) + 2.0 * self.damping * (self.length / length).powi(2)
    }
}
