//! The grads that the user has worked out by hand since the last pass, the claims, and the score of `:guess`. `walk` has
//! the open walk.
//!
//! None of it is affected by undo.

pub mod walk;

use std::rc::{Rc, Weak};

use rustc_hash::FxHashSet;

use crate::session::Session;
use crate::session::limits::MOST_CLAIMS;
use crate::session::tags::Tags;
use chainrule_engine::graph::{Node, Pass};

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

/// The score, and the grads that were guessed.
#[derive(Clone, Debug, Default)]
pub struct Guesses {
    /// The number of guesses that were right.
    pub right: u64,
    /// The number of guesses.
    pub tried: u64,
    /// The root of the last guess that named one, until a pass is run.
    root: Weak<Node>,
    /// The grads that the user has guessed since the last pass.
    claims: Tags<SumSoFar>,
}

impl Guesses {
    /// Counts a guess.
    pub(crate) fn count(&mut self, is_right: bool) {
        self.tried += 1;
        self.right += u64::from(is_right);
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
        self.guesses().grad_to_show(self.pass(), node)
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

    /// Whether there is a pass or a claim.
    pub(in crate::session) fn has_grads(&self) -> bool {
        self.recent.pass.is_some() || !self.recent.guesses.claims.is_empty()
    }

    /// Drops the claims when a pass runs, because then grads come from the pass.
    pub(crate) fn drop_claims(&mut self) {
        let guesses = self.guesses_mut();
        (guesses.claims, guesses.root) = (Tags::default(), Weak::new());
    }

    /// Keeps the grad that the user claims for a node, and the root if the guess named it.
    pub(crate) fn claim(&mut self, node: &Rc<Node>, so_far: SumSoFar, root: Option<&Rc<Node>>) {
        self.keeping().is_claim = true;
        let guesses = self.guesses_mut();
        if let Some(named) = root {
            guesses.root = Rc::downgrade(named);
        }
        // Only a script makes so many claims. It starts over, so that the memory has a limit.
        if guesses.claims.len() >= MOST_CLAIMS {
            guesses.claims = Tags::default();
        }
        guesses.claims.set(node, so_far);
    }

    /// The sum that the user has claimed so far for the grad of a node.
    pub(crate) fn claimed_so_far(&self, node: &Rc<Node>) -> SumSoFar {
        self.guesses().claims.of(node).copied().unwrap_or_default()
    }

    pub(crate) fn guesses_mut(&mut self) -> &mut Guesses {
        Rc::make_mut(&mut self.recent.guesses)
    }
}
