//! `:grad T`: zeroes the gradients, runs backward from T, and shows every node below it, T first.
//!
//! Also contains the table shared with `:backward`, and the error for differentiating a constant.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use super::bars;
use crate::commands::args::resolve::PassTarget;
use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::rows::Rows;
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, Pass, first_not_finite};
use crate::report::{Block, Cell, Column, Fact, Note, Report, Table, dim, say};
use crate::session::by_hand::guesses::Quantity;
use crate::session::naming::folds::Fold;
use crate::session::{Caption, Session};

pub(crate) const COMMAND: Command = Command {
    name: "grad",
    aliases: &["g", "gr"],
    group: Group::Differentiate,
    entry: (":grad L", "every gradient of L"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression)
            .means("where the pass starts: any expression; by default, what was shown last"),
        Argument::optional("FILE", ArgumentKind::File)
            .means("the bars, or the table: `.svg .png .csv .md .tex`")
            .offering(Offers::Tables(|| vec!["svg", "png"])),
        Argument::flag("bars").means("as bars, the largest first"),
        Argument::after("wrt", "NODE", ArgumentKind::Nodes),
    ],
    summary: "the gradient of T with respect to each node below it",
    details: "Clears earlier gradients, runs the backward pass from T and shows each node with its expression, data \
              and grad, T first. `wrt` shows only the nodes you name; a node that T does not depend on has grad 0. \
              `bars` draws the gradients below T, the largest first; if some are 1,000 times as large as others, the \
              lengths are logarithmic. A file that ends in `.svg` or `.png` gets the bars, at most 40. To get one grad \
              as a node of its own, write `grad(T, a)`: see `:help derivatives`.",
    example: "
∂> a, b = 2, -3
a = 2, b = -3
∂> L = a*b + a
L = -4
∂> :grad L
  node   expression   data   grad
  L      a*b + a        -4      1
  a*b                   -6      1
  b      leaf           -3      2
  a      leaf            2     -2
∂> :grad L wrt a
  node   expression   data   grad
  a      leaf            2     -2
∂> :grad L bars
  node   data   grad
  b        -3      2                   │████████████████
  a         2     -2   ████████████████│
  a*b      -6      1                   │████████
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.target(session, "T")?;
    let mut only: Vec<Rc<Node>> = Vec::new();
    let mut seen = HashSet::new();
    for (node, _) in arguments.nodes(session, "NODE")? {
        // Two names of the same node are one row.
        if seen.insert(node.id()) {
            only.push(node);
        }
    }
    has_leaf(session, arguments, &target)?;
    let file = arguments.file("FILE")?;
    session.backward(&target.node);
    if file.is_some() || !arguments.words("bars").is_empty() && !arguments.silenced {
        let notes = notes(session, &target, only.is_empty());
        return Ok(bars::show(session, &target, &only, file).notes(notes));
    }
    Ok(show(
        session,
        arguments,
        &target,
        if only.is_empty() {
            Listed::Pass
        } else {
            Listed::Picked(&only)
        },
    ))
}

/// A target without a leaf below it cannot be differentiated.
pub(crate) fn has_leaf(
    session: &Session,
    arguments: &Arguments,
    target: &PassTarget,
) -> Result<(), Diagnostic> {
    if target.node.varies() {
        return Ok(());
    }
    let span = arguments
        .words("T")
        .iter()
        .copied()
        .reduce(crate::syntax::Span::to)
        .unwrap_or(arguments.word);
    Err(Diagnostic::new(format!(
        "`{}` has no leaf below it to differentiate by",
        session.label(&target.node)
    ))
    .at(span)
    .help("name its numbers, as in `a = 2`, and use the names"))
}

/// The nodes of a table of gradients.
#[derive(Clone, Copy)]
pub(crate) enum Listed<'n> {
    /// All nodes of the pass.
    Pass,
    /// Only these.
    Part(&'n [Rc<Node>]),
    /// Those that the user has asked for, each in a row of its own.
    Picked(&'n [Rc<Node>]),
}

/// The table of the last pass.
pub(crate) fn show(
    session: &mut Session,
    arguments: &Arguments,
    target: &PassTarget,
    listed: Listed,
) -> Reply {
    let Some(pass) = session.pass().filter(|_| !arguments.silenced) else {
        return Reply::default().notes(target.notes.clone());
    };
    let (nodes, rows) = match listed {
        Listed::Pass => (
            pass.order().nodes(),
            Rows::of(session, pass.order().nodes()),
        ),
        Listed::Part(nodes) => (nodes, Rows::of(session, nodes)),
        Listed::Picked(nodes) => (nodes, Rows::each(session, nodes)),
    };
    let first = first_not_finite(pass.order().nodes());
    let numbers = RefCell::new(Vec::new());
    let table = Table {
        key: "rows",
        columns: columns(),
        omitted: rows.omitted(),
        rows: rows.cells(
            |place, caption| {
                let grad = pass.grad(&nodes[place]).unwrap_or(0.0);
                numbers.borrow_mut().push((nodes[place].id(), grad));
                row(session, caption, &nodes[place], grad, first)
            },
            |fold| list_row(pass, fold, nodes, first),
        ),
    };
    let passes = pass.roots().len();
    let mut blocks = Vec::new();
    if target.taken {
        let label = session.label(&target.node);
        blocks.push(Block::Line(dim(say!("of {:name}", label))));
    }
    blocks.push(Block::Table(table));
    if passes > 1 {
        blocks.push(Block::Line(say!(
            "the grads are the sum of {} passes; `:zero` forgets them (`:wrong nozero` differs)",
            passes
        )));
    }
    let facts = vec![
        ("root", Fact::Text(session.label(&target.node))),
        ("data", Fact::Number(target.node.data())),
        ("passes", Fact::Count(passes as u64)),
    ];
    let report = Report::new("grad", facts, blocks);
    let notes = notes(session, target, matches!(listed, Listed::Pass));
    if passes == 1 {
        session.answers_shown(&target.node, Quantity::Grad, numbers.into_inner());
    }
    Reply::show(report).notes(notes)
}

/// The notes of a target. After `x = 2/3`, `:grad x` shows nothing but x, so one says why.
fn notes(session: &Session, target: &PassTarget, is_whole: bool) -> Vec<Note> {
    let mut notes = target.notes.clone();
    if is_whole && target.node.is_leaf() {
        notes.push(Note::new(say!(
            "{:name} is a leaf: naming the numbers it was made from would show their gradients",
            session.label(&target.node)
        )));
    }
    notes
}

fn columns() -> Vec<Column> {
    vec![
        Column::machines("id"),
        Column::new("node", "node"),
        Column::people("expression").rank(1),
        Column::machines("expression"),
        Column::machines("op"),
        Column::machines("operands"),
        Column::new("data", "data"),
        Column::grads("grad"),
        Column::machines("leaf"),
        Column::machines("free"),
        Column::machines("names"),
    ]
}

fn row(
    session: &Session,
    caption: Caption,
    node: &Rc<Node>,
    grad: f64,
    first: Option<&Rc<Node>>,
) -> Vec<Cell> {
    let kind = rows::kind(node, &caption);
    vec![
        Cell::Count(u64::from(node.id())),
        Cell::Name(caption.label),
        kind,
        Cell::Formula(caption.expression),
        rows::op(node),
        rows::operands(node),
        rows::data(node, first),
        Cell::Number(grad),
        Cell::Flag(node.is_leaf()),
        Cell::Flag(node.is_free()),
        rows::names(session, node),
    ]
}

/// The row of a list: its shape and the ranges of its data and grads.
fn list_row(pass: &Pass, fold: &Fold, nodes: &[Rc<Node>], first: Option<&Rc<Node>>) -> Vec<Cell> {
    let items: Vec<&Rc<Node>> = fold.places.iter().map(|&place| &nodes[place]).collect();
    let grads = items.iter().map(|node| pass.grad(node).unwrap_or(0.0));
    columns()
        .iter()
        .map(|column| match (column.title.as_str(), column.key) {
            ("node", _) => rows::list_name(fold),
            ("expression", _) => rows::shape(fold),
            ("data", _) => rows::data_range(&items, first),
            ("grad", _) => Cell::range(grads.clone()),
            _ => Cell::Empty,
        })
        .collect()
}
