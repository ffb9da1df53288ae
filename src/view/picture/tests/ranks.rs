//! Who stands in which rank, and how many wires cross.
//!
//! Crossings are counted here once more, in the plainest way there is.

use std::collections::HashMap;

use super::{Builder, network, random};
use crate::report::Diagram;
use crate::view::picture::layout::layers::{Layers, RankItem, layers};

/// Pairs of wires that cross between two ranks, counted in the plainest way; a shared piece counts once.
fn crossings(layers: &Layers) -> usize {
    let mut pieces: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    for wire in &layers.wires {
        let way: Vec<(usize, usize)> = std::iter::once(wire.from)
            .chain(wire.bends.iter().copied())
            .chain([wire.to])
            .collect();
        for step in way.windows(2) {
            assert_eq!(step[0].0 + 1, step[1].0, "a wire skips a rank");
            pieces
                .entry(step[0].0)
                .or_default()
                .push((step[0].1, step[1].1));
        }
    }
    let mut count = 0;
    for pieces in pieces.values_mut() {
        pieces.sort_unstable();
        pieces.dedup();
        for (at, a) in pieces.iter().enumerate() {
            for b in &pieces[at..] {
                count += usize::from(a.0 < b.0 && a.1 > b.1);
            }
        }
    }
    count
}

/// Everything is there once, and wires run from operands to operations and from those to values.
fn check(diagram: &Diagram, layers: &Layers) {
    let mut places: HashMap<RankItem, (usize, usize)> = HashMap::new();
    for (rank, items) in layers.ranks.iter().enumerate() {
        for (place, &item) in items.iter().enumerate() {
            let value = matches!(item, RankItem::Value(_));
            let operation = matches!(item, RankItem::Operation(_));
            assert!(!value || rank % 2 == 0, "a value in a rank of operations");
            assert!(!operation || rank % 2 == 1);
            if value || operation {
                assert_eq!(places.insert(item, (rank, place)), None, "{item:?} twice");
            }
        }
    }
    let mut wires = layers.wires.iter();
    for (user, vertex) in diagram.vertices.iter().enumerate() {
        for (position, &operand) in vertex.operands.iter().enumerate() {
            let wire = wires.next().expect("a wire for each operand");
            assert_eq!(wire.position, position);
            assert_eq!(wire.from, places[&RankItem::Value(operand)]);
            assert_eq!(wire.to, places[&RankItem::Operation(user)]);
            for &(rank, place) in &wire.bends {
                assert!(matches!(layers.ranks[rank][place], RankItem::Bend(_)));
            }
        }
        if !vertex.operands.is_empty() {
            let wire = wires.next().expect("a wire from the operation");
            assert_eq!(wire.from, places[&RankItem::Operation(user)]);
            assert_eq!(wire.to, places[&RankItem::Value(user)]);
        }
    }
    assert_eq!(wires.next(), None);
    assert_eq!(layers.ranks.last(), Some(&vec![RankItem::Value(0)]));
}

#[test]
fn networks_cross_little() {
    for (shape, nodes, most) in [
        (&[3, 4, 1][..], 61, 17),
        (&[3, 4, 4, 1], 117, 55),
        (&[2, 1], 10, 0),
    ] {
        let diagram = network(shape);
        assert_eq!(diagram.vertices.len(), nodes);
        let layers = layers(&diagram);
        check(&diagram, &layers);
        let crossings = crossings(&layers);
        assert!(crossings <= most, "{shape:?}: {crossings} crossings");
    }
}

#[test]
fn graphs_by_chance_are_whole() {
    for seed in 0..300 {
        let diagram = random(seed, 1 + seed as usize % 7, seed as usize % 40);
        let layers = layers(&diagram);
        check(&diagram, &layers);
        assert_eq!(
            layers,
            crate::view::picture::layout::layers::layers(&diagram)
        );
    }
}

/// A leaf stands beside its user, and operands stand in their order where nothing crosses.
#[test]
fn a_leaf_is_beside_its_user() {
    let mut graph = Builder::default();
    let [a, b, c, f] = ["a", "b", "c", "f"].map(|name| graph.leaf(name, 1.0));
    let ab = graph.apply("a*b", "*", &[a, b], 1.0);
    let sum = graph.apply("a*b + c", "+", &[c, ab], 1.0);
    graph.apply("L", "*", &[sum, f], 1.0);
    let diagram = graph.diagram();
    let layers = layers(&diagram);
    check(&diagram, &layers);
    let names: Vec<String> = layers
        .ranks
        .iter()
        .map(|rank| {
            let name = |item: &RankItem| match *item {
                RankItem::Value(at) => diagram.vertices[at].label.clone(),
                RankItem::Operation(at) => diagram.vertices[at]
                    .operation
                    .map_or(String::new(), |(spelling, _)| spelling.to_string()),
                RankItem::Bend(_) => "-".to_string(),
            };
            rank.iter().map(name).collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(
        names,
        ["a b", "*", "c a*b", "+", "a*b + c f", "*", "L"],
        "{layers:?}"
    );
}

/// Long wires make a graph of so many nodes one of a hundred thousand bends; the sweeps get fewer.
#[test]
fn large_graphs_are_whole() {
    for diagram in [random(7, 40, 1960), network(&[10, 20, 15, 1])] {
        let layers = layers(&diagram);
        check(&diagram, &layers);
    }
}
