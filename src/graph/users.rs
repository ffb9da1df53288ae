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
    users: Vec<NodeId>,
    /// Users that came later.
    late: FxHashMap<NodeId, Vec<NodeId>>,
    added: usize,
}

impl Users {
    /// The index of these nodes; none has a higher number than `made`.
    pub fn of(nodes: &[Rc<Node>], made: NodeId) -> Users {
        let mut known = vec![Weak::new(); made as usize];
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
            users,
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

    /// Forgets the nodes above a number, which are gone.
    pub(super) fn rewind(&mut self, made: NodeId) {
        self.nodes.truncate(made as usize);
    }

    /// Every node that depends on one of these, operands first.
    pub fn above(&self, leaves: &[Rc<Node>]) -> Vec<Rc<Node>> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut waiting: Vec<Rc<Node>> = leaves.to_vec();
        while let Some(node) = waiting.pop() {
            let early = match self.starts.get(place(&node)..place(&node) + 2) {
                Some(&[start, end]) => &self.users[start as usize..end as usize],
                _ => &[],
            };
            let late = self.late.get(&node.id()).into_iter().flatten();
            for &user in early.iter().chain(late) {
                let known = self.nodes.get(user as usize - 1).and_then(Weak::upgrade);
                if let Some(user) = known
                    && used(&user).any(|operand| Rc::ptr_eq(operand, &node))
                    && seen.insert(user.id())
                {
                    found.push(Rc::clone(&user));
                    waiting.push(user);
                }
            }
        }
        found.sort_unstable_by_key(|node| node.id());
        found
    }
}

fn place(node: &Node) -> usize {
    node.id() as usize - 1
}

/// The operands that vary. One that is there twice is told twice.
fn used(node: &Node) -> impl Iterator<Item = &Rc<Node>> {
    node.operands().iter().filter(|operand| operand.varies())
}
