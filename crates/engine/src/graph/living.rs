//! Lists the varying nodes of a graph that are alive, oldest first, and finds the users of a node.
//!
//! Every varying node is listed from its creation for as long as anything holds it: a name, a result, the undo journal,
//! or a local variable of a running command. The list holds weak references, so it keeps no node alive, and no owner has
//! to register anything.
//!
//! With an index of users, a change of a leaf visits only the nodes that depend on the leaf. The first change builds the
//! index, and a later one adds the nodes that have been listed since. The index is built again when the number of nodes has
//! doubled, or when most of its nodes are gone. A block that moves leaves changes the older nodes alone, so its own nodes
//! come into the index at its end.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::node::{Node, NodeId};

/// The list is compacted once it has grown by half of its length after the last time, plus this number. The number keeps
/// short lists from being compacted often. Before that the memory of dropped nodes is not freed, because a weak
/// reference keeps it allocated.
const DROPPED_ALLOWED: usize = 1_024;

/// An index into the list.
type ListPlace = u32;

/// All varying nodes that are alive, by ascending id. Weak references to dropped nodes may stand between them.
#[derive(Debug, Default)]
pub struct LivingNodes {
    nodes: Vec<Weak<Node>>,
    /// The length after the list was last compacted.
    compacted: usize,
    /// The length before that. A loop that makes as many nodes in each round is not interrupted by compacting.
    full: usize,
    index: Option<Index>,
}

/// Maps the place of each node to the places of its users. Per node it takes 4 bytes for the id, 4 for the start of the
/// users and 4 for each operand.
#[derive(Debug)]
struct Index {
    /// The index has all nodes up to this id.
    newest: NodeId,
    /// The id of the node at each place, or for a node that was dropped before it came into the index an id between those
    /// of its neighbours.
    ids: Vec<NodeId>,
    /// The users that existed when the index was built.
    early: Adjacency,
    /// The users that were created after the index was built, by operand, oldest first.
    late: FxHashMap<ListPlace, Vec<ListPlace>>,
    /// The same uses as pairs of a user and its operand, oldest first, so that a rewind finds the newest.
    late_uses: Vec<(ListPlace, ListPlace)>,
}

/// A list of users for each place (compressed sparse rows). A user is a place, too.
#[derive(Debug)]
struct Adjacency {
    /// The index in `users` of the list of each place. The last entry is the end of all lists.
    starts: Vec<u32>,
    users: Vec<u32>,
}

impl Adjacency {
    /// Builds the lists from pairs of a place and a user of it, by a counting sort.
    fn of_pairs(places: usize, pairs: &[(u32, u32)]) -> Adjacency {
        let mut starts = vec![0; places + 1];
        for &(place, _) in pairs {
            starts[place as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut users = vec![0; pairs.len()];
        for &(place, user) in pairs {
            // Each list is filled from its end, so that in the end its entry in `starts` is its beginning.
            let start = &mut starts[place as usize];
            *start -= 1;
            users[*start as usize] = user;
        }
        Adjacency { starts, users }
    }

    /// The number of places.
    fn places(&self) -> usize {
        self.starts.len() - 1
    }

    /// The users of a place. An unknown place has none.
    fn users(&self, place: u32) -> &[u32] {
        match self.starts.get(place as usize..=place as usize + 1) {
            Some(&[start, end]) => &self.users[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// A set of places in the list. It has a bit for each place.
struct PlaceSet {
    words: Vec<u64>,
    /// The range of words that may have bits.
    start: usize,
    end: usize,
}

impl PlaceSet {
    fn insert(&mut self, place: ListPlace) {
        let word = place as usize / 64;
        self.words[word] |= 1 << (place % 64);
        self.start = self.start.min(word);
        self.end = self.end.max(word + 1);
    }

    /// Removes the lowest place and returns it.
    fn pop_first(&mut self) -> Option<ListPlace> {
        while self.start < self.end {
            let word = &mut self.words[self.start];
            if *word != 0 {
                let bit = word.trailing_zeros();
                // Clears the lowest bit.
                *word &= *word - 1;
                return Some(self.start as ListPlace * 64 + bit);
            }
            self.start += 1;
        }
        None
    }
}

impl LivingNodes {
    /// The nodes that are alive, oldest first.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Rc<Node>> {
        self.nodes.iter().filter_map(Weak::upgrade)
    }

    /// The node with this id, if it is alive and varies.
    pub fn node(&self, id: NodeId) -> Option<Rc<Node>> {
        let (mut start, mut end) = (0, self.nodes.len());
        while start < end {
            let middle = usize::midpoint(start, end);
            // The ids of dropped nodes are unknown, so the next living node is compared.
            let mut listed = self.nodes[middle..end].iter().zip(middle..);
            let living = listed.find_map(|(node, place)| Some((node.upgrade()?, place)));
            match living {
                Some((node, _)) if node.id() == id => return Some(node),
                Some((node, place)) if node.id() < id => start = place + 1,
                _ => end = middle,
            }
        }
        None
    }

    /// The length of the list, including dropped nodes that it still has.
    pub fn len_with_dropped(&self) -> usize {
        self.nodes.len()
    }

    /// Lists a varying node that has just been created.
    pub(super) fn add(&mut self, node: &Rc<Node>) {
        if self.nodes.len() >= self.compact_at().max(self.full) {
            self.compact();
        }
        self.nodes.push(Rc::downgrade(node));
    }

    /// Compacts the list if it has grown enough. A loop drops many nodes at once, and those of its next round take their
    /// memory.
    pub(super) fn compact_if_grown(&mut self) {
        if self.nodes.len() >= self.compact_at() {
            self.compact();
        }
    }

    fn compact_at(&self) -> usize {
        self.compacted + self.compacted / 2 + DROPPED_ALLOWED
    }

    /// Forgets the nodes with ids above `last_id`. They must have been dropped, because new nodes will get their ids.
    pub(super) fn rewind(&mut self, last_id: NodeId) {
        // The dropped nodes are the newest, so they are at the end.
        while self.nodes.pop_if(|last| last.strong_count() == 0).is_some() {}
        let last = self.nodes.last().and_then(Weak::upgrade);
        debug_assert!(
            last.is_none_or(|last| last.id() <= last_id),
            "somebody holds a node whose id will be reused"
        );
        // The early users cannot be truncated, so the next change builds a new index if one of their places is gone.
        self.index.take_if(|index| {
            index.newest = index.newest.min(last_id);
            index.truncate(self.nodes.len());
            index.ids.len() < index.early.places()
        });
    }

    /// Calls `visit` with the users of the changed nodes up to an id, oldest first. `visit` returns whether a node's data
    /// changed. If it did, the users of that node are visited in turn. Each node is visited once, after all of its operands.
    pub(super) fn visit_users(
        &mut self,
        changed: &[Rc<Node>],
        newest: NodeId,
        mut visit: impl FnMut(&Rc<Node>) -> bool,
    ) {
        self.index_up_to(newest);
        let Some(index) = &self.index else { return };
        // The places still to visit. A user is newer than its operands, so it stands at a later place.
        let mut waiting = PlaceSet {
            words: vec![0; index.ids.len().div_ceil(64)],
            start: usize::MAX,
            end: 0,
        };
        let users = |place| {
            let wanted = |user: &ListPlace| index.ids[*user as usize] <= newest;
            index.users(place).filter(wanted)
        };
        for place in changed.iter().filter_map(|node| index.place(node)) {
            users(place).for_each(|user| waiting.insert(user));
        }
        while let Some(place) = waiting.pop_first() {
            let node = self.nodes[place as usize].upgrade();
            if node.is_some_and(|node| visit(&node)) {
                users(place).for_each(|user| waiting.insert(user));
            }
        }
    }

    /// Lets the index have all nodes up to an id.
    fn index_up_to(&mut self, newest: NodeId) {
        let count = self.nodes.len();
        (self.index).take_if(|index| newest > index.newest && count > 2 * index.early.places());
        if let Some(index) = &mut self.index {
            index.add_nodes(&self.nodes, newest);
        } else {
            self.compact();
            self.index = Some(Index::of(&self.nodes, newest));
        }
    }

    /// Removes dropped nodes from the list. Those in the index stay, so that places do not change; if they are more than half
    /// of it, the index is dropped, and they go, too.
    fn compact(&mut self) {
        let is_gone = |node: &Weak<Node>| node.strong_count() == 0;
        self.index.take_if(|index| {
            let indexed = &self.nodes[..index.ids.len()];
            2 * indexed.iter().filter(|node| is_gone(node)).count() > indexed.len()
        });
        let indexed = self.index.as_ref().map_or(0, |index| index.ids.len());
        self.full = self.nodes.len();
        let mut place = 0;
        self.nodes.retain(|node| {
            place += 1;
            place <= indexed || !is_gone(node)
        });
        self.compacted = self.nodes.len();
    }
}

impl Index {
    /// Builds the index of the nodes up to an id. All of the nodes must be alive.
    fn of(nodes: &[Weak<Node>], newest: NodeId) -> Index {
        let living = nodes.iter().filter_map(Weak::upgrade);
        let indexed: Vec<Rc<Node>> = living.take_while(|node| node.id() <= newest).collect();
        // While the index is built each node carries its place, so that operands are found without a search.
        for (place, node) in (0..).zip(&indexed) {
            node.carried_index.set(place);
        }
        let mut pairs = Vec::with_capacity(2 * indexed.len());
        for (place, node) in (0..).zip(&indexed) {
            let operands = varying_operands(node).map(|operand| operand.carried_index.get());
            pairs.extend(operands.map(|operand| (operand, place)));
        }
        let ids: Vec<NodeId> = indexed.iter().map(|node| node.id()).collect();
        Index {
            newest,
            ids,
            early: Adjacency::of_pairs(indexed.len(), &pairs),
            late: FxHashMap::default(),
            late_uses: Vec::new(),
        }
    }

    /// Adds the nodes up to an id that the index does not have yet.
    fn add_nodes(&mut self, nodes: &[Weak<Node>], newest: NodeId) {
        if newest <= self.newest {
            return;
        }
        self.newest = newest;
        let begin = self.ids.len();
        for (place, listed) in (begin as ListPlace..).zip(&nodes[begin..]) {
            let node = listed.upgrade();
            let between = || self.ids.last().map_or(1, |before| before + 1);
            let id = node.as_ref().map_or_else(between, |it| it.id());
            if id > newest {
                return;
            }
            self.ids.push(id);
            for operand in node.iter().flat_map(|it| varying_operands(it)) {
                if let Some(below) = self.place(operand) {
                    self.late.entry(below).or_default().push(place);
                    self.late_uses.push((place, below));
                }
            }
        }
    }

    /// Forgets the places from `count` on, which new nodes will get.
    fn truncate(&mut self, count: usize) {
        self.ids.truncate(count);
        let is_gone = |(user, _): &mut (ListPlace, ListPlace)| *user as usize >= count;
        while let Some((_, operand)) = self.late_uses.pop_if(is_gone) {
            self.late.get_mut(&operand).and_then(Vec::pop);
        }
    }

    /// The place of a node, if it is in the list. Constants are not.
    fn place(&self, node: &Node) -> Option<ListPlace> {
        let found = self.ids.binary_search(&node.id());
        found.ok().map(|place| place as ListPlace)
    }

    /// The users of a node. Some may have been dropped, and a user that has the node as two operands may come twice.
    fn users(&self, place: ListPlace) -> impl Iterator<Item = ListPlace> {
        let late = self.late.get(&place).into_iter().flatten();
        self.early.users(place).iter().chain(late).copied()
    }
}

/// The operands that vary, with repetitions.
fn varying_operands(node: &Node) -> impl Iterator<Item = &Rc<Node>> {
    node.operands().iter().filter(|operand| operand.varies())
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;
    use crate::graph::{Graph, Spelling};
    use crate::ops::{Shape, operator, same_number};

    impl Graph {
        /// Checks the data of every living node and the index of users. The error says what is wrong.
        fn audit(&self) -> Result<(), String> {
            let mut last = 0;
            for node in self.living().nodes() {
                let (id, data, again) = (node.id(), node.data(), node.compute());
                assert!(
                    (last + 1..=self.last_id()).contains(&id),
                    "@{id} after @{last}"
                );
                assert!(node.varies(), "@{id} is listed and constant");
                last = id;
                if !same_number(data, again) {
                    return Err(format!(
                        "@{id} is {data:?}, but its operands give {again:?}"
                    ));
                }
                assert!(
                    node.operands().iter().all(|operand| operand.id() < id),
                    "@{id}"
                );
                let levels = varying_operands(&node).map(|below| below.level() + 1);
                assert_eq!(node.level(), levels.max().unwrap_or(0), "@{id}");
            }
            self.living().audit()
        }
    }

    impl LivingNodes {
        /// Checks that the index, if there is one, has every use of a living node. The error says what is missing.
        fn audit(&self) -> Result<(), String> {
            let Some(index) = &self.index else {
                return Ok(());
            };
            let mut later = self.nodes.iter().skip(index.ids.len());
            let is_later =
                |node: &Weak<Node>| node.upgrade().is_none_or(|it| it.id() > index.newest);
            if index.ids.len() > self.nodes.len()
                || !index.ids.is_sorted_by(|one, next| one < next)
                || !later.all(is_later)
            {
                return Err("the index of users does not have the living nodes".to_string());
            }
            let mut listed: FxHashSet<(ListPlace, ListPlace)> = FxHashSet::default();
            for place in 0..self.nodes.len() as ListPlace {
                listed.extend(index.users(place).map(|user| (user, place)));
            }
            for (user, node) in self.nodes.iter().take(index.ids.len()).enumerate() {
                let Some(node) = node.upgrade() else { continue };
                if index.ids[user] != node.id() {
                    let id = node.id();
                    return Err(format!("the index of users has a wrong id for @{id}"));
                }
                for operand in varying_operands(&node) {
                    let place = index.place(operand);
                    if !place.is_some_and(|place| listed.contains(&(user as ListPlace, place))) {
                        let (user, operand) = (node.id(), operand.id());
                        return Err(format!(
                            "the index of users misses that @{user} uses @{operand}"
                        ));
                    }
                }
            }
            Ok(())
        }

        /// Drops one use from the index.
        fn lose_a_use(&mut self) {
            let Some(index) = &mut self.index else { return };
            let early = &mut index.early;
            early.users.pop();
            let left = early.users.len() as u32;
            for start in &mut early.starts {
                *start = left.min(*start);
            }
        }
    }

    /// `relu(x)` at -1, and a chain of a hundred sums on top of it.
    fn closed_relu(graph: &mut Graph) -> Vec<Rc<Node>> {
        let (relu, plus) = (operator("relu", Shape::Call), operator("+", Shape::Infix));
        let (relu, plus) = (relu.expect("there is one"), plus.expect("there is one"));
        let mut nodes = vec![graph.leaf(-1.0, false)];
        nodes.push(graph.apply(relu, &nodes[..1]));
        for _ in 0..100 {
            let one = graph.constant(1.0, Spelling::Plain);
            nodes.push(graph.apply_2(plus, Rc::clone(&nodes[nodes.len() - 1]), one));
        }
        nodes
    }

    #[test]
    fn users_of_a_node_that_does_not_change_are_not_visited() {
        let mut graph = Graph::default();
        let nodes = closed_relu(&mut graph);
        let mut visits = 0;
        graph.visit_users(&nodes[..1], |_| {
            visits += 1;
            false
        });
        assert_eq!(visits, 1);
    }

    #[test]
    fn dropped_nodes_do_not_accumulate() {
        let mut graph = Graph::default();
        let nodes = closed_relu(&mut graph);
        for _ in 0..100_000 {
            let _ = closed_relu(&mut graph);
            graph.recompute(&nodes[..1], NodeId::MAX, |_, _| {});
            assert!(graph.living().len_with_dropped() <= 102 + 51 + DROPPED_ALLOWED + 1);
        }
        assert_eq!(graph.living().nodes().count(), 102);
        assert_eq!(graph.audit(), Ok(()));
    }

    #[test]
    fn rewound_ids_are_reused() {
        let mut graph = Graph::default();
        let nodes = closed_relu(&mut graph);
        graph.recompute(&nodes[..1], NodeId::MAX, |_, _| {});
        let last_id = graph.last_id();
        for round in 0..3 {
            let more = closed_relu(&mut graph);
            graph.set(&more[0], 2.0);
            graph.recompute(&more[..1], NodeId::MAX, |_, _| {});
            assert_eq!(more[101].data(), 102.0);
            assert_eq!(graph.audit(), Ok(()), "{round}");
            drop(more);
            graph.rewind(last_id);
            assert_eq!(graph.audit(), Ok(()), "{round}");
        }
        graph.set(&nodes[0], 5.0);
        graph.recompute(&nodes[..1], NodeId::MAX, |_, _| {});
        assert_eq!((nodes[101].data(), graph.audit()), (105.0, Ok(())));
    }

    #[test]
    fn an_index_of_older_nodes_goes_on_after_newer_ones_are_gone() {
        let mut graph = Graph::default();
        let nodes = closed_relu(&mut graph);
        let newest = graph.last_id();
        for round in 0..40 {
            let gone = closed_relu(&mut graph);
            graph.set(&nodes[0], f64::from(round));
            graph.recompute(&nodes[..1], newest, |_, _| {});
            assert_eq!(nodes[101].data(), f64::from(round) + 100.0);
            assert_eq!(graph.audit(), Ok(()), "{round}");
            let kept = closed_relu(&mut graph);
            drop(gone);
            graph.set(&kept[0], 5.0);
            graph.recompute(&kept[..1], NodeId::MAX, |_, _| {});
            assert_eq!(kept[101].data(), 105.0);
            assert_eq!(graph.audit(), Ok(()), "{round}");
            drop(kept);
            if round % 3 == 0 {
                graph.rewind(newest);
                assert_eq!(graph.audit(), Ok(()), "{round}");
            }
        }
    }

    #[test]
    fn a_use_that_is_missing_in_the_index_is_found() {
        let mut graph = Graph::default();
        let nodes = closed_relu(&mut graph);
        graph.recompute(&nodes[..1], NodeId::MAX, |_, _| {});
        assert_eq!(graph.audit(), Ok(()));
        graph.living.lose_a_use();
        let fault = graph.audit().expect_err("it is planted");
        assert!(fault.contains("misses that @"), "{fault}");
    }

    #[test]
    fn data_that_is_not_recomputed_is_found() {
        let mut graph = Graph::default();
        let nodes = closed_relu(&mut graph);
        graph.set(&nodes[0], 5.0);
        let fault = graph.audit().expect_err("nothing above it has moved");
        assert_eq!(fault, "@2 is 0.0, but its operands give 5.0");
    }
}
