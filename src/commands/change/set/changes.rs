//! The answer of `:set`: a row for every node whose data, grad or uncertainty changed.

use std::collections::HashMap;
use std::rc::Rc;

use crate::commands::node_table::NodeTable;
use crate::session::Session;
use chainrule_engine::graph::{Node, NodeId, Pass};
use chainrule_report::{Block, Cell, Column, Fact, Report, Table, say};
use chainrule_stop as stop;

/// The nodes whose data, grad or uncertainty changed.
pub(super) struct Changes<'s> {
    session: &'s Session,
    /// Whether the pass was run again, so that gradients are shown too.
    has_grads: bool,
    nodes: Vec<Rc<Node>>,
    data: HashMap<NodeId, f64>,
    grads: Option<&'s HashMap<NodeId, f64>>,
    /// The uncertainties before the change, of leaves that got others.
    sigmas: HashMap<NodeId, Option<f64>>,
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
            data: data.collect(),
            grads,
            sigmas: (sigmas.iter())
                .filter(|(leaf, before)| session.uncertainty(leaf) != *before)
                .map(|(leaf, before)| (leaf.id(), *before))
                .collect(),
        };
        let passed = session.pass().map_or(&[][..], |pass| pass.order().nodes());
        changes.nodes = stop::with_checks(passed.iter())
            .filter(|node| changes.is_changed(node))
            .map(Rc::clone)
            .collect();
        let is_passed = |node: &Rc<Node>, pass: &Pass| pass.order().slot(node).is_some();
        let other = |node: &&Rc<Node>| {
            let pass = session.pass();
            let has_row = pass.is_none_or(|it| !is_passed(node, it) && session.is_named(node));
            has_row && changes.is_changed(node)
        };
        let moved = moved.iter().map(|(node, _)| node);
        let all = moved.chain(sigmas.iter().map(|(leaf, _)| leaf));
        let mut others: Vec<Rc<Node>> = all.filter(other).map(Rc::clone).collect();
        others.sort_by_key(|node| std::cmp::Reverse(node.id()));
        // A leaf may have moved and got an uncertainty.
        others.dedup_by_key(|node| node.id());
        changes.nodes.extend(others);
        changes
    }

    fn data_before(&self, node: &Node) -> f64 {
        let before = self.data.get(&node.id()).copied();
        before.unwrap_or_else(|| node.data())
    }

    fn grad(&self, node: &Node) -> Option<f64> {
        self.session.pass().filter(|_| self.has_grads)?.grad(node)
    }

    fn grad_before(&self, node: &Node) -> Option<f64> {
        self.grads?.get(&node.id()).copied()
    }

    fn is_changed(&self, node: &Node) -> bool {
        let differ = |before: f64, after: f64| before.to_bits() != after.to_bits();
        differ(self.data_before(node), node.data())
            || self.sigmas.contains_key(&node.id())
            || matches!((self.grad_before(node), self.grad(node)), (Some(before), Some(after)) if differ(before, after))
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
                let before = self.sigmas.get(&row.node.id()).copied().flatten();
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
