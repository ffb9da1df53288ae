//! `:vars`: lists every name with its expression, data and grad, and the user's functions.
//!
//! A node with two names has two rows; a node without a name has none.

use std::rc::Rc;

use crate::commands::node_table::{NodeTable, TableNode, TableRow};
use crate::commands::prelude::*;
use crate::commands::signatures::vars::SIGNATURE;
use crate::session::naming::labels::FEW_ITEMS;
use crate::session::naming::{NameId, item_name};
use crate::session::values::Value;
use crate::session::{Function, LeafRange};
use chainrule_engine::graph::first_not_finite;
use chainrule_report::{Block, Cell, Column, Report, Table, say};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, _: &Arguments) -> Result<Reply, Diagnostic> {
    let session = &*session;
    let names = session.names().clone();
    let most = session.table_rows();
    let each = session.show.shows_all_rows;
    // An empty list has a row of its own, too.
    let is_whole = move |value: &Value| match value.nodes().len() {
        0 => true,
        count => !each && count > FEW_ITEMS,
    };
    // The first row of each name.
    let mut starts: Vec<(u32, NameId)> = Vec::new();
    let mut all = 0;
    for id in 0..names.count() as NameId {
        let Some(value) = names.value(id) else {
            continue;
        };
        if all < most {
            starts.push((all as u32, id));
        }
        let items = value.nodes().len();
        all += if is_whole(value) { 1 } else { items };
    }
    let count = all.min(most);
    let known = names.clone();
    let row = move |at: usize| {
        let behind = starts.partition_point(|(start, _)| *start as usize <= at);
        let (start, id) = starts[behind - 1];
        let name = known.name(id);
        let value = known.value(id).expect("a name with rows has a value");
        let node = |place: usize, label| TableNode {
            place,
            node: Rc::clone(&value.nodes()[place]),
            label,
        };
        if is_whole(value) {
            let items = (0..value.nodes().len()).map(|place| node(place, None));
            let (name, shape) = (Cell::Name(name.to_owned()), value.shape().to_short());
            return TableRow::List(name, Cell::Dim(shape), items.collect());
        }
        let place = at - start as usize;
        let label = match value {
            Value::Node(_) => name.to_owned(),
            Value::List(list) => item_name(name, list.shape(), place as u32),
        };
        TableRow::Node(node(place, Some(label)))
    };
    let nodes = || names.bound_values().flat_map(|(_, value)| value.nodes());
    let first = first_not_finite(nodes()).cloned();
    let notes = session.stale_guard_notes(&nodes().cloned().collect::<Vec<_>>());
    let stale = session.is_stale();
    let (pass, guesses) = (session.pass().cloned(), Rc::clone(session.guesses()));
    let table = NodeTable::of_other_rows(session, (count, all - count), row)
        .with_computed_sigmas(session.settings().is_on("uncertainty"))
        .id()
        .label(Column::new("name", "name"))
        .kind(2)
        .expression()
        .data(Column::new("data", "data"), first)
        .sigma(Cell::Empty)
        .column(
            Column::grads(if stale { "grad (stale)" } else { "grad" }).rank(1),
            move |row| Cell::number(guesses.grad_to_show(pass.as_ref(), &row.node)),
        )
        .leaf();
    let table = match names.ranges.living().next() {
        Some(_) => table.column(Column::new("range", "range").rank(3), range_cell(session)),
        None => table,
    };
    let mut blocks = Vec::new();
    let functions = functions(session);
    if all == 0 && functions.is_none() {
        blocks.push(Block::Line(say!("no names yet: `a = 2` makes one")));
    }
    blocks.push(Block::Table(table.stream("rows")));
    // The headings of data that has classes say which word each number stands for.
    let headings = names
        .bound_values()
        .filter_map(|(_, value)| session.heading(value.nodes()));
    let classes = headings.filter(|heading| heading.text.contains(": 0 "));
    blocks.extend(classes.map(|classes| Block::Line(say!("{}", &*classes.text))));
    blocks.extend(functions);
    if let (true, Some(pass)) = (stale && all > 0, session.pass()) {
        blocks.push(Block::Line(say!(
            "data changed since the pass: `:grad {}` brings the grads up to date",
            session.label(pass.root())
        )));
    }
    let root = session.pass().map(|pass| session.label(pass.root()));
    let facts = vec![("root", root.into()), ("stale", stale.into())];
    Ok(Reply::show(Report::new("vars", facts, blocks)).with_notes(notes))
}

/// The range of a leaf as it is typed: `0..10 by 0.5`.
fn range_cell(session: &Session) -> impl Fn(&TableNode) -> Cell + use<> {
    let names = session.names().clone();
    move |row| match names.ranges.of(&row.node) {
        Some(LeafRange { low, high, step }) => {
            let step = step.map_or(String::new(), |step| format!(" by {step}"));
            Cell::Text(format!("{low}..{high}{step}"))
        }
        None => Cell::Empty,
    }
}

/// The user's functions, if there are any.
fn functions(session: &Session) -> Option<Block> {
    let row = |function: &Function| {
        let parameters = function.parameters.iter().map(ToString::to_string);
        vec![
            Cell::Text(function.name.to_string()),
            Cell::Fact(parameters.collect()),
            Cell::Name(function.head()),
            Cell::Formula(function.body.to_string()),
        ]
    };
    let rows: Vec<Vec<Cell>> = session.functions().iter().map(|it| row(it)).collect();
    let columns = vec![
        Column::machines("name"),
        Column::machines("parameters"),
        Column::people("function"),
        Column::new("body", "body"),
    ];
    (!rows.is_empty()).then(|| Block::Table(Table::new("functions", columns, rows)))
}
