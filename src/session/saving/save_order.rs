//! Decides which nodes of a session become statements of a script, and which are written inside the statement of their
//! user.
//!
//! Loading a script creates its nodes statement by statement, and within a statement operands before users, left to
//! right. A node may be written inside its user's statement only if this keeps the order of creation. Then a pass over
//! the loaded nodes follows the same order as now, and gives the same bits. `script` names and writes the statements.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::literals::spelled;
use crate::graph::{Node, NodeId};
use crate::session::Session;
use crate::session::error::Error;
use crate::session::naming::{WeakValue, atoms};
use crate::syntax::precedence::{Grouping, level};
use crate::syntax::{Head, MAX_NESTING};

/// How many nodes are visited between two checks whether to stop.
const NODES_PER_QUESTION: usize = 1 << 14;
/// The deepest nesting of brackets in one statement; constants in it may add as much again.
pub(crate) const NESTING: usize = MAX_NESTING / 2 - 10;
/// About how many bytes one statement may have.
const STATEMENT_BYTES: usize = 1 << 20;
/// The longest number, and longer than nearly every helper name.
const LONGEST_NUMBER: usize = 25;

/// The nodes of a script.
pub(crate) struct SaveOrder<'s> {
    /// Every varying node, oldest first.
    pub nodes: Vec<&'s Rc<Node>>,
    /// Whether each node is a statement. Parallel to `nodes`, as is `last_use`.
    pub stated: Vec<bool>,
    /// The last statement that refers to each node: 0 if none does, `usize::MAX` if the end of the script does.
    pub last_use: Vec<usize>,
    /// The index of each node in `nodes`.
    pub index: FxHashMap<NodeId, usize>,
    /// The constants below them.
    pub constants: Vec<&'s Rc<Node>>,
    /// Nodes that are shown as calls of the user's own functions.
    pub calls: Vec<Labelled>,
}

/// A node that is shown as a call.
pub(crate) struct Labelled {
    /// Its index among the nodes.
    pub at: usize,
    /// The function.
    pub function: Rc<str>,
    /// The arguments of the call.
    pub arguments: Vec<CallArgument>,
}

/// An argument of a call.
pub(crate) enum CallArgument {
    /// A node of the script, by index.
    Node(usize),
    /// A constant, by its text.
    Constant(String),
}

/// A node that waits to be written inside its user, with the size of its text.
#[derive(Clone, Copy)]
struct PendingNode {
    at: usize,
    nesting: usize,
    bytes: usize,
}

impl Session {
    /// Divides the nodes at and below the names into statements. Fails only if it is stopped.
    pub(crate) fn outline(&self) -> Result<SaveOrder<'_>, Error> {
        let [mut nodes, constants] = self.reachable()?;
        nodes.sort_unstable_by_key(|node| node.id());
        let index: FxHashMap<NodeId, usize> = nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (node.id(), at))
            .collect();
        // For each node the number of its uses as an operand, and its last user.
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
                    || self.names.formers.of(node).is_some()
                    || self.names.labels.of(node).is_some()
            })
            .collect();
        // Nodes that are referred to by name in the script must be statements.
        for Labelled { at, arguments, .. } in &calls {
            stated[*at] = true;
            for argument in arguments {
                if let CallArgument::Node(at) = argument {
                    stated[*at] = true;
                }
            }
        }
        let mut outline = SaveOrder {
            last_use: vec![0; nodes.len()],
            nodes,
            stated,
            index,
            constants,
            calls,
        };
        self.divide(&mut outline)?;
        // The end of the script refers to labelled nodes, to nodes shown as calls and to the arguments of these.
        for (node, last_use) in outline.nodes.iter().zip(&mut outline.last_use) {
            if self.names.labels.of(node).is_some() {
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
        // Users come after their operands, so in reverse order a user's statement is known when its operands are
        // reached.
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

    /// The nodes that are shown as calls, if all arguments are still alive.
    fn labelled(&self, nodes: &[&Rc<Node>], index: &FxHashMap<NodeId, usize>) -> Vec<Labelled> {
        let argument = |argument: &WeakValue| {
            let node = argument.upgrade()?.node()?.clone();
            if let Some(&at) = index.get(&node.id()) {
                return Some(CallArgument::Node(at));
            }
            let label = || Some(self.label(&node)).filter(|text| !text.contains('…'));
            let computed = || label().filter(|_| !node.varies());
            spelled(&node).or_else(computed).map(CallArgument::Constant)
        };
        let labelled = |(at, node): (usize, &&Rc<Node>)| {
            let call = self.names.calls.of(node)?;
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

    /// Makes statements of the nodes that cannot be written inside their users.
    ///
    /// Nodes that wait for their user form a queue, oldest first, in which no created node is missing. A node takes its
    /// operands from the end of the queue, where they must be in operand order. An operand that is elsewhere becomes a
    /// statement, and so does everything older than it: a statement creates its nodes when it runs, so all nodes that
    /// still wait must be younger.
    fn divide(&self, outline: &mut SaveOrder) -> Result<(), Error> {
        let mut queue: VecDeque<PendingNode> = VecDeque::new();
        for at in 0..outline.nodes.len() {
            self.check_stop(at)?;
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
            if own.nesting > NESTING || own.bytes > STATEMENT_BYTES {
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

    /// Estimates the size of a node's text, with the last `taken` nodes of the queue inside it. Hardly ever too small.
    fn measured(
        &self,
        outline: &SaveOrder,
        at: usize,
        queue: &VecDeque<PendingNode>,
        taken: usize,
    ) -> PendingNode {
        let node = outline.nodes[at];
        let (level, grouping) = binding(node);
        let mut nesting = 0;
        let mut bytes = node.op().map_or(0, |op| op.spelling.len()) + 4;
        for waiting in queue.range(queue.len() - taken..) {
            // In `a + b + c + …`, the usual long statement, there are no brackets.
            let below = outline.nodes[waiting.at];
            let bare = grouping == Grouping::Left
                && Rc::ptr_eq(below, &node.operands()[0])
                && binding(below).0 >= level;
            nesting = nesting.max(waiting.nesting + usize::from(!bare));
            bytes += waiting.bytes;
        }
        for operand in node.operands() {
            let name = self.names.of(operand).next();
            bytes += name.map_or(LONGEST_NUMBER, |name| name.len()) + 2;
        }
        PendingNode { at, nesting, bytes }
    }

    /// All nodes at and below the names, varying ones and constants, in no particular order.
    fn reachable(&self) -> Result<[Vec<&Rc<Node>>; 2], Error> {
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut waiting: Vec<&Rc<Node>> = self
            .names
            .bound()
            .flat_map(|(_, value)| value.nodes())
            .collect();
        let (mut nodes, mut constants) = (Vec::new(), Vec::new());
        while let Some(node) = waiting.pop() {
            if !seen.insert(node.id()) {
                continue;
            }
            self.check_stop(seen.len())?;
            if node.varies() {
                nodes.push(node);
            } else {
                constants.push(node);
            }
            waiting.extend(node.operands());
        }
        Ok([nodes, constants])
    }

    /// The former names that the statements do not produce by themselves: name, number and node, sorted by name and
    /// number.
    pub(crate) fn formers_left(
        &self,
        outline: &SaveOrder,
        passed_on: &[bool],
    ) -> Vec<(u32, u32, usize)> {
        let mut formers: Vec<(u32, u32, usize)> = (outline.nodes.iter().enumerate())
            .filter(|(at, _)| !passed_on[*at])
            .filter_map(|(at, node)| {
                let former = self.names.formers.of(node)?;
                Some((former.name, former.count, at))
            })
            .collect();
        formers.sort_unstable_by_key(|&(name, count, _)| (self.names.name(name), count));
        formers
    }

    /// Checks now and then whether to stop.
    pub(crate) fn check_stop(&self, count: usize) -> Result<(), Error> {
        if count % NODES_PER_QUESTION == NODES_PER_QUESTION - 1 {
            self.go_on()?;
        }
        Ok(())
    }
}

/// The precedence level of a node's text and how it groups.
fn binding(node: &Node) -> (u8, Grouping) {
    match node.op().map(atoms::head) {
        Some(Head::Operator(operator)) => (operator.level, operator.grouping),
        _ => (level::ATOM, Grouping::Alone),
    }
}
