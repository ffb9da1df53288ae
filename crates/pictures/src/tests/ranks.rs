//! Tests the rank of each point and the number of crossings, which are counted here once more, pair by pair.

use std::collections::HashMap;

use super::{Builder, network, random};
use crate::layout::layers::Layers;
use chainrule_report::Diagram;

/// Pairs of wires that cross between two ranks, counted pair by pair; a shared piece counts once.
fn crossings(layers: &Layers) -> usize {
    let mut pieces: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    for wire in layers.wires() {
        for ends in wire.way.windows(2) {
            let ranks = [0, 1].map(|end| layers.points[ends[end]].rank);
            assert_eq!(ranks[0] + 1, ranks[1], "a wire skips a rank");
            pieces
                .entry(ranks[0])
                .or_default()
                .push((layers.places[ends[0]], layers.places[ends[1]]));
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

/// Everything is there once, and wires run from operands over bends to their users.
fn check(diagram: &Diagram, layers: &Layers) {
    let mut places: HashMap<usize, (usize, usize)> = HashMap::new();
    for (rank, points) in layers.ranks.iter().enumerate() {
        for (place, &point) in points.iter().enumerate() {
            assert_eq!(places.insert(point, (rank, place)), None, "{point} twice");
            assert_eq!(layers.points[point].rank, rank);
            assert_eq!(layers.places[point], place);
            assert_eq!(layers.is_bend(point), point >= diagram.vertices.len());
        }
    }
    assert_eq!(places.len(), layers.points.len());
    let mut wires = layers.wires().into_iter();
    for (user, vertex) in diagram.vertices.iter().enumerate() {
        for (position, &operand) in vertex.operands.iter().enumerate() {
            let wire = wires.next().expect("a wire for each operand");
            assert_eq!((wire.user, wire.position), (user, position));
            let [from, bends @ .., to] = &wire.way[..] else {
                panic!("a wire has two ends");
            };
            assert_eq!((*from, *to), (operand, user));
            assert!(bends.iter().all(|&bend| layers.is_bend(bend)));
            for ends in wire.way.windows(2) {
                let mut right_ends = layers.points[ends[0]].right.iter();
                assert!(right_ends.any(|end| end.point == ends[1]));
                assert!(layers.points[ends[1]].left.contains(&ends[0]));
            }
        }
    }
    assert!(wires.next().is_none());
    assert_eq!(layers.ranks.last(), Some(&vec![0]));
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
        let layers = Layers::new(&diagram);
        check(&diagram, &layers);
        let crossings = crossings(&layers);
        assert!(crossings <= most, "{shape:?}: {crossings} crossings");
    }
}

#[test]
fn random_graphs_are_whole() {
    for seed in 0..120 {
        let diagram = random(seed, 1 + seed as usize % 7, seed as usize % 40);
        let layers = Layers::new(&diagram);
        check(&diagram, &layers);
        assert_eq!(layers, Layers::new(&diagram));
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
    let layers = Layers::new(&diagram);
    check(&diagram, &layers);
    let name = |point: usize| match diagram.vertices.get(point) {
        Some(vertex) => vertex.label.clone(),
        None => "-".to_string(),
    };
    let sign = |point: usize| match diagram.vertices.get(point) {
        Some(vertex) => vertex.operation.map(|(sign, _)| sign.to_string()),
        None => Some("-".to_string()),
    };
    let mut names: Vec<String> = Vec::new();
    for points in &layers.ranks {
        let signs: Vec<String> = points.iter().filter_map(|&point| sign(point)).collect();
        let values: Vec<String> = points.iter().map(|&point| name(point)).collect();
        names.push(signs.join(" "));
        names.push(values.join(" "));
    }
    assert_eq!(
        names[1..],
        ["a b", "*", "c a*b", "+", "a*b + c f", "*", "L"],
        "{layers:?}"
    );
}

/// Long wires give these graphs up to a hundred thousand bends, so there are fewer attempts to reduce crossings.
#[test]
fn large_graphs_are_whole() {
    for diagram in [random(7, 40, 1960), network(&[10, 20, 15, 1])] {
        let layers = Layers::new(&diagram);
        check(&diagram, &layers);
    }
}
