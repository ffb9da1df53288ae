//! Compares everything that is cached about a graph with a fresh computation, in tests and debug builds.
//!
//! Data, the index of users, orders and passes are cached for speed. Each must equal the fresh result bit for bit; all
//! NaNs count as equal.

use std::rc::Rc;

use super::backward::gradients;
use super::factory::Graph;
use super::node::Node;
use super::order::Order;
use super::pass::Pass;
use crate::ops::same_number;

impl Graph {
    /// Checks every living node that varies, and the index of users. The error says what is wrong.
    pub fn audit(&self) -> Result<(), String> {
        let mut last = 0;
        for node in self.living().nodes() {
            if node.id() <= last || node.id() > self.last_id() {
                let (id, made) = (node.id(), self.last_id());
                return Err(format!(
                    "@{id} comes after @{last} where {made} nodes were made"
                ));
            }
            last = node.id();
            if !node.varies() {
                return Err(format!("@{last} is listed and constant"));
            }
            check_node(&node)?;
        }
        self.living().audit()
    }
}

/// Checks that a node's data is what its operation gives, and that the node is newer than its operands.
fn check_node(node: &Node) -> Result<(), String> {
    let (id, data, again) = (node.id(), node.data(), node.compute());
    if !same_number(data, again) {
        return Err(format!(
            "@{id} is {data:?}, but its operands give {again:?}"
        ));
    }
    if node.operands().iter().any(|operand| operand.id() >= id) {
        return Err(format!("@{id} is older than an operand"));
    }
    let varying = node.operands().iter().filter(|below| below.varies());
    let level = varying.map(|below| below.level() + 1).max().unwrap_or(0);
    if node.level() != level {
        return Err(format!("@{id} is on level {level}, not {}", node.level()));
    }
    Ok(())
}

impl Pass {
    /// Checks that a new pass would give the same grads. If the pass is stale or has several sweeps, only its order is
    /// checked.
    pub fn audit(&self, clock: u64) -> Result<(), String> {
        let fresh = Order::compute(self.tops());
        let nodes = fresh.nodes().iter().map(Rc::as_ptr);
        if !nodes.eq(self.order().nodes().iter().map(Rc::as_ptr)) {
            return Err("the order of a pass is not that of its graph".to_string());
        }
        if self.clock() != clock || !self.is_one_sweep() {
            return Ok(());
        }
        let grads = gradients(&Order::compute(self.roots()), self.root(), |_| {});
        for ((node, &grad), again) in self.order().nodes().iter().zip(self.grads()).zip(grads) {
            if !same_number(grad, again) {
                let id = node.id();
                return Err(format!(
                    "the grad of @{id} is {grad:?}, a fresh pass gives {again:?}"
                ));
            }
        }
        Ok(())
    }
}
