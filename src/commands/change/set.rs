//! `:set a 3`: changes leaves in place, recomputes the nodes above them, and runs the last root's pass again.
//!
//! The session changes and recomputes; this file checks what may be set and chooses the changes that get a row.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::commands::args::resolve::{self, LeafRequest};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::rows::Rows;
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::{Diagnostic, listed};
use crate::graph::{Node, NodeId, Order};
use crate::report::{Block, Cell, Column, Fact, Note, Report, Table, say};
use crate::session::naming::folds::Fold;
use crate::session::{Caption, Moved, Session, Setting, Widths};
use crate::stop;
use crate::syntax::Span;

pub(crate) const COMMAND: Command = Command {
    name: "set",
    aliases: &["s"],
    group: Group::Change,
    entry: (":set a 3", "change a leaf"),
    arguments: &[
        Argument::needed("LEAF VALUE, …", ArgumentKind::Settings)
            .means("leaves and what they become: `a 3`, `a = 3`, `a 3, b a/2`, `a ± 0.1`, `a 3 ± 0.1`"),
        Argument::after("corr", "MATRIX", ArgumentKind::Expression)
            .means("the correlations of these `±`, as a fit leaves them: `a ± 1, b ± 2 corr [[1, 0.5], [0.5, 1]]`"),
    ],
    summary: "change leaves in place and recompute",
    details: "All leaves change at once, their values computed from the old ones; `=` may be written between. Nodes \
              above them are recomputed, the last root's pass runs again, and every node whose data or grad moved is \
              shown. With `;` at the end only the data changes and the grads are stale. A computed node cannot be \
              set: its leaves can. `±` gives a leaf an uncertainty, alone or behind its new value; `± 0` takes it \
              away. Those with `corr` are as a fit leaves them, and go when their leaf moves.",
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
    let (settings, widths, notes) = leaves(session, arguments)?;
    if arguments.silenced {
        let told = session.set_telling(arguments.statement, &settings, widths, |_, _| {});
        return Ok(Reply::default().notes(notes.into_iter().chain(told)));
    }
    let grads = grads_before(session);
    let sigmas = sigmas_before(session, &widths);
    let (moved, told) = session.set_uncertain(arguments.statement, &settings, widths);
    let notes = notes.into_iter().chain(told);
    if let Some(root) = session.pass().map(|pass| Rc::clone(pass.root())) {
        session.backward(&root);
    }
    let report = Changes::of(session, &moved, grads.as_ref(), sigmas).report();
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
    if !wish.leaf.is_leaf() {
        return Err(computed(session, &wish.leaf, wish.word));
    }
    let was_fresh = session
        .pass()
        .is_some_and(|pass| !session.is_stale() && pass.grad(&wish.leaf).is_some());
    let LeafRequest { leaf, data, .. } = wish;
    let setting = data.map(|data| Setting { leaf, data });
    let (moved, told) = session.set(statement, setting.as_slice());
    let mut notes: Vec<Note> = wish.notes.into_iter().chain(told).collect();
    if silenced {
        return Ok(Reply::default().notes(notes));
    }
    if was_fresh && session.is_stale() {
        notes.extend(old_grads(session));
    }
    let report = Changes::of(session, &moved, None, Vec::new()).report();
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

/// The leaves to set, and their new uncertainties; a leaf named twice and a computed node are errors.
fn leaves(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<(Vec<Setting>, Widths, Vec<Note>), Diagnostic> {
    let mut settings = Vec::new();
    let mut widths = Vec::new();
    let mut notes = Vec::new();
    let mut seen = HashSet::new();
    for wish in arguments.settings(session, "LEAF VALUE, …")? {
        let LeafRequest {
            leaf, data, width, ..
        } = wish;
        if !leaf.is_leaf() {
            return Err(match data {
                Some(_) => computed(session, &leaf, wish.word),
                None => follows(session, &leaf, wish.word),
            });
        }
        if !seen.insert(leaf.id()) {
            let word = wish.word.of(arguments.text);
            return Err(Diagnostic::new(format!("`{word}` is set twice")).at(wish.word));
        }
        notes.extend(wish.notes);
        widths.extend(width.map(|width| (Rc::clone(&leaf), width)));
        settings.extend(data.map(|data| Setting { leaf, data }));
    }
    let mut widths = Widths::typed(widths);
    if arguments.stretch("MATRIX").is_some() {
        widths.correlations = Some(correlations(session, arguments, &widths, seen.len())?);
    }
    Ok((settings, widths, notes))
}

/// The correlations behind `corr`, one row for each of the leaves.
fn correlations(
    session: &mut Session,
    arguments: &Arguments,
    widths: &Widths,
    leaves: usize,
) -> Result<Vec<f64>, Diagnostic> {
    let span = arguments.stretch("MATRIX").unwrap_or(arguments.word);
    let count = widths.leaves.len();
    if count < leaves {
        return Err(Diagnostic::new("with `corr` each leaf has an uncertainty")
            .at(span)
            .help("as in `:set a ± 0.1, b ± 0.2 corr [[1, 0.5], [0.5, 1]]`"));
    }
    let (matrix, shape, _) = resolve::measured(session, arguments.text, span)?;
    let wrong = |message: String| {
        let help =
            "a row for each leaf, and in it how the leaf is correlated with each: 1 with itself";
        Err(Diagnostic::new(message).at(span).help(help))
    };
    if shape.lengths().as_deref() != Some(&[count, count]) {
        return wrong(format!(
            "{count} × {count} correlations are expected, this is {shape}"
        ));
    }
    for (row, numbers) in matrix.chunks(count).enumerate() {
        for (column, &number) in numbers.iter().enumerate() {
            let mirrored = matrix[column * count + row];
            if !(number.abs() <= 1.0) || number != mirrored || row == column && number != 1.0 {
                return wrong("these are no correlations".into());
            }
        }
    }
    Ok(matrix)
}

/// `:set y ± 0.1` where `y` is computed.
fn follows(session: &Session, node: &Rc<Node>, word: Span) -> Diagnostic {
    let label = session.label(node);
    if !node.varies() {
        return Diagnostic::new(format!("`{label}` is a constant and has no uncertainty")).at(word);
    }
    Diagnostic::new(format!(
        "a leaf has an uncertainty, and `{label}` is computed"
    ))
    .at(word)
    .help(format!(
        "what is computed has the one that follows: `:budget {label}`"
    ))
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

/// The leaves that get new uncertainties, and those they had.
fn sigmas_before(session: &Session, widths: &Widths) -> Vec<(Rc<Node>, Option<f64>)> {
    let leaves = widths.leaves.iter().map(|(leaf, _)| leaf);
    leaves
        .map(|leaf| (Rc::clone(leaf), session.uncertainty(leaf)))
        .collect()
}

/// The nodes whose data, grad or uncertainty changed.
struct Changes<'s> {
    session: &'s Session,
    /// The pass was run again, so its gradients are shown too.
    swept: bool,
    nodes: Vec<Rc<Node>>,
    data: HashMap<NodeId, f64>,
    grads: Option<&'s HashMap<NodeId, f64>>,
    /// The uncertainties before, of leaves that got others.
    sigmas: HashMap<NodeId, Option<f64>>,
    /// A node that is shown has an uncertainty.
    uncertain: bool,
}

impl<'s> Changes<'s> {
    /// The changed nodes: those of the pass in its order, then other named ones, the newest first.
    fn of(
        session: &'s Session,
        moved: &[Moved],
        grads: Option<&'s HashMap<NodeId, f64>>,
        sigmas: Vec<(Rc<Node>, Option<f64>)>,
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
            uncertain: false,
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
        let known = |node: &Rc<Node>| session.uncertainty(node).is_some();
        changes.uncertain = !changes.sigmas.is_empty()
            || session.has_uncertain() && changes.nodes.iter().any(known);
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
        ];
        if self.uncertain {
            columns.extend([Column::people("±"), Column::machines("sigma")]);
        }
        columns.extend([
            Column::machines("grad_before"),
            Column::machines("grad"),
            Column::machines("names"),
        ]);
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
        cells.extend([Cell::Empty, Cell::Empty]);
        if self.uncertain {
            cells.extend([rows::sigma_range(self.session, &items), Cell::Empty]);
        }
        cells.extend(std::iter::repeat_n(Cell::Empty, 3));
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
        ];
        if self.uncertain {
            let before = self.sigmas.get(&node.id()).copied().flatten();
            let sigma = self.session.uncertainty(node);
            let shown = sigma.map_or(Cell::Empty, |sigma| Cell::change(before, Some(sigma)));
            cells.extend([shown, rows::sigma(self.session, node)]);
        }
        cells.extend([
            Cell::number(grad_before),
            Cell::number(grad),
            rows::names(self.session, node),
        ]);
        if self.swept {
            cells.push(Cell::change(grad_before, grad));
        }
        cells
    }
}
