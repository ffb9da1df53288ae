//! `:ops`: the table of operations with their derivatives.
//!
//! It lists `ops::TABLE`. How an operation is written with operands x, y, z is decided here, for `:help` too.

use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::{did_you_mean, nearest};
use crate::ops::{CONSTANTS, Domain, Op, Shape, TABLE};
use crate::report::{Block, Cell, Column, Line, Report, Table, join, say};
use crate::session::LIST_FUNCTIONS;
use crate::session::Session;

pub(crate) const COMMAND: Command = Command {
    name: "ops",
    aliases: &["operations"],
    group: Group::Look,
    looks: true,
    entry: (":ops", "built-in operations"),
    arguments: &[Argument::optional("NAME", ArgumentKind::Names)
        .means("show only these operations: `tanh`, `/`")
        .offering(Offers::Words(words))],
    summary: "the built-in operations and their derivatives",
    page: page!("commands/ops"),
    run,
};

/// All words for operations: first functions by their spelling and operators by their names, then all other spellings,
/// which completion offers only once they are begun.
pub(crate) fn words(_: &Session, _: &[&str]) -> Vec<Word> {
    let about = |op: &Op| say!("{}", op.summary);
    let first = |op: &Op| {
        if op.shape == Shape::Call {
            op.spelling
        } else {
            op.name
        }
    };
    let firsts = TABLE.iter().map(|op| Word::new(first(op), about(op)));
    let all = |op: &'static Op| {
        let all = [op.spelling, op.name].into_iter();
        let all = all.chain(op.aliases.iter().copied());
        all.map(|word| Word::new(word, about(op)).begun())
    };
    firsts.chain(TABLE.iter().flat_map(all)).collect()
}

fn run(_: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let mut chosen: Vec<&'static Op> = Vec::new();
    for span in arguments.words("NAME") {
        let name = span.of(arguments.text);
        let found: Vec<&'static Op> = TABLE.iter().filter(|op| answers(op, name)).collect();
        if found.is_empty() {
            let known = TABLE.iter().flat_map(|op| [op.spelling, op.name]);
            let help = did_you_mean(nearest(name, known), || "`:ops` lists them all".into());
            return Err(Diagnostic::new(format!("there is no operation `{name}`"))
                .at(*span)
                .help(help));
        }
        chosen.extend(found);
    }
    let all = chosen.is_empty();
    if all {
        chosen = TABLE.iter().collect();
    }
    let table = Table {
        key: "rows",
        columns: vec![
            Column::machines("name"),
            Column::new("operation", "operation"),
            Column::new("derivatives", "derivatives"),
            Column::new("domain", "defined for").rank(2),
            Column::new("summary", "what it is").rank(1),
        ],
        rows: chosen.into_iter().map(row).collect(),
        omitted: None,
    };
    let mut blocks = vec![Block::Table(table)];
    if all {
        blocks.push(Block::Line(of_lists()));
        blocks.push(Block::Line(constants()));
    }
    Ok(Reply::show(Report::new("ops", Vec::new(), blocks)))
}

/// Is this word the spelling, the name or an alias of the operation?
pub(crate) fn answers(op: &Op, word: &str) -> bool {
    op.spelling == word || op.name == word || op.aliases.contains(&word)
}

fn of_lists() -> Line {
    let each = LIST_FUNCTIONS
        .iter()
        .map(|function| say!("{:formula}", function.usage()));
    say!("of lists: {}; {}", join(each, ", "), say!("`:help lists`"))
}

fn constants() -> Line {
    let constants = CONSTANTS.iter();
    let each = constants.map(|(name, value, _)| say!("{:formula} = {:short}", *name, *value));
    say!("constants: {}", join(each, ", "))
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

/// How an operation is written with operands x, y, z: `x*y`, `tanh(x)`, `max(x, y, …)`.
pub(crate) fn written(op: &Op) -> String {
    let most = op.arity().1;
    let spaced =
        crate::syntax::precedence::between(op.spelling).is_some_and(|operator| operator.spaced);
    match op.shape {
        Shape::Infix if spaced => format!("x {} y", op.spelling),
        Shape::Infix => format!("x{}y", op.spelling),
        Shape::Prefix => format!("{}x", op.spelling),
        Shape::Postfix => format!("x{}", op.spelling),
        Shape::Call => {
            let operands = ["x", "y", "z"][..most.unwrap_or(2)].join(", ");
            let more = if most.is_none() { ", …" } else { "" };
            format!("{}({operands}{more})", op.spelling)
        }
    }
}

/// The derivatives of an operation in the usual notation, by each operand in order.
pub(crate) fn derivatives(op: &Op) -> String {
    let (least, most) = op.arity();
    let count = if most.is_none() { 1 } else { least };
    (0..count)
        .map(|position| op.shown(position))
        .collect::<Vec<_>>()
        .join(",  ")
}
