//! Backward passes with a well-known mistake in them, for `:wrong`.
//!
//! Each mistake is a loop over the flat arrays of the graph, in the order of Karpathy's micrograd lecture (depth first,
//! operands left to right, reversed) or in the order that results from the mistake. Some mistakes make a number of
//! contributions that grows exponentially with the size of the graph, so a pass stops after [`MOST_CONTRIBUTIONS`].

use std::collections::VecDeque;
use std::rc::Rc;

use super::node::Node;
use super::order::Order;
use super::sweep::{Contribution, FlatSweep, Sweepable};
use chainrule_stop as stop;

/// The most contributions a faulty pass makes before it is given up: each node that is used twice doubles the work of a
/// queue below it, so forty of them would take hours.
pub const MOST_CONTRIBUTIONS: usize = 10_000_000;

/// What a pass does wrong.
#[derive(Clone, Copy, Debug)]
pub enum PassFault {
    /// A contribution replaces the earlier ones where it should be added.
    Overwrite,
    /// Nodes are processed first in, first out, not in topological order.
    Queue(QueueRule),
    /// Whenever a contribution arrives, the node at once passes on the grad it has so far, recursively down to the
    /// leaves.
    Recursive,
    /// The pass runs twice, and only the root's grad is reset in between.
    Twice,
    /// A contribution is the local derivative alone, without the upstream.
    LocalOnly,
    /// An operation computes another value or derivative.
    Row(&'static RowFault),
}

/// What one operation computes in place of its own value and derivatives.
#[derive(Debug)]
pub struct RowFault {
    /// The name of the operation's row in the table.
    pub operation: &'static str,
    /// The value it computes, if the value is wrong too.
    pub value: Option<fn(&[f64]) -> f64>,
    /// The number it multiplies the upstream with, from all operands, the place of one, and `out`.
    pub local: fn(&[f64], usize, f64) -> f64,
    /// The number it adds to that product, where a bracket is missing.
    pub added: Option<f64>,
}

impl PassFault {
    /// What is wrong with a node's operation.
    fn row_fault(self, node: &Node) -> Option<&'static RowFault> {
        match self {
            PassFault::Row(fault) if node.op()?.name == fault.operation => Some(fault),
            _ => None,
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

/// The graph below a root, with the local derivatives that one mistake uses.
#[derive(Debug)]
pub struct FaultyGraph {
    order: Order,
    /// The correct data by slot. The rules for NaN use it, so that a NaN that the mistake makes spreads as in the lecture.
    data: Vec<f64>,
    /// The local derivative by each operand of each node.
    locals: Vec<f64>,
    fault: PassFault,
}

impl FaultyGraph {
    /// Computes the local derivatives below `root`.
    pub fn of(root: &Rc<Node>, fault: PassFault) -> FaultyGraph {
        let order = Order::below([root]);
        let (graph, nodes) = (order.flat(), order.nodes());
        let data = order.data();
        // The data as the mistake computes it, operands first. Constants keep theirs.
        let mut faulty = data.clone();
        let mut locals = vec![0.0; graph.uses()];
        for (slot, node) in nodes.iter().enumerate().rev() {
            let Some(op) = node.op() else { continue };
            let below = graph.operands(slot).iter().map(|&below| below as usize);
            let differs = below
                .clone()
                .any(|it| faulty[it].to_bits() != data[it].to_bits());
            let values: Vec<f64> = below.map(|below| faulty[below]).collect();
            let row_fault = fault.row_fault(node);
            if let Some(value) = row_fault.and_then(|row_fault| row_fault.value) {
                faulty[slot] = value(&values);
            } else if differs {
                faulty[slot] = op.value(&values);
            }
            let locals = &mut locals[graph.operand_range(slot)];
            locals.copy_from_slice(&op.locals(&values, faulty[slot]));
            if let Some(row_fault) = row_fault {
                for (operand, local) in locals.iter_mut().enumerate() {
                    *local = (row_fault.local)(&values, operand, faulty[slot]);
                }
            }
        }
        FaultyGraph {
            order,
            data,
            locals,
            fault,
        }
    }

    /// The order, the same as that of a correct pass.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// Runs the faulty pass. Returns its grads, in the order of [`FaultyGraph::order`], or `None` if it would make more than
    /// [`MOST_CONTRIBUTIONS`].
    pub fn run(&self) -> Option<Vec<f64>> {
        let mut run = FaultyRun {
            graph: self,
            grads: vec![0.0; self.order.nodes().len()],
            contributions: 0,
        };
        // The root is the newest node and on the highest level, so it comes first in both kinds of order.
        if let Some(root) = run.grads.first_mut() {
            *root = 1.0;
            match self.fault {
                PassFault::Queue(rule) => run.queue(rule)?,
                PassFault::Recursive => run.recursive()?,
                PassFault::Twice => {
                    let depth_first = self.depth_first();
                    run.sweep(&depth_first)?;
                    run.grads[0] = 1.0;
                    run.sweep(&depth_first)?;
                }
                PassFault::Overwrite | PassFault::LocalOnly | PassFault::Row(_) => {
                    run.sweep(&self.depth_first())?;
                }
            }
        }
        Some(run.grads)
    }

    /// The operands of a node that vary, as slots: none for a leaf.
    fn operands(&self, slot: usize) -> impl Iterator<Item = usize> {
        let graph = self.order.flat();
        let below = graph.operands(slot).iter().map(|&below| below as usize);
        below.filter(|below| *below < graph.varying())
    }

    fn is_leaf(&self, slot: usize) -> bool {
        self.order.flat().op(slot).is_none()
    }

    /// The order of the lecture, root first: a reversed depth-first postorder.
    fn depth_first(&self) -> Vec<usize> {
        let mut found = vec![false; self.order.nodes().len()];
        let mut order = Vec::with_capacity(found.len());
        let mut path = vec![(0, self.operands(0))];
        found[0] = true;
        while let Some((slot, operands)) = path.last_mut() {
            let Some(below) = operands.next() else {
                order.push(*slot);
                path.pop();
                continue;
            };
            if !std::mem::replace(&mut found[below], true) {
                path.push((below, self.operands(below)));
            }
        }
        order.reverse();
        order
    }
}

struct FaultyRun<'g> {
    graph: &'g FaultyGraph,
    grads: Vec<f64>,
    /// How many were made so far.
    contributions: usize,
}

impl FaultyRun<'_> {
    /// Adds what a node contributes to its operands, left to right. Returns `None` once there are too many contributions.
    fn contribute(&mut self, slot: usize) -> Option<()> {
        let FaultyGraph {
            order,
            data,
            locals,
            fault,
        } = self.graph;
        let added = fault
            .row_fault(&order.nodes()[slot])
            .and_then(|it| it.added);
        let upstream = match fault {
            PassFault::LocalOnly => 1.0,
            _ => self.grads[slot],
        };
        let visit = |contribution: Contribution| {
            self.contributions += 1;
            stop::ask(self.contributions);
            let amount = added.map_or(contribution.amount, |added| added + contribution.amount);
            match fault {
                PassFault::Overwrite => self.grads[contribution.operand_slot] = amount,
                _ => self.grads[contribution.operand_slot] += amount,
            }
        };
        let graph = FlatSweep {
            graph: order.flat(),
            data,
            locals: Some(locals),
        };
        graph.contributions(slot, upstream, visit);
        (self.contributions <= MOST_CONTRIBUTIONS).then_some(())
    }

    fn sweep(&mut self, slots: &[usize]) -> Option<()> {
        slots.iter().try_for_each(|&slot| self.contribute(slot))
    }

    /// The lecture's queue also holds leaves and constants, but they contribute nothing, so they are left out here.
    fn queue(&mut self, rule: QueueRule) -> Option<()> {
        let mut queue = VecDeque::from([0]);
        // The round in which each node was last appended; 0 if it was not.
        let mut met = vec![0; self.grads.len()];
        met[0] = 1;
        let mut round = 0;
        while let Some(slot) = queue.pop_front() {
            self.contribute(slot)?;
            round += 1;
            for below in self.graph.operands(slot) {
                let last = std::mem::replace(&mut met[below], round);
                let again = match rule {
                    QueueRule::EachOccurrence => false,
                    QueueRule::OncePerUser => last == round,
                    QueueRule::OnceEver => last > 0,
                };
                if !again && !self.graph.is_leaf(below) {
                    queue.push_back(below);
                }
            }
        }
        Some(())
    }

    fn recursive(&mut self) -> Option<()> {
        self.contribute(0)?;
        let mut path = vec![self.graph.operands(0)];
        while let Some(operands) = path.last_mut() {
            let Some(below) = operands.next() else {
                path.pop();
                continue;
            };
            if !self.graph.is_leaf(below) {
                self.contribute(below)?;
                path.push(self.graph.operands(below));
            }
        }
        Some(())
    }
}
