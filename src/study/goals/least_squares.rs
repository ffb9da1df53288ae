//! Least squares: brings a list of residuals as near to 0 as it can (Levenberg and Marquardt, in a trust region).
//!
//! Each round replaces the residuals by their tangents and takes the step that is best for those, but no longer than a
//! radius within which the tangents have proved right. Far away that is a careful step downhill, near the end it is
//! Newton's. Each unknown is measured in units of how strongly the residuals depend on it, so that one of 1e-6 and one
//! of 1e6 count alike.

use super::linear::{Factors, norm, safe_root};

/// Numbers that should become 0, and their derivatives.
pub(super) trait Residuals {
    /// The residuals at a point.
    fn values(&mut self, point: &[f64]) -> Vec<f64>;

    /// Their derivatives at the point of the last call of `values`, row by row.
    fn rows(&mut self) -> Vec<f64>;
}

/// Where a search ended.
#[derive(Debug)]
pub(super) struct NearestPoint {
    pub(super) point: Vec<f64>,
    pub(super) residuals: Vec<f64>,
    /// The derivatives there.
    pub(super) rows: Vec<f64>,
    /// How often the derivatives were computed, in all searches.
    pub(super) passes: u64,
    pub(super) end: End,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// No step makes the residuals smaller.
    Settled,
    /// The passes were used up.
    Exhausted,
    /// The watcher wanted it.
    Stopped,
}

/// The first radius, in multiples of the distance of the first point from 0. From a bad first point much depends on it,
/// so these are tried in turn until a search ends well.
const FIRST_RADII: [f64; 4] = [2.0, 0.3, 10.0, 100.0];
/// A search that takes more passes than this has likely lost its way.
const LONG: u64 = 1_000;
/// A step is taken if the residuals fall by more than this part of what the tangents promise.
const ENOUGH: f64 = 1e-4;
/// Lengths of steps that are this close to the radius are as good as equal.
const CLOSE: f64 = 0.1;
/// How often a damping is tried for a step of the right length.
const TRIES: usize = 10;
/// Below this part of the sum of squares a change is lost in rounding.
const ROUNDING: f64 = 1e-10;
/// Columns shorter than this part of the longest, all scaled alike, add nothing.
pub(super) const NEGLIGIBLE: f64 = 1e-11;

/// Looks for the point where the sum of squares is least, in one or more searches from `start`, where the residuals
/// must be finite. `watch` hears of each pass and of the length of the vector of residuals there, and says whether to
/// go on.
pub(super) fn least(
    residuals: &mut impl Residuals,
    start: &[f64],
    mut watch: impl FnMut(u64, f64) -> bool,
) -> NearestPoint {
    let mut best: Option<NearestPoint> = None;
    let mut before = 0;
    for radius in FIRST_RADII {
        let mut count = |passes: u64, length: f64| watch(before + passes, length);
        let found = search(residuals, start, radius, LONG, &mut count);
        before += found.passes;
        let ended =
            found.end == End::Stopped || found.end == End::Settled && found.determines_all();
        let better = best
            .as_ref()
            .is_none_or(|best| norm(&found.residuals) < norm(&best.residuals));
        if better {
            best = Some(found);
        }
        if ended {
            break;
        }
    }
    let mut best = best.expect("there is a first radius");
    best.passes = before;
    best
}

impl NearestPoint {
    /// How strongly the residuals depend on each of the unknowns, and the factors of the derivatives in these units.
    pub(super) fn factors(&self) -> (Vec<f64>, Factors) {
        let n = self.point.len();
        let units = lengths(&self.rows, n);
        let factors = Factors::of(&divided(&self.rows, &units), n, &self.residuals);
        (units, factors)
    }

    /// Whether the derivatives determine each of the unknowns.
    fn determines_all(&self) -> bool {
        let (units, factors) = self.factors();
        units.iter().all(|unit| *unit > 0.0) && factors.rank(NEGLIGIBLE) == units.len()
    }
}

/// Looks for the point where the sum of squares is least, with this first radius.
pub(super) fn search(
    residuals: &mut impl Residuals,
    start: &[f64],
    first_radius: f64,
    most_passes: u64,
    watch: &mut impl FnMut(u64, f64) -> bool,
) -> NearestPoint {
    let mut found = NearestPoint {
        residuals: residuals.values(start),
        rows: residuals.rows(),
        point: start.to_vec(),
        passes: 1,
        end: End::Settled,
    };
    let mut region = Region {
        units: vec![0.0; start.len()],
        radius: None,
        damping: 0.0,
        last_step: f64::INFINITY,
    };
    loop {
        let length = norm(&found.residuals);
        if length == 0.0 {
            return found;
        }
        if !watch(found.passes, length) {
            return NearestPoint {
                end: End::Stopped,
                ..found
            };
        }
        if found.passes >= most_passes {
            return NearestPoint {
                end: End::Exhausted,
                ..found
            };
        }
        let Some((point, values)) = region.next(residuals, &found, first_radius) else {
            return found;
        };
        found = NearestPoint {
            rows: residuals.rows(),
            residuals: values,
            point,
            passes: found.passes + 1,
            end: End::Settled,
        };
    }
}

/// The region around a point in which its tangents are trusted.
struct Region {
    /// How strongly the residuals have depended on each unknown so far, at most.
    units: Vec<f64>,
    radius: Option<f64>,
    damping: f64,
    /// The length of the last step whose effect was lost in rounding.
    last_step: f64,
}

impl Region {
    /// The next point and its residuals; `None` if no step makes them smaller.
    fn next(
        &mut self,
        residuals: &mut impl Residuals,
        found: &NearestPoint,
        first_radius: f64,
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let n = found.point.len();
        let length = norm(&found.residuals);
        for (unit, length) in self.units.iter_mut().zip(lengths(&found.rows, n)) {
            *unit = f64::max(*unit, length);
        }
        let scaled = divided(&found.rows, &self.units);
        let factors = Factors::of(&scaled, n, &found.residuals);
        let sizes = self
            .units
            .iter()
            .zip(&found.point)
            .map(|(unit, x)| unit * x);
        let size = norm(&sizes.collect::<Vec<f64>>());
        // A point that is 0 but for rounding says nothing of the scale.
        let says = size > ROUNDING * length;
        let first = first_radius * if says { size } else { 1.0 };
        let mut radius = self.radius.unwrap_or(first);
        loop {
            let step = BoundedStep::within(&factors, radius, self.damping);
            self.damping = step.damping;
            let point = self.moved(&found.point, &step.parts);
            let values = residuals.values(&point);
            let reached = norm(&values);
            let finite = values.iter().all(|value| value.is_finite());
            // These are parts of the sum of squares.
            let linear = (norm(&factors.image(&step.parts)) / length).powi(2);
            let damped = step.damping * (step.length / length).powi(2);
            let promised = linear + 2.0 * damped;
            let fall = if finite && 0.1 * reached < length {
                1.0 - (reached / length).powi(2)
            } else {
                -1.0
            };
            if fall.abs() < ROUNDING && promised < ROUNDING.sqrt() && step.damping == 0.0 {
                // The last digits of the unknowns: the sum of squares no longer tells, but the steps do.
                let shorter = step.length < 0.7 * self.last_step;
                self.last_step = step.length;
                return (shorter && step.length > 0.0).then_some((point, values));
            }
            let ratio = if promised > 0.0 { fall / promised } else { 0.0 };
            if ratio <= 0.25 {
                let slope = -(linear + damped);
                let shorter = if fall >= 0.0 {
                    0.5
                } else {
                    (0.5 * slope / (slope + 0.5 * fall)).clamp(0.1, 0.5)
                };
                radius = shorter * radius.min(10.0 * step.length);
                self.damping /= shorter;
            } else if step.damping == 0.0 || ratio >= 0.75 {
                radius = 2.0 * step.length;
                self.damping *= 0.5;
            }
            self.radius = Some(radius);
            if ratio >= ENOUGH || reached == 0.0 {
                return Some((point, values));
            }
            if promised <= f64::EPSILON * f64::EPSILON
                || radius <= 1e-2 * f64::EPSILON * size
                || radius < f64::MIN_POSITIVE
            {
                return None;
            }
        }
    }

    fn moved(&self, point: &[f64], parts: &[f64]) -> Vec<f64> {
        let steps = parts.iter().zip(&self.units);
        let steps = steps.map(|(part, unit)| if *unit == 0.0 { 0.0 } else { part / unit });
        point.iter().zip(steps).map(|(x, step)| x - step).collect()
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
        let parts = factors.solve(factors.rank(f64::EPSILON));
        let mut step = BoundedStep {
            length: norm(&parts),
            parts,
            damping: 0.0,
        };
        if step.length <= (1.0 + CLOSE) * most {
            return step;
        }
        let (mut least, mut greatest) = (0.0, norm(&factors.slope()) / most);
        let mut damping = if damping > 0.0 && damping < greatest {
            damping
        } else {
            1e-3 * greatest
        };
        for _ in 0..TRIES {
            let damped = factors.damped(damping.sqrt());
            let parts = damped.solve(factors.columns());
            let length = norm(&parts);
            let over = length - most;
            let shift = over / most * (length / norm(&damped.forward(&parts))).powi(2);
            step = BoundedStep {
                parts,
                length,
                damping,
            };
            if over.abs() <= CLOSE * most {
                break;
            }
            if over > 0.0 {
                least = damping;
            } else {
                greatest = damping;
            }
            damping += shift;
            if !(least < damping && damping < greatest) {
                damping = (1e-3 * greatest).max((least * greatest).sqrt());
            }
        }
        step
    }
}

/// The lengths of the columns.
fn lengths(rows: &[f64], columns: usize) -> Vec<f64> {
    let mut squares = vec![0.0; columns];
    for row in rows.chunks_exact(columns.max(1)) {
        for (square, number) in squares.iter_mut().zip(row) {
            *square += number * number;
        }
    }
    let column = |place| rows.iter().skip(place).step_by(columns).copied();
    let length = |(place, squares)| {
        safe_root(squares).unwrap_or_else(|| norm(&column(place).collect::<Vec<f64>>()))
    };
    squares.into_iter().enumerate().map(length).collect()
}

/// The rows, each column divided by its unit; a column without one is 0 anyway.
fn divided(rows: &[f64], units: &[f64]) -> Vec<f64> {
    let each = rows.iter().zip(units.iter().cycle());
    let scaled = |(number, unit): (&f64, &f64)| if *unit == 0.0 { 0.0 } else { number / unit };
    each.map(scaled).collect()
}
