//! A diagram in which each long list is one box, with the ranges of its data and grads.
//!
//! Arrows from and to the items go from and to the box, each once. Lists that would form a cycle are not made into
//! boxes.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::contraction::Contraction;
use super::network_roles::LeafRoles;
use crate::session::Session;
use crate::session::naming::labels::long_lists::{Fold, folds};
use chainrule_engine::graph::{FullGraph, Node};
use chainrule_report::{Diagram, Vertex};

/// The long lists that can be boxes of a picture: those without the root and without any of the nodes `apart`, whose
/// items do not depend on one another, not even by way of another box.
///
/// In a network, only lists with names and layers of neurons are boxes.
pub fn list_boxes(
    session: &Session,
    whole: &FullGraph,
    apart: &[Rc<Node>],
    network: bool,
) -> Vec<Fold> {
    let mut folds = folds(session.names(), &whole.nodes);
    if network {
        let roles = LeafRoles::new(whole, |place| session.label(&whole.nodes[place]));
        let are_neurons = |places: &[usize]| {
            let mut nodes = places.iter().map(|&place| &whole.nodes[place]);
            nodes.all(|node| roles.is_neuron(node))
        };
        folds.retain(|fold| fold.has_name || are_neurons(&fold.places));
    }
    let apart = apart.iter().filter_map(|node| whole.place(node));
    let kept: FxHashSet<usize> = apart.chain([0]).collect();
    let single = |place: &usize| kept.contains(place);
    folds.retain(|fold| !fold.places.iter().any(single));
    if folds.is_empty() {
        return folds;
    }
    let boxes = Contraction::new(whole, &folds, |_| true);
    let operands = operands(whole, &boxes);
    let singles = operands.len() - folds.len();
    let mut on_circles = on_circles(&boxes, &operands).into_iter().skip(singles);
    folds.retain(|_| on_circles.next() == Some(false));
    folds
}

/// What each box is made from, each once if it or its user is a list.
fn operands(whole: &FullGraph, boxes: &Contraction) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    // The last user for which each box was entered.
    let mut entered = vec![usize::MAX; boxes.members.len()];
    for (user, members) in boxes.members.iter().enumerate() {
        let mut operands = Vec::new();
        for &place in members.iter() {
            for operand in whole.nodes[place].operands() {
                let Some(operand) = whole.place(operand).and_then(|place| boxes.of[place]) else {
                    continue;
                };
                let merged = boxes.lists[user].is_some() || boxes.lists[operand].is_some();
                if !merged || entered[operand] != user {
                    operands.push(operand);
                }
                if merged {
                    entered[operand] = user;
                }
            }
        }
        all.push(operands);
    }
    all
}

/// Which boxes are on a circle, or between two circles.
fn on_circles(boxes: &Contraction, operands: &[Vec<usize>]) -> Vec<bool> {
    let mut users = vec![Vec::new(); operands.len()];
    for (user, operands) in operands.iter().enumerate() {
        for &operand in operands {
            users[operand].push(user);
        }
    }
    let mut on = vec![true; users.len()];
    for at in boxes.order(operands).into_iter().chain(boxes.order(&users)) {
        on[at] = false;
    }
    on
}

/// Merges the items of lists into boxes; arrows to and from the items go to the boxes, each once.
pub(crate) fn merge_lists(diagram: Diagram, whole: &FullGraph, folds: &[Fold]) -> Diagram {
    if folds.is_empty() {
        return diagram;
    }
    let boxes = Contraction::new(whole, folds, |_| true);
    debug_assert_eq!(
        boxes.of.first(),
        Some(&Some(0)),
        "the root is a box of its own"
    );
    let made_from = operands(whole, &boxes);
    // A wire from a list, or to one, stands for several and has no number.
    let finish = |at: usize, vertex: Vertex| {
        let single = |operand: usize| boxes.lists[operand].is_none();
        let own = vertex.operands.iter().zip(&vertex.on_wires);
        let mut numbers = own
            .filter(|(operand, _)| boxes.of[**operand].is_some_and(single))
            .map(|(_, number)| number.clone());
        let operands = made_from[at].iter();
        let number = |&operand: &usize| single(operand).then(|| numbers.next()).flatten().flatten();
        Vertex {
            on_wires: operands.map(number).collect(),
            ..vertex
        }
    };
    Diagram {
        vertices: boxes.vertices(&diagram.vertices, &made_from, finish),
        ..diagram
    }
}
