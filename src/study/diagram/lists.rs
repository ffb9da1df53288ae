//! A diagram in which each long list is one box, with the ranges of its data and grads.
//!
//! Arrows from and to the items go from and to the box, each once. Lists that would make a circle stay apart.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::kind;
use crate::graph::{FullGraph, Node};
use crate::report::{Connections, Diagram, Kind, ListBox, Stage, Vertex};
use crate::session::Session;
use crate::session::naming::folds::{Fold, folds};

/// The long lists that can be boxes of a picture: those without the root and without any of the nodes `apart`, whose
/// items do not depend on one another, not even by way of another box.
///
/// In a network, only lists with names are boxes.
pub fn boxes(session: &Session, whole: &FullGraph, apart: &[Rc<Node>], network: bool) -> Vec<Fold> {
    let mut folds = folds(session.names(), &whole.nodes);
    folds.retain(|fold| fold.named || !network);
    let apart: FxHashSet<usize> = apart.iter().filter_map(|node| whole.place(node)).collect();
    let single = |place: &usize| *place == 0 || apart.contains(place);
    folds.retain(|fold| !fold.places.iter().any(single));
    if folds.is_empty() {
        return folds;
    }
    let boxes = Boxes::new(whole, &folds);
    let singles = boxes.operands.len() - folds.len();
    let mut on_circles = boxes.on_circles().into_iter().skip(singles);
    folds.retain(|_| on_circles.next() == Some(false));
    folds
}

/// A graph whose long lists are merged: first the single nodes, then the lists.
struct Boxes {
    /// The box of each node.
    of: Vec<usize>,
    /// What each box is made from, each once.
    operands: Vec<Vec<usize>>,
    /// The place of the first node of each box.
    first: Vec<usize>,
}

impl Boxes {
    fn new(whole: &FullGraph, folds: &[Fold]) -> Boxes {
        let mut of = vec![usize::MAX; whole.nodes.len()];
        for &place in folds.iter().flat_map(|fold| &fold.places) {
            of[place] = 0;
        }
        let mut first = Vec::new();
        for (place, of) in of.iter_mut().enumerate() {
            if *of == usize::MAX {
                *of = first.len();
                first.push(place);
            }
        }
        for fold in folds {
            fold.places
                .iter()
                .for_each(|&place| of[place] = first.len());
            first.push(fold.places[0]);
        }
        let mut operands = vec![Vec::new(); first.len()];
        // The last user for which each box was entered, so that it is entered once for each list.
        let mut entered = vec![usize::MAX; first.len()];
        let singles = first.len() - folds.len();
        let members = |at: usize| match at.checked_sub(singles) {
            Some(list) => folds[list].places.as_slice(),
            None => std::slice::from_ref(&first[at]),
        };
        for (user, operands) in operands.iter_mut().enumerate() {
            for &place in members(user) {
                for operand in whole.nodes[place].operands() {
                    let Some(operand) = whole.place(operand).map(|place| of[place]) else {
                        continue;
                    };
                    let merged = user >= singles || operand >= singles;
                    if !merged || entered[operand] != user {
                        operands.push(operand);
                    }
                    if merged {
                        entered[operand] = user;
                    }
                }
            }
        }
        Boxes {
            of,
            operands,
            first,
        }
    }

    /// Which boxes are on a circle, or between two circles.
    fn on_circles(&self) -> Vec<bool> {
        let mut users = vec![Vec::new(); self.operands.len()];
        for (user, operands) in self.operands.iter().enumerate() {
            for &operand in operands {
                users[operand].push(user);
            }
        }
        let mut on = vec![true; users.len()];
        let down = topological(&self.operands, &self.first);
        for at in down.into_iter().chain(topological(&users, &self.first)) {
            on[at] = false;
        }
        on
    }
}

/// Boxes made from these operands, users before their operands, newer ones first. Those on a circle, and what is below
/// one, are missing.
pub(super) fn topological(operands: &[Vec<usize>], first: &[usize]) -> Vec<usize> {
    let mut users = vec![0; operands.len()];
    for &operand in operands.iter().flatten() {
        users[operand] += 1;
    }
    let ready = (0..users.len()).filter(|&at| users[at] == 0);
    let mut ready: BinaryHeap<_> = ready.map(|at| Reverse((first[at], at))).collect();
    let mut order = Vec::new();
    while let Some(Reverse((_, at))) = ready.pop() {
        order.push(at);
        for &operand in &operands[at] {
            users[operand] -= 1;
            if users[operand] == 0 {
                ready.push(Reverse((first[operand], operand)));
            }
        }
    }
    order
}

/// Merges the items of lists into boxes; arrows to and from the items go to the boxes, each once.
pub(crate) fn merged(diagram: Diagram, whole: &FullGraph, folds: &[Fold]) -> Diagram {
    if folds.is_empty() {
        return diagram;
    }
    let boxes = Boxes::new(whole, folds);
    debug_assert_eq!(boxes.of.first(), Some(&0), "the root is a box of its own");
    let order = topological(&boxes.operands, &boxes.first);
    let mut places = vec![0; boxes.operands.len()];
    for (place, &at) in order.iter().enumerate() {
        places[at] = place;
    }
    let singles = boxes.operands.len() - folds.len();
    let vertex = |&at: &usize| {
        let vertex = match at.checked_sub(singles) {
            Some(list) => list_vertex(&diagram.vertices, whole, &folds[list]),
            None => diagram.vertices[boxes.first[at]].clone(),
        };
        let operands = &boxes.operands[at];
        // A wire from a list stands for several.
        let single = |operand: usize| operand < singles;
        let mut on_wires = vertex.operands.iter().zip(vertex.on_wires);
        let mut next = || on_wires.find(|(operand, _)| single(boxes.of[**operand]))?.1;
        Vertex {
            on_wires: operands
                .iter()
                .map(|&operand| single(operand).then(&mut next).flatten())
                .collect(),
            operands: operands.iter().map(|&operand| places[operand]).collect(),
            ..vertex
        }
    };
    Diagram {
        vertices: order.iter().map(vertex).collect(),
        ..diagram
    }
}

pub(super) fn list_vertex(all: &[Vertex], whole: &FullGraph, fold: &Fold) -> Vertex {
    let items: Vec<&Vertex> = fold.places.iter().map(|&place| &all[place]).collect();
    let first = items.iter().find(|item| item.first);
    let range = |number: &dyn Fn(&Vertex) -> Option<f64>| {
        let numbers = items.iter().filter_map(|item| number(item));
        numbers.fold(None, |range: Option<(f64, f64)>, number| {
            let (least, most) = range.unwrap_or((number, number));
            Some((least.min(number), most.max(number)))
        })
    };
    let is_one = items
        .iter()
        .all(|item| item.operation == items[0].operation);
    let kinds = || fold.places.iter().map(|&place| kind(&whole.nodes[place]));
    let all = |wanted: Kind| kinds().all(|kind| kind == wanted);
    let is = |stage: Stage| move |item: &&Vertex| item.stage == Some(stage);
    Vertex {
        id: items[0].id,
        label: fold.label.clone(),
        formula: String::new(),
        kind: if all(Kind::Leaf) || all(Kind::Frozen) || all(Kind::Constant) {
            items[0].kind
        } else if items.iter().all(|item| item.operation.is_none()) {
            Kind::Leaf
        } else {
            Kind::Computed
        },
        operation: if is_one {
            items[0].operation
        } else {
            Some(("…", "several operations"))
        },
        operands: Vec::new(),
        any_order: true,
        data: first.and_then(|first| first.data),
        grad: None,
        level: items.iter().map(|item| item.level).max().unwrap_or(0),
        first: first.is_some(),
        stage: match items[0].stage {
            None => None,
            Some(_) if items.iter().any(|item| is(Stage::Current)(item)) => Some(Stage::Current),
            Some(_) if items.iter().all(|item| is(Stage::Coming)(item)) => Some(Stage::Coming),
            Some(_) => Some(Stage::Done),
        },
        list: Some(ListBox {
            count: items.len(),
            shape: fold.shape.clone(),
            data: range(&|item| item.data),
            grad: range(&|item| item.grad),
        }),
        on_wires: Vec::new(),
        connections: Connections::default(),
    }
}
