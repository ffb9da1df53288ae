//! Solving equations: leaves at which pairs of nodes are equal.
//!
//! Newton's method on the exact Jacobian. A single leaf has a search of its own (`one_leaf`). Several leaves go by least
//! squares, which far away from a solution takes shorter steps, and ends at the nearest point if there is none.

use std::rc::Rc;

use super::equations::{Equation, Equations, MOST_PASSES, Solution, SolutionEnd, Start};
use super::least_squares::{self, End, Residuals};
use super::linear::{dependence, norm};
use super::one_leaf::one;
use crate::graph::Node;
use crate::stop;

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
    // From here on only `watch` stops the search, so that the nearest point is kept.
    stop::undisturbed(|| match from.point[..] {
        [start] => one(&mut system, &from, start, watch),
        _ => several(&mut system, &from, watch),
    })
}

fn several(
    system: &mut Equations,
    from: &Start,
    watch: &mut impl FnMut(u64, f64) -> bool,
) -> Solution {
    let mut nearest: Option<(f64, Solution)> = None;
    let mut passes = 0;
    for radius in FIRST_RADII {
        let most = MOST_PASSES - passes;
        let mut count = |more: u64, distance: f64| watch(passes + more, distance);
        let (distance, found) = attempt(system, from, (radius, most), &mut count);
        passes += found.passes;
        let ended = matches!(found.end, SolutionEnd::Solved | SolutionEnd::Stopped);
        nearest = match nearest {
            Some((least, before)) if found.end != SolutionEnd::Solved && least <= distance => {
                let end = if ended { found.end } else { before.end };
                Some((least, Solution { end, ..before }))
            }
            _ => Some((distance, found)),
        };
        if ended || passes >= MOST_PASSES {
            break;
        }
    }
    let (_, found) = nearest.expect("there is a first radius");
    Solution { passes, ..found }
}

/// One search, with this first radius and at most so many passes: how far from a solution it ends, and what it found.
fn attempt(
    system: &mut Equations,
    from: &Start,
    (radius, most): (f64, u64),
    watch: &mut impl FnMut(u64, f64) -> bool,
) -> (f64, Solution) {
    let found = least_squares::search(system, &from.point, radius, most, watch);
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
    let solution = Solution {
        sides: system.pairs(),
        point: found.point,
        passes: found.passes,
        end,
    };
    (norm(&found.residuals), solution)
}

/// Newton's step is first taken as it is. Where that leads astray, shorter first steps are tried.
const FIRST_RADII: [f64; 3] = [100.0, 1.0, 0.1];
