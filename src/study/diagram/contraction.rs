//! Contracts a graph to boxes: single nodes, and lists of nodes.
//!
//! `list_boxes` and `network_view` choose the boxes and find the operands of each; this file puts the boxes in order and
//! makes vertices of them.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::session::naming::labels::long_lists::Fold;
use chainrule_engine::graph::FullGraph;
use chainrule_report::{Kind, ListBox, Stage, Vertex};

/// The boxes of a graph: first the single nodes, then the lists.
pub(super) struct Contraction<'f> {
    /// The indices of the nodes of each box, in ascending order.
    pub members: Vec<Cow<'f, [usize]>>,
    /// The list of each box, or `None` for a single node.
    pub lists: Vec<Option<&'f Fold>>,
    /// The box of each node, or `None` for a node outside of all boxes.
    pub of: Vec<Option<usize>>,
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
        let mut members: Vec<Cow<[usize]>> = single.map(|node| vec![node].into()).collect();
        let mut list_of_box = vec![None; members.len()];
        for list in lists {
            // In a network, weights are not boxes, so a list of weights gets none.
            if list.places.iter().any(|&node| is_box(node)) {
                members.push((&list.places[..]).into());
                list_of_box.push(Some(list));
            }
        }
        let mut of = vec![None; is_listed.len()];
        for (box_index, nodes) in members.iter().enumerate() {
            for &node in nodes.iter().filter(|&&node| is_box(node)) {
                of[node] = Some(box_index);
            }
        }
        Contraction {
            members,
            lists: list_of_box,
            of,
        }
    }

    /// Returns the boxes in topological order (Kahn's algorithm): a box comes before its operands. Among the boxes that
    /// are ready, the newest one comes first, whose first node has the smallest index. Boxes in a cycle, and boxes below a
    /// cycle, are missing.
    pub(super) fn order(&self, operands: &[Vec<usize>]) -> Vec<usize> {
        let mut user_counts = vec![0; operands.len()];
        for &operand in operands.iter().flatten() {
            user_counts[operand] += 1;
        }
        // `BinaryHeap` pops the largest entry, and `Reverse` makes that the newest box.
        let entry = |box_index: usize| Reverse((self.members[box_index][0], box_index));
        let unused = (0..user_counts.len()).filter(|&box_index| user_counts[box_index] == 0);
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
            let unfinished = match self.lists[box_index] {
                Some(list) => list_vertex(nodes, list),
                None => nodes[self.members[box_index][0]].clone(),
            };
            let box_operands = operands[box_index].iter();
            vertices.push(Vertex {
                operands: box_operands.map(|&it| vertex_of_box[it]).collect(),
                ..finish(box_index, unfinished)
            });
        }
        vertices
    }
}

/// Returns a list as one vertex without operands, with the ranges of its data and grads.
fn list_vertex(nodes: &[Vertex], fold: &Fold) -> Vertex {
    let items: Vec<&Vertex> = fold.places.iter().map(|&node| &nodes[node]).collect();
    let first = items[0];
    let is_one_operation = items.iter().all(|item| item.operation == first.operation);
    let first_not_finite = items.iter().find(|item| item.is_first_not_finite);
    Vertex {
        label: fold.label.clone(),
        formula: String::new(),
        kind: list_kind(&items),
        operation: if is_one_operation {
            first.operation
        } else {
            Some(("…", "several operations"))
        },
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
            data: range(items.iter().filter_map(|item| item.data)),
            grad: range(items.iter().filter_map(|item| item.grad)),
        }),
        ..first.clone()
    }
}

/// Returns the kind that all items have. Items of several kinds are leaves if none of them has an operation.
fn list_kind(items: &[&Vertex]) -> Kind {
    let first = items[0].kind;
    if items.iter().all(|item| item.kind == first) {
        first
    } else if items.iter().all(|item| item.operation.is_none()) {
        Kind::Leaf
    } else {
        Kind::Computed
    }
}

/// Returns the stage that all items have in a walk. A list that the walk has only begun is current while the walk stands
/// at one of its items, and done between two of them.
fn list_stage(items: &[&Vertex]) -> Option<Stage> {
    let first = items[0].stage;
    if items.iter().all(|item| item.stage == first) {
        first
    } else if items.iter().any(|item| item.stage == Some(Stage::Current)) {
        Some(Stage::Current)
    } else {
        Some(Stage::Done)
    }
}

/// Returns the least and the greatest of some numbers.
pub(super) fn range(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |range: Option<(f64, f64)>, number| {
        let (least, most) = range.unwrap_or((number, number));
        Some((least.min(number), most.max(number)))
    })
}
