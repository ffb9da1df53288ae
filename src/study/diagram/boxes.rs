//! Contracts a graph to boxes: single nodes, and lists of nodes. Merges the long lists of a diagram into boxes, each with the
//! ranges of its data and grads.
//!
//! `network_view` chooses its own boxes and finds the operands of each; this file puts the boxes in order and makes vertices
//! of them. In a diagram of lists, an arrow from or to an item becomes an arrow from or to the box, and two boxes have at
//! most one arrow. Lists that would form a cycle do not become boxes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::network_roles::LeafRoles;
use chainrule_engine::graph::{FullGraph, Node};
use chainrule_report::{Diagram, Kind, ListBox, OnWire, Stage, Vertex, extent};
use chainrule_session::Session;
use chainrule_session::naming::labels::long_lists::{Fold, folds};

/// A box of a graph.
pub(super) enum GraphBox<'f> {
    Node(usize),
    List(&'f Fold),
}

impl GraphBox<'_> {
    /// Returns the indices of its nodes, in ascending order.
    pub(super) fn members(&self) -> &[usize] {
        match self {
            GraphBox::Node(node) => std::slice::from_ref(node),
            GraphBox::List(list) => &list.places,
        }
    }

    fn is_list(&self) -> bool {
        matches!(self, GraphBox::List(_))
    }
}

/// The boxes of a graph.
pub(super) struct Contraction<'f> {
    /// The single nodes, then the lists.
    pub boxes: Vec<GraphBox<'f>>,
    /// The index of the box of each node, or `None` for a node outside of all boxes.
    pub box_of: Vec<Option<usize>>,
}

impl<'f> Contraction<'f> {
    /// Makes a box of each list, and of each node outside of lists for which `is_box` returns true.
    pub(super) fn new(
        whole: &FullGraph,
        lists: &'f [Fold],
        is_box: impl Fn(usize) -> bool,
    ) -> Contraction<'f> {
        let mut is_listed = vec![false; whole.nodes.len()];
        for &node in lists.iter().flat_map(|list| &list.places) {
            is_listed[node] = true;
        }
        let single = (0..is_listed.len()).filter(|&node| !is_listed[node] && is_box(node));
        let mut boxes: Vec<GraphBox> = single.map(GraphBox::Node).collect();
        // In a network, weights are not boxes, so a list of weights gets none.
        let has_box = |list: &&Fold| list.places.iter().any(|&node| is_box(node));
        boxes.extend(lists.iter().filter(has_box).map(GraphBox::List));
        let mut box_of = vec![None; is_listed.len()];
        for (index, graph_box) in boxes.iter().enumerate() {
            for &node in graph_box.members().iter().filter(|&&node| is_box(node)) {
                box_of[node] = Some(index);
            }
        }
        Contraction { boxes, box_of }
    }

    /// Returns the boxes in topological order (Kahn's algorithm): a box comes before its operands. Among the boxes that
    /// are ready, the newest one comes first, whose first node has the smallest index. Boxes in a cycle, and boxes below a
    /// cycle, are missing.
    fn order(&self, operands: &[Vec<usize>]) -> Vec<usize> {
        let mut user_counts = vec![0; operands.len()];
        for &operand in operands.iter().flatten() {
            user_counts[operand] += 1;
        }
        // `BinaryHeap` pops the largest entry, and `Reverse` makes that the newest box.
        let entry = |index: usize| Reverse((self.boxes[index].members()[0], index));
        let unused = (0..user_counts.len()).filter(|&index| user_counts[index] == 0);
        let mut ready: BinaryHeap<_> = unused.map(entry).collect();
        let mut order = Vec::new();
        while let Some(Reverse((_, user))) = ready.pop() {
            order.push(user);
            for &operand in &operands[user] {
                user_counts[operand] -= 1;
                if user_counts[operand] == 0 {
                    ready.push(entry(operand));
                }
            }
        }
        order
    }

    /// Returns the boxes with these operands as vertices, in order. `finish` completes each vertex. The boxes must form no
    /// cycle: `list_boxes` returns no lists that would.
    pub(super) fn vertices(
        &self,
        nodes: &[Vertex],
        operands: &[Vec<usize>],
        finish: impl Fn(usize, Vertex) -> Vertex,
    ) -> Vec<Vertex> {
        let order = self.order(operands);
        debug_assert_eq!(order.len(), operands.len(), "the boxes form a cycle");
        let mut vertex_of_box = vec![0; operands.len()];
        for (vertex, &box_index) in order.iter().enumerate() {
            vertex_of_box[box_index] = vertex;
        }
        let mut vertices = Vec::with_capacity(order.len());
        for box_index in order {
            let unfinished = match self.boxes[box_index] {
                GraphBox::Node(node) => nodes[node].clone(),
                GraphBox::List(list) => list_vertex(nodes, list),
            };
            let box_operands = operands[box_index].iter();
            vertices.push(Vertex {
                operands: box_operands.map(|&it| vertex_of_box[it]).collect(),
                ..finish(box_index, unfinished)
            });
        }
        vertices
    }

    /// Returns the numbers on the wires from these boxes to a vertex, whose wires from nodes had numbers before. A wire from
    /// or to a list stands for several and has no number. Wires from single nodes keep their order, so their numbers do.
    fn numbers_on_wires(&self, vertex: &Vertex, operands: &[usize]) -> Vec<Option<OnWire>> {
        let is_single = |operand: usize| !self.boxes[operand].is_list();
        let wires = vertex.operands.iter().zip(&vertex.on_wires);
        let mut numbers = wires
            .filter(|(operand, _)| self.box_of[**operand].is_some_and(is_single))
            .map(|(_, number)| number.clone());
        let number_of = |&operand| is_single(operand).then(|| numbers.next().flatten());
        let numbers_of_all = operands.iter().map(number_of);
        numbers_of_all.map(Option::flatten).collect()
    }
}

/// Returns a list as one vertex without operands, with the ranges of its data and grads.
fn list_vertex(nodes: &[Vertex], fold: &Fold) -> Vertex {
    let items: Vec<&Vertex> = fold.places.iter().map(|&node| &nodes[node]).collect();
    let first = items[0];
    let first_not_finite = items.iter().find(|item| item.is_first_not_finite);
    Vertex {
        label: fold.label.clone(),
        formula: String::new(),
        kind: list_kind(&items),
        operation: common(&items, |item| item.operation)
            .unwrap_or(Some(("…", "several operations"))),
        operands: Vec::new(),
        // A wire of the box stands for operands of several items, so the order of wires says nothing.
        is_commutative: true,
        // The box shows ranges, and of single numbers only the first NaN or infinity of the graph.
        data: first_not_finite.and_then(|item| item.data),
        grad: None,
        level: items.iter().map(|item| item.level).max().unwrap_or(0),
        is_first_not_finite: first_not_finite.is_some(),
        stage: list_stage(&items),
        list: Some(ListBox {
            count: items.len(),
            shape: fold.shape.clone(),
            data: extent(items.iter().filter_map(|item| item.data)),
            grad: extent(items.iter().filter_map(|item| item.grad)),
        }),
        ..first.clone()
    }
}

/// Returns the property of the items if all have the same.
fn common<T: PartialEq>(items: &[&Vertex], property: impl Fn(&Vertex) -> T) -> Option<T> {
    let first = property(items[0]);
    let is_common = items.iter().all(|item| property(item) == first);
    is_common.then_some(first)
}

/// Returns the kind that all items have. Items of several kinds are leaves if none of them has an operation.
fn list_kind(items: &[&Vertex]) -> Kind {
    match common(items, |item| item.kind) {
        Some(kind) => kind,
        None if items.iter().all(|item| item.operation.is_none()) => Kind::Leaf,
        None => Kind::Computed,
    }
}

/// Returns the stage that all items have in a walk. A list that the walk has only begun is current while the walk stands
/// at one of its items, and done between two of them.
fn list_stage(items: &[&Vertex]) -> Option<Stage> {
    let is_current = |item: &&Vertex| item.stage == Some(Stage::Current);
    match common(items, |item| item.stage) {
        Some(stage) => stage,
        None if items.iter().any(is_current) => Some(Stage::Current),
        None => Some(Stage::Done),
    }
}

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
    debug_assert_eq!(contraction.box_of[0], Some(0), "the root is in no list");
    let box_operands = box_operands(whole, &contraction);
    let finish = |box_index: usize, vertex: Vertex| Vertex {
        on_wires: contraction.numbers_on_wires(&vertex, &box_operands[box_index]),
        ..vertex
    };
    Diagram {
        vertices: contraction.vertices(&diagram.vertices, &box_operands, finish),
        ..diagram
    }
}
