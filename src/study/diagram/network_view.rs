//! Makes the diagram of a network: only named nodes, lists and neurons are boxes, and the operations between boxes become
//! wires.
//!
//! From each box a sweep goes down through the nodes without names to the boxes below it. A leaf that multiplies on the
//! way is the weight of the wire, and a leaf that is added is a bias of the box. A wire has a weight only if the same
//! single leaf multiplies on all of its paths.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::boxes::Contraction;
use super::network_roles::LeafRoles;
use super::{diagram, walk_of};
use chainrule_engine::graph::FullGraph;
use chainrule_report::{
    Connection, Connections, Diagram, Network, Vertex, Weight, extent, join, plural, say,
};
use chainrule_session::Session;
use chainrule_session::naming::NodeName;
use chainrule_session::naming::labels::long_lists::Fold;
use chainrule_session::naming::labels::{FEW_ITEMS, name};
use chainrule_stop as stop;

/// The most operands that all sweeps look at. Sweeps from different boxes may go through the same nodes.
const MOST_LOOKS: usize = 20_000_000;

/// Returns the diagram of the boxes of a graph, in which these long lists are one box each; `None` if the boxes have too
/// many connections.
pub fn diagram_of_network(session: &Session, whole: &FullGraph, lists: &[Fold]) -> Option<Diagram> {
    let full = diagram(session, whole, walk_of(session, whole));
    let label = |place: usize| full.vertices[place].label.clone();
    let roles = LeafRoles::new(whole, label);
    let groups = Contraction::new(whole, lists, |place| is_box(session, whole, &roles, place));
    let ends = box_ends(whole, &roles, &groups)?;
    let groups_below = |of_box: &BoxEnds| of_box.wires.iter().map(|wire| wire.from).collect();
    let operands: Vec<Vec<usize>> = ends.iter().map(groups_below).collect();
    let weight = |leaves: &[usize]| weight(session, &full, whole, leaves);
    let finish = |group: usize, vertex: Vertex| Vertex {
        operation: None,
        is_commutative: true,
        connections: connections(&ends[group], weight),
        ..vertex
    };
    let vertices = groups.vertices(&full.vertices, &operands, finish);
    let wires = vertices.iter().flat_map(|vertex| &vertex.connections.wires);
    let weights = wires.filter_map(Connection::weight_range);
    let weight_sizes = weights.flat_map(|(least, most)| [least.abs(), most.abs()]);
    let [boxes, nodes] = [vertices.len(), whole.nodes.len()];
    let word = if boxes == 1 { "box" } else { "boxes" };
    let size = say!("{} {} of {}", boxes, word, plural(nodes, "node"));
    Some(Diagram {
        caption: join([size, full.caption], "; "),
        network: Some(Network {
            nodes,
            wires: ends.iter().map(|ends| ends.wires.len()).sum(),
            largest: (weight_sizes.filter(|it| it.is_finite())).fold(0.0, f64::max),
        }),
        vertices,
        ..Diagram::default()
    })
}

/// Returns whether a node is a box: the root, and nodes with names or roles.
fn is_box(session: &Session, whole: &FullGraph, roles: &LeafRoles, place: usize) -> bool {
    let node = &whole.nodes[place];
    // Nothing below a constant has a name, so literals are the boxes below a constant root.
    let is_below_constant = !whole.nodes[0].varies();
    if place == 0 || is_below_constant && node.operands().is_empty() {
        return true;
    }
    if node.is_leaf() {
        return roles.boxed[place];
    }
    let names = session.names();
    let has_name = || names.labels.of(node).is_some() || name(names, node).is_some();
    node.varies() && has_name() || roles.is_neuron(node)
}

/// Finds the wires and biases of all boxes; `None` if that takes too long.
fn box_ends(whole: &FullGraph, roles: &LeafRoles, groups: &Contraction) -> Option<Vec<BoxEnds>> {
    let mut sweep = Sweep {
        whole,
        roles,
        groups,
        factors: vec![None; whole.nodes.len()],
        waiting: BinaryHeap::new(),
        looks: 0,
    };
    let boxes = stop::with_checks(groups.boxes.iter());
    boxes.map(|it| sweep.find_below_all(it.members())).collect()
}

/// Returns the wires and biases of a box with their weights.
fn connections(ends: &BoxEnds, weight: impl Fn(&[usize]) -> Weight) -> Connections {
    let leaf = |factor: &Factor| match factor {
        Factor::Leaf(leaf) => Some(*leaf),
        Factor::None | Factor::Several => None,
    };
    let leaves =
        |wire: &GroupWire| -> Option<Vec<usize>> { wire.factors.iter().map(leaf).collect() };
    let has_factor = |wire: &GroupWire| wire.factors.iter().any(|it| *it != Factor::None);
    let connection = |wire: &GroupWire| Connection {
        has_several_factors: leaves(wire).is_none() && has_factor(wire),
        weight: leaves(wire).map(|of_wire| weight(&of_wire)),
    };
    // Many biases are shown together, like the biases of a list.
    let are_many = ends.biases.len() > FEW_ITEMS;
    let together = if are_many { ends.biases.len() } else { 1 };
    Connections {
        wires: ends.wires.iter().map(connection).collect(),
        biases: ends.biases.chunks(together).map(&weight).collect(),
    }
}

/// The leaf that multiplies on all paths from a box to a node below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Factor {
    None,
    Leaf(usize),
    /// There are several, on one path or on different ones.
    Several,
}

impl Factor {
    /// Returns the factor on the paths of this factor and of another one.
    fn and(self, other: Factor) -> Factor {
        if self == other { self } else { Factor::Several }
    }

    /// Returns the factor on the same paths with one more step, in which this leaf multiplies.
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
    /// The wires, from the oldest group on.
    wires: Vec<GroupWire>,
    /// The leaves that are added, the oldest first.
    biases: Vec<usize>,
}

/// All wires from one group to another.
struct GroupWire {
    from: usize,
    /// The factors on the paths from each node of the one group to each of the other.
    factors: Vec<Factor>,
}

/// A sweep from boxes down to the boxes below them.
struct Sweep<'g> {
    whole: &'g FullGraph,
    roles: &'g LeafRoles<'g>,
    groups: &'g Contraction<'g>,
    /// The factor on the paths to each waiting node; `None` for all other nodes.
    factors: Vec<Option<Factor>>,
    /// The nodes that paths lead to. Newer ones come first, so that all paths to a node are known when its turn comes.
    waiting: BinaryHeap<Reverse<usize>>,
    /// The number of operands that were looked at.
    looks: usize,
}

impl Sweep<'_> {
    /// Finds the wires and biases that end in a box with these members; `None` if that takes too long.
    fn find_below_all(&mut self, members: &[usize]) -> Option<BoxEnds> {
        let mut ends = BoxEnds::default();
        let mut wire_of_group: FxHashMap<usize, usize> = FxHashMap::default();
        for &member in members.iter().rev() {
            let mut biases = Vec::new();
            for (from, factor) in self.find_below(member, &mut biases)?.into_iter().rev() {
                let wire = *wire_of_group.entry(from).or_insert_with(|| {
                    let factors = Vec::new();
                    ends.wires.push(GroupWire { from, factors });
                    ends.wires.len() - 1
                });
                ends.wires[wire].factors.push(factor);
            }
            biases.sort_unstable();
            biases.dedup();
            ends.biases.extend(biases.into_iter().rev());
        }
        Some(ends)
    }

    /// Finds the boxes below a node, the newest first, each with the factor on the paths to it, and adds the biases on the
    /// way. Returns `None` if that takes too long.
    fn find_below(&mut self, from: usize, biases: &mut Vec<usize>) -> Option<Vec<(usize, Factor)>> {
        let mut boxes = Vec::new();
        self.factors[from] = Some(Factor::None);
        self.waiting.push(Reverse(from));
        while let Some(Reverse(place)) = self.waiting.pop() {
            let Some(factor) = self.factors[place].take() else {
                continue;
            };
            if place != from
                && let Some(group) = self.groups.box_of[place]
            {
                boxes.push((group, factor));
                continue;
            }
            let operands = self.whole.nodes[place].operands();
            self.looks += operands.len();
            stop::ask(self.looks);
            let weight = self.roles.weight(place);
            let leaf = weight.and_then(|position| self.whole.place(&operands[position]));
            let longer = factor.times(leaf);
            for (position, operand) in operands.iter().enumerate() {
                let is_weight = weight == Some(position);
                let Some(below) = self.whole.place(operand).filter(|_| !is_weight) else {
                    continue;
                };
                if self.roles.is_bias(place, below) {
                    biases.push(below);
                } else if let Some(known) = self.factors[below] {
                    self.factors[below] = Some(known.and(longer));
                } else {
                    self.factors[below] = Some(longer);
                    self.waiting.push(Reverse(below));
                }
            }
        }
        (self.looks <= MOST_LOOKS).then_some(boxes)
    }
}

/// Returns several leaves as one weight.
fn weight(session: &Session, full: &Diagram, whole: &FullGraph, leaves: &[usize]) -> Weight {
    let data = extent(leaves.iter().map(|&leaf| whole.nodes[leaf].data()));
    Weight {
        label: name_of_all(session, full, whole, leaves),
        count: leaves.len(),
        data: data.unwrap_or_default(),
        grad: extent(leaves.iter().filter_map(|&leaf| full.vertices[leaf].grad)),
    }
}

/// Returns the name of the only leaf, or of the list that has them all.
fn name_of_all(session: &Session, full: &Diagram, whole: &FullGraph, leaves: &[usize]) -> String {
    let first = leaves[0];
    if leaves.iter().all(|&leaf| leaf == first) {
        return full.vertices[first].label.clone();
    }
    let names = session.names();
    let owner = |leaf: usize| names.list_name_of(&whole.nodes[leaf]);
    let is_of = |list: &NodeName, leaf| owner(leaf).is_some_and(|it| it.key() == list.key());
    let shared = owner(first).filter(|list| leaves.iter().all(|&leaf| is_of(list, leaf)));
    let name = shared.map(|list| names.name_without_place(list).into_owned());
    name.unwrap_or_else(|| "several leaves".to_string())
}
