//! Least squares: brings a list of residuals as near to 0 as it can (Levenberg and Marquardt, in a trust region).
//!
//! Each round replaces the residuals by their tangents and takes the step that is best for those, but no longer than a
//! radius within which the tangents have proved right. Far away, that is a careful step downhill; near the end, it is
//! Newton's step. Each unknown is measured in units of how strongly the residuals depend on it, so that one of 1e-6 and
//! one of 1e6 count alike.

use std::cell::OnceCell;

use super::goal::SearchWatch;
use super::linear::{Factors, dependent_columns, divide_columns, lengths, norm};
use chainrule_stop as stop;

/// Residuals as functions of some unknowns.
pub(super) trait Residuals {
    /// The residuals at a point.
    fn values(&mut self, point: &[f64]) -> Vec<f64>;

    /// Their derivatives at the point of the last call of `values`, row by row.
    fn rows(&mut self) -> Vec<f64>;

    /// Between which numbers each unknown stays, if some are bounded.
    fn bounds(&self) -> &[(f64, f64)];

    /// Moves a point to within the bounds.
    fn clamp(&self, point: &mut [f64]) {
        for (x, (low, high)) in point.iter_mut().zip(self.bounds()) {
            *x = x.max(*low).min(*high);
        }
    }
}

/// Where a search ended.
#[derive(Clone, Debug)]
pub(crate) struct NearestPoint {
    pub(crate) point: Vec<f64>,
    pub(super) residuals: Vec<f64>,
    /// The derivatives there.
    pub(super) rows: Vec<f64>,
    /// The unknowns at a bound beyond which the residuals would be smaller. They do not move, and count as known.
    pub(crate) held: Vec<usize>,
    tangents: OnceCell<Tangents>,
    /// How often the derivatives were computed, in all searches.
    pub(crate) passes: u64,
    pub(crate) end: SearchEnd,
}

/// What the derivatives at a point tell of the unknowns.
#[derive(Clone, Debug)]
pub(super) struct Tangents {
    /// How strongly the residuals depend on each of the unknowns.
    pub(super) units: Vec<f64>,
    /// The factors of the derivatives in these units.
    pub(super) factors: Factors,
    rank: usize,
}

/// Why a search ended: of least squares, of a fit, of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    /// The point is the one that was looked for: no step makes the residuals smaller, and equations hold.
    Settled,
    /// No step makes the residuals smaller, though the tangents promise it, or equations do not hold.
    Stuck,
    /// The passes were used up.
    Exhausted,
    /// The host wanted to stop.
    Stopped,
    /// These leaves, by place, can move together without an effect on the residuals.
    Undetermined(Vec<usize>),
    /// Where a fit begins a derivative is not a finite number: at this point, by this leaf.
    Undefined { point: usize, leaf: usize },
}

/// A step is taken if the residuals fall by more than this part of what the tangents promise.
const ENOUGH: f64 = 1e-4;
/// Lengths of steps that are this close to the radius are as good as equal.
const CLOSE: f64 = 0.1;
/// What becomes of the radius after a step that was too long.
const SHORTER: f64 = 0.3;
/// How many steps from one point are tried, each shorter than the one before.
const TRIES: usize = 100;
/// How often a damping is tried for a step of the right length.
const DAMPINGS: usize = 30;
/// Where the search for a damping begins.
const LEAST_DAMPING: f64 = 1e-10;
/// Below this part of the residuals a point is so near to 0 that it says nothing of the scale.
const SAYS_NOTHING: f64 = 1e-3;
/// A point is level if the tangents promise no more than this part of the residuals.
const LEVEL: f64 = 1e-4;
/// Below this part of the sum of squares a change is lost in rounding.
const ROUNDING: f64 = 1e-10;
/// After more than this many steps that are lost in rounding, and not shorter than those before, the search ends.
const IDLE: u32 = 1;
/// Columns shorter than this part of the longest, all scaled alike, add nothing.
const NEGLIGIBLE: f64 = 1e-11;
/// Columns shorter than this part of the longest hardly add anything.
const HARDLY: f64 = 1e-7;

impl NearestPoint {
    pub(super) fn at(system: &mut impl Residuals, point: &[f64]) -> NearestPoint {
        let (residuals, rows) = (system.values(point), system.rows());
        NearestPoint::of(system.bounds(), point.to_vec(), residuals, rows)
    }

    /// Finds out which unknowns are held, and makes their derivatives 0.
    fn of(
        bounds: &[(f64, f64)],
        point: Vec<f64>,
        residuals: Vec<f64>,
        mut rows: Vec<f64>,
    ) -> NearestPoint {
        let mut held = Vec::new();
        for (at, (x, (low, high))) in point.iter().zip(bounds).enumerate() {
            let column = rows.iter_mut().skip(at).step_by(point.len());
            let column: Vec<(&mut f64, &f64)> = column.zip(&residuals).collect();
            let slope: f64 = column.iter().map(|(row, off)| **row * **off).sum();
            if x <= low && slope > 0.0 || x >= high && slope < 0.0 {
                for (row, _) in column {
                    *row = 0.0;
                }
                held.push(at);
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

    /// The derivatives there, factored once.
    pub(super) fn tangents(&self) -> &Tangents {
        self.tangents
            .get_or_init(|| self.factor(vec![self.residuals.clone()]))
    }

    fn factor(&self, mut right: Vec<Vec<f64>>) -> Tangents {
        let n = self.point.len();
        let mut rows = self.rows.clone();
        // What is held is known, as if it had been measured by itself.
        for &at in &self.held {
            rows.extend((0..n).map(|place| if place == at { 1.0 } else { 0.0 }));
            for side in &mut right {
                side.push(0.0);
            }
        }
        let units = lengths(&rows, n);
        let factors = Factors::of_several(&divide_columns(&rows, &units), n, right);
        Tangents {
            rank: factors.rank(NEGLIGIBLE),
            units,
            factors,
        }
    }

    /// How far the nearest point moves if the residuals change, for each of these changes, as the tangents say.
    pub(super) fn responses(&self, changes: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let tangents = self.factor(changes);
        let each = tangents.factors.solutions();
        let moved = |it: Vec<f64>| divide_columns(&it, &tangents.units);
        each.map(|it| moved(it).iter().map(|part| -part).collect())
            .collect()
    }

    /// Whether all is finite, the length of the residuals too.
    pub(super) fn is_finite(&self) -> bool {
        norm(&self.residuals).is_finite() && self.rows.iter().all(|number| number.is_finite())
    }

    /// How far the point is from 0, in these units.
    fn size(&self, units: &[f64]) -> f64 {
        let each = units.iter().zip(&self.point).map(|(unit, x)| unit * x);
        norm(&each.collect::<Vec<f64>>()).min(f64::MAX)
    }

    /// Whether the tangents promise next to nothing, even in the direction that is best by them.
    fn is_level(&self) -> bool {
        let Tangents {
            units,
            factors,
            rank,
        } = self.tangents();
        let promised = norm(&factors.image(&factors.solve(*rank)));
        promised <= LEVEL * norm(&self.residuals) || promised <= ROUNDING * self.size(units)
    }

    /// Whether the derivatives hardly tell the unknowns apart, as where some have run away together.
    pub(super) fn is_degenerate(&self) -> bool {
        self.tangents().factors.rank(HARDLY) < self.point.len()
    }

    /// The unknowns, by place, that the derivatives do not tell apart, if there are any.
    pub(super) fn undetermined_unknowns(&self) -> Option<Vec<usize>> {
        let it = self.tangents();
        (it.rank < it.units.len()).then(|| dependent_columns(&it.factors, &it.units, it.rank))
    }
}

/// Looks for the point where the sum of squares is least, by steps that are no longer than the tangents prove right, at
/// first than this radius.
pub(super) fn in_trust_region(
    residuals: &mut impl Residuals,
    start: &NearestPoint,
    first_radius: f64,
    most_passes: u64,
    watch: SearchWatch,
) -> NearestPoint {
    let mut found = start.clone();
    let units = lengths(&start.rows, start.point.len());
    // A point that is 0, or nearly so beside the residuals, says nothing of the scale.
    let (size, length) = (start.size(&units), norm(&start.residuals));
    let size = Some(size).filter(|size| *size > SAYS_NOTHING * length);
    let scale = size.unwrap_or(length);
    let mut region = Region {
        units,
        radius: first_radius * scale,
        damping: 0.0,
        shortest: f64::INFINITY,
        idle: 0,
    };
    loop {
        let length = norm(&found.residuals);
        if length == 0.0 {
            return found;
        }
        if found.passes >= most_passes {
            found.end = SearchEnd::Exhausted;
            return found;
        }
        let next = stop::run_stoppable(|| region.next(residuals, &found, watch));
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
struct Region {
    /// How strongly the residuals have depended on each unknown, at most.
    units: Vec<f64>,
    radius: f64,
    damping: f64,
    /// The shortest step whose effect was lost in rounding.
    shortest: f64,
    /// How many of these were not shorter than all before.
    idle: u32,
}

impl Region {
    /// The next point; `None` if no step makes the residuals smaller. Where a residual or a derivative is not finite, a
    /// step has gone too far.
    fn next(
        &mut self,
        residuals: &mut impl Residuals,
        found: &NearestPoint,
        watch: SearchWatch,
    ) -> Option<NearestPoint> {
        let n = found.point.len();
        let length = norm(&found.residuals);
        for (unit, length) in self.units.iter_mut().zip(lengths(&found.rows, n)) {
            *unit = f64::max(*unit, length);
        }
        let factors = Factors::of(
            &divide_columns(&found.rows, &self.units),
            n,
            &found.residuals,
        );
        let size = found.size(&self.units);
        for _ in 0..TRIES {
            if !watch(found.passes, length, &found.point) {
                return None;
            }
            let step = BoundedStep::within(&factors, self.radius, self.damping);
            self.damping = step.damping;
            let mut point = found.point.clone();
            for (x, part) in point
                .iter_mut()
                .zip(divide_columns(&step.parts, &self.units))
            {
                *x -= part;
            }
            residuals.clamp(&mut point);
            // These are parts of the sum of squares.
            let promised = (norm(&factors.image(&step.parts)) / length).powi(2)
                + 2.0 * step.damping * (step.length / length).powi(2);
            let is_step =
                step.length > 1e-2 * f64::EPSILON * size && promised > f64::EPSILON * f64::EPSILON;
            if !is_step {
                return None;
            }
            let values = residuals.values(&point);
            // A NaN is no fall.
            let fall = 1.0 - (norm(&values) / length).powi(2);
            // The last digits of the unknowns: the sum of squares no longer tells, but the steps do.
            let rounded =
                fall.abs() < ROUNDING && promised < ROUNDING.sqrt() && step.damping == 0.0;
            if rounded {
                self.idle += u32::from(step.length >= 0.7 * self.shortest);
                self.shortest = self.shortest.min(step.length);
            }
            if self.idle > IDLE {
                return None;
            }
            let rows = (rounded || fall >= ENOUGH * promised).then(|| residuals.rows());
            let rows = rows.filter(|rows| rows.iter().all(|number| number.is_finite()));
            if rows.is_none() || !rounded && fall <= 0.25 * promised {
                self.radius = SHORTER * self.radius.min(step.length);
                self.damping /= SHORTER;
            } else if !rounded && (step.damping == 0.0 || fall >= 0.75 * promised) {
                self.radius = 2.0 * step.length;
                self.damping *= 0.5;
            }
            if let Some(rows) = rows {
                let next = NearestPoint::of(residuals.bounds(), point, values, rows);
                return Some(NearestPoint {
                    passes: found.passes + 1,
                    ..next
                });
            }
        }
        None
    }
}

/// A step, in the units of the unknowns, against which it is subtracted.
struct BoundedStep {
    parts: Vec<f64>,
    length: f64,
    /// The weight that the squares of the parts had beside those of the residuals, to keep the step short.
    damping: f64,
}

impl BoundedStep {
    /// The best step that is hardly longer than `most`. `damping` is a guess.
    fn within(factors: &Factors, most: f64, damping: f64) -> BoundedStep {
        let damped = |parts: Vec<f64>, damping: f64| BoundedStep {
            length: norm(&parts),
            parts,
            damping,
        };
        let mut step = damped(factors.solve(factors.rank(f64::EPSILON)), 0.0);
        if step.length <= (1.0 + CLOSE) * most {
            return step;
        }
        let mut damping = damping.max(LEAST_DAMPING);
        for _ in 0..DAMPINGS {
            let parts = factors
                .with_damping(damping.sqrt())
                .solve(factors.columns());
            step = damped(parts, damping);
            if (step.length - most).abs() <= CLOSE * most {
                break;
            }
            // A step is about as long as 1/damping where that is large, and less sensitive where it is small.
            damping *= (step.length / most).powf(1.5);
        }
        step
    }
}
