//! Gradients that add up over the rounds of a training loop, until they are zeroed.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::setting::Setting;
use crate::graph::{Node, NodeId, Pass};
use crate::session::Session;

/// The gradients of leaves, summed since they were zeroed.
#[derive(Debug, Default)]
pub struct SummedGradients(FxHashMap<NodeId, f64>);

impl SummedGradients {
    /// Those of the last pass.
    pub fn present(session: &Session) -> SummedGradients {
        let mut grads = SummedGradients::default();
        if let Some(pass) = session.pass() {
            grads.collect(pass);
        }
        grads
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Runs a new pass from a root, and adds its gradients.
    pub fn add(&mut self, session: &mut Session, root: &Rc<Node>) {
        session.backward(root);
        if let Some(pass) = session.pass() {
            self.collect(pass);
        }
    }

    fn collect(&mut self, pass: &Pass) {
        let nodes = pass.order().nodes().iter().zip(pass.grads());
        for (leaf, grad) in nodes.filter(|(node, _)| node.is_leaf()) {
            *self.0.entry(leaf.id()).or_default() += grad;
        }
    }

    /// Where leaves go that move by `rate` times their gradients.
    pub fn moved(&self, leaves: &[Rc<Node>], rate: f64) -> Vec<Setting> {
        let moved = leaves.iter().map(|leaf| Setting {
            leaf: Rc::clone(leaf),
            data: leaf.data() + rate * self.0.get(&leaf.id()).copied().unwrap_or_default(),
        });
        moved.collect()
    }
}
