//! Runs backward passes with a well-known mistake, for `:wrong`.
//!
//! Each pass is a loop over the flat arrays of the graph. It follows the order of Karpathy's micrograd lecture (depth
//! first, operands left to right, reversed), or the order that results from the mistake. With some mistakes, the number
//! of contributions grows exponentially with the size of the graph, so a pass stops after [`MAX_CONTRIBUTIONS`].

use std::collections::VecDeque;

use super::node::Node;
use super::order::Order;
use super::sweep::{FlatSweep, Sweepable};
use chainrule_stop as stop;

/// The largest number of contributions of a faulty pass. Each node with two uses doubles the work of a queue below it, so
/// forty such nodes would take hours.
pub const MAX_CONTRIBUTIONS: usize = 10_000_000;

/// A mistake of a pass.
#[derive(Clone, Copy, Debug)]
pub enum PassFault {
    /// A contribution replaces the earlier ones instead of being added.
    Overwrite,
    /// Nodes are processed in the order of a queue, not in topological order.
    Queue(QueueRule),
    /// Each node passes on its grad so far as soon as a contribution arrives, recursively down to the leaves.
    Recursive,
    /// The pass runs twice, and only the root's grad is reset in between.
    Twice,
    /// A contribution is the local derivative alone, without the upstream.
    LocalOnly,
    /// An operation computes another value or derivative.
    Row(&'static RowFault),
}

/// A wrong value or derivative of one operation.
#[derive(Debug)]
pub struct RowFault {
    /// The name of the operation's row in the table.
    pub operation: &'static str,
    /// The wrong value, if the value is wrong too.
    pub value: Option<fn(&[f64]) -> f64>,
    /// The wrong local derivative, from all operands, the position of one of them, and `out`.
    pub local: fn(&[f64], usize, f64) -> f64,
    /// The number that is added to the contribution, if a bracket is missing: 1 in `1 - out^2*upstream`.
    pub added: Option<f64>,
}

impl PassFault {
    /// The mistake in a node's operation.
    fn row_fault(self, node: &Node) -> Option<&'static RowFault> {
        match self {
            PassFault::Row(fault) if node.op()?.name == fault.operation => Some(fault),
            _ => None,
        }
    }

    /// Adds a contribution to a grad, or overwrites the grad. If a bracket is missing in the formula of the
    /// contribution, the number `added` is added, too.
    fn apply(self, added: Option<f64>, grad: &mut f64, contribution: f64) {
        let amount = added.map_or(contribution, |added| added + contribution);
        match self {
            PassFault::Overwrite => *grad = amount,
            _ => *grad += amount,
        }
    }
}

/// When an operand is appended to the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueRule {
    /// For each of its occurrences as an operand.
    EachOccurrence,
    /// Once for each of its users.
    OncePerUser,
    /// Only once.
    OnceEver,
}

/// The grads of a pass with a mistake, in an order whose first node is the root. Returns `None` if the pass would make more
/// than [`MAX_CONTRIBUTIONS`].
pub fn faulty_gradients(order: &Order, fault: PassFault) -> Option<Vec<f64>> {
    let data = order.data();
    let mut pass = FaultyPass {
        order,
        fault,
        locals: faulty_locals(order, fault, &data),
        data,
        grads: vec![0.0; order.nodes().len()],
        contributions: 0,
    };
    // The root is in slot 0 in both kinds of order, because it is the newest node and the only one on the highest level.
    pass.grads[0] = 1.0;
    match fault {
        PassFault::Queue(rule) => pass.run_queue(rule)?,
        PassFault::Recursive => pass.run_recursively()?,
        PassFault::Twice => {
            let slots = depth_first_order(order);
            pass.sweep(&slots)?;
            pass.grads[0] = 1.0;
            pass.sweep(&slots)?;
        }
        PassFault::Overwrite | PassFault::LocalOnly | PassFault::Row(_) => {
            pass.sweep(&depth_first_order(order))?;
        }
    }
    Some(pass.grads)
}

/// The slots of the operands of a node that have operands themselves. Leaves and constants contribute nothing.
fn computed_operands(order: &Order, slot: usize) -> impl Iterator<Item = usize> {
    let graph = order.flat();
    let slots = graph.operands(slot).iter().map(|&below| below as usize);
    slots.filter(|&below| below < graph.varying() && graph.op(below).is_some())
}

/// The order of the lecture, root first and without leaves: a reversed depth-first postorder. The recursion is a loop with
/// a stack.
fn depth_first_order(order: &Order) -> Vec<usize> {
    let mut visited = vec![false; order.nodes().len()];
    let mut slots = Vec::with_capacity(visited.len());
    let mut path = vec![(0, computed_operands(order, 0))];
    visited[0] = true;
    while let Some((slot, operands_left)) = path.last_mut() {
        let Some(below) = operands_left.next() else {
            slots.push(*slot);
            path.pop();
            continue;
        };
        if !std::mem::replace(&mut visited[below], true) {
            path.push((below, computed_operands(order, below)));
        }
    }
    slots.reverse();
    slots
}

/// The local derivative by each operand of each node, computed with the mistake from data that has the mistake, too.
fn faulty_locals(order: &Order, fault: PassFault, data: &[f64]) -> Vec<f64> {
    let graph = order.flat();
    // The data as the mistake computes it. Leaves and constants keep theirs.
    let mut faulty = data.to_vec();
    let mut locals = vec![0.0; graph.uses()];
    // Operands come before users, because their faulty data is needed.
    for (slot, node) in order.nodes().iter().enumerate().rev() {
        let Some(rule) = node.rule() else { continue };
        let operands = graph.operands(slot).iter().map(|&below| below as usize);
        let is_faulty = |below: usize| faulty[below].to_bits() != data[below].to_bits();
        let has_faulty_operand = operands.clone().any(is_faulty);
        let values: Vec<f64> = operands.map(|below| faulty[below]).collect();
        let row_fault = fault.row_fault(node);
        if let Some(faulty_value) = row_fault.and_then(|it| it.value) {
            faulty[slot] = faulty_value(&values);
        } else if has_faulty_operand {
            faulty[slot] = rule.value(&values);
        }
        let own_locals = &mut locals[graph.operand_range(slot)];
        own_locals.copy_from_slice(&rule.locals(&values, faulty[slot]));
        if let Some(row_fault) = row_fault {
            for (position, local) in own_locals.iter_mut().enumerate() {
                *local = (row_fault.local)(&values, position, faulty[slot]);
            }
        }
    }
    locals
}

/// A pass with a mistake, and the local derivatives that it uses.
struct FaultyPass<'o> {
    order: &'o Order,
    fault: PassFault,
    /// The correct data by slot. The rules for NaN use it, so that a NaN caused by the mistake spreads as in the lecture.
    data: Vec<f64>,
    /// The local derivative by each operand of each node.
    locals: Vec<f64>,
    grads: Vec<f64>,
    /// The number of contributions so far.
    contributions: usize,
}

impl FaultyPass<'_> {
    /// Adds the contributions of a node to its operands, left to right. Returns `None` after too many contributions.
    fn contribute(&mut self, slot: usize) -> Option<()> {
        let row_fault = self.fault.row_fault(&self.order.nodes()[slot]);
        let added = row_fault.and_then(|it| it.added);
        let upstream = match self.fault {
            PassFault::LocalOnly => 1.0,
            _ => self.grads[slot],
        };
        let graph = FlatSweep {
            graph: self.order.flat(),
            data: &self.data,
            locals: Some(&self.locals),
        };
        graph.contributions(slot, upstream, |contribution| {
            self.contributions += 1;
            stop::ask(self.contributions);
            let grad = &mut self.grads[contribution.operand_slot];
            self.fault.apply(added, grad, contribution.amount);
        });
        (self.contributions <= MAX_CONTRIBUTIONS).then_some(())
    }

    /// Processes nodes in this order.
    fn sweep(&mut self, slots: &[usize]) -> Option<()> {
        slots.iter().try_for_each(|&slot| self.contribute(slot))
    }

    /// Processes nodes in the order of a queue.
    fn run_queue(&mut self, rule: QueueRule) -> Option<()> {
        let mut queue = VecDeque::from([0]);
        // The round in which each node was last met as an operand, or 0 before that. Rounds count from 1.
        let mut last_rounds = vec![0; self.grads.len()];
        last_rounds[0] = 1;
        let mut round = 0;
        while let Some(slot) = queue.pop_front() {
            self.contribute(slot)?;
            round += 1;
            for below in computed_operands(self.order, slot) {
                let last = std::mem::replace(&mut last_rounds[below], round);
                let is_again = match rule {
                    QueueRule::EachOccurrence => false,
                    QueueRule::OncePerUser => last == round,
                    QueueRule::OnceEver => last > 0,
                };
                if !is_again {
                    queue.push_back(below);
                }
            }
        }
        Some(())
    }

    /// Goes down to the operands of each node as soon as it has passed on its grad. The recursion is a loop with a stack.
    fn run_recursively(&mut self) -> Option<()> {
        self.contribute(0)?;
        let mut path = vec![computed_operands(self.order, 0)];
        while let Some(operands_left) = path.last_mut() {
            let Some(below) = operands_left.next() else {
                path.pop();
                continue;
            };
            self.contribute(below)?;
            path.push(computed_operands(self.order, below));
        }
        Some(())
    }
}
