//! `:check L`: compares gradients with finite differences, with a verdict for each and for all.
//!
//! `study::check` takes the differences. A bad verdict is a result, no error: a script continues, and ends with status
//! 1.

use std::rc::Rc;

use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::rows::NodeTable;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, Order};
use crate::report::{Block, Cell, Column, Line, Report, plural, say};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::study;
use crate::study::{Check, Verdict};

pub(crate) const COMMAND: Command = Command {
    name: "check",
    aliases: &[],
    group: Group::Understand,
    looks: true,
    entry: (":check L", "test the gradients"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression).varying(),
        Argument::flag("all").means("check every node, not only the leaves"),
        Argument::after("wrt", "NODE", ArgumentKind::Nodes),
    ],
    summary: "compare the gradients of T with measured slopes",
    page: page!("commands/check"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.target(session, "T")?;
    let asked: Vec<Rc<Node>> = arguments
        .nodes(session, "NODE")?
        .into_iter()
        .map(|(node, _)| node)
        .collect();
    let all = !arguments.words("all").is_empty();
    let order = Order::below([&target.node]);
    let nodes = if asked.is_empty() {
        order
            .nodes()
            .iter()
            .filter(|node| all || node.is_leaf())
            .cloned()
            .collect()
    } else {
        asked
    };
    let check = study::check(&target.node, &nodes);
    let whole = check
        .sampled
        .is_none_or(|(_, direction)| direction.verdict.is_good());
    let ok = whole && check.rows.iter().all(|row| row.verdict.is_good());
    let numbers = check.rows.iter().map(|row| (row.node.id(), row.grad));
    session.answers_shown(&target.node, Quantity::Grad, numbers);
    let mut reply = Reply::show(report(session, &target.node, &check, ok)).notes(target.notes);
    reply.failed = !ok;
    Ok(reply)
}

fn report(session: &Session, root: &Rc<Node>, check: &Check, ok: bool) -> Report {
    let checked = &check.rows;
    let label = session.label(root);
    let facts = vec![("root", label.clone().into())];
    let nodes: Vec<Rc<Node>> = checked.iter().map(|row| Rc::clone(&row.node)).collect();
    let table = NodeTable::each(usize::MAX, session, nodes)
        .label(Column::new("node", "node"))
        .column(Column::grads("grad"), |row| {
            Cell::Number(checked[row.place].grad)
        })
        .column(Column::new("difference", "difference"), |row| {
            Cell::Number(checked[row.place].difference)
        })
        .column(Column::new("error", "error").rank(1), |row| {
            Cell::Number(checked[row.place].error)
        })
        .column(Column::new("verdict", "verdict"), |row| {
            Cell::Text(checked[row.place].verdict.word().to_string())
        })
        .table("rows");
    let mut blocks = vec![Block::Table(table)];
    let mut told: Vec<u32> = Vec::new();
    for (node, why) in checked.iter().filter_map(|row| row.because.as_ref()) {
        if !told.contains(&node.id()) {
            told.push(node.id());
            blocks.push(Block::Line(because(session, node, why)));
        }
    }
    if checked.iter().any(|row| row.verdict == Verdict::Unclear) {
        let why = "unclear: the difference is lost in rounding, or the function too rough near by";
        blocks.push(Block::Line(say!("{}", why)));
    }
    if let Some((of, direction)) = check.sampled {
        blocks.push(Block::Line(say!(
            "{} of {}; where all leaves move at once: gradient {:short}, difference {:short}, {}",
            checked.len(),
            plural(of, "node"),
            direction.grad,
            direction.difference,
            direction.verdict.word()
        )));
    }
    let good = checked
        .iter()
        .filter(|row| row.verdict == Verdict::Ok)
        .count();
    let all = checked.len();
    let said = match (ok, good == all) {
        (true, true) => "every gradient agrees with its difference".to_string(),
        (true, false) => format!("{good} of {all} agree; a convention applies to the others"),
        (false, _) => format!("{good} of {all} agree"),
    };
    blocks.push(Block::Line(say!("{:name}: {}", label, said)));
    let mut report = Report::new("check", facts, blocks);
    report.facts.push(("ok", ok.into()));
    if let Some((of, direction)) = check.sampled {
        report.facts.extend([
            ("sampled", checked.len().into()),
            ("of", of.into()),
            ("direction", direction.verdict.word().into()),
        ]);
    }
    report
}

/// Explains a verdict: `at relu(x), x = 0: the derivative is taken as 0`
fn because(session: &Session, node: &Rc<Node>, why: &str) -> Line {
    say!("at {:formula}, {}", session.expression(node), why)
}
