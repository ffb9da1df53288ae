//! Divides the nodes of a saved session into statements.
//!
//! The order in which loading creates the nodes stays the same; `save_order` says why that matters.

use std::collections::VecDeque;
use std::rc::Rc;

use super::name_order::Naming;
use super::save_order::{NESTING, SaveOrder, Written};
use crate::graph::Node;
use crate::session::Session;
use crate::session::naming::atoms;
use crate::stop;
use crate::syntax::Head;
use crate::syntax::precedence::{Grouping, level};

/// About how many bytes one statement may have.
const STATEMENT_BYTES: usize = 1 << 20;
/// The longest number, and longer than nearly every helper name.
const LONGEST_NUMBER: usize = 25;

/// A node that waits to be written inside its user, with the size of its text.
#[derive(Clone, Copy)]
struct PendingNode {
    at: usize,
    nesting: usize,
    bytes: usize,
}

impl Session {
    /// Makes statements of the nodes that cannot be written inside their users.
    ///
    /// Nodes that wait for their user form a queue, oldest first, in which no created node is missing. A node takes its
    /// operands from the end of the queue, where they must be in operand order. An operand that is elsewhere becomes a
    /// statement, and so does everything older than it: a statement creates its nodes when it runs, so all nodes that
    /// still wait must be younger.
    pub(super) fn divide(&self, outline: &mut SaveOrder) {
        let mut queue: VecDeque<PendingNode> = VecDeque::new();
        let mut operands: Vec<usize> = Vec::new();
        for at in 0..outline.nodes.len() {
            stop::ask(at);
            let node = outline.nodes[at];
            let below = |operand: &Rc<Node>| outline.index.get(&operand.id()).copied();
            operands.clear();
            operands.extend(node.operands().iter().filter_map(below));
            let mut taken = outline.taken_from(&mut queue, operands.iter().rev().copied());
            let mut own = self.measured(outline, at, &queue, taken);
            if own.nesting > NESTING || own.bytes > STATEMENT_BYTES {
                outline.state(queue.drain(..));
                own = self.measured(outline, at, &queue, 0);
                taken = 0;
            }
            queue.truncate(queue.len() - taken);
            if outline.written[at] == Written::Stated {
                outline.state(queue.drain(..));
            } else {
                queue.push_back(own);
            }
            let lists = outline.names.after.get(&at).into_iter().flatten();
            let lists: Vec<usize> = (lists.filter_map(|naming| match naming {
                Naming::List(list) => Some(*list),
                Naming::Node(..) => None,
            }))
            .collect();
            for list in lists {
                outline.divide_list(list, &mut queue);
            }
        }
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
}

impl SaveOrder<'_> {
    /// Makes statements of nodes that wait.
    fn state(&mut self, waiting: impl Iterator<Item = PendingNode>) {
        for waiting in waiting {
            self.written[waiting.at] = Written::Stated;
        }
    }

    /// How many nodes at the end of the queue can be written inside a statement with these operands, given last to
    /// first. The others become statements.
    fn taken_from(
        &mut self,
        queue: &mut VecDeque<PendingNode>,
        operands: impl Iterator<Item = usize>,
    ) -> usize {
        let mut taken = 0;
        for below in operands {
            if self.written[below] != Written::Inside {
                continue;
            }
            let place = queue.len() - taken;
            if place > 0 && queue[place - 1].at == below {
                taken += 1;
            } else {
                while self.written[below] == Written::Inside
                    && let Some(oldest) = queue.pop_front()
                {
                    self.written[oldest.at] = Written::Stated;
                }
            }
        }
        taken
    }

    /// Decides which items are written inside the statement of a list. Loading it makes its leaves after its other
    /// nodes.
    fn divide_list(&mut self, number: usize, queue: &mut VecDeque<PendingNode>) {
        let items = std::mem::take(&mut self.names.lists[number].items);
        let is_home = |at: usize| {
            self.names
                .homes
                .get(&at)
                .is_some_and(|home| home.0 == number)
        };
        let own: Vec<usize> = items
            .iter()
            .flatten()
            .copied()
            .filter(|at| is_home(*at))
            .collect();
        let (leaves, computed): (Vec<usize>, Vec<usize>) =
            own.into_iter().partition(|&at| self.nodes[at].is_leaf());
        let last_first = leaves.into_iter().rev().chain(computed.into_iter().rev());
        let taken = self.taken_from(queue, last_first);
        for item in queue.drain(queue.len() - taken..) {
            self.written[item.at] = Written::Item;
        }
        // The list is a statement, so nothing older may wait.
        self.state(queue.drain(..));
        self.names.lists[number].items = items;
    }
}

/// The precedence level of a node's text and how it groups.
fn binding(node: &Node) -> (u8, Grouping) {
    match node.op().map(atoms::head) {
        Some(Head::Operator(operator)) => (operator.level, operator.grouping),
        _ => (level::ATOM, Grouping::Alone),
    }
}
