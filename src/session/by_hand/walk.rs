//! A walk: a pass that the user steps through, one computed node at a time, forward or backward, with a way back.
//!
//! It follows the order of the pass and processes each node as a sweep does, so a finished walk equals the pass to the
//! bit; to go back, it is begun again. It reads data and never changes it. Once data changes, the walk has ended.

use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::graph::{Node, NodeId, Order, Pass, turn};
use crate::report::Stage;
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::session::naming::Names;
use crate::session::naming::labels::Captions;

/// The direction of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the root to the leaves, for gradients.
    Backward,
    /// From the leaves to the root, for values.
    Forward,
}

/// A walk in progress.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The node that a backward walk starts from and a forward walk ends at.
    pub root: Rc<Node>,
    /// Its direction.
    pub direction: Direction,
    order: Order,
    /// The places of the computed nodes, in the order of the walk.
    stops: Vec<usize>,
    /// How many stops have been made.
    pub position: usize,
    grads: Vec<f64>,
    /// How many contributions each node has received.
    counts: Vec<usize>,
    /// How many contributions each node receives in all.
    due: Vec<usize>,
    /// The contributions made at the last stop; none in a forward walk.
    pub(crate) shares: Vec<Share>,
    clock: u64,
    /// Whether each number is asked for before the stop that shows it.
    pub(crate) asks: bool,
    /// What has been answered of the questions before the next stop.
    answered: Vec<NodeId>,
    /// Which nodes are labelled like an older one.
    captions: Captions,
}

/// The contribution of a node to one of its operands.
#[derive(Clone, Debug)]
pub struct Share {
    /// The operand.
    pub to: Rc<Node>,
    /// The operand's position.
    pub operand: usize,
    /// The node's local derivative with respect to it.
    pub local: f64,
    /// Upstream times local.
    pub amount: f64,
    /// The operand's grad before.
    pub before: f64,
    /// The operand's grad after.
    pub after: f64,
    /// How many contributions it has received, including this one.
    pub nth: usize,
}

impl Walk {
    fn new(root: &Rc<Node>, direction: Direction, clock: u64, names: &Names) -> Walk {
        let order = Order::below([root]);
        let computed = |place: &usize| order.nodes()[*place].op().is_some();
        let mut stops: Vec<usize> = (0..order.nodes().len()).filter(computed).collect();
        if direction == Direction::Forward {
            stops.reverse();
        }
        let count = order.nodes().len();
        let mut due = vec![0; count];
        for node in order.nodes() {
            for operand in node.operands() {
                if let Some(place) = order.position(operand) {
                    due[place] += 1;
                }
            }
        }
        let captions = Captions::of(names, order.nodes().iter());
        let mut walk = Walk {
            root: Rc::clone(root),
            direction,
            order,
            stops,
            position: 0,
            grads: Vec::new(),
            counts: Vec::new(),
            due,
            shares: Vec::new(),
            clock,
            asks: false,
            answered: Vec::new(),
            captions,
        };
        walk.begin();
        walk
    }

    /// Goes to the beginning: the root has a grad of 1, every other node one of 0.
    fn begin(&mut self) {
        self.position = 0;
        self.grads = vec![0.0; self.due.len()];
        if let Some(first) = self.grads.first_mut() {
            *first = 1.0;
        }
        self.counts = vec![0; self.due.len()];
        self.shares.clear();
        self.answered.clear();
    }

    /// What the walk shows of each node.
    pub(crate) fn quantity(&self) -> Quantity {
        match self.direction {
            Direction::Backward => Quantity::Grad,
            Direction::Forward => Quantity::Data,
        }
    }

    /// How many stops there are in all.
    pub fn of(&self) -> usize {
        self.stops.len()
    }

    /// The node at the next stop.
    pub fn next(&self) -> Option<&Rc<Node>> {
        let place = *self.stops.get(self.position)?;
        Some(&self.order.nodes()[place])
    }

    /// The node at the last stop that was made.
    pub(crate) fn current(&self) -> Option<&Rc<Node>> {
        let place = *self.stops.get(self.position.checked_sub(1)?)?;
        Some(&self.order.nodes()[place])
    }

    /// The nodes whose number the next stop will show whole: in a forward walk its own node, in a backward walk the
    /// operands that receive their last contribution.
    pub(crate) fn coming(&self) -> Vec<Rc<Node>> {
        let Some(next) = self.next() else {
            return Vec::new();
        };
        if self.direction == Direction::Forward {
            return vec![Rc::clone(next)];
        }
        let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
        let mut is_last = |operand: &&Rc<Node>| {
            let Some(place) = self.order.position(operand) else {
                return false;
            };
            let count = counts.entry(place).or_insert(self.counts[place]);
            *count += 1;
            *count == self.due[place]
        };
        let operands = next.operands().iter();
        operands.filter(|it| is_last(it)).cloned().collect()
    }

    /// The node whose grad, or in a forward walk value, the walk asks for.
    pub(crate) fn question(&self) -> Option<Rc<Node>> {
        let is_open = |node: &Rc<Node>| !self.answered.contains(&node.id());
        self.asks.then(|| self.coming().into_iter().find(is_open))?
    }

    /// Whether a node's turn is past, present or still to come. A leaf is done when it has received all its
    /// contributions.
    pub fn stage(&self, node: &Node) -> Option<Stage> {
        let place = self.order.position(node)?;
        let turn = match self.direction {
            Direction::Backward => self.stops.binary_search(&place),
            Direction::Forward => self.stops.binary_search_by(|stop| place.cmp(stop)),
        };
        let waits = self.direction == Direction::Backward && self.counts[place] < self.due[place];
        Some(match turn {
            Ok(turn) => match (turn + 1).cmp(&self.position) {
                Ordering::Less => Stage::Done,
                Ordering::Equal => Stage::Current,
                Ordering::Greater => Stage::Coming,
            },
            Err(_) if waits => Stage::Coming,
            Err(_) => Stage::Done,
        })
    }

    /// The grad that a node has received so far in a backward walk; that of the root starts at 1.
    pub fn grad(&self, node: &Node) -> Option<f64> {
        let place = self.order.position(node)?;
        let begun = self.counts[place] > 0 || std::ptr::eq(&raw const *self.root, node);
        (begun && self.direction == Direction::Backward).then(|| self.grads[place])
    }

    /// Makes the next stop, and returns whether there was one.
    fn advance(&mut self) -> bool {
        let Some(&place) = self.stops.get(self.position) else {
            return false;
        };
        self.shares.clear();
        if self.direction == Direction::Backward {
            let (shares, counts) = (&mut self.shares, &mut self.counts);
            turn(&self.order, place, &mut self.grads, |contribution| {
                let to = &contribution.node.operands()[contribution.operand];
                let place = self.order.position(to);
                let nth = place.map_or(0, |place| {
                    counts[place] += 1;
                    counts[place]
                });
                shares.push(Share {
                    to: Rc::clone(to),
                    operand: contribution.operand,
                    local: contribution.local,
                    amount: contribution.amount,
                    before: contribution.before,
                    after: contribution.after,
                    nth,
                });
            });
        }
        self.position += 1;
        self.answered.clear();
        true
    }
}

impl Session {
    /// Opens a walk in place of any other.
    pub fn open_walk(&mut self, root: &Rc<Node>, direction: Direction) {
        self.drop_claims();
        let walk = Walk::new(root, direction, self.graph.clock(), &self.names);
        self.recent.walk = Some(Rc::new(walk));
        self.recent.target = Some((Rc::clone(root), true));
    }

    /// Makes the open walk ask for each number before it shows it.
    pub(crate) fn ask_in_walk(&mut self) {
        if let Some(walk) = &mut self.recent.walk {
            Rc::make_mut(walk).asks = true;
        }
    }

    /// The question about a node has been answered. Returns whether it was the last one before the next stop.
    pub(crate) fn answered_in_walk(&mut self, node: &Node) -> bool {
        let Some(walk) = &mut self.recent.walk else {
            return false;
        };
        let walk = Rc::make_mut(walk);
        walk.answered.push(node.id());
        walk.question().is_none()
    }

    /// The open walk. A walk ends when data changes.
    pub fn walk(&self) -> Option<&Walk> {
        self.recent
            .walk
            .as_deref()
            .filter(|walk| walk.clock == self.graph.clock())
    }

    /// How a node is labelled in the open walk. Of several nodes with the same label, the newer ones are shown with their
    /// ids, as in a table.
    pub fn label_in_walk(&self, node: &Rc<Node>) -> String {
        let mut label = self.label(node);
        if let Some(walk) = self.walk() {
            walk.captions.tell_apart(node, &mut label);
        }
        label
    }

    /// Ends the walk, and returns whether one was open.
    pub fn end_walk(&mut self) -> bool {
        self.recent.walk.take().is_some()
    }

    /// Ends a walk if data has changed since, and returns whether it did.
    pub fn end_overtaken_walk(&mut self) -> bool {
        let overtaken = self.recent.walk.is_some() && self.walk().is_none();
        if overtaken {
            self.recent.walk = None;
        }
        overtaken
    }

    /// Makes the next stop. At its end a backward walk becomes the last pass; `:prev` can still go back from there.
    pub fn walk_on(&mut self) {
        let Some(walk) = self.recent.walk.as_mut().map(Rc::make_mut) else {
            return;
        };
        if walk.advance() && walk.next().is_none() && walk.direction == Direction::Backward {
            let order = Order::below([&walk.root]);
            let pass = Pass::of_sweep(order, walk.grads.clone(), &walk.root, walk.clock);
            self.recent.pass = Some(Rc::new(pass));
        }
    }

    /// Takes back the last stops, as many as there are at most.
    pub fn walk_back(&mut self, stops: usize) {
        if let Some(walk) = self.recent.walk.as_mut().map(Rc::make_mut) {
            let to = walk.position.saturating_sub(stops);
            walk.begin();
            while walk.position < to && walk.advance() {}
        }
    }
}
