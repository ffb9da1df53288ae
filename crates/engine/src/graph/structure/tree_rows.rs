//! Lists a graph as a tree, for `:tree`: its nodes in preorder with their depths, including constants. A node with several
//! users has several lines, and its operands are listed below only one of them.

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
    /// The number of operands that this line stands for, without a line for each, or 0 for the line of one node. If it is
    /// not 0, `node` is the first of these operands.
    pub operands_left_out: usize,
}

impl<'n> TreeRow<'n> {
    /// A line of a node that has no other line so far.
    fn of(node: &'n Rc<Node>, depth: usize) -> TreeRow<'n> {
        TreeRow {
            node,
            depth,
            place: TreePlace::Only,
            is_cut: false,
            operands_left_out: 0,
        }
    }
}

/// The limits of a listed tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeLimits {
    /// The largest number of lines.
    pub lines: usize,
    /// The largest depth of a line.
    pub depth: usize,
    /// Returns whether only the first [`FIRST_OPERANDS`] operands of a node are listed.
    pub is_long: fn(&Node) -> bool,
}

/// The number of operands that are listed for a node with too many of them.
pub const FIRST_OPERANDS: usize = 2;

/// Whether a node has several lines in the tree. A line that is cut at the depth limit does not count if a later line
/// shows the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreePlace {
    /// This is its only line that counts.
    Only,
    /// This is its first line of several.
    First,
    /// An earlier line shows its operands, or is cut at the same depth.
    Again,
}

/// Returns the lines of the tree within limits, and the number of nodes that have no line.
///
/// The operands are below the first line of a node. If that line is at the depth limit, they are below the next line that
/// is not.
pub fn tree_rows(root: &Rc<Node>, limits: TreeLimits) -> (Vec<TreeRow<'_>>, usize) {
    let mut rows: Vec<TreeRow> = Vec::new();
    // For each node, the index of the row below which its operands are, or of its first row if no row has them yet.
    let mut row_indices: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut waiting = vec![TreeRow::of(root, 0)];
    while rows.len() < limits.lines
        && let Some(mut row) = waiting.pop()
    {
        stop::ask(rows.len());
        if row.operands_left_out > 0 {
            rows.push(row);
            continue;
        }
        let is_deepest = row.depth >= limits.depth;
        let earlier_row = row_indices.get(&row.node.id()).copied();
        // An earlier row that is cut gives way to this one, unless this one would be cut, too.
        if let Some(earlier) = earlier_row.filter(|&index| !rows[index].is_cut || is_deepest) {
            rows[earlier].place = TreePlace::First;
            row.place = TreePlace::Again;
            rows.push(row);
            continue;
        }
        row.is_cut = is_deepest && !row.node.operands().is_empty();
        if !row.is_cut {
            push_operands(row, limits, &mut waiting);
        }
        row_indices.insert(row.node.id(), rows.len());
        rows.push(row);
    }
    let node_count = reachable(std::slice::from_ref(root), 0).len();
    (rows, node_count - row_indices.len())
}

/// Pushes the lines of the operands of a line. The stack returns the line that was pushed last, so the first operand is
/// pushed last.
fn push_operands<'n>(row: TreeRow<'n>, limits: TreeLimits, waiting: &mut Vec<TreeRow<'n>>) {
    let depth = row.depth + 1;
    let mut listed = row.node.operands();
    if listed.len() > FIRST_OPERANDS && (limits.is_long)(row.node) {
        let (first, others) = listed.split_at(FIRST_OPERANDS);
        waiting.push(TreeRow {
            operands_left_out: others.len(),
            ..TreeRow::of(&others[0], depth)
        });
        listed = first;
    }
    for operand in listed.iter().rev() {
        waiting.push(TreeRow::of(operand, depth));
    }
}
