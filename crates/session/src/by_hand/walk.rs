//! Walks through a pass by hand: the user goes from one computed node to the next, forward or backward, and can go
//! back.
//!
//! A [`Walk`] visits the nodes in the order of `graph/order.rs` and processes each node as a sweep does. A finished
//! walk therefore equals the pass bit for bit. A walk reads data and never changes it. Once data changes, the walk has
//! ended.

use std::ops::Range;
use std::rc::Rc;

use crate::by_hand::guesses::Quantity;
use crate::naming::labels::Captions;
use crate::naming::{Names, labels};
use chainrule_engine::graph::{Contribution, Node, Order, Pass, sweep_one_node};
use chainrule_report::Stage;
use chainrule_stop as stop;

/// The direction of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the root to the leaves, for gradients.
    Backward,
    /// From the leaves to the root, for values.
    Forward,
}

impl Direction {
    /// The word for it in answers.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Backward => "backward",
            Direction::Forward => "forward",
        }
    }
}

/// A walk in progress.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The node that a backward walk starts from and a forward walk ends at.
    pub root: Rc<Node>,
    /// The direction of the walk.
    pub direction: Direction,
    /// The nodes below the root, which is the first of them.
    order: Order,
    /// The distinct labels of the nodes.
    captions: Rc<Captions>,
    route: Rc<Route>,
    /// The number of stops that have been made.
    pub position: usize,
    /// The clock of the graph when the walk began. If data has changed since, the walk has ended.
    pub(crate) clock: u64,
    /// Whether the walk asks for each number before the stop that shows it.
    pub has_questions: bool,
    /// The number of answered questions before the next stop.
    answered: usize,
}

/// The stops of a walk with their contributions. All are computed when the walk begins, so that a step takes no time.
#[derive(Debug, Default)]
struct Route {
    /// The computed nodes, in the order of the walk.
    stops: Vec<Stop>,
    /// The index in `stops` of each node of the order, by slot; `None` for a leaf.
    stop_of_slot: Vec<Option<usize>>,
    /// The contributions of all stops. A forward walk has none.
    shares: Vec<Share>,
    /// The indices of the contributions that each node of the order receives.
    received: Vec<Vec<usize>>,
    /// The pass that a finished backward walk equals.
    pass: Option<Rc<Pass>>,
}

/// A stop of a walk.
#[derive(Debug)]
struct Stop {
    /// The slot of the node in the order.
    slot: usize,
    /// The indices of the contributions in [`Route::shares`].
    shares: Range<usize>,
    /// The nodes whose number becomes final: in a forward walk the node of the stop, in a backward walk the operands
    /// that receive their last contribution.
    completed: Vec<Rc<Node>>,
}

/// The contribution of a node to one of its operands.
#[derive(Clone, Debug)]
pub struct Share {
    /// The operand.
    pub to: Rc<Node>,
    /// The contribution to it.
    pub contribution: Contribution,
    /// The operand's grad before.
    pub before: f64,
    /// The operand's grad after.
    pub after: f64,
    /// The number of contributions that the operand has received, including this one.
    pub nth: usize,
}

impl Share {
    fn of(to: &Rc<Node>, contribution: Contribution, before: f64, nth: usize) -> Share {
        Share {
            to: Rc::clone(to),
            after: before + contribution.amount,
            contribution,
            before,
            nth,
        }
    }
}

impl Route {
    /// The route of a walk through the nodes with these slots, in this sequence.
    fn new(order: &Order, slots: &[usize], direction: Direction, clock: u64) -> Rc<Route> {
        let count = order.nodes().len();
        let mut route = Route {
            stop_of_slot: vec![None; count],
            received: vec![Vec::new(); count],
            ..Route::default()
        };
        for (turn, &slot) in slots.iter().enumerate() {
            route.stop_of_slot[slot] = Some(turn);
        }
        if direction == Direction::Backward {
            route.make_backward_stops(order, slots, clock);
            return Rc::new(route);
        }
        for &slot in slots {
            route.stops.push(Stop {
                slot,
                shares: 0..0,
                completed: vec![Rc::clone(&order.nodes()[slot])],
            });
        }
        Rc::new(route)
    }

    /// Makes all stops of a backward walk, and its pass.
    fn make_backward_stops(&mut self, order: &Order, slots: &[usize], clock: u64) {
        let (shares, received) = (&mut self.shares, &mut self.received);
        let root = &order.nodes()[0];
        // The root has a grad of 1, every other node begins with 0.
        let mut grads = vec![0.0; order.nodes().len()];
        grads[0] = 1.0;
        for &slot in stop::with_checks(slots.iter()) {
            let begin = shares.len();
            sweep_one_node(order, slot, &mut grads, |before, contribution| {
                let operand_slot = contribution.operand_slot;
                received[operand_slot].push(shares.len());
                let (to, nth) = (&order.nodes()[operand_slot], received[operand_slot].len());
                shares.push(Share::of(to, contribution, before, nth));
            });
            self.stops.push(Stop {
                slot,
                shares: begin..shares.len(),
                completed: Vec::new(),
            });
        }
        // Only now is it known which contribution of an operand is its last.
        for made in &mut self.stops {
            for share in &shares[made.shares.clone()] {
                if received[share.contribution.operand_slot].len() == share.nth {
                    made.completed.push(Rc::clone(&share.to));
                }
            }
        }
        self.pass = Some(Rc::new(Pass::from_sweep(order.clone(), grads, root, clock)));
    }
}

impl Walk {
    /// Makes a walk that stands before its first stop.
    pub(crate) fn new(names: &Names, root: &Rc<Node>, direction: Direction, clock: u64) -> Walk {
        let order = Order::below([root]);
        let captions = Captions::of(names, order.nodes().iter());
        let computed = |slot: &usize| order.nodes()[*slot].op().is_some();
        let mut slots: Vec<usize> = (0..order.nodes().len()).filter(computed).collect();
        if direction == Direction::Forward {
            slots.reverse();
        }
        Walk {
            root: Rc::clone(root),
            direction,
            route: Route::new(&order, &slots, direction, clock),
            order,
            captions: Rc::new(captions),
            position: 0,
            clock,
            has_questions: false,
            answered: 0,
        }
    }

    /// The label of a node in this walk. If several nodes have the same label, the newer ones get their ids, as in a
    /// table.
    pub fn label(&self, names: &Names, node: &Rc<Node>) -> String {
        let mut label = labels::label(names, node);
        self.captions.tell_apart(node, &mut label);
        label
    }

    /// The number of a node that the walk shows.
    pub fn quantity(&self) -> Quantity {
        match self.direction {
            Direction::Backward => Quantity::Grad,
            Direction::Forward => Quantity::Data,
        }
    }

    /// Whether another walk is this one with the same order of stops.
    pub fn has_order_of(&self, other: &Walk) -> bool {
        Rc::ptr_eq(&self.route, &other.route)
    }

    /// The number of all stops.
    pub fn stop_count(&self) -> usize {
        self.route.stops.len()
    }

    /// The last stop that was made.
    fn last(&self) -> Option<&Stop> {
        self.route.stops.get(self.position.checked_sub(1)?)
    }

    /// The node at the next stop.
    pub fn next_node(&self) -> Option<&Rc<Node>> {
        let stop = self.route.stops.get(self.position)?;
        Some(&self.order.nodes()[stop.slot])
    }

    /// The node at the last stop that was made.
    pub fn current(&self) -> Option<&Rc<Node>> {
        Some(&self.order.nodes()[self.last()?.slot])
    }

    /// The contributions made at the last stop. A forward walk has none.
    pub fn shares(&self) -> &[Share] {
        let stop = self.last();
        stop.map_or(&[], |stop| &self.route.shares[stop.shares.clone()])
    }

    /// The node whose number the walk asks for: its grad, or its value in a forward walk.
    pub fn question(&self) -> Option<Rc<Node>> {
        let next = self.route.stops.get(self.position)?;
        let question = next.completed.get(self.answered);
        question.filter(|_| self.has_questions).map(Rc::clone)
    }

    /// Counts an answered question. Returns whether it was the last one before the next stop.
    pub fn count_answer(&mut self) -> bool {
        self.answered += 1;
        self.question().is_none()
    }

    /// Makes the next stop.
    pub(crate) fn advance(&mut self) {
        self.position += 1;
        self.answered = 0;
    }

    /// The nodes whose grads became final at the last stop.
    pub(crate) fn completed_grads(&self) -> Vec<Rc<Node>> {
        let stop = self
            .last()
            .filter(|_| self.direction == Direction::Backward);
        stop.map_or(Vec::new(), |it| it.completed.clone())
    }

    /// The pass that a backward walk equals at its end.
    pub(crate) fn pass(&self) -> Option<Rc<Pass>> {
        let is_at_end = self.position == self.stop_count();
        self.route.pass.clone().filter(|_| is_at_end)
    }

    /// Goes back by at most this many stops.
    pub fn go_back(&mut self, stops: usize) {
        self.position = self.position.saturating_sub(stops);
        self.answered = 0;
    }

    /// The contributions that the node in this slot has received so far.
    fn received_shares(&self, slot: usize) -> &[usize] {
        let received = &self.route.received[slot];
        let end = self.last().map_or(0, |stop| stop.shares.end);
        &received[..received.partition_point(|&share| share < end)]
    }

    /// Whether the stop of a node is done, current or still to come. A leaf is done when it has received all its
    /// contributions.
    pub fn stage(&self, node: &Node) -> Option<Stage> {
        let slot = self.order.slot(node)?;
        Some(match self.route.stop_of_slot[slot] {
            Some(turn) if turn + 1 == self.position => Stage::Current,
            Some(turn) if turn >= self.position => Stage::Coming,
            None if self.next_share(slot).is_some() => Stage::Coming,
            _ => Stage::Done,
        })
    }

    /// The next contribution that the node in a slot waits for.
    fn next_share(&self, slot: usize) -> Option<&usize> {
        self.route.received[slot].get(self.received_shares(slot).len())
    }

    /// Moves the stop of a node to the front of those still to come, and computes the route again, because the grads are
    /// added up in another order. The error is a user of the node that has not passed on its contribution, or nothing if
    /// there is no such stop to come.
    pub fn take_next(&mut self, node: &Rc<Node>) -> Result<(), Option<Rc<Node>>> {
        let slot = self.order.slot(node).ok_or(None)?;
        let turn = self.route.stop_of_slot[slot].ok_or(None)?;
        if turn < self.position {
            return Err(None);
        }
        if let Some(share) = self.next_share(slot) {
            let is_maker = |stop: &&Stop| stop.shares.contains(share);
            let maker = self.route.stops.iter().find(is_maker);
            let user = maker.map_or(node, |stop| &self.order.nodes()[stop.slot]);
            return Err(Some(Rc::clone(user)));
        }
        if turn > self.position {
            let mut slots: Vec<usize> = self.route.stops.iter().map(|stop| stop.slot).collect();
            // After one stop, the fourth becomes the second: `a b c d` becomes `a d b c`.
            slots[self.position..=turn].rotate_right(1);
            self.route = Route::new(&self.order, &slots, self.direction, self.clock);
        }
        Ok(())
    }

    /// The grad that a node has received so far in a backward walk. The grad of the root starts at 1.
    pub fn grad(&self, node: &Node) -> Option<f64> {
        let slot = self.order.slot(node)?;
        if let Some(&share) = self.received_shares(slot).last() {
            return Some(self.route.shares[share].after);
        }
        (slot == 0 && self.direction == Direction::Backward).then_some(1.0)
    }
}
