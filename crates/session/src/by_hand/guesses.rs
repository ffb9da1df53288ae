//! The grads that the user has worked out by hand, and the score of `:guess`.

use std::rc::{Rc, Weak};

use crate::tags::Tags;
use chainrule_engine::graph::Node;

/// A number of a node that the user guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// The derivative of the root with respect to it.
    Grad,
    /// Its value.
    Data,
}

/// A grad that the user adds up by hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct SumSoFar {
    /// The sum.
    pub grad: f64,
    /// The number of contributions in it.
    pub contributions: usize,
}

/// The grads that the user has guessed or set since the last pass.
pub(crate) type Claims = Tags<SumSoFar>;

/// A grad that an answer has shown.
#[derive(Debug)]
pub(crate) struct ShownGrads {
    pub(crate) root: Weak<Node>,
    /// The node; `None` for all below the root.
    pub(crate) node: Option<Weak<Node>>,
    /// The clock of the graph at that time. If data has changed since, nothing is known of the present grad.
    pub(crate) clock: u64,
}

/// The score, and the root of the last guess.
#[derive(Clone, Debug, Default)]
pub struct Guesses {
    /// The number of guesses that count and were right.
    pub right: u64,
    /// The number of guesses that count.
    pub tried: u64,
    /// The number of guesses that were not right, whether they count or not.
    pub missed: u64,
    /// The root of the last guess that named one, until a pass is run.
    pub(crate) root: Weak<Node>,
}

impl Guesses {
    /// Adds a guess to the score, if it counts.
    pub fn count(&mut self, is_right: bool, is_counted: bool) {
        self.tried += u64::from(is_counted);
        self.right += u64::from(is_counted && is_right);
        self.missed += u64::from(!is_right);
    }

    /// The root of the last guess that named one.
    pub fn root(&self) -> Option<Rc<Node>> {
        self.root.upgrade()
    }
}
