//! How far from the root each vertex stands.
//!
//! A value stands next to the farthest of its users, so that a leaf is beside the operation that uses it. Fewer
//! wires may cross if values whose wires part stand in steps.

use std::collections::BTreeSet;

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

/// The same, but values of several users stand one rank further, where their wires have room to part; and where two of
/// them would stand in one rank and share two users, so that their wires would cross, one stands further still.
pub(super) fn depths_in_steps(diagram: &Diagram) -> Vec<usize> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); diagram.vertices.len()];
    for (operand, user, _) in diagram.edges() {
        if users[operand].last() != Some(&user) {
            users[operand].push(user);
        }
    }
    let mut depths = vec![0; users.len()];
    // Which value the count belongs to, and how many users the two share.
    let mut shared = vec![(0, 0); users.len()];
    for value in 1..users.len() {
        let farthest = users[value].iter().map(|&user| depths[user]).max();
        depths[value] = farthest.map_or(0, |depth| depth + 1);
        if users[value].len() < 2 {
            continue;
        }
        // The depths of values before this one that share two users with it.
        let mut taken = BTreeSet::new();
        for &user in &users[value] {
            for &other in &diagram.vertices[user].operands {
                if other < value && users[other].len() > 1 {
                    let (of, count) = &mut shared[other];
                    *count = if *of == value { *count + 1 } else { 1 };
                    *of = value;
                    if *count > 1 {
                        taken.insert(depths[other]);
                    }
                }
            }
        }
        depths[value] += 1;
        while taken.contains(&depths[value]) {
            depths[value] += 1;
        }
    }
    depths
}
