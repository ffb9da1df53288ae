//! Finds the node that has the same formula as another node, for an expression that names a node by its formula.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::below::reachable;
use crate::graph::Body;
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
        let mut ids = FormulaIds {
            can_swap,
            ..FormulaIds::default()
        };
        ids.add(&all);
        let id = |node: &Rc<Node>| ids.of_nodes[&node.id()];
        let mut first_with: FxHashMap<u32, &Rc<Node>> = FxHashMap::default();
        for node in known {
            first_with.entry(id(node)).or_insert(node);
        }
        for (alike, node) in found.iter_mut().zip(wanted) {
            if alike.is_none() {
                *alike = first_with.get(&id(node)).copied().cloned();
            }
        }
    }
    found
}

/// A formula. Its operands are given by the ids of their formulas.
#[derive(PartialEq, Eq, Hash)]
enum FormulaKey {
    Leaf(NodeId),
    /// The place of a leaf in an equation, in which it stands for an operand or the unknown.
    StandIn(usize),
    /// The bits of its number.
    Constant(u64),
    /// The row of its operation, and its operands. Those of a solution are its equation and the start, too.
    Operation(u8, Vec<u32>),
}

/// The ids of formulas. Equal formulas have equal ids.
#[derive(Default)]
struct FormulaIds {
    known: FxHashMap<FormulaKey, u32>,
    of_nodes: FxHashMap<NodeId, u32>,
    /// Whether `b*a` counts as `a*b`.
    can_swap: bool,
}

impl FormulaIds {
    fn id(&mut self, key: FormulaKey) -> u32 {
        let next_id = self.known.len() as u32;
        *self.known.entry(key).or_insert(next_id)
    }

    /// Adds nodes, which are listed after their operands.
    fn add(&mut self, nodes: &[Rc<Node>]) {
        for node in nodes {
            if !self.of_nodes.contains_key(&node.id()) {
                let key = self.key(node);
                let id = self.id(key);
                self.of_nodes.insert(node.id(), id);
            }
        }
    }

    /// The formula of a node whose operands have been added.
    fn key(&mut self, node: &Node) -> FormulaKey {
        let op = match node.op() {
            Some(op) => op,
            None if node.is_leaf() => return FormulaKey::Leaf(node.id()),
            None => return FormulaKey::Constant(node.data().to_bits()),
        };
        let mut row = op.row;
        let ids = node.operands().iter().map(|it| self.of_nodes[&it.id()]);
        let mut operands: Vec<u32> = ids.collect();
        if let Some(body) = Body::of(node) {
            let leaves = body.stand_ins.iter().chain([&body.unknown]);
            for (place, leaf) in leaves.enumerate() {
                let id = self.id(FormulaKey::StandIn(place));
                self.of_nodes.insert(leaf.id(), id);
            }
            self.add(&reachable(std::slice::from_ref(&body.root), 0));
            operands.push(self.of_nodes[&body.root.id()]);
            let start = body
                .start
                .iter()
                .map(|it| self.id(FormulaKey::Constant(it.to_bits())));
            operands.extend(start);
        }
        if self.can_swap && op.is_commutative() {
            operands.sort_unstable();
            // Products of a backward pass are written like multiplications.
            if op == CHAIN {
                row = MULTIPLY.row;
            }
        }
        FormulaKey::Operation(row, operands)
    }
}
