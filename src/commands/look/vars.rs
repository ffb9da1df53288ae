//! `:vars`: lists every name with its expression, data and grad, and the user's functions.
//!
//! A node with two names has two rows; a node without a name has none.

use std::rc::Rc;

use crate::commands::args::Arguments;
use crate::commands::rows::{self, NodeTable, RowSubject, RowSubjects};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::first_not_finite;
use crate::report::{Block, Cell, Column, Report, Table, say};
use crate::session::naming::SharedNames;
use crate::session::{Function, Session};

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
    let names = session.names().clone();
    let mut bound = NamedValues {
        names: names.clone(),
        each: session.all_rows,
        count: 0,
    };
    let all = bound.all().count();
    bound.count = all.min(session.table_rows());
    let nodes = || names.bound().flat_map(|(_, value)| value.nodes());
    let first = first_not_finite(nodes()).cloned();
    let stale = session.is_stale();
    let widths = names.clone();
    let (pass, guesses) = (session.pass().cloned(), Rc::clone(session.guesses()));
    let left = all - bound.count;
    let table = NodeTable::about(bound, left)
        .id()
        .label(Column::new("name", "name"))
        .kind(2)
        .expression()
        .data(Column::new("data", "data"), first)
        .column(Column::new("sigma", "±"), move |row| {
            rows::sigma(&widths, row.node)
        })
        .column(
            Column::grads(if stale { "grad (stale)" } else { "grad" }).rank(1),
            move |row| Cell::number(guesses.grad_to_show(pass.as_ref(), row.node)),
        )
        .leaf()
        .streamed("rows");
    let mut blocks = Vec::new();
    let functions = functions(session);
    if all == 0 && functions.is_none() {
        blocks.push(Block::Line(say!("no names yet: `a = 2` makes one")));
    }
    blocks.push(Block::Table(table));
    blocks.extend(functions);
    if let (true, Some(pass)) = (stale && all > 0, session.pass()) {
        blocks.push(Block::Line(say!(
            "data changed since the pass: `:grad {}` brings the grads up to date",
            session.label(pass.root())
        )));
    }
    let root = session.pass().map(|pass| session.label(pass.root()));
    let facts = vec![("root", root.into()), ("stale", stale.into())];
    Ok(Reply::show(Report::new("vars", facts, blocks)))
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

/// The names and their values.
struct NamedValues {
    names: SharedNames,
    /// Each item of a long list has its row too.
    each: bool,
    /// How many rows there are at most.
    count: usize,
}

impl NamedValues {
    fn all(&self) -> impl Iterator<Item = RowSubject<'_>> {
        let bound = self.names.bound();
        bound
            .flat_map(|(name, value)| rows::named_value(&self.names, name.into(), value, self.each))
    }
}

impl RowSubjects for NamedValues {
    fn count(&self) -> usize {
        self.count
    }

    fn subjects(&self) -> Box<dyn Iterator<Item = RowSubject<'_>> + '_> {
        Box::new(self.all().take(self.count))
    }
}
