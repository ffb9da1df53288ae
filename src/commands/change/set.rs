//! `:set a 3`: changes leaves in place, recomputes the nodes above them, and runs the last root's pass again.
//!
//! The session changes and recomputes; this file checks what may be set and chooses the changes that get a row.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::commands::args::resolve::LeafRequest;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::rows::Rows;
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::{Diagnostic, listed};
use crate::graph::{Node, NodeId, Order};
use crate::report::{Block, Cell, Column, Fact, Note, Report, Table, say};
use crate::session::naming::folds::Fold;
use crate::session::{Caption, Moved, Session, Setting};
use crate::stop;
use crate::syntax::Span;

pub(crate) const COMMAND: Command = Command {
    name: "set",
    aliases: &["s"],
    group: Group::Change,
    entry: (":set a 3", "change a leaf"),
    arguments: &[Argument::needed("LEAF VALUE, …", ArgumentKind::Settings)
        .means("leaves and what they become: `a 3`, `a = 3`, `a 3, b a/2`")],
    summary: "change leaves in place and recompute",
    details: "All leaves change at once, their values computed from the old ones; `=` may be written between. Nodes \
              above them are recomputed, the last root's pass runs again, and every node whose data or grad moved is \
              shown. With `;` at the end only the data changes and the grads are stale. A computed node cannot be \
              set: its leaves can.",
    example: "
∂> a, b, c = 2, -3, 10
a = 2, b = -3, c = 10
∂> L = a*b + c
L = 4
∂> :grad L
  node   expression   data   grad
  L      a*b + c         4      1
  a*b                   -6      1
  c      leaf           10      1
  b      leaf           -3      2
  a      leaf            2     -3
∂> :set a 3
  node   data        grad
  L         4 →  1      1
  a*b      -6 → -9      1
  b        -3           2 → 3
  a         2 →  3     -3
∂> :set a 1, b a/2
  node   data          grad
  L         1 → 11.5      1
  a*b      -9 →  1.5      1
  b        -3 →  1.5      3 → 1
  a         3 →  1       -3 → 1.5
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let (settings, notes) = leaves(session, arguments)?;
    if arguments.silenced {
        let note = session.set_telling(arguments.statement, &settings, |_, _| {});
        return Ok(Reply::default().notes(notes.into_iter().chain(note)));
    }
    let grads = grads_before(session);
    let (moved, note) = session.set(arguments.statement, &settings);
    let notes = notes.into_iter().chain(note);
    if let Some(root) = session.pass().map(|pass| Rc::clone(pass.root())) {
        session.backward(&root);
    }
    let report = Changes::of(session, &moved, grads.as_ref()).report();
    Ok(Reply::show(report).notes(notes))
}

/// `a.data = 3`, as in Python: the leaf changes and what is above it is recomputed, but no pass is run again, because a
/// step taken by hand, leaf after leaf, uses the gradients of one pass.
pub(crate) fn assign(
    session: &mut Session,
    statement: &str,
    silenced: bool,
    wish: LeafRequest,
) -> Result<Reply, Diagnostic> {
    if !wish.setting.leaf.is_leaf() {
        return Err(computed(session, &wish.setting.leaf, wish.word));
    }
    let was_fresh = session
        .pass()
        .is_some_and(|pass| !session.is_stale() && pass.grad(&wish.setting.leaf).is_some());
    let (moved, note) = session.set(statement, &[wish.setting]);
    let mut notes: Vec<Note> = wish.notes.into_iter().chain(note).collect();
    if silenced {
        return Ok(Reply::default().notes(notes));
    }
    if was_fresh && session.is_stale() {
        notes.extend(old_grads(session));
    }
    let report = Changes::of(session, &moved, None).report();
    Ok(Reply::show(report).notes(notes))
}

/// The note after `a.data = 3` that the grads belong to the old data.
fn old_grads(session: &Session) -> Option<Note> {
    let root = session.pass()?.root();
    Some(Note::new(say!(
        "the grads stay those of the old data until `:grad {}`",
        session.label(root)
    )))
}

/// The leaves to set; a leaf named twice and a computed node are errors.
fn leaves(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<(Vec<Setting>, Vec<Note>), Diagnostic> {
    let mut settings = Vec::new();
    let mut notes = Vec::new();
    let mut seen = HashSet::new();
    for wish in arguments.settings(session, "LEAF VALUE, …")? {
        if !wish.setting.leaf.is_leaf() {
            return Err(computed(session, &wish.setting.leaf, wish.word));
        }
        if !seen.insert(wish.setting.leaf.id()) {
            let word = wish.word.of(arguments.text);
            return Err(Diagnostic::new(format!("`{word}` is set twice")).at(wish.word));
        }
        notes.extend(wish.notes);
        settings.push(wish.setting);
    }
    Ok((settings, notes))
}

/// The error for setting a computed node: it names the leaves that can be set instead.
fn computed(session: &Session, node: &Rc<Node>, word: Span) -> Diagnostic {
    let label = session.label(node);
    let order = Order::below([node]);
    let leaves: Vec<String> = order
        .nodes()
        .iter()
        .rev()
        .filter(|node| node.is_leaf())
        .take(9)
        .map(|leaf| session.label(leaf))
        .collect();
    let expression = session.expression(node);
    let first = leaves.first().map_or("", String::as_str);
    let more = if leaves.len() > 8 { ", …" } else { "" };
    if leaves.is_empty() {
        return Diagnostic::new(format!("`{label}` is a constant and cannot be set")).at(word);
    }
    let plural = if leaves.len() == 1 {
        "its leaf is"
    } else {
        "its leaves are"
    };
    let computed = if expression == label {
        String::new()
    } else {
        format!(" from `{expression}`")
    };
    Diagnostic::new(format!("`{label}` is computed{computed} and cannot be set"))
        .at(word)
        .help(format!(
            "{plural} {}{more}: as in `:set {first} VALUE`",
            listed(leaves.iter().take(8))
        ))
}

/// The gradients of the last pass, by node.
fn grads_before(session: &Session) -> Option<HashMap<NodeId, f64>> {
    let pass = session.pass()?;
    let ids = pass.order().nodes().iter().map(|node| node.id());
    Some(ids.zip(pass.grads().iter().copied()).collect())
}

/// The nodes whose data or grad changed.
struct Changes<'s> {
    session: &'s Session,
    /// The pass was run again, so its gradients are shown too.
    swept: bool,
    nodes: Vec<Rc<Node>>,
    data: HashMap<NodeId, f64>,
    grads: Option<&'s HashMap<NodeId, f64>>,
}

impl<'s> Changes<'s> {
    /// The changed nodes: those of the pass in its order, then other named ones, the newest first.
    fn of(
        session: &'s Session,
        moved: &[Moved],
        grads: Option<&'s HashMap<NodeId, f64>>,
    ) -> Changes<'s> {
        let data = moved.iter().map(|moved| (moved.node.id(), moved.before));
        let mut changes = Changes {
            session,
            swept: session.pass().is_some() && !session.is_stale(),
            nodes: Vec::new(),
            data: data.collect(),
            grads,
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
        let others = moved.iter().map(|moved| &moved.node).filter(other);
        let mut others: Vec<Rc<Node>> = others.map(Rc::clone).collect();
        others.sort_by_key(|node| std::cmp::Reverse(node.id()));
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
            || matches!((self.grad_before(node), self.grad(node)), (Some(before), Some(after)) if differ(before, after))
    }

    fn report(&self) -> Report {
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
                columns: self.columns(),
                omitted: rows.omitted(),
                rows: rows.cells(
                    |place, caption| self.row(caption, &self.nodes[place]),
                    |fold| self.list_row(fold),
                ),
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

    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![
            Column::machines("id"),
            Column::new("node", "node"),
            Column::people(""),
            Column::people("data"),
            Column::machines("before"),
            Column::machines("after"),
            Column::machines("grad_before"),
            Column::machines("grad"),
            Column::machines("names"),
        ];
        if self.swept {
            columns.push(Column::people("grad"));
        }
        columns
    }

    /// The row of a list: how much of it moved, and the ranges that its data and grads have now.
    fn list_row(&self, fold: &Fold) -> Vec<Cell> {
        let items: Vec<&Rc<Node>> = fold
            .places
            .iter()
            .map(|&place| &self.nodes[place])
            .collect();
        let mut cells = vec![Cell::Empty, rows::list_name(fold), rows::shape(fold)];
        cells.push(rows::data_range(&items, None));
        cells.extend(std::iter::repeat_n(Cell::Empty, 5));
        if self.swept {
            cells.push(Cell::range(items.iter().filter_map(|node| self.grad(node))));
        }
        cells
    }

    fn row(&self, caption: Caption, node: &Rc<Node>) -> Vec<Cell> {
        let (before, after) = (self.data_before(node), node.data());
        let (grad_before, grad) = (self.grad_before(node), self.grad(node));
        let mut cells = vec![
            Cell::Count(u64::from(node.id())),
            Cell::Name(caption.label),
            Cell::Empty,
            Cell::Change(before, after),
            Cell::Number(before),
            Cell::Number(after),
            Cell::number(grad_before),
            Cell::number(grad),
            rows::names(self.session, node),
        ];
        if self.swept {
            cells.push(Cell::change(grad_before, grad));
        }
        cells
    }
}
