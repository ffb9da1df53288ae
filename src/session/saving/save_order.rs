//! Which nodes of a session are statements of a script, and which are written inside the statement of their user.
//!
//! A script makes its nodes statement by statement, and within one operands before users, left to right. A node may
//! stand inside its user's statement only where this is the order in which the nodes were made: then a pass over the
//! script's nodes goes the way a pass goes now, to the bit. How statements are named and written is `script`'s affair.

use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use rustc_hash::{FxHashMap, FxHashSet};

use super::literals::spelled;
use crate::graph::{Node, NodeId};
use crate::session::Session;
use crate::session::error::Error;
use crate::session::naming::labels;
use crate::syntax::precedence::{Grouping, level};
use crate::syntax::{Head, MAX_NESTING};

/// How many nodes are looked at between two questions whether to stop.
const NODES_PER_QUESTION: usize = 1 << 14;
/// The most brackets in brackets one statement is given; constants in it may add as many again.
pub(crate) const NESTING: usize = MAX_NESTING / 2 - 10;
/// About how many bytes one statement is given.
const BYTES: usize = 1 << 20;
/// No number is longer, and hardly a helper's name.
const NUMBER: usize = 25;

/// The nodes of a script.
pub(crate) struct Outline<'s> {
    /// Every node that is not constant, oldest first.
    pub nodes: Vec<&'s Rc<Node>>,
    /// Is it a statement? In the order of `nodes`, as are the others.
    pub stated: Vec<bool>,
    /// The last statement that refers to this one; 0 if none does, `usize::MAX` if what comes after them does.
    pub last_use: Vec<usize>,
    /// Where each node stands.
    pub index: FxHashMap<NodeId, usize>,
    /// The constants below them.
    pub constants: Vec<&'s Rc<Node>>,
    /// Nodes that are shown as calls of the user's own functions.
    pub calls: Vec<Labelled>,
}

/// A node that is shown as a call.
pub(crate) struct Labelled {
    /// Where it stands among the nodes.
    pub at: usize,
    /// The function.
    pub function: Rc<str>,
    /// What it was called with.
    pub arguments: Vec<CallArgument>,
}

/// What a function was called with.
pub(crate) enum CallArgument {
    /// A node of the script.
    Node(usize),
    /// A constant that was written so.
    Constant(String),
}

/// A node that waits to be written inside its user.
#[derive(Clone, Copy)]
struct PendingNode {
    at: usize,
    nesting: usize,
    bytes: usize,
}

impl Session {
    /// The nodes at and below the names, in statements. Fails only when it is stopped.
    pub(crate) fn outline(&self) -> Result<Outline<'_>, Error> {
        let [mut nodes, constants] = self.reachable()?;
        nodes.sort_unstable_by_key(|node| node.id());
        let index: FxHashMap<NodeId, usize> = nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (node.id(), at))
            .collect();
        // Each node's only user, if it has only one and is that one's operand only once.
        let mut users: Vec<(usize, usize)> = vec![(0, 0); nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            for operand in node.operands().iter().filter(|operand| operand.varies()) {
                let (count, user) = &mut users[index[&operand.id()]];
                (*count, *user) = (*count + 1, at);
            }
        }
        let calls = self.labelled(&nodes, &index);
        let mut stated: Vec<bool> = nodes
            .iter()
            .zip(&users)
            .map(|(node, (uses, _))| {
                node.is_leaf()
                    || *uses != 1
                    || self.is_named(node)
                    || self.names.former(node).is_some()
                    || self.names.label(node).is_some()
            })
            .collect();
        // What is called by a name while the script runs is a statement.
        for Labelled { at, arguments, .. } in &calls {
            stated[*at] = true;
            for argument in arguments {
                if let CallArgument::Node(at) = argument {
                    stated[*at] = true;
                }
            }
        }
        let mut outline = Outline {
            last_use: vec![0; nodes.len()],
            nodes,
            stated,
            index,
            constants,
            calls,
        };
        self.divide(&mut outline)?;
        // What a node was called with is named once more at the end, and so is a node that is shown as something else.
        for (node, last_use) in outline.nodes.iter().zip(&mut outline.last_use) {
            if self.names.label(node).is_some() {
                *last_use = usize::MAX;
            }
        }
        for Labelled { at, arguments, .. } in &outline.calls {
            outline.last_use[*at] = usize::MAX;
            for argument in arguments {
                if let CallArgument::Node(at) = argument {
                    outline.last_use[*at] = usize::MAX;
                }
            }
        }
        // Users come after their operands, so going backwards the statement of the user is known.
        let mut owners = vec![0; users.len()];
        for at in (0..users.len()).rev() {
            owners[at] = if outline.stated[at] {
                at
            } else {
                owners[users[at].1]
            };
            for operand in outline.nodes[at].operands() {
                if let Some(&below) = outline.index.get(&operand.id())
                    && outline.stated[below]
                {
                    outline.last_use[below] = outline.last_use[below].max(owners[at]);
                }
            }
        }
        Ok(outline)
    }

    /// The nodes that are shown as calls, with all they were called with still there.
    fn labelled(&self, nodes: &[&Rc<Node>], index: &FxHashMap<NodeId, usize>) -> Vec<Labelled> {
        let argument = |argument: &Weak<Node>| {
            let node = argument.upgrade()?;
            if let Some(&at) = index.get(&node.id()) {
                return Some(CallArgument::Node(at));
            }
            let label = || Some(self.label(&node)).filter(|text| !text.contains('…'));
            let computed = || label().filter(|_| !node.varies());
            spelled(&node).or_else(computed).map(CallArgument::Constant)
        };
        let labelled = |(at, node): (usize, &&Rc<Node>)| {
            let call = self.names.call_of(node)?;
            let arguments: Option<Vec<CallArgument>> =
                call.arguments.iter().map(argument).collect();
            Some(Labelled {
                at,
                function: Rc::clone(&call.function),
                arguments: arguments?,
            })
        };
        nodes.iter().enumerate().filter_map(labelled).collect()
    }

    /// Makes statements of the nodes that cannot stand inside their user.
    ///
    /// Nodes that wait for their user stand in a queue, oldest first: what was made without a gap up to this moment.
    /// A node takes its operands from the end of the queue, where they must stand as it has them, left to right. An
    /// operand that stands elsewhere becomes a statement, and so does all that is older: a statement makes its nodes
    /// when it comes, so whatever still waits then must be younger.
    fn divide(&self, outline: &mut Outline) -> Result<(), Error> {
        let mut queue: VecDeque<PendingNode> = VecDeque::new();
        for at in 0..outline.nodes.len() {
            self.ask(at)?;
            let node = outline.nodes[at];
            let mut taken = 0;
            for operand in node.operands().iter().rev() {
                let below = outline.index.get(&operand.id()).copied();
                let Some(below) = below.filter(|&below| !outline.stated[below]) else {
                    continue;
                };
                let place = queue.len() - taken;
                if place > 0 && queue[place - 1].at == below {
                    taken += 1;
                } else {
                    while !outline.stated[below]
                        && let Some(oldest) = queue.pop_front()
                    {
                        outline.stated[oldest.at] = true;
                    }
                }
            }
            let mut own = self.measured(outline, at, &queue, taken);
            if own.nesting > NESTING || own.bytes > BYTES {
                for waiting in queue.drain(..) {
                    outline.stated[waiting.at] = true;
                }
                own = self.measured(outline, at, &queue, 0);
                taken = 0;
            }
            queue.truncate(queue.len() - taken);
            if outline.stated[at] {
                for waiting in queue.drain(..) {
                    outline.stated[waiting.at] = true;
                }
            } else {
                queue.push_back(own);
            }
        }
        Ok(())
    }

    /// How large a node's text is, with the last `taken` of the queue inside it: hardly less than it will be.
    fn measured(
        &self,
        outline: &Outline,
        at: usize,
        queue: &VecDeque<PendingNode>,
        taken: usize,
    ) -> PendingNode {
        let node = outline.nodes[at];
        let (level, grouping) = binding(node);
        let mut nesting = 0;
        let mut bytes = node.op().map_or(0, |op| op.spelling.len()) + 4;
        for waiting in queue.range(queue.len() - taken..) {
            // In `a + b + c + …` brackets are left out, and that is what long statements are made of.
            let below = outline.nodes[waiting.at];
            let bare = grouping == Grouping::Left
                && Rc::ptr_eq(below, &node.operands()[0])
                && binding(below).0 >= level;
            nesting = nesting.max(waiting.nesting + usize::from(!bare));
            bytes += waiting.bytes;
        }
        for operand in node.operands() {
            let name = self.names.of(operand).next();
            bytes += name.map_or(NUMBER, str::len) + 2;
        }
        PendingNode { at, nesting, bytes }
    }

    /// Every node at and below the names, constants apart, in no order.
    fn reachable(&self) -> Result<[Vec<&Rc<Node>>; 2], Error> {
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut waiting: Vec<&Rc<Node>> = self.names.bound().map(|(_, node)| node).collect();
        let (mut nodes, mut constants) = (Vec::new(), Vec::new());
        while let Some(node) = waiting.pop() {
            if !seen.insert(node.id()) {
                continue;
            }
            self.ask(seen.len())?;
            if node.varies() {
                nodes.push(node);
            } else {
                constants.push(node);
            }
            waiting.extend(node.operands());
        }
        Ok([nodes, constants])
    }

    /// The former names that the statements do not bring by themselves: name, number and node, by name and number.
    pub(crate) fn formers_left(
        &self,
        outline: &Outline,
        passed_on: &[bool],
    ) -> Vec<(u32, u32, usize)> {
        let mut formers: Vec<(u32, u32, usize)> = (outline.nodes.iter().enumerate())
            .filter(|(at, _)| !passed_on[*at])
            .filter_map(|(at, node)| {
                let former = self.names.former(node)?;
                Some((former.name, former.count, at))
            })
            .collect();
        formers.sort_unstable_by_key(|&(name, count, _)| (self.names.name(name), count));
        formers
    }

    /// Asks now and then whether to stop.
    pub(crate) fn ask(&self, count: usize) -> Result<(), Error> {
        if count % NODES_PER_QUESTION == NODES_PER_QUESTION - 1 && self.host.stop() {
            return Err(Error::Interrupted);
        }
        Ok(())
    }
}

/// How tightly a node's own text binds, and how it groups.
fn binding(node: &Node) -> (u8, Grouping) {
    match node.op().map(labels::head) {
        Some(Head::Operator(operator)) => (operator.level, operator.grouping),
        _ => (level::ATOM, Grouping::Alone),
    }
}
