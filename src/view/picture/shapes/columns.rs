//! A graph in ranks as bodies and springs in columns, for `heights.rs` to bring to rest.
//!
//! What belongs together is one body: an operation and its value, and a wire that passes both their ranks.

use std::collections::{BTreeMap, HashSet};

use super::Sizes;
use super::boxes;
use crate::report::Diagram;
use crate::view::picture::layout::heights;
use crate::view::picture::layout::heights::{Body, Spring};
use crate::view::picture::layout::layers::{Layers, RankItem, Wire};

/// Between neighbours in a column.
const GAP: f64 = 14.0;

/// The middle of every item. An operation stands beside its value, and a bend beside the same wire's next bend: both
/// are one body, hence at one height.
pub(crate) fn settled(diagram: &Diagram, layers: &Layers, sizes: &Sizes) -> Vec<Vec<f64>> {
    // For each item in a rank of operations, its place in the rank of values that follows.
    let mut partners: Vec<Vec<usize>> = Vec::with_capacity(layers.ranks.len());
    for (rank, items) in layers.ranks.iter().enumerate() {
        let mut found = Vec::new();
        if rank % 2 == 1 {
            let mut next = layers.ranks[rank + 1].iter().enumerate();
            for item in items {
                let wanted = match *item {
                    RankItem::Operation(vertex) => RankItem::Value(vertex),
                    other => other,
                };
                // Both ranks have one order.
                let place = next.find(|(_, item)| **item == wanted);
                found.push(place.map_or(0, |(place, _)| place));
            }
        }
        partners.push(found);
    }
    let body = |(rank, place): (usize, usize)| match rank % 2 {
        0 => (rank / 2, place),
        _ => (rank / 2 + 1, partners[rank][place]),
    };
    let mut columns: Vec<Vec<Body>> = layers
        .ranks
        .iter()
        .step_by(2)
        .map(|items| {
            let height = |item: &RankItem| sizes.of(*item).1;
            items
                .iter()
                .map(|item| Body {
                    height: height(item),
                    springs: Vec::new(),
                })
                .collect()
        })
        .collect();
    for (rank, items) in layers.ranks.iter().enumerate().skip(1).step_by(2) {
        for (place, item) in items.iter().enumerate() {
            let (column, at) = body((rank, place));
            let height = &mut columns[column][at].height;
            *height = height.max(sizes.of(*item).1);
        }
    }
    let is_bend =
        |(rank, place): (usize, usize)| matches!(layers.ranks[rank][place], RankItem::Bend(_));
    let mut known = HashSet::new();
    for wire in &layers.wires {
        let RankItem::Operation(user) = layers.ranks[wire.to.0][wire.to.1] else {
            continue;
        };
        let count = diagram.vertices[user].operands.len();
        let mut from = wire.from;
        for &to in wire.bends.iter().chain([&wire.to]) {
            let (one, other) = (body(from), body(to));
            let end = to == wire.to;
            let below = if end {
                boxes::port(count, wire.position)
            } else {
                0.0
            };
            // A trunk that several wires share pulls once.
            if one != other && (end || known.insert((one, other))) {
                let strength = match (is_bend(from), is_bend(to)) {
                    (true, true) => 8.0,
                    (false, false) => 1.0,
                    _ => 2.0,
                };
                columns[one.0][one.1].springs.push(Spring {
                    to: other,
                    below,
                    strength,
                });
                columns[other.0][other.1].springs.push(Spring {
                    to: one,
                    below: -below,
                    strength,
                });
            }
            from = to;
        }
    }
    let mut found = heights::heights(&columns, GAP);
    heights::level(&columns, GAP, &runs(layers, body), &mut found);
    layers
        .ranks
        .iter()
        .enumerate()
        .map(|(rank, items)| {
            (0..items.len())
                .map(|place| {
                    let (column, at) = body((rank, place));
                    found[column][at]
                })
                .collect()
        })
        .collect()
}

/// Where wires run past other things, the longest way for each trunk.
fn runs(
    layers: &Layers,
    body: impl Fn((usize, usize)) -> (usize, usize),
) -> Vec<Vec<(usize, usize)>> {
    let mut longest: BTreeMap<(usize, usize), &Wire> = BTreeMap::new();
    for wire in layers.wires.iter().filter(|wire| wire.bends.len() > 2) {
        let known = longest.entry(wire.bends[0]).or_insert(wire);
        if known.bends.len() < wire.bends.len() {
            *known = wire;
        }
    }
    let mut runs: Vec<Vec<(usize, usize)>> = longest
        .into_values()
        .map(|wire| {
            let mut run: Vec<_> = wire.bends.iter().map(|&bend| body(bend)).collect();
            run.dedup();
            run
        })
        .collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    runs
}
