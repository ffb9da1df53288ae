//! What is remembered of a graph, compared with what it is when it is worked out anew: for tests and debug builds.
//!
//! Data, the index of users, orders, copies of data and passes are all kept because to keep them is quicker. Each must
//! be, to the bit, what it would be if it were made now; any NaN is as good as another.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::backward::{Pass, gradients};
use super::factory::Graph;
use super::node::{Node, differ};
use super::order::{NEWEST_FIRST, Order};
use super::plan;

impl Graph {
    /// Are the nodes that are alive what they must be, and is the index of their users complete? Says what is not.
    pub fn audit(&self) -> Result<(), String> {
        let mut last = 0;
        let mut constants: Vec<Rc<Node>> = Vec::new();
        for node in self.living().nodes() {
            if node.id() <= last || node.id() > self.made() {
                let (id, made) = (node.id(), self.made());
                return Err(format!(
                    "@{id} comes after @{last} where {made} nodes were made"
                ));
            }
            last = node.id();
            if !node.varies() {
                return Err(format!("@{last} is listed and constant"));
            }
            sound(&node)?;
            let fixed = node.operands().iter().filter(|operand| !operand.varies());
            constants.extend(fixed.map(Rc::clone));
        }
        let mut seen = FxHashSet::default();
        while let Some(node) = constants.pop() {
            if seen.insert(Rc::as_ptr(&node)) && node.op().is_some() {
                sound(&node)?;
                constants.extend(node.operands().iter().map(Rc::clone));
            }
        }
        self.living().audit()
    }
}

/// Is the node's data what its operation gives, and is it younger than its operands?
fn sound(node: &Node) -> Result<(), String> {
    let (id, data, again) = (node.id(), node.data(), node.compute());
    if differ(data, again) {
        return Err(format!(
            "@{id} is {data:?}, but its operands give {again:?}"
        ));
    }
    if node.operands().iter().any(|operand| operand.id() >= id) {
        return Err(format!("@{id} is older than an operand"));
    }
    if node.op().is_some() && node.varies() != node.operands().iter().any(|below| below.varies()) {
        return Err(format!("@{id} does not know whether it varies"));
    }
    Ok(())
}

impl Order {
    /// Is this the order of everything below the roots, and its copy of the data good? Says what is not.
    pub fn audit(&self, roots: &[Rc<Node>]) -> Result<(), String> {
        let fresh = Order::made_anew(roots);
        let same = |(one, other): (&Rc<Node>, &Rc<Node>)| Rc::ptr_eq(one, other);
        if fresh.nodes().len() != self.nodes().len()
            || !fresh.nodes().iter().zip(self.nodes()).all(same)
        {
            return Err("the order of a pass is not that of its graph".to_string());
        }
        if !plan::copy_is_good(self) {
            return Err("the copy of the data of an order is not the data".to_string());
        }
        Ok(())
    }
}

impl Pass {
    /// Are these the gradients that a pass made now would have? A stale pass is asked for its order alone. Says what
    /// is not so.
    pub fn audit(&self, clock: u64) -> Result<(), String> {
        self.order().audit(self.roots())?;
        let large = self.order().nodes().len() > NEWEST_FIRST;
        // Sweeps that were added up over a graph that grew between them added in another order.
        if !self.is_of(clock) || self.roots().len() > 1 && large {
            return Ok(());
        }
        let fresh = Order::made_anew(self.roots());
        let (first, more) = (&self.roots()[0], &self.roots()[1..]);
        let mut grads = gradients(&fresh, first, |_| {});
        for root in more {
            let swept = gradients(&fresh, root, |_| {});
            for (grad, more) in grads.iter_mut().zip(swept) {
                *grad += more;
            }
        }
        for ((node, &grad), again) in self.order().nodes().iter().zip(self.grads()).zip(grads) {
            if differ(grad, again) {
                let id = node.id();
                return Err(format!(
                    "the grad of @{id} is {grad:?}, a fresh pass gives {again:?}"
                ));
            }
        }
        Ok(())
    }
}
