//! Backward passes with a well-known mistake in them, for `:wrong`, and the correct grads beside them.
//!
//! The graph is lowered to flat lists once. Each mistake is then a loop over them, in the order of Karpathy's micrograd
//! lecture (depth first, operands left to right, reversed) or in the order that results from the mistake. Some mistakes
//! take a number of turns that grows exponentially with the graph, so a pass stops after [`MOST_CONTRIBUTIONS`].

use std::collections::VecDeque;
use std::rc::Rc;

use super::backward::gradients;
use super::node::Node;
use super::order::Order;
use crate::ops::{Mistake, Op, chain};
use crate::stop;

/// The most contributions a faulty pass makes before it is given up: each node that is used twice doubles the work of a
/// queue below it, so forty of them would take hours.
pub const MOST_CONTRIBUTIONS: usize = 10_000_000;

/// What a pass does wrong.
#[derive(Clone, Copy, Debug)]
pub enum PassFault {
    /// A contribution replaces the earlier ones where it should be added.
    Overwrite,
    /// Nodes are processed first in, first out, not in topological order.
    Queue(Appended),
    /// Whenever a contribution arrives, the node at once passes on the grad it has so far, recursively down to the
    /// leaves.
    Recursive,
    /// The pass runs twice, and only the root's grad is reset in between.
    Twice,
    /// A contribution is the local derivative alone, without the upstream.
    LocalOnly,
    /// An operation computes another value or derivative.
    Row(&'static Mistake),
}

/// When an operand is appended to the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// For each of its occurrences as an operand.
    Each,
    /// Once for each of its users.
    Distinct,
    /// Only once.
    Once,
}

/// The graph below a root, lowered for one mistake.
#[derive(Debug)]
pub struct FaultyGraph {
    order: Order,
    /// Where the links of each node begin in `links`: those of `place` end at `first[place + 1]`.
    first: Vec<u32>,
    links: Vec<Link>,
    /// The data as the mistake computes it.
    data: Vec<f64>,
    /// What [`chain`] needs of each node: its correct data, and whether the data of an operand is NaN. The rules for
    /// NaN look at the correct data, so a NaN that the mistake makes spreads as it does in the lecture.
    real: Vec<(f64, bool)>,
    fault: PassFault,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    to: u32,
    /// Whether an operand further left is the same node.
    repeated: bool,
    local: f64,
    /// A term that the mistake adds to the contribution; see [`Mistake::apart`].
    apart: Option<f64>,
}

impl FaultyGraph {
    /// Lowers the graph below `root` for a mistake.
    pub fn of(root: &Rc<Node>, fault: PassFault) -> FaultyGraph {
        let order = Order::below([root]);
        let count = order.nodes().len();
        let mut lowered = FaultyGraph {
            first: Vec::with_capacity(count + 1),
            links: Vec::new(),
            data: order.nodes().iter().map(|node| node.data()).collect(),
            real: vec![(0.0, false); count],
            order,
            fault,
        };
        lowered.apply_faulty_value();
        lowered.link();
        lowered
    }

    /// Recomputes the data as the mistake computes it, operands first. Constants keep theirs.
    fn apply_faulty_value(&mut self) {
        let PassFault::Row(&Mistake {
            operation,
            value: Some(value),
            ..
        }) = self.fault
        else {
            return;
        };
        let mut moved = vec![false; self.data.len()];
        for (place, node) in self.order.nodes().iter().enumerate().rev() {
            let Some(op) = node.op() else { continue };
            let faulty = op.name == operation;
            let below = |operand: &Rc<Node>| operand.varies() && moved[Order::slot(operand)];
            if faulty || node.operands().iter().any(below) {
                let values = operands(node, &self.data);
                self.data[place] = if faulty {
                    value(&values)
                } else {
                    op.value(&values)
                };
                moved[place] = self.data[place].to_bits() != node.data().to_bits();
            }
        }
    }

    fn link(&mut self) {
        // The last user that each node was found to be an operand of.
        let mut met = vec![usize::MAX; self.data.len()];
        for (place, node) in self.order.nodes().iter().enumerate() {
            self.first.push(self.links.len() as u32);
            let Some(op) = node.op() else { continue };
            let values = operands(node, &self.data);
            let broken = node.operands().iter().any(|below| below.data().is_nan());
            self.real[place] = (node.data(), broken);
            let out = self.data[place];
            let locals = op.locals(&values, out);
            for (operand, below) in node.operands().iter().enumerate() {
                if below.varies() {
                    let (local, apart) = self.local(op, &values, (operand, locals[operand]), out);
                    let to = Order::slot(below);
                    self.links.push(Link {
                        to: to as u32,
                        repeated: std::mem::replace(&mut met[to], place) == place,
                        local,
                        apart,
                    });
                }
            }
        }
        self.first.push(self.links.len() as u32);
    }

    /// The local as the fault has it; `right` is the right one.
    fn local(
        &self,
        op: &Op,
        values: &[f64],
        (operand, right): (usize, f64),
        out: f64,
    ) -> (f64, Option<f64>) {
        match self.fault {
            PassFault::Row(mistake) if mistake.operation == op.name => {
                ((mistake.local)(values, operand, out), mistake.apart)
            }
            _ => (right, None),
        }
    }

    /// The order, the same as that of a correct pass.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The correct grads, and for each node the sum of the absolute values of its contributions, which tells how large
    /// rounding errors may be.
    pub fn right(&self, root: &Node) -> (Vec<f64>, Vec<f64>) {
        let mut sizes = vec![0.0; self.data.len()];
        if let Some(place) = self.order.position(root) {
            sizes[place] = 1.0;
        }
        let grads = gradients(&self.order, root, |contribution| {
            let size: f64 = sizes[Order::slot(contribution.node)];
            if size != 0.0 && contribution.local != 0.0 {
                let below = &contribution.node.operands()[contribution.operand];
                sizes[Order::slot(below)] += (size * contribution.local).abs();
            }
        });
        (grads, sizes)
    }

    /// Runs the faulty pass. Returns its grads, in the order of [`FaultyGraph::order`]; nothing if it would make more than
    /// [`MOST_CONTRIBUTIONS`].
    pub fn run(&self) -> Option<Vec<f64>> {
        let mut run = FaultyRun {
            lowered: self,
            grads: vec![0.0; self.data.len()],
            made: 0,
        };
        // The root is the newest node and on the highest level, so it comes first in both kinds of order.
        if let Some(root) = run.grads.first_mut() {
            *root = 1.0;
            match self.fault {
                PassFault::Queue(appended) => run.queue(appended)?,
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

    fn links(&self, place: usize) -> &[Link] {
        &self.links[self.first[place] as usize..self.first[place + 1] as usize]
    }

    /// The order of the lecture, root first: a reversed depth-first postorder.
    fn depth_first(&self) -> Vec<usize> {
        let mut found = vec![false; self.data.len()];
        let mut order = Vec::with_capacity(self.data.len());
        let mut path = vec![(0, 0)];
        found[0] = true;
        while let Some((place, next)) = path.last_mut() {
            let Some(link) = self.links(*place).get(*next) else {
                order.push(*place);
                path.pop();
                continue;
            };
            *next += 1;
            let to = link.to as usize;
            if !std::mem::replace(&mut found[to], true) {
                path.push((to, 0));
            }
        }
        order.reverse();
        order
    }
}

/// The data of a node's operands, as the mistake computes it.
fn operands(node: &Node, data: &[f64]) -> Vec<f64> {
    let value = |operand: &Rc<Node>| {
        if operand.varies() {
            data[Order::slot(operand)]
        } else {
            operand.data()
        }
    };
    node.operands().iter().map(value).collect()
}

struct FaultyRun<'l> {
    lowered: &'l FaultyGraph,
    grads: Vec<f64>,
    made: usize,
}

impl FaultyRun<'_> {
    /// One node's turn: contributes to its operands, left to right.
    fn turn(&mut self, place: usize) -> Option<()> {
        let fault = self.lowered.fault;
        let (data, broken) = self.lowered.real[place];
        let upstream = self.grads[place];
        for link in self.lowered.links(place) {
            self.made += 1;
            if self.made > MOST_CONTRIBUTIONS {
                return None;
            }
            stop::ask(self.made);
            let above = match fault {
                PassFault::LocalOnly => 1.0,
                _ => upstream,
            };
            let times = chain(above, link.local, data, || broken);
            let amount = link.apart.map_or(times, |apart| apart + times);
            let to = link.to as usize;
            match fault {
                PassFault::Overwrite => self.grads[to] = amount,
                _ => self.grads[to] += amount,
            }
        }
        Some(())
    }

    fn sweep(&mut self, depth_first: &[usize]) -> Option<()> {
        depth_first.iter().try_for_each(|&place| self.turn(place))
    }

    /// The lecture's queue also holds leaves and constants, but their turns do nothing, so they are left out here.
    fn queue(&mut self, appended: Appended) -> Option<()> {
        let mut queue = VecDeque::from([0]);
        let mut found = vec![false; self.grads.len()];
        found[0] = true;
        while let Some(place) = queue.pop_front() {
            self.turn(place)?;
            for link in self.lowered.links(place) {
                let to = link.to as usize;
                let again = match appended {
                    Appended::Each => false,
                    Appended::Distinct => link.repeated,
                    Appended::Once => std::mem::replace(&mut found[to], true),
                };
                if !again && !self.lowered.links(to).is_empty() {
                    queue.push_back(to);
                }
            }
        }
        Some(())
    }

    fn recursive(&mut self) -> Option<()> {
        self.turn(0)?;
        let mut path = vec![(0, 0)];
        while let Some((place, next)) = path.last_mut() {
            let Some(link) = self.lowered.links(*place).get(*next) else {
                path.pop();
                continue;
            };
            *next += 1;
            let to = link.to as usize;
            if !self.lowered.links(to).is_empty() {
                self.turn(to)?;
                path.push((to, 0));
            }
        }
        Some(())
    }
}
