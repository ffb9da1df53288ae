//! A graph contracted to boxes: single nodes, and lists of nodes.
//!
//! `list_boxes` and `network_view` choose the boxes and find the operands of each; this file puts them in order.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::session::naming::labels::long_lists::Fold;
use chainrule_engine::graph::FullGraph;
use chainrule_report::{Kind, ListBox, Stage, Vertex};

/// The nodes that are boxes, alone or with the others of their list: first the single ones, then the lists.
pub(super) struct Contraction<'f> {
    /// The places of the nodes of each box.
    pub members: Vec<Cow<'f, [usize]>>,
    /// The list of each box, unless it is a single node.
    pub lists: Vec<Option<&'f Fold>>,
    /// The box of each node that is in one.
    pub of: Vec<Option<usize>>,
}

impl<'f> Contraction<'f> {
    /// Makes boxes of the nodes that may be in one.
    pub(super) fn new(
        whole: &FullGraph,
        lists: &'f [Fold],
        is_box: impl Fn(usize) -> bool,
    ) -> Contraction<'f> {
        let mut listed = vec![false; whole.nodes.len()];
        for &place in lists.iter().flat_map(|list| &list.places) {
            listed[place] = true;
        }
        let single = (0..listed.len()).filter(|&place| !listed[place] && is_box(place));
        let mut members: Vec<Cow<[usize]>> = single.map(|place| vec![place].into()).collect();
        let mut of_list = vec![None; members.len()];
        for list in lists {
            // All items of a list may be weights.
            if list.places.iter().any(|&place| is_box(place)) {
                members.push((&list.places[..]).into());
                of_list.push(Some(list));
            }
        }
        let mut of = vec![None; listed.len()];
        for (at, places) in members.iter().enumerate() {
            for &place in places.iter().filter(|&&place| is_box(place)) {
                of[place] = Some(at);
            }
        }
        Contraction {
            members,
            lists: of_list,
            of,
        }
    }

    /// Returns the boxes in order: users before these operands, newer ones first. Boxes in a cycle, and those below
    /// one, are missing.
    pub(super) fn order(&self, operands: &[Vec<usize>]) -> Vec<usize> {
        let mut users = vec![0; operands.len()];
        for &operand in operands.iter().flatten() {
            users[operand] += 1;
        }
        let first = |at: usize| Reverse((self.members[at][0], at));
        let unused = (0..users.len()).filter(|&at| users[at] == 0);
        let mut ready: BinaryHeap<_> = unused.map(first).collect();
        let mut order = Vec::new();
        while let Some(Reverse((_, at))) = ready.pop() {
            order.push(at);
            for &operand in &operands[at] {
                users[operand] -= 1;
                if users[operand] == 0 {
                    ready.push(first(operand));
                }
            }
        }
        order
    }

    /// Returns the boxes with these operands as vertices, in order. `finish` completes each.
    pub(super) fn vertices(
        &self,
        nodes: &[Vertex],
        operands: &[Vec<usize>],
        finish: impl Fn(usize, Vertex) -> Vertex,
    ) -> Vec<Vertex> {
        let order = self.order(operands);
        let mut places = vec![0; operands.len()];
        for (place, &at) in order.iter().enumerate() {
            places[at] = place;
        }
        let mut vertices = Vec::with_capacity(order.len());
        for at in order {
            let unfinished = match self.lists[at] {
                Some(list) => list_vertex(nodes, list),
                None => nodes[self.members[at][0]].clone(),
            };
            let operand_places = operands[at].iter().map(|&operand| places[operand]);
            vertices.push(Vertex {
                operands: operand_places.collect(),
                ..finish(at, unfinished)
            });
        }
        vertices
    }
}

/// Returns a list as one box, with the ranges of its data and grads.
fn list_vertex(all: &[Vertex], fold: &Fold) -> Vertex {
    let items: Vec<&Vertex> = fold.places.iter().map(|&place| &all[place]).collect();
    let broken = items.iter().find(|item| item.is_first_not_finite);
    let first = items[0];
    let is_one_operation = items.iter().all(|item| item.operation == first.operation);
    let kind = if items.iter().all(|item| item.kind == first.kind) {
        first.kind
    } else if items.iter().all(|item| item.operation.is_none()) {
        Kind::Leaf
    } else {
        Kind::Computed
    };
    let stage = if items.iter().all(|item| item.stage == first.stage) {
        first.stage
    } else if items.iter().any(|item| item.stage == Some(Stage::Current)) {
        Some(Stage::Current)
    } else {
        Some(Stage::Done)
    };
    Vertex {
        label: fold.label.clone(),
        formula: String::new(),
        kind,
        operation: if is_one_operation {
            first.operation
        } else {
            Some(("…", "several operations"))
        },
        operands: Vec::new(),
        is_commutative: true,
        data: broken.and_then(|broken| broken.data),
        grad: None,
        level: items.iter().map(|item| item.level).max().unwrap_or(0),
        is_first_not_finite: broken.is_some(),
        stage,
        list: Some(ListBox {
            count: items.len(),
            shape: fold.shape.clone(),
            data: range(items.iter().filter_map(|item| item.data)),
            grad: range(items.iter().filter_map(|item| item.grad)),
        }),
        ..first.clone()
    }
}

/// Returns the least and the greatest of some numbers.
pub(super) fn range(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |range: Option<(f64, f64)>, number| {
        let (least, most) = range.unwrap_or((number, number));
        Some((least.min(number), most.max(number)))
    })
}
