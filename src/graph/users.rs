//! Who uses a node: an index beside the graph, for changes that touch little of a large one.
//!
//! It is made when it is first asked for and follows the nodes that are made after it. It keeps nobody alive: nodes
//! that are gone are passed over, and a use that was taken back with its number is not believed. Once more has been
//! added than there was, it gives itself up, to be made anew.

use std::rc::{Rc, Weak};

use rustc_hash::{FxHashMap, FxHashSet};

use super::node::{Node, NodeId};

/// By their numbers: 8 bytes a node, 4 for where its users start and 4 for each of its operands.
#[derive(Debug, Default)]
pub struct Users {
    /// Nodes that vary, by number, from 1.
    nodes: Vec<Weak<Node>>,
    /// Where the users of a node start; one more than there were nodes at the beginning.
    starts: Vec<u32>,
    listed: Vec<NodeId>,
    /// Users that came later.
    late: FxHashMap<NodeId, Vec<NodeId>>,
    added: usize,
}

impl Users {
    /// The index of these nodes; none has a higher number than `made`.
    pub fn of(nodes: &[Rc<Node>], made: NodeId) -> Users {
        let mut known = Vec::new();
        known.resize_with(made as usize, Weak::new);
        let mut starts = vec![0_u32; made as usize + 1];
        for node in nodes {
            known[place(node)] = Rc::downgrade(node);
            for operand in used(node) {
                starts[place(operand)] += 1;
            }
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut users = vec![0; end as usize];
        for node in nodes {
            for operand in used(node) {
                let start = &mut starts[place(operand)];
                *start -= 1;
                users[*start as usize] = node.id();
            }
        }
        Users {
            nodes: known,
            starts,
            listed: users,
            late: FxHashMap::default(),
            added: 0,
        }
    }

    /// Follows a node that was just made; says whether the index is still worth keeping.
    pub(super) fn add(&mut self, node: &Rc<Node>) -> bool {
        self.nodes.resize_with(place(node), Weak::new);
        self.nodes.push(if node.varies() {
            Rc::downgrade(node)
        } else {
            Weak::new()
        });
        for operand in used(node) {
            self.late.entry(operand.id()).or_default().push(node.id());
        }
        self.added += 1;
        self.added < self.starts.len()
    }

    /// Forgets the nodes above a number, which are gone; says whether the index still holds.
    pub(super) fn rewind(&mut self, made: NodeId) -> bool {
        self.nodes.truncate(made as usize);
        self.nodes.len() + 1 >= self.starts.len()
    }

    /// Tells the users of these nodes, the oldest first, and of every node told that is said to have changed its users
    /// in turn: each once, after all of its operands.
    pub fn follow(&self, changed: &[Rc<Node>], mut tell: impl FnMut(&Rc<Node>) -> bool) {
        // One bit a number. A user is younger than its operands, so it stands ahead of the one that is looked at.
        let mut waiting = vec![0_u64; self.nodes.len() / 64 + 1];
        let mut ends = (waiting.len(), 0);
        for node in changed {
            self.mark(node.id(), &mut waiting, &mut ends);
        }
        let mut word = ends.0;
        while word < ends.1 {
            let bits = waiting[word];
            if bits == 0 {
                word += 1;
                continue;
            }
            waiting[word] = bits & (bits - 1);
            let id = word * 64 + bits.trailing_zeros() as usize;
            let node = self.nodes.get(id - 1).and_then(Weak::upgrade);
            if node.is_some_and(|node| tell(&node)) {
                self.mark(id as NodeId, &mut waiting, &mut ends);
            }
        }
    }

    /// Sets the bits of a node's users.
    fn mark(&self, id: NodeId, waiting: &mut [u64], ends: &mut (usize, usize)) {
        let early = self.early(id).iter().copied();
        let late = self.late.get(&id).into_iter().flatten().copied();
        for user in early.chain(late.filter(|&user| self.uses(user, id))) {
            let word = user as usize / 64;
            waiting[word] |= 1 << (user % 64);
            *ends = (ends.0.min(word), ends.1.max(word + 1));
        }
    }

    /// The users that were there at the beginning.
    fn early(&self, id: NodeId) -> &[NodeId] {
        match self.starts.get(id as usize - 1..=id as usize) {
            Some(&[start, end]) => &self.listed[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Is it so? A number may have been taken back and given again.
    fn uses(&self, user: NodeId, id: NodeId) -> bool {
        let known = self.nodes.get(user as usize - 1).and_then(Weak::upgrade);
        known.is_some_and(|user| used(&user).any(|operand| operand.id() == id))
    }

    /// Do at most so many nodes depend on these? It is found out by looking at about as many.
    pub fn are_few(&self, leaves: &[Rc<Node>], most: usize) -> bool {
        let mut seen = FxHashSet::default();
        let mut waiting: Vec<NodeId> = leaves.iter().map(|leaf| leaf.id()).collect();
        while let Some(id) = waiting.pop() {
            let early = self.early(id).iter().copied();
            let late = self.late.get(&id).into_iter().flatten().copied();
            for user in early.chain(late.filter(|&user| self.uses(user, id))) {
                if seen.insert(user) {
                    waiting.push(user);
                }
                if seen.len() > most {
                    return false;
                }
            }
        }
        true
    }
}

fn place(node: &Node) -> usize {
    node.id() as usize - 1
}

/// The operands that vary. One that is there twice is told twice.
fn used(node: &Node) -> impl Iterator<Item = &Rc<Node>> {
    node.operands().iter().filter(|operand| operand.varies())
}
