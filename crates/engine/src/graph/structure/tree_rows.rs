//! A graph as a tree, for `:tree`: its nodes in preorder with their depths, including constants. The operands of a node
//! with several users are listed once.

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

impl<'n> TreeRow<'n> {
    /// The only line of a node, so far.
    fn of(node: &'n Rc<Node>, depth: usize) -> TreeRow<'n> {
        TreeRow {
            node,
            depth,
            place: TreePlace::Only,
            is_cut: false,
            more: 0,
        }
    }
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
    let mut first_lines: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut waiting = vec![TreeRow::of(root, 0)];
    while let Some(mut row) = waiting.pop() {
        stop::ask(rows.len());
        if rows.len() >= limits.lines {
            break;
        }
        if row.more > 0 {
            rows.push(row);
            continue;
        }
        // If the first line of the node was cut and this line is less deep, the operands are listed here.
        let is_deepest = row.depth >= limits.depth;
        let first_line = first_lines.get(&row.node.id()).copied();
        if let Some(earlier) = first_line.filter(|&line| !rows[line].is_cut || is_deepest) {
            rows[earlier].place = TreePlace::First;
            row.place = TreePlace::Again;
            rows.push(row);
            continue;
        }
        let operands = row.node.operands();
        first_lines.insert(row.node.id(), rows.len());
        row.is_cut = is_deepest && !operands.is_empty();
        rows.push(row);
        if row.is_cut {
            continue;
        }
        let mut listed = operands;
        if operands.len() > FIRST_OPERANDS && (limits.is_long)(row.node) {
            listed = &operands[..FIRST_OPERANDS];
            let mut rest = TreeRow::of(&operands[FIRST_OPERANDS], row.depth + 1);
            rest.more = operands.len() - FIRST_OPERANDS;
            waiting.push(rest);
        }
        let below = listed.iter().rev();
        waiting.extend(below.map(|operand| TreeRow::of(operand, row.depth + 1)));
    }
    let all = reachable(std::slice::from_ref(root), 0).len();
    (rows, all - first_lines.len())
}
