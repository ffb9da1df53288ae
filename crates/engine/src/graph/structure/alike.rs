//! Finds nodes by their formulas, for an expression that names a node by what it computes.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::below::reachable;
use crate::graph::node::{Node, NodeId};
use crate::ops::{self, Op};

// What the formulas of leaves and of numbers begin with. Those of operations begin with their rows.
const LEAF: u32 = u32::MAX;
const NUMBER: u32 = u32::MAX - 1;
const OPERATION: u32 = u32::MAX - 2;

/// The product of a backward pass is written like this one.
const MULTIPLY: &Op = ops::row("multiplication");

/// For each wanted node itself if it is known, else the first known one with the same formula: equal operations on the
/// same leaves and equal numbers. If there is none as typed, products are compared as they are written, and `b*a` is `a*b`.
pub fn find_alike(known: &[Rc<Node>], wanted: &[Rc<Node>]) -> Vec<Option<Rc<Node>>> {
    let all = reachable(&[known, wanted].concat(), 0);
    let ids: FxHashSet<NodeId> = known.iter().map(|node| node.id()).collect();
    let own = |node: &Rc<Node>| Some(Rc::clone(node)).filter(|node| ids.contains(&node.id()));
    let mut found: Vec<Option<Rc<Node>>> = wanted.iter().map(own).collect();
    for is_exact in [true, false] {
        if found.iter().all(Option::is_some) {
            break;
        }
        let formulas = number_formulas(&all, is_exact);
        let mut first: FxHashMap<u32, &Rc<Node>> = FxHashMap::default();
        for node in known {
            first.entry(formulas[&node.id()]).or_insert(node);
        }
        for (found, node) in found.iter_mut().zip(wanted) {
            let alike = || first.get(&formulas[&node.id()]).map(|node| Rc::clone(node));
            *found = found.take().or_else(alike);
        }
    }
    found
}

/// The numbers of the formulas of these nodes, operands first: equal formulas have equal numbers.
fn number_formulas(nodes: &[Rc<Node>], is_exact: bool) -> FxHashMap<NodeId, u32> {
    // By the number of a beginning and what follows it, so that any number of operands needs no longer keys.
    let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut formulas: FxHashMap<NodeId, u32> = FxHashMap::default();
    for node in nodes {
        let mut longer = |beginning, next| {
            let new = numbers.len() as u32;
            *numbers.entry((beginning, next)).or_insert(new)
        };
        let number = match node.op() {
            Some(op) => {
                let mut below: Vec<u32> = node
                    .operands()
                    .iter()
                    .map(|operand| formulas[&operand.id()])
                    .collect();
                let mut row = op.row;
                if !is_exact && op.is_commutative() {
                    below.sort_unstable();
                    row = if op.name == "chain" {
                        MULTIPLY.row
                    } else {
                        row
                    };
                }
                let beginning = longer(OPERATION, row.into());
                below.into_iter().fold(beginning, longer)
            }
            None if node.is_leaf() => longer(LEAF, node.id()),
            None => {
                let bits = node.data().to_bits();
                let beginning = longer(NUMBER, (bits >> 32) as u32);
                longer(beginning, bits as u32)
            }
        };
        formulas.insert(node.id(), number);
    }
    formulas
}
