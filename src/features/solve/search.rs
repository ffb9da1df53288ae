//! Solves equations: finds leaves at which pairs of nodes are equal.
//!
//! Leaves that already solve the equations stay. From other points, least squares bring the sides together. For a single
//! leaf the search also looks for a solution nearer to the first point: it finds two values at which the sides differ in
//! opposite directions, and bisects between these values. If the search finds no solution, it begins again at multiples of
//! the first point. The equations also tell how the leaves follow others.

use std::rc::Rc;

use crate::search::differences::Differences;
use crate::search::implicit::{Slopes, slopes_by_sources};
use crate::search::least_squares::{
    DEPENDENT, NearestPoint, Residuals, SearchEnd, in_trust_region,
};
use crate::search::linear::norm;
use crate::search::{Progress, SearchWatch};
use chainrule_engine::graph::{Node, Plan};
use chainrule_engine::roots::bisect;
use chainrule_session::Session;
use chainrule_stop as stop;

/// The most passes from one point: if the sides only touch, each pass halves the distance, and 53 halvings use up all
/// digits.
const MOST_PASSES_EACH: u64 = 80;
/// The most passes of all searches.
pub(crate) const MOST_PASSES: u64 = MOST_PASSES_EACH * FACTORS.len() as u64;

/// The first point is multiplied by these factors, in turn. See [`multiple`] for a leaf of 0.
const FACTORS: [f64; 5] = [1.0, -1.0, 0.5, 2.0, 10.0];

/// Sides that differ by at most this fraction are equal: to 12 digits.
const EQUAL_SIDES: f64 = 1e-12;
/// Sides that differ by at most this fraction of the terms from which they are computed are equal but for rounding.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The way to a solution is halved this often to look for another one before it.
const HALVINGS: i32 = 20;
/// The most searches for a solution before another one.
const MOST_NEARER: usize = 4;
/// The sides differ by more than this times as much at a pole as at a distance from it.
const POLE_GROWTH: f64 = 1e3;

/// A leaf that ends below this fraction of its start, or of 1 if that is larger, is perhaps 0.
const SMALL: f64 = 1e-3;

/// The first distance at which the search for an interval tries another value, as a fraction of the first value, or of 1
/// if that is larger.
const FIRST_DISTANCE: f64 = 1e-3;
/// The distance is doubled this many times: to about 1e57 times the first value.
const DOUBLINGS: i32 = 200;

/// Searches for data of the leaves at which all left sides are equal to the right sides. The search begins at the present
/// data, where both sides are finite. There are as many leaves as equations, and each leaf stays within its bounds;
/// `bounds` is empty if no leaf is bounded. Calls `watch` for each pass with the distance of the sides, to ask whether to
/// go on. Returns the point that was found, and the poles that were met.
pub(crate) fn solve(
    sides: [&[Rc<Node>]; 2],
    leaves: &[Rc<Node>],
    bounds: Vec<(f64, f64)>,
    watch: SearchWatch,
) -> (NearestPoint, Vec<f64>) {
    let [left, right] = sides;
    // The unit of each of several equations is the size of its right side, or of its left side if the right side is 0, so
    // that equations of different sizes count equally. A single equation needs no unit.
    let unit = |(left_side, right_side): (&Rc<Node>, &Rc<Node>)| {
        let sizes = [right_side, left_side].map(|side| side.data().abs());
        let first_size = sizes.into_iter().find(|size| *size > 0.0);
        first_size.filter(|_| leaves.len() > 1).unwrap_or(1.0)
    };
    let units = left.iter().zip(right).map(unit).collect();
    let mut differences = Differences::of(left, right, leaves, units, &[]);
    differences.bounds = bounds;
    let mut search = SolutionSearch {
        sides,
        leaves,
        differences,
        progress: Progress::watched_by(watch),
        poles: Vec::new(),
    };
    // From here on only `watch` stops the search, so that the nearest point is kept.
    (stop::run_to_end(|| search.run()), search.poles)
}

/// The search for a solution, from several points one after the other.
struct SolutionSearch<'s> {
    sides: [&'s [Rc<Node>]; 2],
    leaves: &'s [Rc<Node>],
    differences: Differences,
    progress: Progress<'s>,
    /// The poles of the equation of a single leaf that were met.
    poles: Vec<f64>,
}

impl SolutionSearch<'_> {
    fn run(&mut self) -> NearestPoint {
        let mut first: Vec<f64> = self.leaves.iter().map(|leaf| leaf.data()).collect();
        self.differences.clamp(&mut first);
        let mut nearest = NearestPoint::at(&mut self.differences, &first);
        if self.is_solution(&first) {
            return nearest;
        }
        for factor in FACTORS {
            let mut point: Vec<f64> = first.iter().map(|x| multiple(*x, factor)).collect();
            self.differences.clamp(&mut point);
            let start = NearestPoint::at(&mut self.differences, &point);
            if !start.is_finite() {
                continue;
            }
            let (found, is_solution) = self.search_from(&start);
            if is_solution || norm(&found.residuals) <= norm(&nearest.residuals) {
                nearest = found;
            }
            nearest.passes = self.progress.passes;
            if is_solution {
                nearest.end = SearchEnd::Settled;
                return nearest;
            }
            if self.progress.is_stopped {
                nearest.end = SearchEnd::Stopped;
                return nearest;
            }
        }
        // Steps toward a root of higher order grow shorter and shorter, and 0 is too far for them.
        let mut with_zeros = nearest.point.clone();
        for (x, start) in with_zeros.iter_mut().zip(&first) {
            if x.abs() < SMALL * start.abs().max(1.0) {
                *x = 0.0;
            }
        }
        self.differences.clamp(&mut with_zeros);
        if self.is_solution(&with_zeros) {
            nearest.point = with_zeros;
            nearest.end = SearchEnd::Settled;
            return nearest;
        }
        nearest.end = match nearest.undetermined_unknowns(DEPENDENT) {
            Some(leaves) if nearest.is_finite() => SearchEnd::Undetermined(leaves),
            _ => SearchEnd::Stuck,
        };
        nearest
    }

    /// Searches from one point: by least squares, and for a single leaf also by intervals for a nearer solution.
    /// Returns the point at which the search has ended, and whether this point is a solution.
    fn search_from(&mut self, start: &NearestPoint) -> (NearestPoint, bool) {
        let watch =
            &mut |pass, distance: f64, point: &[f64]| self.progress.goes_on(pass, distance, point);
        let found = in_trust_region(&mut self.differences, start, 1.0, MOST_PASSES_EACH, watch);
        self.progress.passes += found.passes;
        let is_solution = self.is_solution(&found.point);
        let &[x] = &start.point[..] else {
            return (found, is_solution);
        };
        let mut solution = is_solution.then_some(found.point[0]);
        let distance = |it: f64| (it - x).abs();
        for _ in 0..MOST_NEARER {
            let most_distance = solution.map_or(f64::INFINITY, distance);
            let meeting = self.between_sides(start, most_distance);
            match meeting.filter(|nearer| self.is_solution(&[*nearer])) {
                Some(nearer) if distance(nearer) < most_distance => solution = Some(nearer),
                _ => break,
            }
        }
        let Some(end) = solution else {
            return (found, false);
        };
        (NearestPoint::at(&mut self.differences, &[end]), true)
    }

    /// Asks whether to go on with the search that began at this point.
    fn goes_on(&mut self, start: &NearestPoint) -> bool {
        let distance = norm(&start.residuals);
        self.progress.goes_on(0, distance, &start.point)
    }

    /// Tries a value of the only leaf, or the bound nearest to it.
    fn try_value(&mut self, x: f64) -> TriedValue {
        let mut point = [x];
        self.differences.clamp(&mut point);
        TriedValue {
            x: point[0],
            difference: self.differences.values(&point)[0],
        }
    }

    /// Returns a value of the only leaf at which the sides of the equation come together. Doubles the distance from the
    /// start until the sides differ in opposite directions at two values, and bisects between these values. If there is a
    /// `most_distance`, there may be a pole with a solution on each side shortly before it: so from half of it on, the rest
    /// is halved.
    fn between_sides(&mut self, start: &NearestPoint, most_distance: f64) -> Option<f64> {
        let first = start.point[0];
        let unit = FIRST_DISTANCE * first.abs().max(1.0);
        let mut last_tried = [self.try_value(first); 2];
        let doubled = (0..DOUBLINGS).map(|doubling| unit * 2_f64.powi(doubling));
        let first_half = doubled.take_while(|distance| *distance < 0.5 * most_distance);
        let halvings = (1..=HALVINGS).map(|halving| most_distance * (1.0 - 0.5_f64.powi(halving)));
        let second_half = halvings.take_while(|distance| distance.is_finite());
        for distance in first_half.chain(second_half) {
            for (last, sign) in last_tried.iter_mut().zip([1.0, -1.0]) {
                let next = self.try_value(first + sign * distance);
                let ends = [*last, next];
                // A gap in the domain is skipped: the next interval begins before it.
                if next.difference.is_finite() {
                    *last = next;
                }
                let meeting = self.bisect(ends);
                if meeting.is_some() || !self.goes_on(start) {
                    return meeting;
                }
            }
        }
        None
    }

    /// Returns the value between two others at which the sides come together, if the sides differ in opposite directions at
    /// these two. At a pole the sides do not come together, and the function returns `None`.
    fn bisect(&mut self, ends: [TriedValue; 2]) -> Option<f64> {
        let [one_size, other_size] = ends.map(|end| end.difference.abs());
        let [one, other] = ends.map(|end| end.difference.signum());
        if one != -other {
            return None;
        }
        let mut difference = |x| self.try_value(x).difference;
        let found = bisect(&mut difference, ends.map(|end| end.x))?;
        let size = difference(found).abs();
        // Adding 0 makes a -0 a 0.
        let x = found + 0.0;
        if size > POLE_GROWTH * one_size.max(other_size) {
            self.poles.push(x);
        }
        (size < one_size.min(other_size)).then_some(x)
    }

    /// Returns whether a point solves the equations: the sides of each are equal to 12 digits, or differ by no more than
    /// the rounding of the terms from which they are computed.
    fn is_solution(&mut self, point: &[f64]) -> bool {
        self.differences.values(point);
        (0..self.differences.left.len()).all(|equation| self.is_equal(equation, point))
    }

    /// Returns whether the sides of an equation are equal at this point, at which the differences were computed last.
    fn is_equal(&self, equation: usize, point: &[f64]) -> bool {
        let left = self.differences.left[equation];
        let right = self.differences.right[equation];
        let difference = (left - right).abs();
        let size = left.abs().max(right.abs());
        // Computed only if needed, because it takes a pass.
        let rounding = || {
            let sides = self.sides.map(|nodes| &nodes[equation]);
            let [of_left, of_right] = sides.map(|side| size_of_terms(side, self.leaves, point));
            ROUNDING * (of_left + of_right)
        };
        // A side that is infinite or NaN is equal to nothing.
        size.is_finite() && (difference <= EQUAL_SIDES * size || difference <= rounding())
    }
}

/// Returns a leaf's number times a factor. All multiples of 0 are 0, so 0 becomes the size of the factor instead.
fn multiple(x: f64, factor: f64) -> f64 {
    if x == 0.0 && factor != 1.0 {
        factor.abs()
    } else {
        x * factor
    }
}

/// A value of a single leaf, and the difference of the sides there.
#[derive(Clone, Copy)]
struct TriedValue {
    x: f64,
    difference: f64,
}

/// Returns the size of the terms of a node at a point: the sum of |data × grad| over all nodes at and below it. An error of
/// rounding in each of them changes the node by about this sum times the machine epsilon.
fn size_of_terms(node: &Rc<Node>, leaves: &[Rc<Node>], point: &[f64]) -> f64 {
    let mut plan = Plan::of(node);
    for (leaf, data) in leaves.iter().zip(point) {
        if let Some(slot) = plan.order().slot(leaf) {
            plan.set(slot, *data);
        }
    }
    plan.forward(None);
    plan.backward();
    let terms = plan.data().iter().zip(plan.grads());
    terms.map(|(data, grad)| (data * grad).abs()).sum()
}

/// Returns the derivatives, by each source, of leaves that solve equations at a point. `None` if the derivatives are not
/// known.
pub(crate) fn slopes_of_solution(
    session: &mut Session,
    [left, right]: [&[Rc<Node>]; 2],
    leaves: &[Rc<Node>],
    point: &[f64],
    sources: &[Rc<Node>],
) -> Option<Slopes> {
    let equations = |_: &mut Session, by: &[Rc<Node>], at: &[f64]| {
        let mut sides = Differences::of(left, right, by, vec![1.0; leaves.len()], &[]);
        sides.values(at);
        let rows = sides.rows();
        Some(rows.chunks(by.len()).map(<[f64]>::to_vec).collect())
    };
    slopes_by_sources(session, leaves, point, sources, equations)
}
