//! The turns of single nodes, so that equal operations come together where they may.
//!
//! In a small graph neighbours in the order rarely share an operation, and a processor that guesses which one comes
//! next guesses wrong every other time. What has to stay as it is: a user comes before its operands, and those who pass
//! on to the same operand keep their order, so that sums are the same to the bit. Anything else is free.

use std::collections::VecDeque;

use super::parts::SingleNode;
use crate::ops::TABLE;

/// The same nodes, users first, in another order. Slots are below `varying`, but those of constants.
pub(crate) fn group(singles: &[SingleNode], varying: usize) -> Vec<SingleNode> {
    let turns = Turns::of(singles, varying);
    let mut waits = turns.waits;
    let mut ready: Vec<VecDeque<u32>> = vec![VecDeque::new(); TABLE.len()];
    for (place, alone) in singles.iter().enumerate() {
        if waits[place] == 0 {
            ready[usize::from(alone.row)].push_back(place as u32);
        }
    }
    let mut grouped = Vec::with_capacity(singles.len());
    let mut row = 0;
    while grouped.len() < singles.len() {
        let Some(place) = ready[row].pop_front() else {
            // The operation that most wait for. Something always is ready: the order that there is would do.
            let longest = (0..ready.len()).max_by_key(|&row| ready[row].len());
            row = longest.unwrap_or(0);
            continue;
        };
        let place = place as usize;
        grouped.push(singles[place]);
        let (start, end) = (turns.starts[place], turns.starts[place + 1]);
        for &next in &turns.nexts[start as usize..end as usize] {
            waits[next as usize] -= 1;
            if waits[next as usize] == 0 {
                ready[usize::from(singles[next as usize].row)].push_back(next);
            }
        }
    }
    grouped
}

/// Who has to wait for whom, by their places.
struct Turns {
    /// How many a node waits for.
    waits: Vec<u32>,
    /// Where in `nexts` those begin that wait for a node; one more than there are nodes.
    starts: Vec<u32>,
    nexts: Vec<u32>,
}

impl Turns {
    fn of(singles: &[SingleNode], varying: usize) -> Turns {
        const NOBODY: u32 = u32::MAX;
        let mut places = vec![NOBODY; varying];
        for (place, alone) in (0..).zip(singles) {
            places[alone.single.slot as usize] = place;
        }
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(4 * singles.len());
        let mut last_user = vec![NOBODY; varying];
        for (place, alone) in (0..).zip(singles) {
            for slot in alone.single.operands.map(|slot| slot as usize) {
                // Constants are no slots.
                let Some(last) = last_user.get_mut(slot) else {
                    continue;
                };
                let before = std::mem::replace(last, place);
                if before == place {
                    continue;
                }
                if before != NOBODY {
                    pairs.push((before, place));
                }
                if places[slot] != NOBODY {
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
        Turns {
            waits,
            starts,
            nexts,
        }
    }
}
