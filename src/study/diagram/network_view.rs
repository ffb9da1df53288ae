//! The network view: only named nodes, lists and neurons are boxes, and the operations between them become wires.
//!
//! From each box a sweep goes down through the nodes without names to the boxes below it. A leaf that multiplies on the
//! way is the weight of the wire, and a leaf that is added is a bias of the box. A wire has a weight if the same single
//! leaf multiplies on all of its paths; otherwise it has none.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::contraction::{Contraction, range};
use super::diagram;
use super::network_roles::LeafRoles;
use crate::session::Session;
use crate::session::naming::NodeName;
use crate::session::naming::labels::long_lists::Fold;
use crate::session::naming::labels::{FEW_ITEMS, name};
use chainrule_engine::graph::{FullGraph, Node};
use chainrule_report::{
    Connection, Connections, Diagram, Network, Vertex, Weight, join, plural, say,
};
use chainrule_stop as stop;

/// The most operands that all sweeps look at. Sweeps from different boxes may go through the same nodes.
const MOST_LOOKS: usize = 20_000_000;

/// The diagram of the boxes at and below a root, in which these long lists are one box each; `None` if the boxes have too
/// many connections.
pub fn diagram_of_network(
    session: &Session,
    root: &Rc<Node>,
    whole: &FullGraph,
    lists: &[Fold],
) -> Option<Diagram> {
    let full = diagram(session, root, whole);
    let names = session.names();
    let has_name = |node: &Rc<Node>| names.labels.of(node).is_some() || name(names, node).is_some();
    let label = |place: usize| full.vertices[place].label.clone();
    let roles = LeafRoles::new(whole, label);
    let groups = Contraction::new(whole, lists, |place| {
        let node = &whole.nodes[place];
        match (place, node.is_leaf()) {
            (0, _) => true,
            (_, true) => roles.boxed[place],
            // Nothing below a constant has a name.
            _ if !root.varies() && node.operands().is_empty() => true,
            _ => node.varies() && has_name(node) || roles.is_neuron(node),
        }
    });
    let mut sweep = Sweep {
        whole,
        roles: &roles,
        groups: &groups,
        factors: vec![None; whole.nodes.len()],
        waiting: BinaryHeap::new(),
        looks: 0,
    };
    let mut ends = Vec::new();
    for members in stop::with_checks(groups.members.iter()) {
        ends.push(sweep.find_below_all(members)?);
    }
    let operands = |ends: &BoxEnds| ends.operands.iter().map(|(group, _)| *group).collect();
    let operands: Vec<Vec<usize>> = ends.iter().map(operands).collect();
    let weights = |leaves: &[usize]| weight(session, &full, whole, leaves);
    let finish = |group: usize, own: Vertex| {
        let ends = &ends[group];
        let wire = |(_, wire): &(usize, GroupWire)| Connection {
            has_several_factors: wire.several || wire.plain && !wire.leaves.is_empty(),
            weight: (!wire.several && !wire.plain).then(|| weights(&wire.leaves)),
        };
        Vertex {
            operation: None,
            is_commutative: true,
            connections: Connections {
                wires: ends.operands.iter().map(wire).collect(),
                biases: biases(&ends.biases, weights),
            },
            ..own
        }
    };
    let vertices = groups.vertices(&full.vertices, &operands, finish);
    let wires = vertices.iter().flat_map(|vertex| &vertex.connections.wires);
    let shown = wires.filter_map(Connection::weight_range);
    let sizes = shown.flat_map(|(least, most)| [least.abs(), most.abs()]);
    let largest = sizes.filter(|size| size.is_finite()).fold(0.0, f64::max);
    let [boxes, nodes] = [vertices.len(), whole.nodes.len()];
    let word = if boxes == 1 { "box" } else { "boxes" };
    let size = say!("{} {} of {}", boxes, word, plural(nodes, "node"));
    let caption = [size, full.caption];
    Some(Diagram {
        caption: join(caption.into_iter().filter(|line| !line.is_empty()), "; "),
        vertices,
        flow: full.flow,
        network: Some(Network {
            nodes,
            wires: ends.iter().map(|ends| ends.operands.len()).sum(),
            largest,
        }),
        ..Diagram::default()
    })
}

/// What multiplies on all paths from a box to a node below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Factor {
    None,
    Leaf(usize),
    Several,
}

impl Factor {
    /// The factor on the paths of both.
    fn and(self, other: Factor) -> Factor {
        if self == other { self } else { Factor::Several }
    }

    /// On the same paths, a step longer, where this leaf multiplies.
    fn times(self, leaf: Option<usize>) -> Factor {
        match (self, leaf) {
            (factor, None) => factor,
            (Factor::None, Some(leaf)) => Factor::Leaf(leaf),
            _ => Factor::Several,
        }
    }
}

/// The wires and biases that end in a box.
#[derive(Default)]
struct BoxEnds {
    /// The groups that wires come from, the oldest first.
    operands: Vec<(usize, GroupWire)>,
    /// The leaves that are added, the oldest first.
    biases: Vec<usize>,
}

/// All wires from one group to another.
#[derive(Default)]
struct GroupWire {
    /// The leaves that multiply on paths where only one does.
    leaves: Vec<usize>,
    /// Whether there are paths on which nothing multiplies, and paths on which several leaves do.
    plain: bool,
    several: bool,
}

/// Goes down from boxes.
struct Sweep<'g> {
    whole: &'g FullGraph,
    roles: &'g LeafRoles<'g>,
    groups: &'g Contraction<'g>,
    /// What multiplies on the paths to each node that waits.
    factors: Vec<Option<Factor>>,
    /// Nodes without a box, and boxes, that paths lead to; newer ones first, so that all paths to a node are known when
    /// its turn comes.
    waiting: BinaryHeap<Reverse<usize>>,
    looks: usize,
}

impl Sweep<'_> {
    /// The wires and biases that end in a box with these members; `None` if that takes too long.
    fn find_below_all(&mut self, members: &[usize]) -> Option<BoxEnds> {
        let mut ends = BoxEnds::default();
        let mut known: FxHashMap<usize, usize> = FxHashMap::default();
        for &member in members.iter().rev() {
            let (mut boxes, mut biases) = (Vec::new(), Vec::new());
            self.find_below(member, &mut boxes, &mut biases)?;
            for (group, factor) in boxes.into_iter().rev() {
                let at = *known.entry(group).or_insert_with(|| {
                    let wire = GroupWire::default();
                    ends.operands.push((group, wire));
                    ends.operands.len() - 1
                });
                let wire = &mut ends.operands[at].1;
                match factor {
                    Factor::None => wire.plain = true,
                    Factor::Leaf(leaf) => wire.leaves.push(leaf),
                    Factor::Several => wire.several = true,
                }
            }
            biases.sort_unstable();
            biases.dedup();
            ends.biases.extend(biases.into_iter().rev());
        }
        Some(ends)
    }

    /// The boxes below a node, the newest first, and the biases on the way.
    fn find_below(
        &mut self,
        from: usize,
        boxes: &mut Vec<(usize, Factor)>,
        biases: &mut Vec<usize>,
    ) -> Option<()> {
        self.factors[from] = Some(Factor::None);
        self.waiting.push(Reverse(from));
        while let Some(Reverse(place)) = self.waiting.pop() {
            let Some(factor) = self.factors[place].take() else {
                continue;
            };
            if let Some(group) = self.groups.of[place].filter(|_| place != from) {
                boxes.push((group, factor));
                continue;
            }
            let operands = self.whole.nodes[place].operands();
            let weight = self.roles.weight(place);
            let leaf = weight.and_then(|position| self.whole.place(&operands[position]));
            self.looks += operands.len();
            stop::ask(self.looks);
            for (position, operand) in operands.iter().enumerate() {
                let Some(below) = self.whole.place(operand) else {
                    continue;
                };
                if weight == Some(position) {
                    continue;
                }
                if self.roles.is_bias(place, below) {
                    biases.push(below);
                    continue;
                }
                let factor = factor.times(leaf);
                let before = self.factors[below];
                self.factors[below] = Some(before.map_or(factor, |before| before.and(factor)));
                if before.is_none() {
                    self.waiting.push(Reverse(below));
                }
            }
        }
        (self.looks <= MOST_LOOKS).then_some(())
    }
}

/// Several leaves as one weight.
fn weight(session: &Session, full: &Diagram, whole: &FullGraph, leaves: &[usize]) -> Weight {
    let data = range(leaves.iter().map(|&leaf| whole.nodes[leaf].data()));
    Weight {
        label: name_of_all(session, full, whole, leaves),
        count: leaves.len(),
        data: data.unwrap_or_default(),
        grad: range(leaves.iter().filter_map(|&leaf| full.vertices[leaf].grad)),
    }
}

/// The name of the only leaf, or of the list that all are items of.
fn name_of_all(session: &Session, full: &Diagram, whole: &FullGraph, leaves: &[usize]) -> String {
    let Some(&first) = leaves.first() else {
        return String::new();
    };
    if leaves.iter().all(|&leaf| leaf == first) {
        return full.vertices[first].label.clone();
    }
    let names = session.names();
    let owner = |leaf: usize| names.list_of(&whole.nodes[leaf]);
    let is_of = |list: &NodeName, leaf| owner(leaf).is_some_and(|it| it.key() == list.key());
    let shared = owner(first).filter(|list| leaves.iter().all(|&leaf| is_of(list, leaf)));
    shared.map_or_else(
        || "several leaves".to_string(),
        |list| names.name_without_place(list).into_owned(),
    )
}

/// The biases of a box: one by one, but those of a list together if there are many.
fn biases(leaves: &[usize], weight: impl Fn(&[usize]) -> Weight) -> Vec<Weight> {
    if leaves.len() > FEW_ITEMS {
        return vec![weight(leaves)];
    }
    leaves.iter().map(|&leaf| weight(&[leaf])).collect()
}
