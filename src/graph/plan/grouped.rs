//! Reorders single nodes so that equal operations follow each other where possible.
//!
//! In a small graph neighbours in the order rarely share an operation, so the processor mispredicts the jump to the
//! next operation half of the time. Two constraints remain: a user comes before its operands, and users of the same
//! operand keep their order, so that sums stay the same to the bit. Within them this is a topological sort (Kahn's
//! algorithm) with one queue for each operation.

use std::collections::VecDeque;

use super::parts::SingleNode;
use crate::ops::TABLE;

/// The same nodes in another order, users first. Slots from `varying` on are constants.
pub(crate) fn group(singles: &[SingleNode], varying: usize) -> Vec<SingleNode> {
    let dependencies = Dependencies::of(singles, varying);
    let mut waits = dependencies.waits;
    let mut ready: Vec<VecDeque<u32>> = vec![VecDeque::new(); TABLE.len()];
    for (place, node) in singles.iter().enumerate() {
        if waits[place] == 0 {
            ready[usize::from(node.row)].push_back(place as u32);
        }
    }
    let mut grouped = Vec::with_capacity(singles.len());
    let mut row = 0;
    while grouped.len() < singles.len() {
        let Some(place) = ready[row].pop_front() else {
            // Changes to the operation with the most nodes ready. Some node always is: the given order meets all
            // constraints.
            let longest = (0..ready.len()).max_by_key(|&row| ready[row].len());
            row = longest.unwrap_or(0);
            continue;
        };
        let place = place as usize;
        grouped.push(singles[place]);
        let (start, end) = (dependencies.starts[place], dependencies.starts[place + 1]);
        for &next in &dependencies.nexts[start as usize..end as usize] {
            waits[next as usize] -= 1;
            if waits[next as usize] == 0 {
                ready[usize::from(singles[next as usize].row)].push_back(next);
            }
        }
    }
    grouped
}

/// Which nodes have to wait for which, by their indices in the list.
struct Dependencies {
    /// How many nodes each node waits for.
    waits: Vec<u32>,
    /// Where the nodes that wait for a node begin in `nexts`; one entry more than there are nodes.
    starts: Vec<u32>,
    nexts: Vec<u32>,
}

impl Dependencies {
    fn of(singles: &[SingleNode], varying: usize) -> Dependencies {
        const NO_PLACE: u32 = u32::MAX;
        let mut places = vec![NO_PLACE; varying];
        for (place, node) in (0..).zip(singles) {
            places[node.single.slot as usize] = place;
        }
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(4 * singles.len());
        let mut last_user = vec![NO_PLACE; varying];
        for (place, node) in (0..).zip(singles) {
            for slot in node.single.operands.map(|slot| slot as usize) {
                // Constants have no slot.
                let Some(last) = last_user.get_mut(slot) else {
                    continue;
                };
                let before = std::mem::replace(last, place);
                if before == place {
                    continue;
                }
                if before != NO_PLACE {
                    pairs.push((before, place));
                }
                if places[slot] != NO_PLACE {
                    pairs.push((place, places[slot]));
                }
            }
        }
        let mut waits = vec![0; singles.len()];
        let mut starts = vec![0; singles.len() + 1];
        for &(first, then) in &pairs {
            waits[then as usize] += 1;
            starts[first as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut nexts = vec![0; pairs.len()];
        for &(first, then) in &pairs {
            starts[first as usize] -= 1;
            nexts[starts[first as usize] as usize] = then;
        }
        Dependencies {
            waits,
            starts,
            nexts,
        }
    }
}
