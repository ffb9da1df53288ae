//! Passes with a famous mistake in them, for `:wrong`, and the right numbers beside them.
//!
//! The graph is lowered to flat lists once; then each mistake is a loop over them in the lecture's order (depth first,
//! operands left to right, reversed) or in the order that the mistake makes. Some of them take a number of turns that
//! grows exponentially with the graph: all are counted, up to [`MOST_CONTRIBUTIONS`].

use std::collections::VecDeque;
use std::rc::Rc;

use super::backward::gradients;
use super::node::Node;
use super::order::Order;
use crate::ops::{Mistake, Op, chain};

/// The most contributions a mistaken pass makes before it is given up: a node that is used twice doubles what a queue
/// does below it, and forty of them would take hours.
pub const MOST_CONTRIBUTIONS: u64 = 10_000_000;

/// So many contributions are made between two questions whether to stop.
const PER_QUESTION: u64 = 1 << 14;

/// What a pass does wrong.
#[derive(Clone, Copy, Debug)]
pub enum PassFault {
    /// A contribution takes the place of the ones before.
    Overwrite,
    /// First in, first out, instead of an order.
    Queue(Appended),
    /// At every arrival a node passes on what it has, all the way down.
    Recursive,
    /// Run twice, and only the root is set anew.
    Twice,
    /// A contribution is the local derivative, without the upstream.
    Alone,
    /// A row's value or derivative is another one.
    Row(&'static Mistake),
}

/// When an operand is appended to the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// As often as it occurs.
    Each,
    /// Once for each node that has it as an operand.
    Distinct,
    /// Once at all.
    Once,
}

/// Why a mistaken pass has no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unended {
    /// It was to stop.
    Stopped,
    /// It made [`MOST_CONTRIBUTIONS`].
    TooLong,
}

/// One contribution of a mistaken pass. Nodes are places in the order.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Whose turn it was.
    pub from: usize,
    /// Which operand of it got the contribution.
    pub operand: usize,
    /// Where that stands.
    pub to: usize,
    /// What the node passed on had come to.
    pub upstream: f64,
    /// What was added or put.
    pub amount: f64,
    /// The operand's grad before.
    pub before: f64,
}

/// The graph below a root, lowered for one mistake.
#[derive(Debug)]
pub struct FaultyGraph {
    order: Order,
    /// The links of the node at a place: from `first[place]` to `first[place + 1]`.
    first: Vec<u32>,
    links: Vec<Link>,
    /// The values as the mistake computes them.
    data: Vec<f64>,
    /// What [`chain`] asks of a node: its value and whether an operand is NaN, as they really are. A NaN that the
    /// mistake makes goes the way it goes in the lecture.
    real: Vec<(f64, bool)>,
    course: PassFault,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    to: u32,
    operand: u32,
    /// The same node has it as an operand further left too.
    repeated: bool,
    local: f64,
    apart: Option<f64>,
}

impl FaultyGraph {
    /// Lowers the graph below `root` for a mistake.
    pub fn of(root: &Rc<Node>, course: PassFault) -> FaultyGraph {
        let order = Order::below([root]);
        let count = order.nodes().len();
        let mut lowered = FaultyGraph {
            first: Vec::with_capacity(count + 1),
            links: Vec::new(),
            data: order.nodes().iter().map(|node| node.data()).collect(),
            real: vec![(0.0, false); count],
            order,
            course,
        };
        lowered.spoil_values();
        lowered.link();
        lowered
    }

    /// The values as the mistake computes them, operands first. Constants keep theirs.
    fn spoil_values(&mut self) {
        let PassFault::Row(&Mistake {
            operation,
            value: Some(value),
            ..
        }) = self.course
        else {
            return;
        };
        let mut moved = vec![false; self.data.len()];
        for (place, node) in self.order.nodes().iter().enumerate().rev() {
            let Some(op) = node.op() else { continue };
            let spoilt = op.name == operation;
            let below = |operand: &Rc<Node>| operand.varies() && moved[Order::slot(operand)];
            if spoilt || node.operands().iter().any(below) {
                let values = operands(node, &self.data);
                self.data[place] = if spoilt {
                    value(&values)
                } else {
                    op.value(&values)
                };
                moved[place] = self.data[place].to_bits() != node.data().to_bits();
            }
        }
    }

    fn link(&mut self) {
        // By whom a node was last met as an operand.
        let mut met = vec![usize::MAX; self.data.len()];
        for (place, node) in self.order.nodes().iter().enumerate() {
            self.first.push(self.links.len() as u32);
            let Some(op) = node.op() else { continue };
            let values = operands(node, &self.data);
            let broken = node.operands().iter().any(|below| below.data().is_nan());
            self.real[place] = (node.data(), broken);
            let out = self.data[place];
            for (operand, below) in node.operands().iter().enumerate() {
                if below.varies() {
                    let (local, apart) = self.local(op, &values, operand, out);
                    let to = Order::slot(below);
                    self.links.push(Link {
                        to: to as u32,
                        operand: operand as u32,
                        repeated: std::mem::replace(&mut met[to], place) == place,
                        local,
                        apart,
                    });
                }
            }
        }
        self.first.push(self.links.len() as u32);
    }

    fn local(&self, op: &Op, values: &[f64], operand: usize, out: f64) -> (f64, Option<f64>) {
        match self.course {
            PassFault::Row(mistake) if mistake.operation == op.name => {
                ((mistake.local)(values, operand, out), mistake.apart)
            }
            _ => (op.local(values, operand, out), None),
        }
    }

    /// The order, which is that of every other pass: places are places in it.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The value of the node at a place as the mistake computes it.
    pub fn data(&self, place: usize) -> f64 {
        self.data[place]
    }

    /// The right grads, and for each node how much came to it regardless of sign: what rounding is small beside.
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

    /// The grads of the mistaken pass, in the order's order.
    pub fn run(
        &self,
        stop: impl Fn() -> bool,
        visit: impl FnMut(Arrival),
    ) -> Result<Vec<f64>, Unended> {
        let mut run = FaultyRun {
            lowered: self,
            grads: vec![0.0; self.data.len()],
            made: 0,
            stop,
            visit,
        };
        // The root is the newest node and on the highest level: it comes first.
        if let Some(root) = run.grads.first_mut() {
            *root = 1.0;
            match self.course {
                PassFault::Queue(appended) => run.queue(appended)?,
                PassFault::Recursive => run.recursive()?,
                PassFault::Twice => {
                    let lecture = self.lecture();
                    run.sweep(&lecture)?;
                    run.grads[0] = 1.0;
                    run.sweep(&lecture)?;
                }
                PassFault::Overwrite | PassFault::Alone | PassFault::Row(_) => {
                    run.sweep(&self.lecture())?;
                }
            }
        }
        Ok(run.grads)
    }

    fn links(&self, place: usize) -> &[Link] {
        &self.links[self.first[place] as usize..self.first[place + 1] as usize]
    }

    /// The lecture's order, root first.
    fn lecture(&self) -> Vec<usize> {
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

/// The data of a node's operands as a mistake has spoilt it.
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

struct FaultyRun<'l, S, V> {
    lowered: &'l FaultyGraph,
    grads: Vec<f64>,
    made: u64,
    stop: S,
    visit: V,
}

impl<S: Fn() -> bool, V: FnMut(Arrival)> FaultyRun<'_, S, V> {
    /// One node's turn: what it passes on to its operands, left to right.
    fn turn(&mut self, place: usize) -> Result<(), Unended> {
        let course = self.lowered.course;
        let (data, broken) = self.lowered.real[place];
        let upstream = self.grads[place];
        for link in self.lowered.links(place) {
            self.made += 1;
            if self.made > MOST_CONTRIBUTIONS {
                return Err(Unended::TooLong);
            }
            if self.made.is_multiple_of(PER_QUESTION) && (self.stop)() {
                return Err(Unended::Stopped);
            }
            let above = match course {
                PassFault::Alone => 1.0,
                _ => upstream,
            };
            let times = chain(above, link.local, data, || broken);
            let amount = link.apart.map_or(times, |apart| apart + times);
            let to = link.to as usize;
            let before = self.grads[to];
            self.grads[to] = match course {
                PassFault::Overwrite => amount,
                _ => before + amount,
            };
            (self.visit)(Arrival {
                from: place,
                operand: link.operand as usize,
                to,
                upstream,
                amount,
                before,
            });
        }
        Ok(())
    }

    fn sweep(&mut self, lecture: &[usize]) -> Result<(), Unended> {
        lecture.iter().try_for_each(|&place| self.turn(place))
    }

    /// Leaves and constants come out of the lecture's queue too, and do nothing: here they never go in.
    fn queue(&mut self, appended: Appended) -> Result<(), Unended> {
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
        Ok(())
    }

    fn recursive(&mut self) -> Result<(), Unended> {
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
        Ok(())
    }
}
