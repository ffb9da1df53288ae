//! Solving equations: leaves at which pairs of nodes are equal.
//!
//! Newton's method on the exact Jacobian. A single leaf has a search of its own (`one_leaf`). Several leaves go by least
//! squares, which far away from a solution takes shorter steps, and ends at the nearest point if there is none.

use std::rc::Rc;

use super::equations::{Equation, Equations, MOST_PASSES, Solution, SolutionEnd, Start};
use super::least_squares::{self, End, Residuals};
use super::linear::dependence;
use super::one_leaf::one;
use crate::graph::Node;

/// Looks for data of the leaves at which the equations hold, beginning at their present data, where both sides are
/// finite. There are as many leaves as equations. `watch` hears of each pass and of how far away it is, and says
/// whether to go on.
pub(crate) fn solve(
    equations: &[Equation],
    leaves: &[Rc<Node>],
    mut watch: &mut dyn FnMut(u64, f64) -> bool,
) -> Solution {
    let watch = &mut watch;
    let mut system = Equations::of(equations, leaves);
    let sides = equations
        .iter()
        .map(|equation| [equation.left.data(), equation.right.data()]);
    let from = Start {
        point: leaves.iter().map(|leaf| leaf.data()).collect(),
        pairs: sides.collect(),
    };
    match from.point[..] {
        [start] => one(&mut system, &from, start, watch),
        _ => several(&mut system, &from, watch),
    }
}

fn several(
    system: &mut Equations,
    from: &Start,
    watch: &mut impl FnMut(u64, f64) -> bool,
) -> Solution {
    let found = least_squares::search(system, &from.point, FIRST_RADIUS, MOST_PASSES, watch);
    let went_out = !system.finite;
    system.values(&found.point);
    let n = from.point.len();
    let (units, factors) = found.factors();
    let rank = factors.rank(least_squares::NEGLIGIBLE);
    let step = || {
        let parts = factors.solve(n).into_iter().zip(&units);
        (rank == n).then(|| parts.map(|(part, unit)| part / unit).collect())
    };
    let end = if system.is_solved(from, &found.point, step) {
        SolutionEnd::Solved
    } else if found.end == End::Stopped {
        SolutionEnd::Stopped
    } else if rank < n {
        SolutionEnd::Undetermined(dependence(&factors, &units, rank))
    } else if went_out {
        SolutionEnd::Undefined
    } else {
        SolutionEnd::NotFound
    };
    Solution {
        sides: system.pairs(),
        point: found.point,
        passes: found.passes,
        end,
    }
}

/// Newton's step is first taken as it is.
const FIRST_RADIUS: f64 = 100.0;
