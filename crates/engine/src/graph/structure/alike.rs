//! Finds the node that has the same formula as another node, for an expression that names a node by its formula.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::below::reachable;
use crate::graph::node::{Node, NodeId};
use crate::ops::{self, Op};

// What a formula begins with. The ids of prefixes count from 0 and never reach these.
const LEAF: u32 = u32::MAX;
const CONSTANT: u32 = u32::MAX - 1;
const OPERATION: u32 = u32::MAX - 2;

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
        let formulas = FormulaWords::of(&all, can_swap);
        let mut first_with: FxHashMap<u32, &Rc<Node>> = FxHashMap::default();
        for node in known {
            first_with.entry(formulas.id(node)).or_insert(node);
        }
        for (alike, node) in found.iter_mut().zip(wanted) {
            if alike.is_none() {
                *alike = first_with.get(&formulas.id(node)).copied().cloned();
            }
        }
    }
    found
}

/// The ids of the formulas of nodes. Equal formulas have equal ids.
///
/// A formula is a sequence of words of 32 bits: that of `a*b` is [`OPERATION`], the row of `*`, the id of the formula
/// `a` and that of `b`. Every prefix of it has an id, found by the id of the prefix one word shorter and the last word
/// (a trie). The id of the whole sequence is the id of the formula. So the keys are short even if there are many
/// operands.
struct FormulaWords {
    /// Whether `b*a` counts as `a*b`.
    can_swap: bool,
    /// The id of each prefix, by the id of the prefix one word shorter and the last word. For a prefix of two words,
    /// the first word takes the place of the shorter prefix.
    prefixes: FxHashMap<(u32, u32), u32>,
    /// The id of each node's formula.
    ids: FxHashMap<NodeId, u32>,
}

impl FormulaWords {
    /// The formulas of these nodes, which are listed after their operands.
    fn of(nodes: &[Rc<Node>], can_swap: bool) -> FormulaWords {
        let mut formulas = FormulaWords {
            can_swap,
            prefixes: FxHashMap::default(),
            ids: FxHashMap::default(),
        };
        for node in nodes {
            let id = formulas.id_of_new(node);
            formulas.ids.insert(node.id(), id);
        }
        formulas
    }

    /// The id of the formula of a listed node.
    fn id(&self, node: &Node) -> u32 {
        self.ids[&node.id()]
    }

    /// The id of the formula of a node whose operands have ids already.
    fn id_of_new(&mut self, node: &Node) -> u32 {
        if let Some(op) = node.op() {
            return self.id_of_operation(op, node.operands());
        }
        if node.is_leaf() {
            return self.extend(LEAF, node.id());
        }
        let bits = node.data().to_bits();
        let high_half = self.extend(CONSTANT, (bits >> 32) as u32);
        self.extend(high_half, bits as u32)
    }

    fn id_of_operation(&mut self, op: &Op, operands: &[Rc<Node>]) -> u32 {
        let mut row = op.row;
        let mut ids: Vec<u32> = operands.iter().map(|it| self.id(it)).collect();
        if self.can_swap && op.is_commutative() {
            ids.sort_unstable();
            // Products of a backward pass are written like multiplications.
            if op == CHAIN {
                row = MULTIPLY.row;
            }
        }
        let mut prefix = self.extend(OPERATION, row.into());
        for id in ids {
            prefix = self.extend(prefix, id);
        }
        prefix
    }

    /// The id of the prefix that continues this one with a word. A prefix that is not known yet gets the next id.
    fn extend(&mut self, prefix: u32, word: u32) -> u32 {
        let next_id = self.prefixes.len() as u32;
        *self.prefixes.entry((prefix, word)).or_insert(next_id)
    }
}
