//! `:grad T`: zeroes the gradients, runs backward from T, and shows every node below T in a table, T first.
//!
//! `:backward T` adds to the existing gradients, as happens if a program forgets to zero them, and shows the same table.
//! `:zero` forgets the gradients, or sets those of some nodes to 0.

use crate::command::args::target::PassTarget;
use crate::command::node_table::{self, NodeTable, TableNode};
use crate::command::prelude::*;
use crate::command::signatures::grad::{SIGNATURE, T, WRT};
use crate::command::signatures::{backward, zero};
use chainrule_engine::graph::{Pass, first_not_finite};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

pub(crate) static BACKWARD: Command = Command::new(backward::SIGNATURE, accumulate, &[]);

pub(crate) static ZERO: Command = Command::new(zero::SIGNATURE, forget, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let target = arguments.pass_target(session, T)?;
    let picked = arguments.nodes(session, WRT)?;
    session.backward(&target.node);
    session.note_shown_of_pass(&picked);
    Ok(show(session, arguments, &target, picked))
}

fn accumulate(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let target = arguments.pass_target(session, backward::T)?;
    session.accumulate(&target.node);
    session.note_shown_of_pass(&[]);
    Ok(show(session, arguments, &target, Vec::new()))
}

/// Shows the last pass as a table, with a row for each of the picked nodes or, without any, for the nodes of the target.
fn show(
    session: &mut Session,
    arguments: &Arguments,
    target: &PassTarget,
    picked: Vec<Rc<Node>>,
) -> Reply {
    // A silenced statement does not ask for a sum of passes, which may take long.
    let Some(pass) = session.pass().filter(|_| !arguments.is_silenced) else {
        // `target_notes` would explain the rows of a table, and there is none.
        return Reply::default().with_notes(target.notes.clone());
    };
    let is_of_target = |root: &Rc<Node>| Rc::ptr_eq(root, &target.node);
    let is_whole = pass.roots().iter().all(is_of_target);
    // If a notebook runs its cell again, the target has new nodes. Only these are listed: the nodes of the first run have
    // gradients, too, but no longer belong to the target.
    let order = if is_whole {
        pass.order().clone()
    } else {
        Order::below([&target.node])
    };
    let is_picked = !picked.is_empty();
    let shown = if is_picked { &picked } else { order.nodes() };
    // After a single pass there is no need to count for a million nodes.
    let counts: Vec<usize> = if pass.is_single() {
        Vec::new()
    } else {
        shown.iter().map(|node| pass.sweeps_at(node)).collect()
    };
    let passes = counts.iter().copied().max().unwrap_or(1);
    let rows = if is_picked {
        NodeTable::each(session, picked)
    } else {
        NodeTable::of(session, order)
    };
    let mut table = add_columns(rows, session, pass);
    // Most nodes usually have the largest count, which a line below the table names, so their cells are empty.
    if counts.iter().any(|count| *count != passes) {
        let cell = move |row: &TableNode| match counts[row.place] {
            count if count == passes => Cell::Empty,
            count => Cell::Count(count as u64),
        };
        table = table.column(Column::new("passes", "passes"), cell);
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
    let report = Report::new(&COMMAND, facts, blocks);
    Reply::show(report).with_notes(target_notes(session, target, is_whole && !is_picked))
}

/// Adds the columns of the nodes and of their gradients.
fn add_columns(rows: NodeTable<'static>, session: &Session, pass: &Rc<Pass>) -> NodeTable<'static> {
    let first_broken = first_not_finite(pass.order().nodes()).cloned();
    let shared_pass = Rc::clone(pass);
    let op = |row: &TableNode| Cell::Text(row.node.op().map_or("", |op| op.spelling).to_string());
    let operands =
        |row: &TableNode| Cell::Fact(row.node.operands().iter().map(|it| it.id()).collect());
    let grad = move |row: &TableNode| Cell::Number(shared_pass.grad(&row.node).unwrap_or(0.0));
    rows.with_hint("`wrt` picks rows, --json writes all")
        .id()
        .label(Column::new("node", "node"))
        // Rank 1: a narrow terminal drops the expressions first.
        .kind(1)
        .expression()
        .column(Column::machines("op"), op)
        .column(Column::machines("operands"), operands)
        .data(Column::new("data", "data"), first_broken)
        .column(Column::grads("grad"), grad)
        .leaf()
        .names(session)
}

/// Returns the notes of a target. After `x = 2/3`, `:grad x` shows only x, and a note says why. `is_whole` says whether
/// the answer shows all nodes of the pass.
fn target_notes(session: &Session, target: &PassTarget, is_whole: bool) -> Vec<Note> {
    let mut notes = target.notes.clone();
    if is_whole && target.node.is_leaf() {
        notes.push(Note::new(say!(
            "{:name} is a leaf: naming the numbers it was made from would show their gradients",
            session.label(&target.node)
        )));
    }
    notes
}

fn forget(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let nodes = arguments.nodes(session, zero::NODE)?;
    let picked = (!nodes.is_empty()).then_some(&nodes[..]);
    let had_grads = session.zero_grads(picked);
    let line = if !had_grads {
        say!("there were no gradients")
    } else if nodes.is_empty() {
        say!("gradients forgotten")
    } else {
        say!("gradient 0: {}", node_table::labels_line(session, &nodes))
    };
    let mut facts = vec![("forgotten", Fact::Flag(had_grads))];
    if !nodes.is_empty() {
        facts.push(("nodes", node_table::labels_fact(session, &nodes)));
    }
    Ok(Reply::show(Report::confirming(&ZERO, facts, line)))
}
