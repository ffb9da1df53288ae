//! The score of `:guess`: and which answers have been shown.
//!
//! `:undo` does not affect the score, `:reset` clears it. `study` judges the guesses.

use std::rc::{Rc, Weak};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Node, NodeId, Pass};
use crate::session::Session;

/// How many questions are remembered. A script that asks more starts over.
pub(crate) const QUESTIONS: usize = 10_000;

/// How many numbers of a table are remembered as shown.
const SHOWN: usize = 1_000;

/// What is to be guessed about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Quantity {
    /// The derivative of the root with respect to it.
    Grad,
    /// Its value.
    Data,
}

/// The score, and which questions have been answered.
#[derive(Clone, Debug, Default)]
pub struct Guesses {
    /// How many guesses were right.
    pub right: u64,
    /// How many guesses were counted.
    pub tried: u64,
    /// The questions whose answers have been shown: by a right guess, a pass, a walk or a table.
    shown: FxHashSet<Key>,
    /// The root of the last guess that named one, until a pass is run.
    root: Weak<Node>,
    /// The grads that the user has guessed since the last pass.
    claims: FxHashMap<NodeId, (Weak<Node>, f64)>,
}

/// The identity of a question. It holds the root's label, because the same expression may be typed again as a new root,
/// and the bits of the correct answer, because changed data makes it a new question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) root: String,
    pub(crate) node: NodeId,
    pub(crate) asked: Quantity,
    pub(crate) truth: u64,
}

impl Guesses {
    /// Counts a guess unless its answer has been shown. Returns whether it has.
    pub(crate) fn count(&mut self, key: Key, right: bool) -> bool {
        let shown = self.shown.contains(&key);
        if !shown {
            self.tried += 1;
            self.right += u64::from(right);
        }
        if right {
            self.show(key);
        }
        shown
    }

    /// The answer has been shown by something else.
    pub(crate) fn show(&mut self, key: Key) {
        if self.shown.len() >= QUESTIONS && !self.shown.contains(&key) {
            self.shown.clear();
        }
        self.shown.insert(key);
    }

    /// The root of the last guess that named one.
    pub(crate) fn root(&self) -> Option<Rc<Node>> {
        self.root.upgrade()
    }

    /// Keeps what the user says the grad of a node is, and the root if the guess named it.
    fn claim(&mut self, node: &Rc<Node>, grad: f64, root: Option<&Rc<Node>>) {
        if let Some(root) = root {
            self.root = Rc::downgrade(root);
        }
        if self.claims.len() >= QUESTIONS {
            self.claims.clear();
        }
        self.claims.insert(node.id(), (Rc::downgrade(node), grad));
    }

    /// The grad of a node to show: that of the last pass, else what the user says that it is.
    pub(crate) fn grad_to_show(&self, pass: Option<&Rc<Pass>>, node: &Rc<Node>) -> Option<f64> {
        let claimed = || {
            let (known, grad) = self.claims.get(&node.id())?;
            std::ptr::eq(known.as_ptr(), Rc::as_ptr(node)).then_some(*grad)
        };
        pass.and_then(|pass| pass.grad(node)).or_else(claimed)
    }
}

impl Session {
    /// The score so far.
    pub fn guesses(&self) -> &Rc<Guesses> {
        &self.guesses
    }

    /// These numbers have been shown: guesses of them no longer count. Only the first [`SHOWN`] are remembered.
    pub(crate) fn answers_shown(
        &mut self,
        root: &Rc<Node>,
        asked: Quantity,
        numbers: impl IntoIterator<Item = (NodeId, f64)>,
    ) {
        let root = self.label(root);
        for (node, number) in numbers.into_iter().take(SHOWN) {
            self.guesses_mut().show(Key {
                root: root.clone(),
                node,
                asked,
                truth: number.to_bits(),
            });
        }
    }

    /// The grads of the last pass have been shown.
    pub(crate) fn pass_shown(&mut self) {
        let Some(pass) = self.pass().filter(|pass| pass.roots().len() == 1).cloned() else {
            return;
        };
        let grad = |node: &Rc<Node>| Some((node.id(), pass.grad(node)?));
        let numbers = pass.order().nodes().iter().filter_map(grad);
        self.answers_shown(pass.root(), Quantity::Grad, numbers);
    }

    /// The grad of a node to show.
    pub(crate) fn grad_to_show(&self, node: &Rc<Node>) -> Option<f64> {
        self.guesses().grad_to_show(self.pass(), node)
    }

    /// The newest node with a name that uses a node, directly or not.
    pub(crate) fn newest_above(&self, node: &Rc<Node>) -> Option<Rc<Node>> {
        let mut above = FxHashSet::from_iter([node.id()]);
        let mut newest = None;
        for other in self.graph.living().nodes().filter(|it| it.id() > node.id()) {
            if (other.operands().iter()).any(|operand| above.contains(&operand.id())) {
                above.insert(other.id());
                newest = Some(other).filter(|it| self.is_named(it)).or(newest);
            }
        }
        newest
    }

    /// A pass is run: from now on grads are those of the pass.
    pub(crate) fn drop_claims(&mut self) {
        if !self.guesses.claims.is_empty() || self.guesses.root().is_some() {
            let guesses = self.guesses_mut();
            guesses.claims.clear();
            guesses.root = Weak::new();
        }
    }

    /// The user says what the grad of a node is, and names the root.
    pub(crate) fn claim(&mut self, node: &Rc<Node>, grad: f64, root: Option<&Rc<Node>>) {
        self.note_reads_pass();
        self.note_claimed_grad();
        self.guesses_mut().claim(node, grad, root);
    }

    pub(crate) fn guesses_mut(&mut self) -> &mut Guesses {
        Rc::make_mut(&mut self.guesses)
    }
}
