//! The order of the letters of a formula: as they were made, but in products that of the typed factors, so that `c*x`
//! stays, even if x is older.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use chainrule_engine::graph::{Node, NodeId};
use chainrule_session::naming::Names;

/// The places of nodes, which come operands first, in the order of letters.
pub(crate) fn letter_places(
    names: &Names,
    nodes: &[Rc<Node>],
    is_letter: &impl Fn(&Rc<Node>) -> bool,
) -> FxHashMap<NodeId, i64> {
    let ranks: FxHashMap<NodeId, usize> = nodes.iter().map(|node| node.id()).zip(0..).collect();
    let mut after = vec![Vec::new(); nodes.len()];
    let mut counts = vec![0_usize; nodes.len()];
    for pair in factor_pairs(nodes, is_letter) {
        let [one, other] = pair.map(|id| ranks[&id]);
        let are_items =
            [one, other].map(|at| names.list_name_of(&nodes[at]).is_some()) == [true; 2];
        if one != other && !are_items {
            after[one].push(other);
            counts[other] += 1;
        }
    }
    let mut waiting: BTreeSet<usize> = (0..nodes.len()).collect();
    let mut ready: BTreeSet<usize> = waiting
        .iter()
        .copied()
        .filter(|it| counts[*it] == 0)
        .collect();
    let mut places = FxHashMap::default();
    // In `x*y + y*x`, each waits for the other: then the older one goes on.
    while let Some(next) = ready.pop_first().or_else(|| waiting.first().copied()) {
        if !waiting.remove(&next) {
            continue;
        }
        places.insert(nodes[next].id(), places.len() as i64);
        for other in &after[next] {
            counts[*other] -= 1;
            if counts[*other] == 0 {
                ready.insert(*other);
            }
        }
    }
    places
}

/// The first letter of a factor, and the last one if that is a factor itself. A letter in a function is none.
#[derive(Clone, Copy)]
struct FactorEnds {
    first: NodeId,
    /// Whether the first letter stands in a function.
    is_inside: bool,
    last: Option<NodeId>,
}

/// The letters that are neighbours in a typed product. Those through a function yield to the others: in `x*exp(a*x)`, a
/// comes before x.
fn factor_pairs(nodes: &[Rc<Node>], is_letter: &impl Fn(&Rc<Node>) -> bool) -> Vec<[NodeId; 2]> {
    let (mut pairs, mut inside) = (Vec::new(), Vec::new());
    let mut ends: FxHashMap<NodeId, FactorEnds> = FxHashMap::default();
    for node in nodes {
        let mut of_operands = node.operands().iter().map(|it| ends.get(&it.id()).copied());
        let found = match node.op().map_or("", |op| op.name) {
            "" => None,
            "multiplication" | "chain" | "prod" => {
                let factors: Vec<FactorEnds> = of_operands.flatten().collect();
                for two in factors.windows(2).filter(|_| !node.is_generated()) {
                    let found = if two[1].is_inside {
                        &mut inside
                    } else {
                        &mut pairs
                    };
                    found.extend(two[0].last.map(|last| [last, two[1].first]));
                }
                let sides = factors.first().zip(factors.last());
                sides.map(|(one, other)| FactorEnds {
                    last: other.last,
                    ..*one
                })
            }
            "power" => {
                let base = of_operands.next().flatten();
                let exponent = of_operands.next().flatten();
                // The derivative of `x^n` is `n*x^(n - 1)`.
                let pair = exponent.zip(base);
                pairs.extend(pair.and_then(|(n, x)| Some([n.last?, x.first])));
                base
            }
            "negation" | "division" => of_operands.next().flatten(),
            // In `b*sin(x)` b comes before x.
            _ => of_operands.flatten().next().map(|it| FactorEnds {
                is_inside: true,
                last: None,
                ..it
            }),
        };
        let itself = FactorEnds {
            first: node.id(),
            is_inside: false,
            last: Some(node.id()),
        };
        let is_factor = node.is_leaf() || is_letter(node);
        let known = if is_factor { Some(itself) } else { found };
        ends.extend(known.map(|it| (node.id(), it)));
    }
    let known: FxHashSet<[NodeId; 2]> = pairs.iter().copied().collect();
    inside.retain(|[one, other]| !known.contains(&[*other, *one]));
    pairs.extend(inside);
    pairs
}
