//! The answer of `:set`: a row for every node whose data, grad or uncertainty changed.
//!
//! Nothing is changed here.

use std::collections::HashMap;
use std::rc::Rc;

use crate::commands::rows::{self, Rows};
use crate::graph::{Node, NodeId};
use crate::report::{Block, Cell, Column, Fact, Report, Table, say};
use crate::session::naming::folds::Fold;
use crate::session::{Caption, Moved, Session};
use crate::stop;

/// The nodes whose data, grad or uncertainty changed.
pub(super) struct Changes<'s> {
    session: &'s Session,
    /// The pass was run again, so its gradients are shown too.
    swept: bool,
    nodes: Vec<Rc<Node>>,
    data: HashMap<NodeId, f64>,
    grads: Option<&'s HashMap<NodeId, f64>>,
    /// The uncertainties before, of leaves that got others.
    sigmas: HashMap<NodeId, Option<f64>>,
}

impl<'s> Changes<'s> {
    /// The changed nodes: those of the pass in its order, then other named ones, the newest first.
    pub(super) fn of(
        session: &'s Session,
        moved: &[Moved],
        grads: Option<&'s HashMap<NodeId, f64>>,
        sigmas: &[(Rc<Node>, Option<f64>)],
    ) -> Changes<'s> {
        let data = moved.iter().map(|moved| (moved.node.id(), moved.before));
        let mut changes = Changes {
            session,
            swept: session.pass().is_some() && !session.is_stale(),
            nodes: Vec::new(),
            data: data.collect(),
            grads,
            sigmas: (sigmas.iter())
                .filter(|(leaf, before)| session.uncertainty(leaf) != *before)
                .map(|(leaf, before)| (leaf.id(), *before))
                .collect(),
        };
        let passed = session.pass().map_or(&[][..], |pass| pass.order().nodes());
        changes.nodes = stop::asking(passed.iter())
            .filter(|node| changes.has_moved(node))
            .map(Rc::clone)
            .collect();
        let other = |node: &&Rc<Node>| {
            let shown = session
                .pass()
                .is_none_or(|pass| pass.order().position(node).is_none() && session.is_named(node));
            shown && changes.has_moved(node)
        };
        let widened = sigmas.iter().map(|(leaf, _)| leaf);
        let others = moved
            .iter()
            .map(|moved| &moved.node)
            .chain(widened)
            .filter(other);
        let mut others: Vec<Rc<Node>> = others.map(Rc::clone).collect();
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
        self.session.pass().filter(|_| self.swept)?.grad(node)
    }

    fn grad_before(&self, node: &Node) -> Option<f64> {
        self.grads?.get(&node.id()).copied()
    }

    fn has_moved(&self, node: &Node) -> bool {
        let differ = |before: f64, after: f64| before.to_bits() != after.to_bits();
        differ(self.data_before(node), node.data())
            || self.sigmas.contains_key(&node.id())
            || matches!((self.grad_before(node), self.grad(node)), (Some(before), Some(after)) if differ(before, after))
    }

    pub(super) fn report(&self) -> Report {
        let session = self.session;
        let root = session
            .pass()
            .filter(|_| self.swept)
            .map(|pass| session.label(pass.root()));
        let block = if self.nodes.is_empty() {
            Block::Line(say!("nothing moved"))
        } else {
            let rows = Rows::of(session, &self.nodes);
            Block::Table(Table {
                key: "changed",
                columns: columns(),
                omitted: rows.omitted(),
                rows: rows
                    .cells(
                        &self.nodes,
                        |place, caption| self.row(caption, &self.nodes[place]),
                        |fold| self.list_row(fold),
                    )
                    .collect(),
            })
        };
        let mut facts = vec![("root", root.map_or(Fact::Null, Fact::Text))];
        if self.nodes.is_empty() {
            facts.push(("changed", Fact::List(Vec::new())));
        }
        Report {
            confirmation: true,
            ..Report::new("set", facts, vec![block])
        }
    }

    /// The row of a list: how much of it moved, and the ranges that its data and grads have now.
    fn list_row(&self, fold: &Fold) -> Vec<Cell> {
        let places = fold.places.iter();
        let items: Vec<&Rc<Node>> = places.map(|&place| &self.nodes[place]).collect();
        let grads = items.iter().filter_map(|node| self.grad(node));
        vec![
            Cell::Empty,
            rows::list_name(fold),
            rows::shape(fold),
            rows::data_range(&items, None),
            Cell::Empty,
            Cell::Empty,
            rows::sigma_range(self.session.names(), &items),
            Cell::Empty,
            Cell::Empty,
            Cell::Empty,
            Cell::Empty,
            self.if_swept(Cell::range(grads)),
        ]
    }

    fn row(&self, caption: Caption, node: &Rc<Node>) -> Vec<Cell> {
        let (before, after) = (self.data_before(node), node.data());
        let (grad_before, grad) = (self.grad_before(node), self.grad(node));
        let sigma_before = self.sigmas.get(&node.id()).copied().flatten();
        let sigma = self.session.uncertainty(node);
        vec![
            Cell::Count(u64::from(node.id())),
            Cell::Name(caption.label),
            Cell::Empty,
            Cell::Change(before, after),
            Cell::Number(before),
            Cell::Number(after),
            sigma.map_or(Cell::Empty, |sigma| Cell::change(sigma_before, Some(sigma))),
            rows::sigma(self.session.names(), node),
            Cell::number(grad_before),
            Cell::number(grad),
            rows::names(self.session.names(), node),
            self.if_swept(Cell::change(grad_before, grad)),
        ]
    }

    /// A cell of gradients; empty unless a pass was run.
    fn if_swept(&self, cell: Cell) -> Cell {
        if self.swept { cell } else { Cell::Empty }
    }
}

/// The columns; those in which all cells are empty are not shown.
fn columns() -> Vec<Column> {
    vec![
        Column::machines("id"),
        Column::new("node", "node"),
        Column::people(""),
        Column::people("data"),
        Column::machines("before"),
        Column::machines("after"),
        Column::people("±"),
        Column::machines("sigma"),
        Column::machines("grad_before"),
        Column::machines("grad"),
        Column::machines("names"),
        Column::grads_for_people("grad"),
    ]
}
