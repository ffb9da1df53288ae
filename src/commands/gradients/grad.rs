//! `:grad T`: zeroes the gradients, runs backward from T, and shows every node below it, T first. `:backward T` adds its
//! gradients to the existing ones, as happens when zeroing is forgotten, and shows the same table.

use std::rc::Rc;

use super::bars;
use crate::commands::args::target::PassTarget;
use crate::commands::node_table::{NodeTable, TableNode};
use crate::commands::prelude::*;
use crate::commands::signatures::backward;
use crate::commands::signatures::grad::{BARS, SIGNATURE, T, WRT};
use chainrule_engine::graph::{Node, Order, Pass, first_not_finite};
use chainrule_report::{Block, Cell, Column, Note, Report, say};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

pub(crate) static BACKWARD: Command = Command::new(backward::SIGNATURE, accumulate, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.pass_target(session, T)?;
    let only = arguments.nodes(session, WRT)?;
    session.backward(&target.node);
    if arguments.has(BARS) && !arguments.is_silenced {
        let notes = notes(session, &target, only.is_empty());
        return Ok(bars::show(session, &target, &only).with_notes(notes));
    }
    let selection = match only.as_slice() {
        [] => NodeSelection::Pass,
        _ => NodeSelection::Picked(only),
    };
    Ok(show(session, arguments, &target, selection))
}

fn accumulate(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.pass_target(session, backward::T)?;
    session.accumulate(&target.node);
    let elsewhere = |root: &Rc<Node>| !Rc::ptr_eq(root, &target.node);
    // A silenced statement does not ask for the sum, which may take long.
    let pass = session.pass().filter(|_| !arguments.is_silenced);
    let listed = match pass {
        // Running a cell again creates new nodes; the old ones were reached by an earlier pass only and are not listed.
        Some(pass) if pass.roots().iter().any(elsewhere) => {
            NodeSelection::Part(Order::below([&target.node]))
        }
        _ => NodeSelection::Pass,
    };
    Ok(show(session, arguments, &target, listed))
}

/// The nodes of a table of gradients.
enum NodeSelection {
    /// All nodes of the pass.
    Pass,
    /// Only these.
    Part(Order),
    /// Those that the user has asked for, each in a row of its own.
    Picked(Vec<Rc<Node>>),
}

/// How many passes the grads of these nodes sum up: the most, and the number for each node if they differ.
fn passes(pass: &Pass, nodes: &[Rc<Node>]) -> (usize, Vec<usize>) {
    let mut each = match pass.roots() {
        [_] => Vec::new(),
        _ => nodes.iter().map(|node| pass.sweeps_at(node)).collect(),
    };
    let most = each.iter().copied().max().unwrap_or(1);
    if each.iter().all(|own| *own == most) {
        each.clear();
    }
    (most, each)
}

/// The table of the last pass.
fn show(
    session: &mut Session,
    arguments: &Arguments,
    target: &PassTarget,
    listed: NodeSelection,
) -> Reply {
    let Some(pass) = session.pass().filter(|_| !arguments.is_silenced) else {
        return Reply::default().with_notes(target.notes.clone());
    };
    let is_whole = matches!(listed, NodeSelection::Pass);
    let most = session.table_rows();
    let ((passes, each), table) = match listed {
        NodeSelection::Picked(nodes) => {
            (passes(pass, &nodes), NodeTable::each(most, session, nodes))
        }
        NodeSelection::Part(order) => (passes(pass, order.nodes()), NodeTable::of(session, order)),
        NodeSelection::Pass => {
            let order = pass.order().clone();
            (passes(pass, order.nodes()), NodeTable::of(session, order))
        }
    };
    let first = first_not_finite(pass.order().nodes()).cloned();
    let pass = Rc::clone(pass);
    let mut table = table
        .with_hint("`wrt` picks rows, --json writes all")
        .id()
        .label(Column::new("node", "node"))
        .kind(1)
        .expression()
        .column(Column::machines("op"), |row| {
            Cell::Text(row.node.op().map_or("", |op| op.spelling).to_string())
        })
        .column(Column::machines("operands"), |row| {
            let operands = row.node.operands().iter();
            Cell::Fact(operands.map(|operand| operand.id()).collect())
        })
        .data(Column::new("data", "data"), first)
        .column(Column::grads("grad"), move |row| {
            Cell::Number(pass.grad(&row.node).unwrap_or(0.0))
        })
        .leaf()
        .names(session);
    if !each.is_empty() {
        let own = move |row: &TableNode| match each[row.place] {
            own if own == passes => Cell::Empty,
            own => Cell::Count(own as u64),
        };
        table = table.column(Column::new("passes", "passes"), own);
    }
    let mut blocks: Vec<Block> = target.line(session).into_iter().collect();
    blocks.push(Block::Table(table.stream("rows")));
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
    Reply::show(report).with_notes(notes(session, target, is_whole))
}

/// The notes of a target. After `x = 2/3`, `:grad x` shows nothing but x, so a note says why.
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
