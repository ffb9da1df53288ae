//! The heights of everything in a picture that goes to a file.
//!
//! Every point of the layers is a body and every wire a spring; the solver brings them to rest.

use std::collections::{BTreeMap, HashSet};

use super::Sizes;
use super::boxes;
use crate::report::Diagram;
use crate::view::picture::layout::coordinates::{Body, Neighbours, Rest, Solver, Spring};
use crate::view::picture::layout::layers::Layers;

/// Between neighbours in a rank.
const GAP: f64 = 14.0;
/// The most rounds over all ranks.
const ROUNDS: usize = 60;
/// The most springs to look at in all rounds: large graphs get fewer rounds.
const MOST_LOOKS: usize = 4_000_000;
/// Less than this is no movement.
const STILL: f64 = 0.02;

/// The middle of every point: of a value's box and of its operation, or of a bend.
pub(crate) fn settled(diagram: &Diagram, layers: &Layers, sizes: &Sizes) -> Vec<f64> {
    let mut bodies: Vec<Body> = (0..layers.points.len())
        .map(|point| Body {
            before: sizes.height(point) / 2.0,
            behind: sizes.height(point) / 2.0,
            springs: Vec::new(),
        })
        .collect();
    let mut trunks = HashSet::new();
    for wire in layers.wires() {
        let count = diagram.vertices[wire.user].operands.len();
        for ends in wire.way.windows(2) {
            let (from, to) = (ends[0], ends[1]);
            let last = to == wire.user;
            // A trunk that several wires share pulls once.
            if !last && !trunks.insert((from, to)) {
                continue;
            }
            let below = if last {
                boxes::port(count, wire.position)
            } else {
                0.0
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

/// The bends of each trunk, as far as its longest wire goes; the longest run comes first.
fn runs(layers: &Layers) -> Vec<Vec<usize>> {
    let mut longest: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for wire in layers.wires() {
        if let [_, bends @ .., _] = &wire.way[..]
            && bends.len() > 1
        {
            let begin = (layers.points[bends[0]].rank, layers.places[bends[0]]);
            let known = longest.entry(begin).or_default();
            if known.len() < bends.len() {
                *known = bends.to_vec();
            }
        }
    }
    let mut runs: Vec<Vec<usize>> = longest.into_values().collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    runs
}
