//! `:funcs`: lists the user's functions.
//!
//! Built-in functions are operations, listed by `:ops`; values are listed by `:vars`.

use crate::commands::args::Arguments;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Block, Cell, Column, Fact, Report, Table, say};
use crate::session::{Function, Session};

pub(crate) const COMMAND: Command = Command {
    name: "funcs",
    aliases: &["functions"],
    group: Group::Look,
    looks: true,
    entry: (":funcs", "your functions"),
    arguments: &[],
    summary: "your own functions",
    page: page!("commands/funcs"),
    run,
};

fn run(session: &mut Session, _: &Arguments) -> Result<Reply, Diagnostic> {
    let rows: Vec<Vec<Cell>> = session
        .functions()
        .iter()
        .map(|function| row(function))
        .collect();
    let mut blocks = Vec::new();
    if rows.is_empty() {
        blocks.push(Block::Line(say!(
            "no functions yet: `f(x) = 3x^2` makes one"
        )));
    }
    blocks.push(Block::Table(Table {
        key: "rows",
        columns: vec![
            Column::machines("name"),
            Column::machines("parameters"),
            Column::people("function"),
            Column::new("body", "body"),
        ],
        rows: rows.into(),
        omitted: None,
    }));
    Ok(Reply::show(Report::new("funcs", Vec::new(), blocks)))
}

fn row(function: &Function) -> Vec<Cell> {
    vec![
        Cell::Name(function.name.to_string()),
        Cell::Names(
            function
                .parameters
                .iter()
                .map(ToString::to_string)
                .collect(),
        ),
        Cell::Name(function.head()),
        Cell::Formula(function.body.to_string()),
    ]
}

/// The report of a function definition: `f(x) = 3*x^2`
pub(crate) fn defined(function: &Function) -> Report {
    let parameters = function
        .parameters
        .iter()
        .map(|parameter| Fact::Text(parameter.to_string()));
    Report::done(
        "function",
        vec![
            ("name", Fact::Text(function.name.to_string())),
            ("parameters", Fact::List(parameters.collect())),
            ("body", Fact::Text(function.body.to_string())),
        ],
        say!("{:name} = {:formula}", function.head(), &*function.body),
    )
}
