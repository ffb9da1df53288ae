//! How many evaluation orders a graph has: exactly while that is cheap, else not at all.
//!
//! Orders are counted by what has been evaluated so far: from each such set every node whose operands are all in it may
//! come next. The sets are counted, not the orders, so 48 orders of seven nodes take a look at 20 sets.

use std::collections::HashMap;

use super::order::Order;

/// The largest graph that is counted: a set of nodes is one word.
const MOST_NODES: usize = 64;
/// The most sets that are looked at.
const MOST_SETS: usize = 100_000;

/// The number of orders in which operands come before their users; nothing where it is too much work to say.
pub fn orders(order: &Order) -> Option<u128> {
    let nodes = order.nodes();
    if nodes.len() > MOST_NODES {
        return None;
    }
    let needs: Vec<u64> = nodes
        .iter()
        .map(|node| {
            let operands = node
                .operands()
                .iter()
                .filter_map(|operand| order.position(operand));
            operands.fold(0, |set, place| set | 1 << place)
        })
        .collect();
    // One more node each round: all sets of a round have the same size.
    let mut ways: HashMap<u64, u128> = HashMap::from([(0, 1)]);
    let mut looked = 0;
    for _ in 0..nodes.len() {
        let mut further: HashMap<u64, u128> = HashMap::new();
        for (set, count) in &ways {
            for (place, need) in needs.iter().enumerate() {
                let one = 1 << place;
                if set & one == 0 && need & set == *need {
                    let sum = further.entry(set | one).or_insert(0);
                    *sum = sum.checked_add(*count)?;
                }
            }
        }
        looked += further.len();
        if looked > MOST_SETS {
            return None;
        }
        ways = further;
    }
    ways.into_values().next()
}
