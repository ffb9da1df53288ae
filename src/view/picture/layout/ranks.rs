//! How far from the root each vertex stands.
//!
//! A value stands next to the farthest of its users, so that a leaf is beside the operation that uses it. Other ranks may
//! let fewer wires cross: those in which the wires are shorter in total, and those in which values whose wires part stand
//! in steps.

use std::collections::BTreeSet;

use crate::report::Diagram;

/// The most rounds over all vertices in which wires are made shorter.
const ROUNDS: usize = 50;
/// The most vertices that move together.
const LARGEST_GROUP: usize = 60;

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

/// Moves values away from the root where that makes the wires shorter in total: a value and all those that must give way
/// to it move by one rank, as long as there are such.
pub(super) fn shorten(diagram: &Diagram, depths: &mut [usize]) {
    let mut users = vec![Vec::new(); depths.len()];
    for (operand, user, _) in diagram.edges() {
        users[operand].push(user);
    }
    // The last attempt in which each vertex was in the group.
    let mut attempts = vec![0; depths.len()];
    let mut attempt = 0;
    for _ in 0..ROUNDS {
        let mut moved = false;
        for vertex in 1..depths.len() {
            attempt += 1;
            attempts[vertex] = attempt;
            let mut group = vec![vertex];
            let mut at = 0;
            while at < group.len() && group.len() <= LARGEST_GROUP {
                let member = group[at];
                at += 1;
                for &operand in &diagram.vertices[member].operands {
                    let touches = depths[operand] == depths[member] + 1;
                    if touches && attempts[operand] != attempt {
                        attempts[operand] = attempt;
                        group.push(operand);
                    }
                }
            }
            if at < group.len() {
                continue;
            }
            let outside = |vertices: &[usize]| {
                let outside = |&&vertex: &&usize| attempts[vertex] != attempt;
                vertices.iter().filter(outside).count()
            };
            let sum = |ends: &dyn Fn(usize) -> usize| -> usize {
                group.iter().map(|&member| ends(member)).sum()
            };
            let longer = sum(&|member| outside(&users[member]));
            let shorter = sum(&|member| outside(&diagram.vertices[member].operands));
            if shorter > longer {
                for member in group {
                    depths[member] += 1;
                }
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
}
