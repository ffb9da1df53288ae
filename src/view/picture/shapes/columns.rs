//! Where everything stands across a picture that goes to a file: its heights in one that runs to the right.
//!
//! Every point of the layers is a body and every wire a spring; the solver brings them to rest.

use super::Sizes;
use super::boxes;
use crate::view::picture::layout::coordinates::{Body, Neighbours, Rest, Solver, Spring};
use crate::view::picture::layout::layers::Layers;

/// Between neighbours in a rank.
const GAP: f64 = 14.0;
/// The most rounds over all ranks.
const ROUNDS: usize = 60;
/// The most springs to look at in all rounds: large graphs get fewer rounds.
const MOST_LOOKS: usize = 2_000_000;
/// Less than this is no movement.
const STILL: f64 = 0.02;

/// The middle of every point: of a value's box and of its operation, or of a bend.
pub(crate) fn settled(layers: &Layers, sizes: &Sizes) -> Vec<f64> {
    let mut bodies: Vec<Body> = (0..layers.points.len())
        .map(|point| Body {
            before: sizes.across(point) / 2.0,
            behind: sizes.across(point) / 2.0,
            springs: Vec::new(),
        })
        .collect();
    // Every piece of a wire from one rank to the next; a trunk that several wires share pulls once.
    for (to, point) in layers.points.iter().enumerate() {
        for (position, &from) in point.left.iter().enumerate() {
            let below = if layers.is_bend(to) {
                0.0
            } else {
                boxes::entrance(sizes, to, point.left.len(), position)
            };
            let strength = match (layers.is_bend(from), layers.is_bend(to)) {
                (true, true) => 8.0,
                (false, false) => 1.0,
                _ => 2.0,
            };
            for (body, other, below) in [(from, to, below), (to, from, -below)] {
                bodies[body].springs.push(Spring {
                    to: [other, other],
                    below,
                    strength,
                });
            }
        }
    }
    let mut solver = Solver::new(layers, &bodies, GAP, Rest::Mean);
    solver.center();
    solver.sweep(false, Neighbours::Left);
    solver.sweep(true, Neighbours::Right);
    let springs: usize = bodies.iter().map(|body| body.springs.len() + 1).sum();
    for round in 0..(MOST_LOOKS / springs.max(1)).clamp(4, ROUNDS) {
        if solver.sweep(round % 2 == 0, Neighbours::Both) < STILL {
            break;
        }
    }
    solver.level(&runs(layers));
    solver.coordinates
}

/// The bends of each trunk; the longest run comes first.
fn runs(layers: &Layers) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for &point in layers.ranks.iter().flatten() {
        let begins =
            |&bend: &usize| layers.is_bend(bend) && !layers.is_bend(layers.points[bend].left[0]);
        let next = |&bend: &usize| {
            let users = layers.points[bend].right.iter().map(|&(user, _)| user);
            users.into_iter().find(|&user| layers.is_bend(user))
        };
        let run: Vec<usize> = std::iter::successors(Some(point).filter(begins), next).collect();
        if run.len() > 1 {
            runs.push(run);
        }
    }
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    runs
}
