//! A walk: a pass that the user steps through, one computed node at a time, forward or backward, with a way back.
//!
//! It follows the order of the pass and processes each node as a sweep does, so a finished walk equals the pass to the
//! bit. It reads data and never changes it. Once data changes, the walk has ended.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::graph::{Node, NodeId, Order, Pass, turn};
use crate::report::Stage;
use crate::session::Session;
use crate::session::naming::atoms;
use crate::session::naming::labels::Captions;
use crate::stop;

/// In a walk over more nodes, labels that coincide are not searched for: every unnamed node is shown with its id.
const TOLD_APART: usize = 10_000;

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
    root: Rc<Node>,
    /// Its direction.
    pub direction: Direction,
    order: Order,
    /// The places of the computed nodes, in the order of the walk.
    stops: Vec<usize>,
    grads: Vec<f64>,
    /// How many contributions each node has received.
    counts: Vec<usize>,
    /// How many contributions each node receives in all.
    due: Vec<usize>,
    /// The contributions made at each stop so far.
    made: Vec<Vec<Share>>,
    clock: u64,
    /// Whether each number is asked for before the stop that shows it.
    pub(crate) asks: bool,
    /// What has been answered of the questions before the next stop.
    answered: Vec<NodeId>,
    /// Which nodes would be shown like an older one, and the version of the names by which they would.
    captions: RefCell<Option<(u64, Captions)>>,
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

/// One stop, ready to be shown.
#[derive(Clone, Debug)]
pub struct WalkStop {
    /// The node.
    pub node: Rc<Node>,
    /// Its grad at its turn; none in a forward walk.
    pub upstream: Option<f64>,
    /// Its contributions; none in a forward walk.
    pub shares: Vec<Share>,
}

impl Walk {
    fn new(root: &Rc<Node>, direction: Direction, clock: u64) -> Walk {
        let order = Order::below([root]);
        let computed = |place: &usize| order.nodes()[*place].op().is_some();
        let mut stops: Vec<usize> = (0..order.nodes().len()).filter(computed).collect();
        if direction == Direction::Forward {
            stops.reverse();
        }
        let mut grads = vec![0.0; order.nodes().len()];
        if let Some(first) = grads.first_mut() {
            *first = 1.0;
        }
        let counts = vec![0; grads.len()];
        let mut due = counts.clone();
        for node in order.nodes() {
            for operand in node.operands() {
                if let Some(place) = order.position(operand) {
                    due[place] += 1;
                }
            }
        }
        Walk {
            root: Rc::clone(root),
            direction,
            order,
            stops,
            grads,
            counts,
            due,
            made: Vec::new(),
            clock,
            asks: false,
            answered: Vec::new(),
            captions: RefCell::default(),
        }
    }

    /// The node that a backward walk starts from and a forward walk ends at.
    pub fn root(&self) -> &Rc<Node> {
        &self.root
    }

    /// How many stops have been made.
    pub fn position(&self) -> usize {
        self.made.len()
    }

    /// How many stops there are in all.
    pub fn of(&self) -> usize {
        self.stops.len()
    }

    /// The node at the next stop.
    pub fn next(&self) -> Option<&Rc<Node>> {
        self.stops
            .get(self.made.len())
            .map(|&place| &self.order.nodes()[place])
    }

    /// The last stop that was made.
    pub fn stop(&self) -> Option<WalkStop> {
        let shares = self.made.last()?;
        let place = self.stops[self.made.len() - 1];
        let backward = self.direction == Direction::Backward;
        Some(WalkStop {
            node: Rc::clone(&self.order.nodes()[place]),
            upstream: backward.then(|| self.grads[place]),
            shares: shares.clone(),
        })
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
        let mut whole = Vec::new();
        for operand in next.operands() {
            if let Some(place) = self.order.position(operand) {
                let count = counts.entry(place).or_insert(self.counts[place]);
                *count += 1;
                if *count == self.due[place] {
                    whole.push(Rc::clone(operand));
                }
            }
        }
        whole
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
        let turn = self.turn(place);
        let waits = self.direction == Direction::Backward && self.counts[place] < self.due[place];
        Some(match turn {
            Ok(turn) => match (turn + 1).cmp(&self.made.len()) {
                Ordering::Less => Stage::Done,
                Ordering::Equal => Stage::Current,
                Ordering::Greater => Stage::Coming,
            },
            Err(_) if waits => Stage::Coming,
            Err(_) => Stage::Done,
        })
    }

    /// When the turn of the node at this place is.
    fn turn(&self, place: usize) -> Result<usize, usize> {
        match self.direction {
            Direction::Backward => self.stops.binary_search(&place),
            Direction::Forward => self.stops.binary_search_by(|stop| place.cmp(stop)),
        }
    }

    /// The contributions that a node has made, if its turn has come; none in a forward walk.
    pub(crate) fn shares(&self, node: &Node) -> Option<&[Share]> {
        let turn = self.turn(self.order.position(node)?).ok()?;
        self.made.get(turn).map(Vec::as_slice)
    }

    /// The grad that a node has received so far in a backward walk; that of the root starts at 1.
    pub fn grad(&self, node: &Node) -> Option<f64> {
        let place = self.order.position(node)?;
        let begun = self.counts[place] > 0 || std::ptr::eq(&raw const *self.root, node);
        (begun && self.direction == Direction::Backward).then(|| self.grads[place])
    }

    /// Makes the next stop, and returns whether there was one.
    pub(crate) fn advance(&mut self) -> bool {
        let Some(&place) = self.stops.get(self.made.len()) else {
            return false;
        };
        let mut shares = Vec::new();
        if self.direction == Direction::Backward {
            turn(&self.order, place, &mut self.grads, |contribution| {
                shares.push(Share {
                    to: Rc::clone(&contribution.node.operands()[contribution.operand]),
                    operand: contribution.operand,
                    local: contribution.local,
                    amount: contribution.amount,
                    before: contribution.before,
                    after: contribution.after,
                    nth: 0,
                });
            });
            for share in &mut shares {
                if let Some(place) = self.order.position(&share.to) {
                    self.counts[place] += 1;
                    share.nth = self.counts[place];
                }
            }
        }
        self.made.push(shares);
        self.answered.clear();
        true
    }

    /// Goes back to where so few stops have been made, by making them again.
    fn go_back(&mut self, stops: usize) {
        *self = Walk {
            asks: self.asks,
            captions: std::mem::take(&mut self.captions),
            ..Walk::new(&self.root, self.direction, self.clock)
        };
        while self.made.len() < stops && self.advance() {
            stop::ask(self.made.len());
        }
    }

    /// Checks its order. A walk that has ended is not checked.
    pub(crate) fn audit(&self, clock: u64) -> Result<(), String> {
        if self.clock != clock {
            return Ok(());
        }
        self.order.audit(std::slice::from_ref(&self.root))
    }
}

impl Session {
    /// Opens a walk in place of any other.
    pub fn open_walk(&mut self, root: &Rc<Node>, direction: Direction) {
        self.drop_claims();
        let walk = Walk::new(root, direction, self.graph.clock());
        self.recent.walk = Some(Rc::new(walk));
        self.recent.target = Some(Rc::clone(root));
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
        let Some(walk) = self.walk() else {
            return label;
        };
        let nodes = walk.order.nodes();
        if nodes.len() > TOLD_APART {
            let unnamed = node.varies() && atoms::name(&self.names, node).is_none();
            return if unnamed {
                format!("{label} @{}", node.id())
            } else {
                label
            };
        }
        let version = self.names.version();
        let mut captions = walk.captions.borrow_mut();
        if captions.as_ref().is_none_or(|(made, _)| *made != version) {
            *captions = Some((version, Captions::of(&self.names, nodes.iter())));
        }
        if let Some((_, captions)) = &*captions {
            captions.tell_apart(node, &mut label);
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
    pub fn walk_on(&mut self) -> Option<WalkStop> {
        let walk = Rc::make_mut(self.recent.walk.as_mut()?);
        if !walk.advance() {
            return None;
        }
        if walk.next().is_none() && walk.direction == Direction::Backward {
            let order = Order::below([&walk.root]);
            let pass = Pass::of_walk(order, walk.grads.clone(), &walk.root, walk.clock);
            self.recent.pass = Some(Rc::new(pass));
        }
        walk.stop()
    }

    /// Takes back the last stops, so many or all that there were.
    pub fn walk_back(&mut self, count: u64) {
        if let Some(walk) = &mut self.recent.walk {
            let stops = (walk.position() as u64).saturating_sub(count);
            Rc::make_mut(walk).go_back(stops as usize);
        }
    }
}
