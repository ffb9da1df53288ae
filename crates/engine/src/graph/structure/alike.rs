//! Finds the node that has the same formula as another node, for an expression that names a node by its formula.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::below::reachable;
use crate::graph::node::{Node, NodeId};
use crate::ops::{self, Op};

// The first numbers of the keys of formulas. They are so high that no formula gets one as its own number.
const LEAF: u32 = u32::MAX;
const NUMBER: u32 = u32::MAX - 1;
const OPERATION: u32 = u32::MAX - 2;

/// Products of a backward pass, whose operation is `chain`, are written like multiplications.
const MULTIPLY: &Op = ops::row("multiplication");

/// Finds a known node for each wanted one: the node itself, or the first known node with the same formula, that is, with
/// equal operations on the same leaves and equal numbers. If no formula is equal as typed, `b*a` counts as `a*b`.
pub fn find_alike(known: &[Rc<Node>], wanted: &[Rc<Node>]) -> Vec<Option<Rc<Node>>> {
    let all = reachable(&[known, wanted].concat(), 0);
    let ids: FxHashSet<NodeId> = known.iter().map(|node| node.id()).collect();
    let itself = |node: &Rc<Node>| ids.contains(&node.id()).then(|| Rc::clone(node));
    let mut found: Vec<Option<Rc<Node>>> = wanted.iter().map(itself).collect();
    for comparison in [FormulaComparison::AsTyped, FormulaComparison::AnyOrder] {
        if found.iter().all(Option::is_some) {
            break;
        }
        let formulas = number_formulas(&all, comparison);
        let mut first: FxHashMap<u32, &Rc<Node>> = FxHashMap::default();
        for node in known {
            first.entry(formulas[&node.id()]).or_insert(node);
        }
        for (place, node) in found.iter_mut().zip(wanted) {
            let alike = || first.get(&formulas[&node.id()]).map(|same| Rc::clone(same));
            *place = place.take().or_else(alike);
        }
    }
    found
}

/// Which formulas count as equal.
#[derive(Clone, Copy, PartialEq)]
enum FormulaComparison {
    AsTyped,
    /// Also `b*a` and `a*b`.
    AnyOrder,
}

/// Numbers the formulas of these nodes, operands first. Equal formulas have equal numbers.
fn number_formulas(nodes: &[Rc<Node>], comparison: FormulaComparison) -> FxHashMap<NodeId, u32> {
    // A formula is a sequence of numbers, and each beginning of it gets a number. A key is the number of a beginning and the
    // number after it, so keys are short even if there are many operands.
    let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut formulas: FxHashMap<NodeId, u32> = FxHashMap::default();
    for node in nodes {
        let mut extend = |beginning, next| {
            let new = numbers.len() as u32;
            *numbers.entry((beginning, next)).or_insert(new)
        };
        let number = match node.op() {
            Some(op) => {
                let operands = node.operands().iter();
                let mut below: Vec<u32> = operands.map(|it| formulas[&it.id()]).collect();
                let mut row = op.row;
                if comparison == FormulaComparison::AnyOrder && op.is_commutative() {
                    below.sort_unstable();
                    if op.name == "chain" {
                        row = MULTIPLY.row;
                    }
                }
                let beginning = extend(OPERATION, row.into());
                below.into_iter().fold(beginning, extend)
            }
            None if node.is_leaf() => extend(LEAF, node.id()),
            None => {
                let bits = node.data().to_bits();
                let beginning = extend(NUMBER, (bits >> 32) as u32);
                extend(beginning, bits as u32)
            }
        };
        formulas.insert(node.id(), number);
    }
    formulas
}
