//! How far from the root each vertex stands.
//!
//! A value stands next to the farthest of its users, so that a leaf is beside the operation that uses it.

use crate::report::Diagram;

/// How far from the root each vertex stands: one further than the farthest of its users.
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
