//! `:set a 3`: changes leaves in place, recomputes the nodes above them, and runs the last root's pass again.
//!
//! The session changes the leaves and recomputes the nodes. The answer has a row for every node whose data, grad or
//! uncertainty changed.

use std::collections::HashMap;

use crate::command::args::evaluate::not_a_leaf_error;
use crate::command::args::set_values::LeafChanges;
use crate::command::node_table::{NodeTable, TableNode};
use crate::command::prelude::*;
use crate::command::signatures::set::{LEAF, SIGNATURE};
use chainrule_engine::graph::{NodeId, Pass, gradients};
use chainrule_session::{Setting, Widths};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let LeafChanges {
        settings,
        widths,
        notes,
    } = arguments.settings(session, LEAF)?;
    if arguments.is_silenced {
        let nan_note = session.set(&settings, widths, |_, _| {});
        return Ok(Reply::default().with_notes(notes).with_notes(nan_note));
    }
    let sigma_before = |leaf: &Rc<Node>| (Rc::clone(leaf), session.names().uncertain.width(leaf));
    let old_sigmas: Vec<_> = widths.iter().map(|(leaf, _)| sigma_before(leaf)).collect();
    let mut before = Before {
        grads: grads_before(session).unwrap_or_default(),
        ..Before::default()
    };
    let nan_note = session.set(&settings, widths, |node, old_data| {
        before.data.insert(node.id(), (Rc::clone(node), old_data));
    });
    for (leaf, old_sigma) in old_sigmas {
        if session.names().uncertain.width(&leaf) != old_sigma {
            before.sigmas.insert(leaf.id(), (leaf, old_sigma));
        }
    }
    // If only uncertainties change, the pass is not run again: its grads stay right, and a new pass would lose grads that are
    // summed over several passes.
    if !settings.is_empty() && session.pass().is_some() {
        session.repeat_pass();
        // With a `;` at its end, the statement would repeat no pass when a saved session is loaded.
        session.keeping().end = Some("");
    }
    session.note_shown_of_pass(&[]);
    let report = report_changes(session, &before);
    Ok(Reply::show(report).with_notes(notes).with_notes(nan_note))
}

/// Changes a leaf as Python does by `a.data = 3`, and recomputes the nodes above it. No pass is run again, because a
/// step by hand, leaf after leaf, uses the gradients of one pass.
pub(crate) fn assign(
    session: &mut Session,
    is_silenced: bool,
    setting: Setting,
    word: Span,
) -> Result<Reply> {
    let leaf = &setting.leaf;
    if !leaf.is_leaf() {
        return Err(not_a_leaf_error(session, &COMMAND, leaf).at(word));
    }
    let has_grad = session.pass().is_some_and(|it| it.grad(leaf).is_some());
    let has_fresh_grad = has_grad && !session.is_stale();
    session.remember_moved_root(leaf);
    let mut before = Before::default();
    let nan_note = session.set(&[setting], Widths::new(), |node, old_data| {
        if !is_silenced {
            before.data.insert(node.id(), (Rc::clone(node), old_data));
        }
    });
    if is_silenced {
        return Ok(Reply::default().with_notes(nan_note));
    }
    let mut reply = Reply::show(report_changes(session, &before)).with_notes(nan_note);
    let became_stale = has_fresh_grad && session.is_stale();
    if became_stale && let Some(pass) = session.pass() {
        let root = session.label(pass.root());
        reply.notes.push(Note::new(say!(
            "the grads stay those of the old data until `:grad {}`",
            root
        )));
    }
    Ok(reply)
}

/// The numbers before a change.
#[derive(Default)]
struct Before {
    /// The nodes that have moved, with their old data.
    data: HashMap<NodeId, (Rc<Node>, f64)>,
    /// The old gradients, if the pass is run again.
    grads: HashMap<NodeId, f64>,
    /// The leaves that have got another uncertainty, with their old ones.
    sigmas: HashMap<NodeId, (Rc<Node>, Option<f64>)>,
}

/// Returns the gradients before the change, by node: those of the last pass, or of a new one if data has changed since.
fn grads_before(session: &Session) -> Option<HashMap<NodeId, f64>> {
    let pass = session.pass()?;
    let ids = pass.order().nodes().iter().map(|node| node.id());
    if session.is_stale() {
        let grads = gradients(pass.order(), pass.root(), |_| {});
        return Some(ids.zip(grads).collect());
    }
    Some(ids.zip(pass.grads().iter().copied()).collect())
}

/// Returns the report of a change that has been made.
fn report_changes(session: &Session, before: &Before) -> Report {
    let comparison = SetComparison {
        session,
        before,
        fresh_pass: (session.pass().map(Rc::as_ref)).filter(|_| !session.is_stale()),
    };
    let nodes = comparison.changed_nodes();
    let root = comparison.fresh_pass.map(|pass| session.label(pass.root()));
    let mut facts = vec![("root", root.into())];
    let block = if nodes.is_empty() {
        facts.push(("changed", Fact::List(Vec::new())));
        Block::Line(say!("nothing moved"))
    } else {
        Block::Table(comparison.table(&nodes))
    };
    Report::new(&COMMAND, facts, vec![block]).as_confirmation()
}

/// Compares the present numbers of nodes with those before a change.
struct SetComparison<'s> {
    session: &'s Session,
    /// The last pass, if its gradients are those of the present data, so that they are shown, too.
    fresh_pass: Option<&'s Pass>,
    before: &'s Before,
}

impl SetComparison<'_> {
    /// The changed nodes. After a pass: first the nodes of the pass, in its order, then other nodes that have names,
    /// the newest first. If there has been no pass: all changed nodes, the newest first.
    fn changed_nodes(&self) -> Vec<Rc<Node>> {
        // A pass that is out of date still gives the order.
        let order = self.session.pass().map(|pass| pass.order());
        let of_pass = order.map_or(&[][..], Order::nodes);
        let changed = stop::with_checks(of_pass.iter()).filter(|node| self.is_changed(node));
        let mut nodes: Vec<Rc<Node>> = changed.cloned().collect();
        let is_shown_behind = |node: &Rc<Node>| {
            order.is_none_or(|it| it.slot(node).is_none() && self.session.names().has_any(node))
        };
        let moved = self.before.data.values().map(|(node, _)| node);
        let candidates = moved.chain(self.before.sigmas.values().map(|(leaf, _)| leaf));
        let others = candidates.filter(|node| is_shown_behind(node) && self.is_changed(node));
        let nodes_of_pass = nodes.len();
        nodes.extend(others.cloned());
        nodes[nodes_of_pass..].sort_by_key(|node| std::cmp::Reverse(node.id()));
        // A leaf may have moved and got an uncertainty.
        nodes.dedup_by_key(|node| node.id());
        nodes
    }

    fn grad(&self, node: &Node) -> Option<f64> {
        self.fresh_pass?.grad(node)
    }

    fn grad_before(&self, node: &Node) -> Option<f64> {
        self.before.grads.get(&node.id()).copied()
    }

    fn data_before(&self, node: &Node) -> f64 {
        let moved = self.before.data.get(&node.id());
        moved.map_or(node.data(), |(_, data)| *data)
    }

    fn is_changed(&self, node: &Node) -> bool {
        // By bits: NaN equals NaN, and -0 differs from 0.
        let differ = |before: f64, after: f64| before.to_bits() != after.to_bits();
        let grads = self.grad_before(node).zip(self.grad(node));
        differ(self.data_before(node), node.data())
            || self.before.sigmas.contains_key(&node.id())
            || grads.is_some_and(|(before, after)| differ(before, after))
    }

    fn table(&self, nodes: &[Rc<Node>]) -> Table {
        let session = self.session;
        let mut grad = Column::change(["grad_before", "grad"], "grad").with_sign();
        if self.fresh_pass.is_none() {
            grad = grad.for_programs();
        }
        let data = |row: &TableNode| Cell::Change(self.data_before(&row.node), row.node.data());
        let grads =
            |row: &TableNode| Cell::change(self.grad_before(&row.node), self.grad(&row.node));
        NodeTable::of_labels(session, nodes, "node")
            .values(Column::change(["before", "after"], "data"), data)
            .column(Column::new("sigma", "±"), |row| {
                let before = (self.before.sigmas.get(&row.node.id())).and_then(|it| it.1);
                let sigma = session.names().uncertain.width(&row.node);
                sigma.map_or(Cell::Empty, |sigma| Cell::change(before, Some(sigma)))
            })
            .column(grad, grads)
            .names(session)
            .table("changed")
    }
}
