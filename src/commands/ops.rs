//! `:ops`: the table of operations with their derivatives.

use super::args::Arguments;
use super::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::ops::{CONSTANTS, Domain, Op, Shape, TABLE};
use crate::report::{Block, Cell, Column, Line, Piece, Report, Table};
use crate::session::Session;

/// The command.
pub const COMMAND: Command = Command {
    name: "ops",
    aliases: &["operations"],
    group: Group::Look,
    arguments: &[],
    summary: "the operations there are, with their derivatives",
    details: "For each: how it is written over x, y, z, its derivative by each operand (out is the value), and where \
              it is defined. `:help NAME` tells more about one.",
    example: "",
    run,
};

fn run(_: &mut Session, _: &Arguments) -> Result<Reply, Diagnostic> {
    let table = Table {
        key: "rows",
        columns: vec![
            Column::machines("name"),
            Column::new("operation", "operation"),
            Column::new("derivatives", "derivatives"),
            Column::new("domain", "defined for").rank(2),
            Column::new("summary", "what it is").rank(1),
        ],
        rows: TABLE.iter().map(row).collect(),
        omitted: None,
    };
    let mut constants: Line = vec![Piece::plain("constants: ")];
    for (place, (name, value, _)) in CONSTANTS.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        constants.extend([Piece::plain(comma), Piece::formula(*name), Piece::plain(" = "), Piece::Short(*value)]);
    }
    let blocks = vec![Block::Table(table), Block::Line(constants)];
    Ok(Reply::show(Report { kind: "ops", facts: Vec::new(), blocks, confirmation: false }))
}

fn row(op: &'static Op) -> Vec<Cell> {
    let domain = match op.domain {
        Domain::Everywhere => String::new(),
        Domain::Where { text, .. } => text.to_string(),
    };
    vec![
        Cell::Text(op.name.to_string()),
        Cell::Formula(written(op)),
        Cell::Formula(derivatives(op)),
        Cell::Text(domain),
        Cell::Text(op.summary.to_string()),
    ]
}

/// How an operation is written over x, y, z: `x*y`, `tanh(x)`, `max(x, y, …)`.
pub(super) fn written(op: &Op) -> String {
    let (least, most) = op.arity();
    let spaced = crate::syntax::levels::between(op.spelling).is_some_and(|operator| operator.spaced);
    match op.shape {
        Shape::Infix if spaced => format!("x {} y", op.spelling),
        Shape::Infix => format!("x{}y", op.spelling),
        Shape::Prefix => format!("{}x", op.spelling),
        Shape::Postfix => format!("x{}", op.spelling),
        Shape::Call => {
            let operands = ["x", "y", "z"][..least].join(", ");
            let more = if most.is_none() { ", …" } else { "" };
            format!("{}({operands}{more})", op.spelling)
        }
    }
}

/// Its derivatives as people learn them, by each operand in order.
pub(super) fn derivatives(op: &Op) -> String {
    let (least, most) = op.arity();
    let count = if most.is_none() { 1 } else { least };
    (0..count).map(|position| op.shown(position)).collect::<Vec<_>>().join(",  ")
}
