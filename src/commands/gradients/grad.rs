//! `:grad T`: zeroes the gradients, runs backward from T, and shows every node below it, T first.
//!
//! Also contains the table shared with `:backward`, and the error for differentiating a constant.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::rc::Rc;

use super::bars;
use crate::commands::args::resolve::PassTarget;
use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::rows::Rows;
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, Order, Pass, first_not_finite};
use crate::report::{Block, Cell, Column, Note, Report, RowSource, Table, TableRows, dim, say};
use crate::session::by_hand::guesses::Quantity;
use crate::session::naming::folds::Fold;
use crate::session::{Caption, Session};

pub(crate) const COMMAND: Command = Command {
    name: "grad",
    aliases: &["g", "gr"],
    group: Group::Differentiate,
    looks: false,
    entry: (":grad L", "every gradient of L"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression)
            .means("where the pass starts: any expression; by default, what was shown last")
            .varying(),
        Argument::optional("FILE", ArgumentKind::File)
            .means("the bars, or the table: `.svg .png .csv .md`")
            .offering(Offers::Files(|| vec!["svg", "png"])),
        Argument::flag("bars").means("as bars, the largest first"),
        Argument::after("wrt", "NODE", ArgumentKind::Nodes),
    ],
    summary: "the gradient of T with respect to each node below it",
    page: page!("commands/grad"),
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
    let file = arguments.file("FILE")?;
    session.backward(&target.node);
    if file.is_some() || !arguments.words("bars").is_empty() && !arguments.silenced {
        let notes = notes(session, &target, only.is_empty());
        return Ok(bars::show(session, &target, &only, file)?.notes(notes));
    }
    Ok(show(
        session,
        arguments,
        &target,
        if only.is_empty() {
            Listed::Pass
        } else {
            Listed::Picked(only)
        },
    ))
}

/// The nodes of a table of gradients.
pub(crate) enum Listed {
    /// All nodes of the pass.
    Pass,
    /// Only these.
    Part(Order),
    /// Those that the user has asked for, each in a row of its own.
    Picked(Vec<Rc<Node>>),
}

/// Makes the rows of a table of gradients.
struct GradRows {
    pass: Rc<Pass>,
    listed: Listed,
    rows: Rows,
    first: Option<Rc<Node>>,
    /// How many passes the grads are the sum of, at most.
    passes: usize,
    /// And each of them, by place, if they differ.
    each: Vec<usize>,
}

impl GradRows {
    fn of(session: &Session, pass: &Rc<Pass>, listed: Listed) -> GradRows {
        let nodes = listed.nodes(pass);
        let rows = match listed {
            Listed::Picked(_) => Rows::each(session, nodes),
            _ => Rows::of(session, nodes),
        };
        let mut each = match pass.roots() {
            [_] => Vec::new(),
            _ => pass.sweeps_of(nodes),
        };
        let passes = each.iter().copied().max().unwrap_or(1);
        if each.iter().all(|own| *own == passes) {
            each.clear();
        }
        GradRows {
            pass: Rc::clone(pass),
            rows,
            passes,
            each,
            listed,
            first: first_not_finite(pass.order().nodes()).cloned(),
        }
    }

    fn grad(&self, node: &Node) -> f64 {
        self.pass.grad(node).unwrap_or(0.0)
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns = columns();
        columns.extend((!self.each.is_empty()).then(|| Column::new("passes", "passes")));
        columns
    }

    fn row(&self, caption: Caption, place: usize, node: &Rc<Node>) -> Vec<Cell> {
        let kind = rows::kind(node, &caption);
        let mut cells = vec![
            Cell::Count(u64::from(node.id())),
            Cell::Name(caption.label),
            kind,
            Cell::Formula(caption.expression),
            rows::op(node),
            rows::operands(node),
            rows::data(node, self.first.as_ref()),
            Cell::Number(self.grad(node)),
            Cell::Flag(node.is_leaf()),
            Cell::Flag(node.is_free()),
            rows::names(&self.rows.names, node),
        ];
        let own = self.each.get(place);
        cells.extend(own.map(|own| match own.cmp(&self.passes) {
            Ordering::Equal => Cell::Empty,
            _ => Cell::Count(*own as u64),
        }));
        cells
    }

    /// The row of a list: its shape and the ranges of its data and grads.
    fn list_row(&self, fold: &Fold, nodes: &[Rc<Node>]) -> Vec<Cell> {
        let items: Vec<&Rc<Node>> = fold.places.iter().map(|&place| &nodes[place]).collect();
        let own = fold.places.iter().filter_map(|&place| self.each.get(place));
        self.columns()
            .iter()
            .map(|column| match (column.title.as_str(), column.key) {
                ("node", _) => rows::list_name(fold),
                ("expression", _) => rows::shape(fold),
                ("data", _) => rows::data_range(&items, self.first.as_ref()),
                ("grad", _) => Cell::range(items.iter().map(|node| self.grad(node))),
                ("passes", _) => Cell::range(own.clone().map(|own| *own as f64)),
                _ => Cell::Empty,
            })
            .collect()
    }
}

impl RowSource for GradRows {
    fn count(&self) -> usize {
        self.rows.count
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Cell>> + '_> {
        let nodes = self.listed.nodes(&self.pass);
        Box::new(self.rows.cells(
            nodes,
            |place, caption| self.row(caption, place, &nodes[place]),
            |fold| self.list_row(fold, nodes),
        ))
    }
}

impl Listed {
    fn nodes<'n>(&'n self, pass: &'n Pass) -> &'n [Rc<Node>] {
        match self {
            Listed::Pass => pass.order().nodes(),
            Listed::Part(order) => order.nodes(),
            Listed::Picked(nodes) => nodes,
        }
    }
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
    let is_whole = matches!(listed, Listed::Pass);
    let rows = Rc::new(GradRows::of(session, pass, listed));
    let table = Table {
        key: "rows",
        columns: rows.columns(),
        omitted: rows.rows.omitted(),
        rows: TableRows::Made(rows.clone()),
    };
    let passes = rows.passes;
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
        ("root", session.label(&target.node).into()),
        ("data", target.node.data().into()),
        ("passes", passes.into()),
    ];
    let report = Report::new("grad", facts, blocks);
    let notes = notes(session, target, is_whole);
    if passes == 1 {
        let shown = rows.rows.nodes(rows.listed.nodes(&rows.pass));
        let numbers = shown.map(|node| (node.id(), rows.grad(node)));
        session.answers_shown(&target.node, Quantity::Grad, numbers);
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
