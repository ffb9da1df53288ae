//! The grads that the user has worked out by hand since the last pass, the claims, and the score of `:guess`. `walk` has
//! the open walk.
//!
//! A guess does not count if an answer has shown the grad before. Therefore every answer with grads notes them here. None
//! of all this is affected by undo.

pub mod walk;

use std::rc::{Rc, Weak};

use rustc_hash::FxHashSet;

use crate::session::Session;
use crate::session::limits::MOST_CLAIMS;
use crate::session::tags::{TagWrite, Tags};
use chainrule_engine::graph::{Node, NodeId, Pass};

/// A number of a node that the user guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Quantity {
    /// The derivative of the root with respect to it.
    Grad,
    /// Its value.
    Data,
}

/// A grad that the user adds up by hand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SumSoFar {
    /// The sum.
    pub grad: f64,
    /// The number of contributions in it.
    pub contributions: usize,
}

/// The grads of a root that answers have shown.
#[derive(Clone, Debug, Default)]
struct ShownGrads {
    /// The clock of the graph at that time. If data has changed since, nothing is known of the present grads.
    clock: u64,
    /// Whether all of them were shown.
    has_all: bool,
    /// The nodes whose grads were shown. They are below the root, which keeps them alive.
    nodes: FxHashSet<NodeId>,
}

/// The score, and the grads that were guessed.
#[derive(Clone, Debug, Default)]
pub struct Guesses {
    /// The number of guesses that count and were right.
    pub right: u64,
    /// The number of guesses that count.
    pub tried: u64,
    /// The number of guesses that were not right, whether they count or not.
    pub missed: u64,
    /// The root of the last guess that named one, until a pass is run.
    root: Weak<Node>,
    /// The grads that the user has guessed since the last pass.
    pub(in crate::session) claims: Tags<SumSoFar>,
    /// The grads that answers have shown, by root.
    shown: Tags<ShownGrads>,
}

impl Guesses {
    /// Adds a guess to the score, if it counts.
    pub(crate) fn count(&mut self, is_right: bool, is_counted: bool) {
        self.tried += u64::from(is_counted);
        self.right += u64::from(is_counted && is_right);
        self.missed += u64::from(!is_right);
    }

    /// The root of the last guess that named one.
    pub(crate) fn root(&self) -> Option<Rc<Node>> {
        self.root.upgrade()
    }

    /// The grad of a node to show: that of the last pass, or else the one that the user has claimed.
    pub(crate) fn grad_to_show(&self, pass: Option<&Rc<Pass>>, node: &Rc<Node>) -> Option<f64> {
        let claimed = || self.claims.of(node).map(|it| it.grad);
        pass.and_then(|it| it.grad(node)).or_else(claimed)
    }
}

impl Session {
    /// The score so far.
    pub fn guesses(&self) -> &Rc<Guesses> {
        &self.recent.guesses
    }

    /// The grad of a node to show.
    pub(crate) fn grad_to_show(&self, node: &Rc<Node>) -> Option<f64> {
        let claimed = || self.claims().of(node).map(|it| it.grad);
        self.pass().and_then(|it| it.grad(node)).or_else(claimed)
    }

    /// The newest node with a name that uses a node, directly or not: the root that the user has probably in mind.
    pub(crate) fn newest_above(&self, node: &Rc<Node>) -> Option<Rc<Node>> {
        let mut above = FxHashSet::from_iter([node.id()]);
        let mut newest_named = None;
        // Oldest first, so that a node comes after its operands.
        for user in self.graph.living().nodes().filter(|it| it.id() > node.id()) {
            if (user.operands().iter()).any(|operand| above.contains(&operand.id())) {
                above.insert(user.id());
                if self.is_named(&user) {
                    newest_named = Some(user);
                }
            }
        }
        newest_named
    }

    /// Notes that an answer shows the grads of some nodes below a root; without nodes, of all below it.
    pub(crate) fn note_shown(&mut self, root: &Rc<Node>, nodes: &[Rc<Node>]) {
        let clock = self.graph.clock();
        let guesses = self.guesses_mut();
        if guesses.shown.len() >= MOST_CLAIMS {
            guesses.shown = Tags::default();
        }
        let earlier = guesses.shown.remove(root).filter(|it| it.clock == clock);
        let mut shown = earlier.unwrap_or_default();
        shown.clock = clock;
        shown.has_all |= nodes.is_empty();
        shown.nodes.extend(nodes.iter().map(|node| node.id()));
        guesses.shown.set(root, shown);
    }

    /// Notes that an answer shows the grads of some nodes in the last pass; without nodes, of all.
    pub(crate) fn note_shown_of_pass(&mut self, nodes: &[Rc<Node>]) {
        if let Some(pass) = self.pass().filter(|_| !self.is_stale()) {
            let root = Rc::clone(pass.root());
            self.note_shown(&root, nodes);
        }
    }

    /// Whether an answer has shown the grad of a node below a root, and no data has changed since.
    pub(crate) fn has_shown(&self, root: &Node, node: &Node) -> bool {
        let clock = self.graph.clock();
        let shown = self.guesses().shown.of(root).filter(|it| it.clock == clock);
        shown.is_some_and(|it| it.has_all || it.nodes.contains(&node.id()))
    }

    /// The claims. A running block that sets grads has its own.
    pub(in crate::session) fn claims(&self) -> &Tags<SumSoFar> {
        let block = self.running.block.as_ref();
        let of_block = block.and_then(|block| block.claims.as_ref());
        of_block.unwrap_or(&self.recent.guesses.claims)
    }

    /// Whether there is a pass or a claim.
    pub(in crate::session) fn has_grads(&self) -> bool {
        self.recent.pass.is_some() || !self.claims().is_empty()
    }

    /// Drops the claims when a pass runs, because then grads come from the pass.
    pub(crate) fn drop_claims(&mut self) {
        let claimed: Vec<_> = self.claims().living().map(|(node, _)| node).collect();
        for node in &claimed {
            self.drop_claim(node);
        }
        if self.guesses().root().is_some() {
            self.guesses_mut().root = Weak::new();
        }
    }

    /// Forgets the grad that the user has claimed for a node.
    pub(in crate::session) fn drop_claim(&mut self, node: &Rc<Node>) {
        if self.claims().of(node).is_some() {
            self.write_claim(TagWrite::new(node, None));
        }
    }

    /// Keeps the grad that the user claims for a node, and the root if the guess named it.
    pub(crate) fn claim(&mut self, node: &Rc<Node>, so_far: SumSoFar, root: Option<&Rc<Node>>) {
        if let Some(named) = root {
            self.guesses_mut().root = Rc::downgrade(named);
        }
        // Only a script makes so many claims. It starts over, so that the memory has a limit.
        if self.claims().len() >= MOST_CLAIMS && !self.in_block() {
            self.guesses_mut().claims = Tags::default();
        }
        self.write_claim(TagWrite::new(node, Some(so_far)));
    }

    /// Changes a claim. A saved session has the statement that does so.
    fn write_claim(&mut self, write: TagWrite<SumSoFar>) {
        self.keeping().is_claim = true;
        match &mut self.running.block {
            Some(block) => block.write_claim(&self.recent.guesses.claims, write),
            None => drop(self.guesses_mut().claims.swap(write)),
        }
    }

    /// The sum that the user has claimed so far for the grad of a node.
    pub(crate) fn claimed_so_far(&self, node: &Rc<Node>) -> SumSoFar {
        self.claims().of(node).copied().unwrap_or_default()
    }

    pub(crate) fn guesses_mut(&mut self) -> &mut Guesses {
        Rc::make_mut(&mut self.recent.guesses)
    }
}
