//! `:topo L`: a topological order (operands before users), its levels, and whether it is the only one.
//!
//! The backward pass uses the same order in reverse.

use std::rc::Rc;

use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::rows::Rows;
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, Order};
use crate::report::{Block, Cell, Column, Fact, Report, Table, say};
use crate::session::naming::folds::Fold;
use crate::session::{Caption, Session};

pub(crate) const COMMAND: Command = Command {
    name: "topo",
    aliases: &[],
    group: Group::Walk,
    looks: true,
    entry: (":topo L", "the order of nodes"),
    arguments: &[Argument::optional("T", ArgumentKind::Expression).varying()],
    summary: "a topological order, its levels, and whether it is the only one",
    page: page!("commands/topo"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.target(session, "T")?;
    let order = Order::below([&target.node]);
    let nodes: Vec<_> = order.nodes().iter().rev().cloned().collect();
    // Two neighbours in an order may change places, unless the second uses the first.
    let uses = |user: &Node, operand| user.operands().iter().any(|it| Rc::ptr_eq(it, operand));
    let only = nodes.windows(2).all(|pair| uses(&pair[1], &pair[0]));
    let rows = Rows::of(session, &nodes);
    let omitted = rows.omitted();
    let mut labels = Vec::new();
    let mut shown = Vec::new();
    let level = |place: usize| nodes[place].level();
    let node_row = |place: usize, caption: Caption| {
        labels.push(Fact::Text(caption.label.clone()));
        shown.push(Fact::Count(u64::from(level(place))));
        vec![
            Cell::Count(place as u64 + 1),
            Cell::Name(caption.label),
            Cell::Empty,
            Cell::Count(u64::from(level(place))),
            Cell::Count((nodes.len() - place) as u64),
        ]
    };
    let list_row = |fold: &Fold| {
        let range = |number: &dyn Fn(usize) -> usize| {
            Cell::range(fold.places.iter().map(|&place| number(place) as f64))
        };
        vec![
            range(&|place| place + 1),
            rows::list_name(fold),
            rows::shape(fold),
            range(&|place| level(place) as usize),
            range(&|place| nodes.len() - place),
        ]
    };
    let table_rows = rows.cells(&nodes, node_row, list_row).collect();
    let facts = vec![
        ("root", session.label(&target.node).into()),
        ("order", Fact::List(labels)),
        ("levels", Fact::List(shown)),
        ("orders", if only { Fact::Count(1) } else { Fact::Null }),
    ];
    let table = Table {
        key: "",
        columns: vec![
            Column::people("forward"),
            Column::people("node"),
            Column::people(""),
            Column::people("level"),
            Column::people("backward"),
        ],
        rows: table_rows,
        omitted,
    };
    let said = if only {
        say!("the only order there is")
    } else {
        say!("one of several orders")
    };
    let report = Report::new("topo", facts, vec![Block::Table(table), Block::Line(said)]);
    Ok(Reply::show(report).notes(target.notes))
}
