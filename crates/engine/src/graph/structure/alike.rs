//! Finds the node that has the same formula as another node, for an expression that names a node by its formula.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::below::reachable;
use crate::graph::node::{Node, NodeId};
use crate::ops::{self, Op};

const MULTIPLY: &Op = ops::row("multiplication");
const CHAIN: &Op = ops::row("chain");

/// Finds a known node for each wanted one: the node itself, or the first known node with the same formula, that is, with
/// equal operations on the same leaves and equal numbers. If no formula is equal as typed, `b*a` counts as `a*b`.
pub fn find_alike(known: &[Rc<Node>], wanted: &[Rc<Node>]) -> Vec<Option<Rc<Node>>> {
    let all = reachable(&[known, wanted].concat(), 0);
    let known_nodes: FxHashSet<NodeId> = known.iter().map(|node| node.id()).collect();
    let if_known = |node: &Rc<Node>| known_nodes.contains(&node.id()).then(|| Rc::clone(node));
    let mut found: Vec<Option<Rc<Node>>> = wanted.iter().map(if_known).collect();
    for can_swap in [false, true] {
        if found.iter().all(Option::is_some) {
            break;
        }
        let ids = formula_ids(&all, can_swap);
        let mut first_with: FxHashMap<u32, &Rc<Node>> = FxHashMap::default();
        for node in known {
            first_with.entry(ids[&node.id()]).or_insert(node);
        }
        for (alike, node) in found.iter_mut().zip(wanted) {
            if alike.is_none() {
                *alike = first_with.get(&ids[&node.id()]).copied().cloned();
            }
        }
    }
    found
}

/// A formula. Its operands are given by the ids of their formulas.
#[derive(PartialEq, Eq, Hash)]
enum FormulaKey {
    Leaf(NodeId),
    /// The bits of its number.
    Constant(u64),
    /// The number of its operation, and its operands.
    Operation(usize, Vec<u32>),
}

/// The ids of the formulas of these nodes, which are listed after their operands. Equal formulas have equal ids. With
/// `can_swap`, `b*a` counts as `a*b`.
fn formula_ids(nodes: &[Rc<Node>], can_swap: bool) -> FxHashMap<NodeId, u32> {
    let mut known: FxHashMap<FormulaKey, u32> = FxHashMap::default();
    let mut ids = FxHashMap::default();
    for node in nodes {
        let next_id = known.len() as u32;
        let key = formula_key(node, &ids, can_swap);
        ids.insert(node.id(), *known.entry(key).or_insert(next_id));
    }
    ids
}

/// The formula of a node. `ids` has the ids of its operands.
fn formula_key(node: &Node, ids: &FxHashMap<NodeId, u32>, can_swap: bool) -> FormulaKey {
    let op = match node.op() {
        Some(op) => op,
        None if node.is_leaf() => return FormulaKey::Leaf(node.id()),
        None => return FormulaKey::Constant(node.data().to_bits()),
    };
    let mut rule = node.rule_address().unwrap_or_default();
    let mut operands: Vec<u32> = node.operands().iter().map(|it| ids[&it.id()]).collect();
    if can_swap && op.is_commutative() {
        operands.sort_unstable();
        // Products of a backward pass are written like multiplications.
        if op == CHAIN {
            rule = MULTIPLY.row.into();
        }
    }
    FormulaKey::Operation(rule, operands)
}
