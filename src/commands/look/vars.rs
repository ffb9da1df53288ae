//! `:vars`: lists every name with its expression, data and grad.
//!
//! A node with two names has two rows; a node without a name has none.

use std::rc::Rc;

use crate::commands::args::{Argument, Arguments};
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, first_not_finite};
use crate::report::{Block, Cell, Column, Fact, Report, Table, say};
use crate::session::Session;
use crate::session::naming::folds::FEW_ITEMS;
use crate::session::naming::{self};
use crate::session::values::{List, Value};
use crate::stop;

pub(crate) const COMMAND: Command = Command {
    name: "vars",
    aliases: &[],
    group: Group::Look,
    entry: (":vars", "names and values"),
    arguments: &[Argument::TABLE],
    summary: "all names, with data and grad",
    details: "They are listed in order of definition. The grad column comes from the last pass: it shows `·` if there \
              was no pass, and its head says so if data has changed since.",
    example: "
∂> a = 2
a = 2
∂> const b = 5
b = 5
∂> L = a*b
L = 10
∂> :grad L
  node   expression   data   grad
  L      a*b            10      1
  b      frozen          5      2
  a      leaf            2      5
∂> :vars
  name   expression   data   grad
  a      leaf            2      5
  b      frozen          5      2
  L      a*b            10      1
",
    run,
};

fn run(session: &mut Session, _: &Arguments) -> Result<Reply, Diagnostic> {
    session.pass_shown();
    let session = &*session;
    let mut bound: Vec<NamedValue> = Vec::new();
    for (name, value) in session.names().bound() {
        match value {
            Value::List(list) if session.all_rows || list.nodes().len() <= FEW_ITEMS => {
                let items = (1..).zip(list.nodes());
                bound.extend(items.map(|(place, node)| {
                    NamedValue::Node(naming::item_name(name, list.shape(), place), node)
                }));
            }
            Value::List(list) => bound.push(NamedValue::List(name, list)),
            Value::Node(node) => bound.push(NamedValue::Node(name.to_string(), node)),
        }
    }
    let most = session.table_rows();
    let nodes = bound.iter().flat_map(|bound| match bound {
        NamedValue::Node(_, node) => std::slice::from_ref(*node),
        NamedValue::List(_, list) => list.nodes(),
    });
    let first = first_not_finite(nodes.clone());
    let stale = session.is_stale();
    // A column of blanks would be no help where nothing is uncertain.
    let uncertain = |node: &Rc<Node>| session.uncertainty(node).is_some();
    let sigma = if session.has_uncertain() && nodes.clone().any(uncertain) {
        Column::new("sigma", "±")
    } else {
        Column::machines("sigma")
    };
    let table = Table {
        key: "rows",
        columns: vec![
            Column::machines("id"),
            Column::new("name", "name"),
            Column::people("expression").rank(2),
            Column::machines("expression"),
            Column::new("data", "data"),
            sigma,
            Column::grads(if stale { "grad (stale)" } else { "grad" }).rank(1),
            Column::machines("leaf"),
            Column::machines("free"),
        ],
        rows: stop::asking(bound.iter().take(most))
            .map(|bound| match bound {
                NamedValue::Node(name, node) => row(session, name, node, first),
                NamedValue::List(name, list) => list_row(session, name, list, first),
            })
            .collect(),
        omitted: (bound.len() > most)
            .then(|| (bound.len() - most, "--json writes all".to_string())),
    };
    let mut blocks = Vec::new();
    if bound.is_empty() {
        blocks.push(Block::Line(say!("no names yet: `a = 2` makes one")));
    }
    blocks.push(Block::Table(table));
    if let (true, Some(pass)) = (stale && !bound.is_empty(), session.pass()) {
        blocks.push(Block::Line(say!(
            "data changed since the pass: `:grad {}` brings the grads up to date",
            session.label(pass.root())
        )));
    }
    let root = session.pass().map(|pass| session.label(pass.root()));
    let facts = vec![
        ("root", root.map_or(Fact::Null, Fact::Text)),
        ("stale", Fact::Flag(stale)),
    ];
    Ok(Reply::show(Report::new("vars", facts, blocks)))
}

/// What has a row.
enum NamedValue<'s> {
    Node(String, &'s Rc<Node>),
    /// A long list.
    List(&'s str, &'s List),
}

/// The row of a list: its shape and the ranges of its data and grads.
fn list_row(session: &Session, name: &str, list: &List, first: Option<&Rc<Node>>) -> Vec<Cell> {
    let items: Vec<&Rc<Node>> = list.nodes().iter().collect();
    let grads = session
        .pass()
        .map(|pass| items.iter().filter_map(|node| pass.grad(node)));
    vec![
        Cell::Empty,
        Cell::Name(name.to_string()),
        Cell::Dim(list.shape().to_short()),
        Cell::Empty,
        rows::data_range(&items, first),
        rows::sigma_range(session, &items),
        grads.map_or(Cell::Missing, Cell::range),
        Cell::Empty,
        Cell::Empty,
    ]
}

fn row(session: &Session, name: &str, node: &Rc<Node>, first: Option<&Rc<Node>>) -> Vec<Cell> {
    let grad = session.grad_to_show(node);
    // Each name of a node shows the node's expression, not the node's other name.
    let expression = session.expression(node);
    let kind = match rows::leaf(node) {
        Some(kind) => kind,
        None => Cell::Formula(expression.clone()),
    };
    vec![
        Cell::Count(u64::from(node.id())),
        Cell::Name(name.to_string()),
        kind,
        Cell::Formula(expression),
        rows::data(node, first),
        rows::sigma(session, node),
        Cell::number(grad),
        Cell::Flag(node.is_leaf()),
        Cell::Flag(node.is_free()),
    ]
}
