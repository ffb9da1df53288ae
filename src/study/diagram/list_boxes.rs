//! Merges the long lists of a diagram into boxes, each with the ranges of its data and grads.
//!
//! An arrow from or to an item becomes an arrow from or to the box, and two boxes have at most one arrow. Lists that would
//! form a cycle do not become boxes.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::contraction::Contraction;
use super::network_roles::LeafRoles;
use crate::session::Session;
use crate::session::naming::labels::long_lists::{Fold, folds};
use chainrule_engine::graph::{FullGraph, Node};
use chainrule_report::{Diagram, OnWire, Vertex};

/// Returns the long lists that can be boxes of a picture. They contain neither the root nor a node of `singles`, and their
/// items do not depend on one another, even by way of another box.
///
/// In a network, only lists with names and layers of neurons are boxes.
pub fn list_boxes(
    session: &Session,
    whole: &FullGraph,
    singles: &[Rc<Node>],
    is_network: bool,
) -> Vec<Fold> {
    let mut folds = folds(session.names(), &whole.nodes);
    if is_network {
        let roles = LeafRoles::new(whole, |place| session.label(&whole.nodes[place]));
        let are_neurons = |places: &[usize]| {
            let mut nodes = places.iter().map(|&place| &whole.nodes[place]);
            nodes.all(|node| roles.is_neuron(node))
        };
        folds.retain(|fold| fold.has_name || are_neurons(&fold.places));
    }
    let places = singles.iter().filter_map(|node| whole.place(node));
    // The root, at 0, is always a box of its own.
    let single_places: FxHashSet<usize> = places.chain([0]).collect();
    let is_single = |place: &usize| single_places.contains(place);
    folds.retain(|fold| !fold.places.iter().any(is_single));
    if folds.is_empty() {
        return folds;
    }
    let contraction = Contraction::new(whole, &folds, |_| true);
    let in_cycles = find_cycles(&contraction, &box_operands(whole, &contraction));
    // Single nodes come first among the boxes, then the lists.
    let single_count = in_cycles.len() - folds.len();
    let folds_in_cycles = folds.into_iter().zip(&in_cycles[single_count..]);
    let without_cycles = folds_in_cycles.filter(|(_, is_in_cycle)| !**is_in_cycle);
    without_cycles.map(|(fold, _)| fold).collect()
}

/// Returns the operands of each box. Between a list and another box there is one operand, however many items have one;
/// single nodes keep all operands, in order.
fn box_operands(whole: &FullGraph, contraction: &Contraction) -> Vec<Vec<usize>> {
    let mut all = Vec::with_capacity(contraction.boxes.len());
    // For each box, the last user that got it as an operand.
    let mut last_users = vec![None; contraction.boxes.len()];
    for (user, user_box) in contraction.boxes.iter().enumerate() {
        let mut operands = Vec::new();
        let members = user_box.members().iter().map(|&place| &whole.nodes[place]);
        let places = members
            .flat_map(|node| node.operands())
            .filter_map(|it| whole.place(it));
        for operand in places.filter_map(|place| contraction.box_of[place]) {
            let has_list = user_box.is_list() || contraction.boxes[operand].is_list();
            if !has_list || last_users[operand] != Some(user) {
                operands.push(operand);
                last_users[operand] = Some(user);
            }
        }
        all.push(operands);
    }
    all
}

/// Returns for each box whether it is in a cycle, or between two cycles.
fn find_cycles(contraction: &Contraction, operands: &[Vec<usize>]) -> Vec<bool> {
    let mut users = vec![Vec::new(); operands.len()];
    for (user, its_operands) in operands.iter().enumerate() {
        for &operand in its_operands {
            users[operand].push(user);
        }
    }
    let mut in_cycles = vec![true; users.len()];
    // The first order lacks boxes in and below a cycle, and the second one lacks boxes in and above a cycle.
    for box_index in [contraction.order(operands), contraction.order(&users)].concat() {
        in_cycles[box_index] = false;
    }
    in_cycles
}

/// Merges the items of lists into boxes. The lists must be those that [`list_boxes`] returns.
pub(crate) fn merge_lists(diagram: Diagram, whole: &FullGraph, folds: &[Fold]) -> Diagram {
    if folds.is_empty() {
        return diagram;
    }
    let contraction = Contraction::new(whole, folds, |_| true);
    debug_assert_eq!(
        contraction.box_of[0],
        Some(0),
        "the root is a box of its own"
    );
    let box_operands = box_operands(whole, &contraction);
    let finish = |box_index: usize, vertex: Vertex| Vertex {
        on_wires: numbers_on_wires(&vertex, &contraction, &box_operands[box_index]),
        ..vertex
    };
    Diagram {
        vertices: contraction.vertices(&diagram.vertices, &box_operands, finish),
        ..diagram
    }
}

/// Returns the numbers on the wires from these boxes to a vertex, whose wires from nodes had numbers before. A wire from
/// or to a list stands for several and has no number. Wires from single nodes keep their order, so their numbers do.
fn numbers_on_wires(
    vertex: &Vertex,
    contraction: &Contraction,
    box_operands: &[usize],
) -> Vec<Option<OnWire>> {
    let is_single = |operand: usize| !contraction.boxes[operand].is_list();
    let wires = vertex.operands.iter().zip(&vertex.on_wires);
    let mut numbers = wires
        .filter(|(operand, _)| contraction.box_of[**operand].is_some_and(is_single))
        .map(|(_, number)| number.clone());
    let mut on_wires = Vec::with_capacity(box_operands.len());
    for &operand in box_operands {
        let number = is_single(operand).then(|| numbers.next().flatten());
        on_wires.push(number.flatten());
    }
    on_wires
}
