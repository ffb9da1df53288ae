//! A graph as a tree, for `:tree`: its nodes in the order of reading, each with its depth, a shared one only once.
//!
//! Constants are in it too, as nodes of their own. Nothing is named or drawn here.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::node::{Node, NodeId};
use crate::stop;

/// One line of the tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeRow<'n> {
    /// The node.
    pub node: &'n Rc<Node>,
    /// How far below the root: 0 is the root itself.
    pub depth: usize,
    /// Is it here for the first time?
    pub place: TreePlace,
    /// It has operands that are left out, because it is as deep as a line may be.
    pub cut: bool,
}

/// Where a node is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreePlace {
    /// Here and nowhere else.
    Only,
    /// Here first, and again further on.
    First,
    /// It was met before: what is below it stands there.
    Again,
}

/// The lines of the tree, at most so many and so deep, and how many nodes are in none of them.
pub fn branches(root: &Rc<Node>, lines: usize, depth: usize) -> (Vec<TreeRow<'_>>, usize) {
    let mut found: Vec<TreeRow> = Vec::new();
    let mut first: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut waiting = vec![(root, 0)];
    let mut whole = true;
    while let Some((node, deep)) = waiting.pop() {
        stop::ask(found.len());
        if found.len() >= lines {
            whole = false;
            break;
        }
        let met = first.get(&node.id()).copied();
        // Met where its operands had no room: they may have it here.
        let met = met.filter(|&at| !found[at].cut || deep >= depth);
        if let Some(at) = met {
            found[at].place = TreePlace::First;
            found.push(TreeRow {
                node,
                depth: deep,
                place: TreePlace::Again,
                cut: false,
            });
            continue;
        }
        first.insert(node.id(), found.len());
        let operands = node.operands();
        let cut = deep >= depth && !operands.is_empty();
        whole &= !cut;
        found.push(TreeRow {
            node,
            depth: deep,
            place: TreePlace::Only,
            cut,
        });
        if !cut {
            waiting.extend(operands.iter().rev().map(|operand| (operand, deep + 1)));
        }
    }
    let omitted = if whole { 0 } else { count(root) - first.len() };
    (found, omitted)
}

/// How many nodes there are at and below a root.
fn count(root: &Rc<Node>) -> usize {
    let mut found: FxHashSet<NodeId> = FxHashSet::from_iter([root.id()]);
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        for operand in node.operands() {
            if found.insert(operand.id()) {
                waiting.push(operand);
            }
        }
    }
    found.len()
}
