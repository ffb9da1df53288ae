//! Decides which nodes of a session become statements of a script, and which are written inside the statement of their
//! user.
//!
//! Loading a script creates its nodes statement by statement, and within a statement operands before users, left to
//! right. A node may be written inside its user's statement only if this keeps the order of creation. Then a pass over
//! the loaded nodes follows the same order as now, and gives the same bits. `script` names and writes the statements.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::literals::{spelled, spelled_constants};
use super::name_order::{NameOrder, Naming, SavedList};
use crate::graph::{Node, NodeId};
use crate::session::Session;
use crate::session::naming::NameId;
use crate::session::values::{ListShape, Value, WeakValue};
use crate::stop;
use crate::syntax::MAX_NESTING;

/// How many nodes are visited between two checks whether to stop.
/// The deepest nesting of brackets in one statement; constants in it may add as much again.
pub(crate) const NESTING: usize = MAX_NESTING / 2 - 10;

/// The nodes of a script.
pub(crate) struct SaveOrder<'s> {
    /// Every varying node, oldest first.
    pub nodes: Vec<&'s Rc<Node>>,
    /// Where each node is written. Parallel to `nodes`, as is `last_use`.
    pub written: Vec<Written>,
    /// The time of the last statement that refers to each node: 0 if none does, `usize::MAX` if the end of the script
    /// does.
    pub last_use: Vec<usize>,
    /// The index of each node in `nodes`.
    pub index: FxHashMap<NodeId, usize>,
    /// The constants below them.
    pub constants: Vec<&'s Rc<Node>>,
    /// Nodes that are shown as calls of the user's own functions.
    pub calls: Vec<Labelled>,
    /// The order of the names, and the lists.
    pub names: NameOrder,
}

/// A former name, and the node or list that has it.
pub(crate) struct FormerLeft {
    /// The name.
    pub name: NameId,
    /// Its number.
    pub count: u32,
    /// What has it.
    pub value: Naming,
}

/// Where a node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// Inside the statement of its only user.
    Inside,
    /// In a statement of its own.
    Stated,
    /// As an item of a list; `names.homes` says which.
    Item,
}

/// The time of a node's statement.
pub(crate) fn time(at: usize) -> usize {
    2 * at
}

/// The time of the lists that are bound after the node with this index.
pub(crate) fn time_of_lists(slot: usize) -> usize {
    slot.saturating_mul(2).saturating_add(1)
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
    /// A list of such numbers.
    List(Vec<CallArgument>, ListShape),
}

impl CallArgument {
    /// The nodes in it, by index.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = usize> {
        let items = match self {
            CallArgument::List(items, _) => items.as_slice(),
            _ => std::slice::from_ref(self),
        };
        items.iter().filter_map(|item| match item {
            CallArgument::Node(at) => Some(*at),
            _ => None,
        })
    }
}

impl Session {
    /// Divides the nodes at and below the names into statements. Fails only if it is stopped.
    pub(crate) fn outline(&self) -> SaveOrder<'_> {
        let [mut nodes, constants] = self.reachable();
        nodes.sort_unstable_by_key(|node| node.id());
        let index: FxHashMap<NodeId, usize> = nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (node.id(), at))
            .collect();
        let mut outline = SaveOrder {
            written: vec![Written::Inside; nodes.len()],
            last_use: vec![0; nodes.len()],
            calls: self.labelled(&nodes, &index),
            nodes,
            index,
            constants,
            names: NameOrder::default(),
        };
        let spelled = spelled_constants(&outline.constants);
        outline.names = self.name_order(&outline.nodes, &outline.index, &spelled);
        let users = outline.users();
        outline.leave_home_early(&users);
        for (at, users) in users.iter().enumerate() {
            let node = outline.nodes[at];
            let is_alone = node.is_leaf()
                || users.count != 1
                || outline.names.items.contains(&at)
                || self.is_named(node)
                || self.names.former_of(node).is_some()
                || self.names.labels.of(node).is_some();
            if is_alone && !outline.names.homes.contains_key(&at) {
                outline.written[at] = Written::Stated;
            }
        }
        // Nodes that are referred to by name in the script must be statements or items.
        for call in &outline.calls {
            let arguments = call.arguments.iter().flat_map(CallArgument::nodes);
            for at in arguments.chain([call.at]) {
                if !outline.names.homes.contains_key(&at) {
                    outline.written[at] = Written::Stated;
                }
            }
        }
        self.divide(&mut outline);
        self.find_last_uses(&mut outline, &users);
        outline
    }

    fn find_last_uses(&self, outline: &mut SaveOrder, users: &[Users]) {
        // The end of the script refers to labelled nodes, to nodes shown as calls and to the arguments of these.
        for (node, last_use) in outline.nodes.iter().zip(&mut outline.last_use) {
            if self.names.labels.of(node).is_some() {
                *last_use = usize::MAX;
            }
        }
        for call in &outline.calls {
            let arguments = call.arguments.iter().flat_map(CallArgument::nodes);
            for at in arguments.chain([call.at]) {
                outline.last_use[at] = usize::MAX;
            }
        }
        for list in &outline.names.lists {
            for &at in list.items.iter().flatten() {
                outline.last_use[at] = outline.last_use[at].max(time_of_lists(list.slot));
            }
        }
        // Users come after their operands, so in reverse order a user's statement is known when its operands are
        // reached.
        let mut written_at = vec![0; users.len()];
        for at in (0..users.len()).rev() {
            written_at[at] = match outline.written[at] {
                Written::Stated => time(at),
                Written::Inside => written_at[users[at].last],
                Written::Item => time_of_lists(outline.home(at).map_or(0, |list| list.slot)),
            };
            for operand in outline.nodes[at].operands() {
                if let Some(&below) = outline.index.get(&operand.id())
                    && outline.written[below] != Written::Inside
                {
                    outline.last_use[below] = outline.last_use[below].max(written_at[at]);
                }
            }
        }
    }

    /// The nodes that are shown as calls, if all arguments are still alive.
    fn labelled(&self, nodes: &[&Rc<Node>], index: &FxHashMap<NodeId, usize>) -> Vec<Labelled> {
        let number = |node: &Rc<Node>| {
            if let Some(&at) = index.get(&node.id()) {
                return Some(CallArgument::Node(at));
            }
            let label = || Some(self.label(node)).filter(|text| !text.contains('…'));
            let computed = || label().filter(|_| !node.varies());
            spelled(node).or_else(computed).map(CallArgument::Constant)
        };
        let argument = |argument: &WeakValue| match argument.upgrade()? {
            Value::Node(node) => number(&node),
            Value::List(list) => {
                let items: Option<Vec<CallArgument>> = list.nodes().iter().map(number).collect();
                Some(CallArgument::List(items?, list.shape().clone()))
            }
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

    /// All nodes at and below the names, varying ones and constants, in no particular order.
    fn reachable(&self) -> [Vec<&Rc<Node>>; 2] {
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
            stop::ask(seen.len());
            if node.varies() {
                nodes.push(node);
            } else {
                constants.push(node);
            }
            waiting.extend(node.operands());
        }
        [nodes, constants]
    }

    /// The former names that the statements do not produce by themselves, sorted by name and number.
    pub(crate) fn formers_left(&self, outline: &SaveOrder, passed_on: &[bool]) -> Vec<FormerLeft> {
        let nodes = (outline.nodes.iter().enumerate())
            .filter(|(at, _)| !passed_on[*at])
            .filter_map(|(at, node)| {
                let former = self.names.former_of(node)?;
                (former.place == 0).then_some(FormerLeft {
                    name: former.name,
                    count: former.count,
                    value: Naming::Node(at, former.name),
                })
            });
        let lists = outline.names.lists.iter().enumerate();
        let lists = lists.filter(|(_, list)| list.former > 0);
        let lists = lists.map(|(number, list)| FormerLeft {
            name: list.name,
            count: list.former,
            value: Naming::List(number),
        });
        let mut formers: Vec<FormerLeft> = nodes.chain(lists).collect();
        formers.sort_unstable_by_key(|former| (self.names.name(former.name), former.count));
        formers
    }
}

/// The operations that use a node: how many times, and the first and the last of them.
#[derive(Clone, Copy, Default)]
struct Users {
    count: usize,
    first: usize,
    last: usize,
}

impl SaveOrder<'_> {
    /// The list in which a node is written, if it is an item.
    pub(crate) fn home(&self, at: usize) -> Option<&SavedList> {
        let (list, _) = self.home_place(at)?;
        Some(&self.names.lists[list])
    }

    /// The number of that list, and the node's place in it.
    pub(crate) fn home_place(&self, at: usize) -> Option<(usize, usize)> {
        let home = self.names.homes.get(&at).copied();
        home.filter(|_| self.written[at] == Written::Item)
    }

    fn users(&self) -> Vec<Users> {
        let mut users = vec![Users::default(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for operand in node.operands().iter().filter(|operand| operand.varies()) {
                let users = &mut users[self.index[&operand.id()]];
                if users.count == 0 {
                    users.first = at;
                }
                (users.count, users.last) = (users.count + 1, at);
            }
        }
        users
    }

    /// A node that an operation uses before its list is written cannot be written there.
    fn leave_home_early(&mut self, users: &[Users]) {
        let NameOrder { lists, homes, .. } = &mut self.names;
        homes.retain(|&at, &mut (list, _)| {
            users[at].count == 0 || users[at].first > lists[list].slot
        });
    }
}
