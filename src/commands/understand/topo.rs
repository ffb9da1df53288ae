//! `:topo L`: shows a topological order (operands before users), the levels of its nodes, and whether there are other
//! orders.
//!
//! A backward pass goes through the same order in reverse.

use crate::command::node_table::{NodeTable, TableNode};
use crate::command::prelude::*;
use crate::command::signatures::topo::{SIGNATURE, T};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let target = arguments.target(session, T)?;
    let order = Order::below([&target.node]);
    let nodes: Vec<_> = order.nodes().iter().rev().cloned().collect();
    // Two neighbours in an order may change places unless the second uses the first.
    let uses = |user: &Node, operand| user.operands().iter().any(|it| Rc::ptr_eq(it, operand));
    let is_only_order = nodes.windows(2).all(|pair| uses(&pair[1], &pair[0]));
    let level = |row: &TableNode| u64::from(row.node.level());
    let forward = |row: &TableNode| Cell::Count(row.place as u64 + 1);
    let backward = |row: &TableNode| Cell::Count((nodes.len() - row.place) as u64);
    let table = NodeTable::of(session, nodes.as_slice())
        .column(Column::people("forward"), forward)
        .label(Column::people("node"))
        .shape()
        .column(Column::people("level"), |row| Cell::Count(level(row)))
        .column(Column::people("backward"), backward);
    let labels = table.nodes().map(|row| table.caption(&row).label.into());
    let levels = table.nodes().map(|row| level(&row).into());
    let facts = vec![
        ("root", session.label(&target.node).into()),
        ("order", Fact::List(labels.collect())),
        ("levels", Fact::List(levels.collect())),
        ("orders", is_only_order.then_some(1_u64).into()),
    ];
    let remark = if is_only_order {
        say!("the only order there is")
    } else {
        say!("one of several orders")
    };
    let blocks = vec![Block::Table(table.table("")), Block::Line(remark)];
    let report = Report::new(&COMMAND, facts, blocks);
    Ok(Reply::show(report).with_notes(target.notes))
}
