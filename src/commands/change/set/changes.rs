//! The answer of `:set`: compares nodes with what they had before, and makes a row for every node whose data, grad or
//! uncertainty changed.

use std::collections::HashMap;

use crate::commands::node_table::NodeTable;
use crate::commands::prelude::*;
use chainrule_engine::graph::NodeId;
use chainrule_stop as stop;

/// The numbers before a change.
#[derive(Default)]
pub(super) struct Before {
    /// The nodes that have moved, with their old data.
    pub(super) moved: Vec<(Rc<Node>, f64)>,
    /// The old gradients, if the pass is run again.
    pub(super) grads: Option<HashMap<NodeId, f64>>,
    /// The leaves that were given an uncertainty, with their old ones.
    pub(super) sigmas: Vec<(Rc<Node>, Option<f64>)>,
}

/// Returns the report of a change that has been made.
pub(super) fn report_changes(session: &Session, before: &Before) -> Report {
    let comparison = SetComparison::of(session, before);
    let nodes = comparison.changed_nodes(before);
    let pass = session.pass().filter(|_| comparison.has_grads);
    let root = pass.map(|pass| session.label(pass.root()));
    let mut facts = vec![("root", root.into())];
    let block = if nodes.is_empty() {
        facts.push(("changed", Fact::List(Vec::new())));
        Block::Line(say!("nothing moved"))
    } else {
        Block::Table(comparison.table(&nodes))
    };
    Report {
        is_confirmation: true,
        ..Report::new("set", facts, vec![block])
    }
}

/// Compares the present numbers of nodes with those before a change.
struct SetComparison<'s> {
    session: &'s Session,
    /// Whether there are gradients of the present data, so that they are shown, too.
    has_grads: bool,
    data_before: HashMap<NodeId, f64>,
    grads_before: Option<&'s HashMap<NodeId, f64>>,
    /// The old uncertainties of leaves that now have different ones.
    sigmas_before: HashMap<NodeId, Option<f64>>,
}

impl<'s> SetComparison<'s> {
    fn of(session: &'s Session, before: &'s Before) -> SetComparison<'s> {
        let moved = before.moved.iter();
        let sigmas = before.sigmas.iter();
        let widened = sigmas.filter(|(leaf, sigma)| session.uncertainty(leaf) != *sigma);
        SetComparison {
            session,
            has_grads: session.pass().is_some() && !session.is_stale(),
            data_before: moved.map(|(node, data)| (node.id(), *data)).collect(),
            grads_before: before.grads.as_ref(),
            sigmas_before: widened.map(|(leaf, sigma)| (leaf.id(), *sigma)).collect(),
        }
    }

    /// The changed nodes: those of the pass in its order, then other named ones, the newest first.
    fn changed_nodes(&self, before: &Before) -> Vec<Rc<Node>> {
        let pass = self.session.pass();
        let of_pass = pass.map_or(&[][..], |pass| pass.order().nodes());
        let changed = stop::with_checks(of_pass.iter()).filter(|node| self.is_changed(node));
        let mut nodes: Vec<Rc<Node>> = changed.cloned().collect();
        let moved = before.moved.iter().map(|(node, _)| node);
        let candidates = moved.chain(before.sigmas.iter().map(|(leaf, _)| leaf));
        let has_row = |node: &&Rc<Node>| self.has_other_row(node) && self.is_changed(node);
        let mut others: Vec<Rc<Node>> = candidates.filter(has_row).cloned().collect();
        others.sort_by_key(|node| std::cmp::Reverse(node.id()));
        // A leaf may have moved and got an uncertainty.
        others.dedup_by_key(|node| node.id());
        nodes.extend(others);
        nodes
    }

    /// Whether a changed node has a row although it is not in the pass: it has a name, or there is no pass.
    fn has_other_row(&self, node: &Rc<Node>) -> bool {
        self.session
            .pass()
            .is_none_or(|pass| pass.order().slot(node).is_none() && self.session.is_named(node))
    }

    fn data_before(&self, node: &Node) -> f64 {
        let before = self.data_before.get(&node.id()).copied();
        before.unwrap_or_else(|| node.data())
    }

    fn grad(&self, node: &Node) -> Option<f64> {
        self.session.pass().filter(|_| self.has_grads)?.grad(node)
    }

    fn grad_before(&self, node: &Node) -> Option<f64> {
        self.grads_before?.get(&node.id()).copied()
    }

    fn is_changed(&self, node: &Node) -> bool {
        let differ = |before: f64, after: f64| before.to_bits() != after.to_bits();
        let grads = self.grad_before(node).zip(self.grad(node));
        differ(self.data_before(node), node.data())
            || self.sigmas_before.contains_key(&node.id())
            || grads.is_some_and(|(before, after)| differ(before, after))
    }

    fn table(&self, nodes: &[Rc<Node>]) -> Table {
        let session = self.session;
        let mut grad = Column::change(["grad_before", "grad"], "grad").with_sign();
        if !self.has_grads {
            grad = grad.for_programs();
        }
        NodeTable::of(session, nodes)
            .id()
            .label(Column::new("node", "node"))
            .shape()
            .column(Column::change(["before", "after"], "data"), |row| {
                Cell::Change(self.data_before(&row.node), row.node.data())
            })
            .column(Column::new("sigma", "±"), |row| {
                let before = self.sigmas_before.get(&row.node.id()).copied().flatten();
                let sigma = session.uncertainty(&row.node);
                sigma.map_or(Cell::Empty, |sigma| Cell::change(before, Some(sigma)))
            })
            .column(grad, |row| {
                Cell::change(self.grad_before(&row.node), self.grad(&row.node))
            })
            .names(session)
            .table("changed")
    }
}
