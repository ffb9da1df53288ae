//! Finds the node that has the same formula as another node, for an expression that names a node by its formula.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::below::reachable;
use crate::graph::node::{Node, NodeId};
use crate::ops::{self, Op};

// The first numbers of formulas. They are so high that no beginning gets one as its own number.
const LEAF: u32 = u32::MAX;
const NUMBER: u32 = u32::MAX - 1;
const OPERATION: u32 = u32::MAX - 2;

const MULTIPLY: &Op = ops::row("multiplication");
const CHAIN: &Op = ops::row("chain");

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
        let formulas = NumberedFormulas::of(&all, comparison);
        let mut first: FxHashMap<u32, &Rc<Node>> = FxHashMap::default();
        for node in known {
            first.entry(formulas.number(node)).or_insert(node);
        }
        for (place, node) in found.iter_mut().zip(wanted) {
            if place.is_none() {
                *place = first.get(&formulas.number(node)).copied().cloned();
            }
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

/// The formulas of nodes as numbers. Equal formulas have equal numbers.
///
/// A formula is a sequence of numbers: that of `a*b` is [`OPERATION`], the row of `*`, the number of `a` and the number of
/// `b`. Each beginning of a sequence gets a number, and with one more number of the sequence it becomes the next beginning.
/// So the keys are short even if there are many operands.
struct NumberedFormulas {
    comparison: FormulaComparison,
    /// The number of each beginning, by the beginning before it and the number that follows.
    beginnings: FxHashMap<(u32, u32), u32>,
    /// The number of each node's formula.
    numbers: FxHashMap<NodeId, u32>,
}

impl NumberedFormulas {
    /// The formulas of these nodes, which are listed after their operands.
    fn of(nodes: &[Rc<Node>], comparison: FormulaComparison) -> NumberedFormulas {
        let mut formulas = NumberedFormulas {
            comparison,
            beginnings: FxHashMap::default(),
            numbers: FxHashMap::default(),
        };
        for node in nodes {
            let number = formulas.number_of_new(node);
            formulas.numbers.insert(node.id(), number);
        }
        formulas
    }

    fn number(&self, node: &Node) -> u32 {
        self.numbers[&node.id()]
    }

    fn number_of_new(&mut self, node: &Node) -> u32 {
        if let Some(op) = node.op() {
            return self.number_of_operation(op, node.operands());
        }
        if node.is_leaf() {
            return self.extend(LEAF, node.id());
        }
        let bits = node.data().to_bits();
        let beginning = self.extend(NUMBER, (bits >> 32) as u32);
        self.extend(beginning, bits as u32)
    }

    fn number_of_operation(&mut self, op: &Op, operands: &[Rc<Node>]) -> u32 {
        let mut row = op.row;
        let mut numbers: Vec<u32> = operands.iter().map(|it| self.number(it)).collect();
        if self.comparison == FormulaComparison::AnyOrder && op.is_commutative() {
            numbers.sort_unstable();
            // Products of a backward pass are written like multiplications.
            if op == CHAIN {
                row = MULTIPLY.row;
            }
        }
        let mut beginning = self.extend(OPERATION, row.into());
        for number in numbers {
            beginning = self.extend(beginning, number);
        }
        beginning
    }

    /// The number of a beginning with one more number.
    fn extend(&mut self, beginning: u32, next: u32) -> u32 {
        let new = self.beginnings.len() as u32;
        *self.beginnings.entry((beginning, next)).or_insert(new)
    }
}
