//! Solving equations: leaves at which pairs of nodes are equal.
//!
//! Newton's method on the exact Jacobian, first with whole steps, then with steps no longer than the tangents prove
//! right. If neither leads to a solution, the search begins again at multiples of the first point. Two values of a single
//! leaf at which the sides differ to opposite directions are brought together in between.

use std::rc::Rc;

use super::equations::{Equation, Equations, MOST_PASSES, Solution, SolutionEnd};
use super::least_squares::{
    NEGLIGIBLE, NearestPoint, Residuals, SearchWatch, in_trust_region, moved, newton,
};
use super::linear::{dependence, norm};
use crate::graph::Node;
use crate::stop;

/// What the first point is multiplied by, in turn. A leaf that is 0 there becomes the factor without its
/// sign.
const FACTORS: [f64; 5] = [1.0, -1.0, 0.5, 2.0, 10.0];
/// After so many passes that hardly bring the sides closer, a search has lost its way.
const PATIENCE: u32 = 12;

/// Looks for data of the leaves at which the equations hold, beginning at their present data, where both sides are
/// finite. There are as many leaves as equations. `watch` hears of each pass and of how far away it is, and says
/// whether to go on.
pub(crate) fn solve(equations: &[Equation], leaves: &[Rc<Node>], watch: SearchWatch) -> Solution {
    let mut system = Equations::of(equations, leaves);
    // From here on only `watch` stops the search, so that the nearest point is kept.
    stop::undisturbed(|| {
        let point = system.start.clone();
        let start = NearestPoint::at(&mut system, &point);
        let mut search = SolutionSearch {
            system,
            nearest: None,
            end: SolutionEnd::NotFound,
            passes: 0,
            watch,
        };
        search.run(&start);
        let point = search.nearest.unwrap_or(start).point;
        search.system.values(&point);
        Solution {
            sides: search.system.pairs(),
            point,
            passes: search.passes,
            end: search.end,
        }
    })
}

/// Several searches, one after the other.
struct SolutionSearch<'w> {
    system: Equations,
    nearest: Option<NearestPoint>,
    /// What the nearest point is.
    end: SolutionEnd,
    /// How many passes there were in all.
    passes: u64,
    watch: SearchWatch<'w>,
}

impl SolutionSearch<'_> {
    fn run(&mut self, first: &NearestPoint) {
        for factor in FACTORS {
            let multiple = |&x: &f64| match x {
                0.0 if factor != 1.0 => factor.abs(),
                _ => x * factor,
            };
            let point: Vec<f64> = first.point.iter().map(multiple).collect();
            let start = NearestPoint::at(&mut self.system, &point);
            if !start.is_finite() {
                continue;
            }
            if self.attempt(|system, most, watch| Some(newton(system, &start, most, watch))) {
                return;
            }
            let between = |system: &mut Equations, most, watch: SearchWatch| {
                let [x] = start.point[..] else { return None };
                let distance = norm(&start.residuals);
                let x = system.between_sides(x, &mut || watch(0, distance))?;
                let start = NearestPoint::at(system, &[x]);
                start
                    .is_finite()
                    .then(|| newton(system, &start, most, watch))
            };
            if self.attempt(between) {
                return;
            }
            let trusted = |system: &mut Equations, most, watch: SearchWatch| {
                Some(in_trust_region(system, &start, 1.0, most, watch))
            };
            if self.attempt(trusted) {
                return;
            }
        }
    }

    /// Makes one search, with at most so many passes; says whether it was the last.
    fn attempt(
        &mut self,
        search: impl FnOnce(&mut Equations, u64, SearchWatch) -> Option<NearestPoint>,
    ) -> bool {
        let before = self.passes;
        let (mut stopped, mut slow, mut seen, mut least) = (false, 0, 0, f64::INFINITY);
        let mut watch = |passes: u64, distance: f64| {
            stopped = !(self.watch)(before + passes, distance);
            if distance < 0.9 * least {
                (slow, least) = (0, distance);
            } else if passes > seen {
                slow += 1;
            }
            seen = passes;
            !stopped && slow < PATIENCE
        };
        let found = search(&mut self.system, MOST_PASSES - before, &mut watch);
        if let Some(found) = found {
            self.passes += found.passes;
            let is_nearer = (self.nearest.as_ref())
                .is_none_or(|nearest| norm(&found.residuals) < norm(&nearest.residuals));
            let end = self.end(&found);
            if is_nearer || end == SolutionEnd::Solved {
                (self.nearest, self.end) = (Some(found), end);
            }
        }
        if stopped && self.end != SolutionEnd::Solved {
            self.end = SolutionEnd::Stopped;
        }
        stopped || self.end == SolutionEnd::Solved || self.passes >= MOST_PASSES
    }

    /// What the point is at which a search ended.
    fn end(&mut self, found: &NearestPoint) -> SolutionEnd {
        if self.system.is_solved(&found.point) {
            return SolutionEnd::Solved;
        }
        let (units, factors) = found.factors();
        let rank = factors.rank(NEGLIGIBLE);
        if rank < units.len() {
            return SolutionEnd::Undetermined(dependence(&factors, &units, rank));
        }
        let beyond = moved(&found.point, &factors.solve(rank), &units);
        let off = self.system.values(&beyond);
        if off.iter().all(|off| off.is_finite()) {
            SolutionEnd::NotFound
        } else {
            SolutionEnd::Undefined
        }
    }
}
