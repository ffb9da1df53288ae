//! A graph as a tree, for `:tree`: its nodes in preorder with their depths, including constants. The operands of a node with
//! several users are listed once.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::below::reachable;
use crate::graph::node::{Node, NodeId};
use chainrule_stop as stop;

/// One line of the tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeRow<'n> {
    /// The node on this line.
    pub node: &'n Rc<Node>,
    /// The depth of the line: 0 for the root.
    pub depth: usize,
    /// Whether the node has other lines.
    pub place: TreePlace,
    /// Whether the operands are left out, because the tree is cut at this depth.
    pub is_cut: bool,
    /// If not 0, this line stands for this number of further operands, and `node` is the first of them.
    pub more: usize,
}

/// The limits of a listed tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeLimits {
    /// The most lines.
    pub lines: usize,
    /// The deepest level.
    pub depth: usize,
    /// Returns whether only the first [`FIRST_OPERANDS`] operands of a node are listed.
    pub is_long: fn(&Node) -> bool,
}

/// The number of operands that are listed for a node with too many of them.
pub const FIRST_OPERANDS: usize = 2;

/// Whether a node has several lines in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreePlace {
    /// This is its only line.
    Only,
    /// This is its first line of several.
    First,
    /// An earlier line shows its operands.
    Again,
}

/// Returns the lines of the tree within limits, and the number of nodes that have no line.
pub fn tree_rows(root: &Rc<Node>, limits: TreeLimits) -> (Vec<TreeRow<'_>>, usize) {
    let mut rows: Vec<TreeRow> = Vec::new();
    let mut first: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut waiting = vec![(root, 0, 0)];
    let mut is_whole = true;
    while let Some((node, depth, more)) = waiting.pop() {
        stop::ask(rows.len());
        if rows.len() >= limits.lines {
            is_whole = false;
            break;
        }
        // If the first line of the node was cut and this line is less deep, the operands are listed here.
        let is_deepest = depth >= limits.depth;
        let first_line = first.get(&node.id()).copied();
        let earlier = first_line.filter(|&at| more == 0 && (!rows[at].is_cut || is_deepest));
        let operands = node.operands();
        let mut row = TreeRow {
            node,
            depth,
            place: TreePlace::Only,
            is_cut: false,
            more,
        };
        if let Some(at) = earlier {
            rows[at].place = TreePlace::First;
            row.place = TreePlace::Again;
        } else if more == 0 {
            first.insert(node.id(), rows.len());
            row.is_cut = is_deepest && !operands.is_empty();
        }
        rows.push(row);
        is_whole &= !row.is_cut && more == 0;
        if row.is_cut || more > 0 || earlier.is_some() {
            continue;
        }
        let mut listed = operands;
        if operands.len() > FIRST_OPERANDS && (limits.is_long)(node) {
            listed = &operands[..FIRST_OPERANDS];
            let unlisted = operands.len() - FIRST_OPERANDS;
            waiting.push((&operands[FIRST_OPERANDS], depth + 1, unlisted));
        }
        waiting.extend(listed.iter().rev().map(|operand| (operand, depth + 1, 0)));
    }
    let all = if is_whole {
        first.len()
    } else {
        reachable(std::slice::from_ref(root), 0).len()
    };
    (rows, all - first.len())
}
