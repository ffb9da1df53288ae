//! The ranks of a graph: the distance of each vertex from the root.
//!
//! A value stands next to its farthest user, so a leaf is beside the operation that uses it.

use chainrule_report::Diagram;

/// The rank of each vertex: one more than that of its farthest user.
pub(crate) fn depths(diagram: &Diagram) -> Vec<usize> {
    let mut depths = vec![0; diagram.vertices.len()];
    // Users come before their operands, so one pass is enough.
    for (user, vertex) in diagram.vertices.iter().enumerate() {
        for &operand in &vertex.operands {
            depths[operand] = depths[operand].max(depths[user] + 1);
        }
    }
    depths
}
