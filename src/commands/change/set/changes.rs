//! The answer of `:set`: a row for every node whose data, grad or uncertainty changed.

use std::collections::HashMap;
use std::rc::Rc;

use crate::commands::node_table::NodeTable;
use crate::session::Session;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_report::{Block, Cell, Column, Fact, Report, Table, say};
use chainrule_stop as stop;

/// The changed nodes, with what they had before.
pub(super) struct Changes<'s> {
    session: &'s Session,
    /// Whether the pass was run again, so that gradients are shown, too.
    has_grads: bool,
    nodes: Vec<Rc<Node>>,
    data_before: HashMap<NodeId, f64>,
    grads_before: Option<&'s HashMap<NodeId, f64>>,
    /// The old uncertainties of leaves that got new ones.
    sigmas_before: HashMap<NodeId, Option<f64>>,
}

impl<'s> Changes<'s> {
    /// The changed nodes: those of the pass in its order, then other named ones, the newest first.
    pub(super) fn of(
        session: &'s Session,
        moved: &[(Rc<Node>, f64)],
        grads: Option<&'s HashMap<NodeId, f64>>,
        sigmas: &[(Rc<Node>, Option<f64>)],
    ) -> Changes<'s> {
        let data = moved.iter().map(|(node, before)| (node.id(), *before));
        let mut changes = Changes {
            session,
            has_grads: session.pass().is_some() && !session.is_stale(),
            nodes: Vec::new(),
            data_before: data.collect(),
            grads_before: grads,
            sigmas_before: (sigmas.iter())
                .filter(|(leaf, before)| session.uncertainty(leaf) != *before)
                .map(|(leaf, before)| (leaf.id(), *before))
                .collect(),
        };
        let of_pass = session.pass().map_or(&[][..], |pass| pass.order().nodes());
        changes.nodes = stop::with_checks(of_pass.iter())
            .filter(|node| changes.is_changed(node))
            .map(Rc::clone)
            .collect();
        let moved_nodes = moved.iter().map(|(node, _)| node);
        let all = moved_nodes.chain(sigmas.iter().map(|(leaf, _)| leaf));
        let mut others: Vec<Rc<Node>> = all
            .filter(|node| changes.has_other_row(node) && changes.is_changed(node))
            .map(Rc::clone)
            .collect();
        others.sort_by_key(|node| std::cmp::Reverse(node.id()));
        // A leaf may have moved and got an uncertainty.
        others.dedup_by_key(|node| node.id());
        changes.nodes.extend(others);
        changes
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

    pub(super) fn report(&self) -> Report {
        let session = self.session;
        let pass = session.pass().filter(|_| self.has_grads);
        let root = pass.map(|pass| session.label(pass.root()));
        let block = if self.nodes.is_empty() {
            Block::Line(say!("nothing moved"))
        } else {
            Block::Table(self.table())
        };
        let mut facts = vec![("root", root.into())];
        if self.nodes.is_empty() {
            facts.push(("changed", Fact::List(Vec::new())));
        }
        Report {
            is_confirmation: true,
            ..Report::new("set", facts, vec![block])
        }
    }

    fn table(&self) -> Table {
        let session = self.session;
        let mut grad = Column::change(["grad_before", "grad"], "grad").with_sign();
        if !self.has_grads {
            grad = grad.for_programs();
        }
        NodeTable::of(session, self.nodes.as_slice())
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
