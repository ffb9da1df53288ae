//! `:check L`: compares gradients with finite differences, with a verdict for each and for all.
//!
//! `study::check` computes the differences. A bad verdict is a result, not an error: a script goes on, and ends with status
//! 1.

use std::rc::Rc;

use crate::commands::prelude::*;
use crate::commands::signatures::check::{ALL, SIGNATURE, T, WRT};
use crate::study;
use crate::study::{Check, CheckVerdict};
use chainrule_engine::graph::{Node, Order};
use chainrule_report::{Block, Cell, Column, Report, Table, count_text, plural, say};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.target(session, T)?;
    let mut nodes = arguments.nodes(session, WRT)?;
    if nodes.is_empty() {
        nodes = Order::below([&target.node]).nodes().to_vec();
        nodes.retain(|node| arguments.has(ALL) || node.is_leaf());
    }
    let check = study::check(&target.node, &nodes);
    let ok = check.rows.iter().all(|row| row.verdict.is_good());
    let mut reply = Reply::show(report(session, &target.node, &check, ok)).with_notes(target.notes);
    reply.has_failed = !ok;
    Ok(reply)
}

fn report(session: &Session, root: &Rc<Node>, check: &Check, ok: bool) -> Report {
    let checked = &check.rows;
    let label = session.label(root);
    let mut facts = vec![("root", label.clone().into())];
    let nodes = checked.iter().filter_map(|row| row.node.as_ref());
    let mut captions = session.captions(nodes).into_iter();
    let rows = checked.iter().map(|row| {
        let caption = row.node.as_ref().and_then(|_| captions.next());
        let all = || Cell::Text("all leaves at once".to_string());
        vec![
            caption.map_or_else(all, |caption| Cell::Name(caption.label)),
            Cell::Number(row.grad),
            Cell::Number(row.difference),
            Cell::Number(row.error),
            Cell::Text(row.verdict.word().to_string()),
        ]
    });
    let columns = vec![
        Column::new("node", "node"),
        Column::grads("grad"),
        Column::new("difference", "difference").with_sign(),
        Column::new("error", "error").rank(1),
        Column::new("verdict", "verdict"),
    ];
    let rows: Vec<_> = rows.collect();
    let mut blocks = vec![Block::Table(Table::new("rows", columns, rows))];
    if let Some(node) = &check.because {
        let convention = study::convention_at(session, node);
        let why = convention.unwrap_or_else(|| session.fault_line(node));
        blocks.push(Block::Line(why));
    }
    let count = |verdict| checked.iter().filter(|row| row.verdict == verdict).count();
    if count(CheckVerdict::Unclear) > 0 {
        let why = "unclear: the difference is lost in rounding, or the function too rough near by";
        blocks.push(Block::Line(say!("{}", why)));
    }
    if let Some(of) = check.sampled {
        blocks.push(Block::Line(say!(
            "a sample of {}, and a direction in which all leaves move",
            plural(of, "node")
        )));
    }
    let (good, all) = (count(CheckVerdict::Ok), checked.len());
    let some = format!("{} of {} agree", count_text(good), count_text(all));
    let summary = match (ok, good == all) {
        (true, true) => "every gradient agrees with its difference".to_string(),
        (true, false) => some + "; a convention applies to the others",
        (false, _) => some,
    };
    blocks.push(Block::Line(say!("{:name}: {}", label, summary)));
    facts.push(("ok", ok.into()));
    if let Some(of) = check.sampled {
        // One row is the direction.
        facts.extend([("sampled", (all - 1).into()), ("of", of.into())]);
    }
    Report::new("check", facts, blocks)
}
