//! Descent to a point where all slopes of a function are 0, from values and gradients (Broyden, Fletcher, Goldfarb and
//! Shanno).
//!
//! What the gradients have shown of the curvature makes the next direction: as a matrix for some hundred unknowns, as
//! the last steps themselves for more. Along a direction a step is halved or doubled until the function has fallen and
//! its slope has flattened. That needs no smoothness, so a kink is found too.

use std::collections::VecDeque;

use super::linear::{dot, norm};

/// A function of several numbers with its gradient.
pub(super) trait Landscape {
    /// Value and gradient at a point.
    fn at(&mut self, point: &[f64]) -> (f64, Vec<f64>);
}

/// Where a descent ended.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) point: Vec<f64>,
    pub(super) value: f64,
    pub(super) slopes: Vec<f64>,
}

impl Place {
    fn of(function: &mut impl Landscape, point: Vec<f64>) -> Place {
        let (value, slopes) = function.at(&point);
        Place {
            point,
            value,
            slopes,
        }
    }

    /// The largest slope, in absolute value.
    fn steepest(&self) -> f64 {
        self.slopes
            .iter()
            .fold(0.0, |most, slope| f64::max(most, slope.abs()))
    }

    /// Whether all slopes are below this part of 1 + |value|. One that falls as the point moves away from 0 is not level
    /// however large its value becomes.
    pub(super) fn is_level(&self, part: f64) -> bool {
        let size = 1.0 + self.value.abs();
        let outward = dot(&self.slopes, &self.point).abs();
        self.steepest() <= part * size && outward <= OUTWARD * size
    }

    fn is_finite(&self) -> bool {
        self.value.is_finite() && self.slopes.iter().all(|slope| slope.is_finite())
    }
}

/// Why a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DescentEnd {
    /// All slopes are as small as was asked for.
    Level,
    /// No step leads down, although a slope is not small.
    Stuck,
    /// The function falls without end.
    Endless,
    /// The watcher wanted it.
    Stopped,
}

/// Slopes are small below this part of 1 + |value|.
pub(super) const LEVEL: f64 = 1e-10;
/// A function that changes by more than this part when all unknowns do by their own size is still on its way.
const OUTWARD: f64 = 0.1;
/// Up to so many unknowns the curvature is a matrix.
const MATRIX: usize = 500;
/// So many steps make the curvature of more.
const STEPS_KEPT: usize = 20;
/// A step must fall by this part of what the slope promises.
const FALL: f64 = 1e-4;
/// And its slope must have flattened to this part.
const FLATTER: f64 = 0.9;
/// How often a step is halved or doubled.
const TRIES: usize = 100;
/// Below this part of a value a difference is lost in rounding.
const ROUNDING: f64 = 1e-14;
/// So many steps without an effect are enough.
const IDLE: usize = 30;
/// A function that has fallen below this falls without end.
const BOTTOM: f64 = -1e200;

/// Descends from `start`, where value and gradient are finite, until `level` says that the slopes are small enough.
pub(super) fn descend(
    function: &mut impl Landscape,
    start: &[f64],
    level: impl Fn(&Place) -> bool,
    watch: &mut impl FnMut(f64) -> bool,
) -> (Place, DescentEnd) {
    let mut here = Place::of(function, start.to_vec());
    let mut curvature = Curvature::of(start.len());
    let (mut idle, mut flattest) = (0, here.steepest());
    loop {
        if level(&here) {
            return (here, DescentEnd::Level);
        }
        if here.value < BOTTOM {
            return (here, DescentEnd::Endless);
        }
        if !watch(here.value) {
            return (here, DescentEnd::Stopped);
        }
        if idle > IDLE {
            return (here, DescentEnd::Stuck);
        }
        let mut direction = curvature.direction(&here.slopes);
        let leads_down = dot(&direction, &here.slopes) < 0.0;
        if !leads_down {
            curvature.forget();
            direction = curvature.direction(&here.slopes);
        }
        match along(function, &here, &direction, curvature.is_new()) {
            LineSearch::Next(next) => {
                curvature.learn(&here, &next);
                let falls = next.value < here.value - ROUNDING * here.value.abs();
                // Close to the end slopes go up and down with rounding, so the next one is compared with all before it.
                let flattens = next.steepest() < 0.5 * flattest;
                idle = if falls || flattens { 0 } else { idle + 1 };
                flattest = flattest.min(next.steepest());
                here = next;
            }
            LineSearch::Endless(end) => return (end, DescentEnd::Endless),
            // The curvature may mislead where the function is not smooth.
            LineSearch::Nowhere if !curvature.is_new() => curvature.forget(),
            LineSearch::Nowhere => return (here, DescentEnd::Stuck),
        }
    }
}

/// What a search along a line found.
enum LineSearch {
    Next(Place),
    Endless(Place),
    Nowhere,
}

/// Looks along a direction for a point where the function has fallen and flattened.
fn along(
    function: &mut impl Landscape,
    here: &Place,
    direction: &[f64],
    first: bool,
) -> LineSearch {
    let slope = dot(direction, &here.slopes);
    let (mut short, mut long) = (0.0, f64::INFINITY);
    let size = norm(&here.point);
    // The first direction says nothing about the length.
    let mut length = if first {
        (0.1 * f64::max(size, 1.0) / norm(direction)).min(1.0)
    } else {
        1.0
    };
    let mut lowest: Option<Place> = None;
    for _ in 0..TRIES {
        let point: Vec<f64> = here
            .point
            .iter()
            .zip(direction)
            .map(|(x, part)| x + length * part)
            .collect();
        if point == here.point {
            break;
        }
        let there = Place::of(function, point);
        if there.value == f64::NEG_INFINITY {
            return LineSearch::Endless(lowest.unwrap_or_else(|| here.clone()));
        }
        let reached = dot(direction, &there.slopes);
        let fallen = there.value <= here.value + FALL * length * slope;
        // Close to the end the values are equal but for rounding, and the slopes decide.
        let level = there.value <= here.value + ROUNDING * here.value.abs()
            && reached.abs() <= FLATTER * -slope;
        if !there.is_finite() || !(fallen || level) {
            long = length;
        } else if reached < FLATTER * slope {
            short = length;
            if there.value < BOTTOM {
                return LineSearch::Endless(there);
            }
            if lowest
                .as_ref()
                .is_none_or(|lowest| there.value < lowest.value)
            {
                lowest = Some(there);
            }
        } else {
            return LineSearch::Next(there);
        }
        length = if long.is_finite() {
            f64::midpoint(short, long)
        } else {
            2.0 * length
        };
    }
    match lowest {
        Some(lowest) if long.is_infinite() => LineSearch::Endless(lowest),
        // At a kink the slope never flattens.
        Some(lowest) if lowest.value < here.value => LineSearch::Next(lowest),
        _ => LineSearch::Nowhere,
    }
}

/// What is known of the curvature: an approximation of the inverse of the matrix of second derivatives.
enum Curvature {
    Matrix {
        unknowns: usize,
        inverse: Vec<f64>,
        new: bool,
    },
    Steps(VecDeque<Learnt>),
}

/// A step and how the slopes changed over it.
struct Learnt {
    step: Vec<f64>,
    change: Vec<f64>,
    product: f64,
}

impl Curvature {
    fn of(unknowns: usize) -> Curvature {
        if unknowns > MATRIX {
            return Curvature::Steps(VecDeque::new());
        }
        Curvature::Matrix {
            unknowns,
            inverse: Vec::new(),
            new: true,
        }
    }

    /// Whether nothing has been learnt.
    fn is_new(&self) -> bool {
        match self {
            Curvature::Matrix { new, .. } => *new,
            Curvature::Steps(steps) => steps.is_empty(),
        }
    }

    fn forget(&mut self) {
        match self {
            Curvature::Matrix { new, .. } => *new = true,
            Curvature::Steps(steps) => steps.clear(),
        }
    }

    /// The direction downhill.
    fn direction(&self, slopes: &[f64]) -> Vec<f64> {
        let down = |slopes: Vec<f64>| slopes.into_iter().map(|slope| -slope).collect();
        match self {
            Curvature::Matrix { new: true, .. } => down(slopes.to_vec()),
            Curvature::Matrix {
                unknowns, inverse, ..
            } => down(
                inverse
                    .chunks_exact(*unknowns)
                    .map(|row| dot(row, slopes))
                    .collect(),
            ),
            Curvature::Steps(steps) => {
                let mut direction = slopes.to_vec();
                let mut parts = Vec::with_capacity(steps.len());
                for learnt in steps.iter().rev() {
                    let part = dot(&learnt.step, &direction) / learnt.product;
                    add(&mut direction, -part, &learnt.change);
                    parts.push(part);
                }
                if let Some(last) = steps.back() {
                    let scale = last.product / dot(&last.change, &last.change);
                    for part in &mut direction {
                        *part *= scale;
                    }
                }
                for (learnt, part) in steps.iter().zip(parts.into_iter().rev()) {
                    let back = dot(&learnt.change, &direction) / learnt.product;
                    add(&mut direction, part - back, &learnt.step);
                }
                down(direction)
            }
        }
    }

    fn learn(&mut self, from: &Place, to: &Place) {
        let differ = |to: &[f64], from: &[f64]| -> Vec<f64> {
            to.iter().zip(from).map(|(to, from)| to - from).collect()
        };
        let step = differ(&to.point, &from.point);
        let change = differ(&to.slopes, &from.slopes);
        let product = dot(&step, &change);
        let tells = product > f64::EPSILON * norm(&step) * norm(&change);
        if !tells {
            return;
        }
        match self {
            Curvature::Steps(steps) => {
                if steps.len() == STEPS_KEPT {
                    steps.pop_front();
                }
                steps.push_back(Learnt {
                    step,
                    change,
                    product,
                });
            }
            Curvature::Matrix {
                unknowns,
                inverse,
                new,
            } => {
                let n = *unknowns;
                if *new {
                    let scale = product / dot(&change, &change);
                    *inverse = (0..n * n)
                        .map(|at| if at % (n + 1) == 0 { scale } else { 0.0 })
                        .collect();
                    *new = false;
                }
                let image: Vec<f64> = inverse
                    .chunks_exact(n)
                    .map(|row| dot(row, &change))
                    .collect();
                let weight = (1.0 + dot(&change, &image) / product) / product;
                for (row, (part, turned)) in
                    inverse.chunks_exact_mut(n).zip(step.iter().zip(&image))
                {
                    add(row, weight * part - turned / product, &step);
                    add(row, -part / product, &image);
                }
            }
        }
    }
}

/// Adds a multiple of a vector.
fn add(to: &mut [f64], factor: f64, vector: &[f64]) {
    for (to, part) in to.iter_mut().zip(vector) {
        *to += factor * part;
    }
}
