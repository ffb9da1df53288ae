//! Solves equations: finds leaves at which pairs of nodes are equal.
//!
//! The engine finds the root of an equation of a single leaf. For several leaves, those that already solve the equations
//! stay. From other points, least squares bring the sides together. If the search finds no solution, it begins again at
//! multiples of the first point. The equations also tell how the leaves follow others.

use std::rc::Rc;

use crate::search::differences::Differences;
use crate::search::implicit::{Slopes, slopes_by_sources};
use crate::search::least_squares::{
    DEPENDENT, NearestPoint, Residuals, SearchEnd, in_trust_region,
};
use crate::search::linear::norm;
use crate::search::{Progress, SearchWatch};
use chainrule_engine::graph::{Node, Plan};
use chainrule_engine::roots::{
    Equation, FACTORS, MOST_PASSES_EACH, are_equal, multiple, nearest_root, zero_if_close,
};
use chainrule_session::Session;
use chainrule_stop as stop;

/// The most passes of all searches.
pub(crate) const MOST_PASSES: u64 = MOST_PASSES_EACH * FACTORS.len() as u64;

/// Searches for data of the leaves at which all left sides are equal to the right sides. The search begins at the present
/// data, where both sides are finite. There are as many leaves as equations, and each leaf stays within its bounds. Calls
/// `watch` for each pass with the distance of the sides, to ask whether to go on. Returns the point that was found, and the poles that were met.
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
    let found = stop::run_to_end(|| match leaves {
        [leaf] => search.run_for_one(leaf),
        _ => search.run(),
    });
    (found, search.poles)
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

/// The equation of a single leaf. Beyond a bound the sides are as they are at the bound.
impl Equation for SolutionSearch<'_> {
    fn sides(&mut self, x: f64) -> [f64; 2] {
        let point = self.within_bounds(x);
        self.differences.values(&point);
        [self.differences.left[0], self.differences.right[0]]
    }

    fn slope(&mut self) -> f64 {
        self.progress.passes += 1;
        self.differences.rows()[0]
    }

    fn size_of_terms(&mut self, x: f64) -> f64 {
        self.size_of_terms_of(0, &self.within_bounds(x))
    }

    fn goes_on(&mut self, x: f64) -> bool {
        let distance = self.differences.left[0] - self.differences.right[0];
        let point = self.within_bounds(x);
        self.progress.goes_on(0, distance.abs(), &point)
    }

    fn note_pole(&mut self, x: f64) {
        self.poles.push(x);
    }
}

impl SolutionSearch<'_> {
    /// Searches for the solution of the equation of a single leaf.
    fn run_for_one(&mut self, leaf: &Node) -> NearestPoint {
        let [start] = self.within_bounds(leaf.data());
        let found = nearest_root(self, start);
        let point = self.within_bounds(found.x);
        let mut nearest = NearestPoint::at(&mut self.differences, &point);
        nearest.passes = self.progress.passes;
        nearest.end = self.end(found.is_solution);
        nearest
    }

    /// Returns this number of a single leaf, or the bound nearest to it.
    fn within_bounds(&self, x: f64) -> [f64; 1] {
        let mut point = [x];
        self.differences.clamp(&mut point);
        point
    }

    /// Returns the reason for the end of a search.
    fn end(&self, is_solution: bool) -> SearchEnd {
        match is_solution {
            true => SearchEnd::Settled,
            false if self.progress.is_stopped => SearchEnd::Stopped,
            false => SearchEnd::Stuck,
        }
    }

    /// Searches for data of several leaves.
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
            let found = self.search_from(&start);
            let is_solution = self.is_solution(&found.point);
            if is_solution || norm(&found.residuals) <= norm(&nearest.residuals) {
                nearest = found;
            }
            nearest.passes = self.progress.passes;
            if is_solution || self.progress.is_stopped {
                nearest.end = self.end(is_solution);
                return nearest;
            }
        }
        let mut with_zeros = nearest.point.clone();
        for (x, start) in with_zeros.iter_mut().zip(&first) {
            *x = zero_if_close(*x, *start);
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

    /// Searches from one point by least squares.
    fn search_from(&mut self, start: &NearestPoint) -> NearestPoint {
        let watch =
            &mut |pass, distance: f64, point: &[f64]| self.progress.goes_on(pass, distance, point);
        let found = in_trust_region(&mut self.differences, start, 1.0, MOST_PASSES_EACH, watch);
        self.progress.passes += found.passes;
        found
    }

    /// Returns whether a point solves the equations.
    fn is_solution(&mut self, point: &[f64]) -> bool {
        self.differences.values(point);
        (0..self.differences.left.len()).all(|place| {
            let sides = [&self.differences.left, &self.differences.right].map(|it| it[place]);
            are_equal(sides, &mut || self.size_of_terms_of(place, point))
        })
    }

    /// Returns the size of the terms of both sides of an equation.
    fn size_of_terms_of(&self, equation: usize, point: &[f64]) -> f64 {
        let sizes = self
            .sides
            .map(|side| size_of_terms(&side[equation], self.leaves, point));
        sizes.iter().sum()
    }
}

/// Returns the size of the terms of a node at a point.
fn size_of_terms(node: &Rc<Node>, leaves: &[Rc<Node>], point: &[f64]) -> f64 {
    let mut plan = Plan::of(node);
    for (leaf, data) in leaves.iter().zip(point) {
        if let Some(slot) = plan.order().slot(leaf) {
            plan.set(slot, *data);
        }
    }
    plan.forward(None);
    plan.size_of_terms()
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
