//! `:vars`: lists every name with its expression, data and grad, and the user's functions.
//!
//! A node with two names has two rows; a node without a name has none.

use std::borrow::Cow;
use std::rc::Rc;

use crate::commands::args::Arguments;
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, Pass, first_not_finite};
use crate::report::{Block, Cell, Column, Fact, Report, RowSource, Table, TableRows, say};
use crate::session::by_hand::guesses::Guesses;
use crate::session::naming::folds::FEW_ITEMS;
use crate::session::naming::{self, SharedNames};
use crate::session::values::{List, Value};
use crate::session::{Function, Session};
use crate::stop;

pub(crate) const COMMAND: Command = Command {
    name: "vars",
    aliases: &[],
    group: Group::Look,
    looks: true,
    entry: (":vars", "names and values"),
    arguments: &[],
    summary: "all names, with data and grad, and your functions",
    page: page!("commands/vars"),
    run,
};

fn run(session: &mut Session, _: &Arguments) -> Result<Reply, Diagnostic> {
    session.pass_shown();
    let session = &*session;
    let mut rows = VarRows {
        names: session.names().clone(),
        pass: session.pass().cloned(),
        guesses: Rc::clone(session.guesses()),
        each: session.all_rows,
        first: None,
        count: 0,
    };
    let all = rows.bound().count();
    rows.count = all.min(session.table_rows());
    rows.first = first_not_finite(rows.nodes()).cloned();
    let stale = session.is_stale();
    // A column of blanks would be no help where nothing is uncertain.
    let uncertain = |node: &Rc<Node>| session.uncertainty(node).is_some();
    let sigma = if session.has_uncertain() && rows.nodes().any(uncertain) {
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
        omitted: (all > rows.count).then(|| (all - rows.count, "--json writes all".to_string())),
        rows: TableRows::Made(Rc::new(rows)),
    };
    let mut blocks = Vec::new();
    let functions = functions(session);
    if all == 0 && functions.is_none() {
        blocks.push(Block::Line(say!("no names yet: `a = 2` makes one")));
    }
    if all > 0 || functions.is_none() {
        blocks.push(Block::Table(table));
    }
    blocks.extend(functions);
    if let (true, Some(pass)) = (stale && all > 0, session.pass()) {
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

/// The user's functions, if there are any.
fn functions(session: &Session) -> Option<Block> {
    let row = |function: &Function| {
        let parameters = function.parameters.iter().map(ToString::to_string);
        vec![
            Cell::Text(function.name.to_string()),
            Cell::Names(parameters.collect()),
            Cell::Name(function.head()),
            Cell::Formula(function.body.to_string()),
        ]
    };
    let rows: Vec<Vec<Cell>> = session.functions().iter().map(|it| row(it)).collect();
    let table = Table {
        key: "functions",
        columns: vec![
            Column::machines("name"),
            Column::machines("parameters"),
            Column::people("function"),
            Column::new("body", "body"),
        ],
        rows: rows.into(),
        omitted: None,
    };
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

/// Makes the rows of the table.
struct VarRows {
    names: SharedNames,
    pass: Option<Rc<Pass>>,
    guesses: Rc<Guesses>,
    /// Each item of a long list has its row.
    each: bool,
    first: Option<Rc<Node>>,
    count: usize,
}

/// What has a row.
enum NamedValue<'s> {
    Node(Cow<'s, str>, &'s Rc<Node>),
    /// A long list.
    List(&'s str, &'s List),
}

impl RowSource for VarRows {
    fn count(&self) -> usize {
        self.count
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Cell>> + '_> {
        let bound = self.bound().take(self.count);
        Box::new(stop::asking(bound).map(|bound| match bound {
            NamedValue::Node(name, node) => self.row(&name, node),
            NamedValue::List(name, list) => self.list_row(name, list),
        }))
    }
}

impl VarRows {
    fn nodes(&self) -> impl Iterator<Item = &Rc<Node>> + Clone {
        self.names.bound().flat_map(|(_, value)| value.nodes())
    }

    fn bound(&self) -> impl Iterator<Item = NamedValue<'_>> {
        self.names.bound().flat_map(|(name, value)| {
            let nodes = value.nodes();
            let whole = !self.each && nodes.len() > FEW_ITEMS;
            let count = if whole { 1 } else { nodes.len() };
            (0..count).map(move |at| match value {
                Value::List(list) if whole => NamedValue::List(name, list),
                Value::List(list) => {
                    let name = naming::item_name(name, list.shape(), at as u32 + 1);
                    NamedValue::Node(name.into(), &nodes[at])
                }
                Value::Node(node) => NamedValue::Node(name.into(), node),
            })
        })
    }

    /// The row of a list: its shape and the ranges of its data and grads.
    fn list_row(&self, name: &str, list: &List) -> Vec<Cell> {
        let items: Vec<&Rc<Node>> = list.nodes().iter().collect();
        let grads =
            (self.pass.as_ref()).map(|pass| items.iter().filter_map(|node| pass.grad(node)));
        vec![
            Cell::Empty,
            Cell::Name(name.to_string()),
            Cell::Dim(list.shape().to_short()),
            Cell::Empty,
            rows::data_range(&items, self.first.as_ref()),
            rows::sigma_range(&self.names, &items),
            grads.map_or(Cell::Missing, Cell::range),
            Cell::Empty,
            Cell::Empty,
        ]
    }

    fn row(&self, name: &str, node: &Rc<Node>) -> Vec<Cell> {
        let grad = self.guesses.grad_to_show(self.pass.as_ref(), node);
        // Each name of a node shows the node's expression, not the node's other name.
        let expression = naming::labels::expression(&self.names, node);
        let kind = match rows::leaf(node) {
            Some(kind) => kind,
            None => Cell::Formula(expression.clone()),
        };
        vec![
            Cell::Count(u64::from(node.id())),
            Cell::Name(name.to_string()),
            kind,
            Cell::Formula(expression),
            rows::data(node, self.first.as_ref()),
            rows::sigma(&self.names, node),
            Cell::number(grad),
            Cell::Flag(node.is_leaf()),
            Cell::Flag(node.is_free()),
        ]
    }
}
