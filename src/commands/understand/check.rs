//! `:check L`: compares gradients with finite differences, and gives a verdict on each gradient and on all together.
//!
//! `study::check` computes the differences. A bad verdict is a result, not an error: a script goes on, and ends with
//! status 1.

use crate::command::prelude::*;
use crate::command::signatures::check::{ALL, SIGNATURE, T, WRT};
use crate::study::{self, Check, CheckRow, CheckVerdict};
use chainrule_program::fault_line;
use chainrule_session::captions;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let target = arguments.target(session, T)?;
    let mut nodes = arguments.nodes(session, WRT)?;
    if nodes.is_empty() {
        nodes = Order::below([&target.node]).nodes().to_vec();
        nodes.retain(|node| arguments.has(ALL) || node.is_leaf());
    }
    session.note_shown(&target.node, &nodes);
    let check = study::check(&target.node, &nodes);
    let is_ok = check.rows.iter().all(|row| row.verdict.is_good());
    Ok(Reply {
        has_failed: !is_ok,
        ..Reply::show(report(session, &target.node, &check, is_ok)).with_notes(target.notes)
    })
}

fn report(session: &Session, root: &Rc<Node>, check: &Check, is_ok: bool) -> Report {
    let label = session.label(root);
    let all = check.rows.len();
    let mut facts = vec![("root", label.clone().into()), ("ok", is_ok.into())];
    let mut blocks = vec![Block::Table(table(session, &check.rows))];
    if let Some(node) = &check.because {
        let convention = study::convention_at(session, node);
        let why = convention.unwrap_or_else(|| fault_line(session, node));
        blocks.push(Block::Line(why));
    }
    if count(&check.rows, CheckVerdict::Unclear) > 0 {
        blocks.push(Block::Line(say!(
            "unclear: the difference is lost in rounding, or the function too rough near by"
        )));
    }
    if let Some(of) = check.sampled {
        blocks.push(Block::Line(say!(
            "a sample of {}, and a direction in which all leaves move",
            plural(of, "node")
        )));
        // One row is the direction.
        facts.extend([("sampled", (all - 1).into()), ("of", of.into())]);
    }
    let good = count(&check.rows, CheckVerdict::Ok);
    let some = format!("{} of {} agree", count_text(good), count_text(all));
    let summary = match (is_ok, good == all) {
        (true, true) => "every gradient agrees with its difference".to_string(),
        (true, false) => some + "; a convention applies to the others",
        (false, _) => some,
    };
    blocks.push(Block::Line(say!("{:name}: {}", label, summary)));
    Report::new(&COMMAND, facts, blocks)
}

fn count(rows: &[CheckRow], verdict: CheckVerdict) -> usize {
    rows.iter().filter(|row| row.verdict == verdict).count()
}

fn table(session: &Session, checked: &[CheckRow]) -> Table {
    let nodes = checked.iter().filter_map(|row| row.node.as_ref());
    let mut all_captions = captions(session.names(), nodes).into_iter();
    let mut rows = Vec::new();
    for row in checked {
        // Only the row of the direction has no node.
        let name = match row.node.as_ref().and_then(|_| all_captions.next()) {
            Some(caption) => Cell::Name(caption.label),
            None => Cell::Text("all leaves at once".to_string()),
        };
        rows.push(vec![
            name,
            Cell::Number(row.grad),
            Cell::Number(row.difference),
            Cell::Number(row.error),
            Cell::Text(row.verdict.word().to_string()),
        ]);
    }
    let columns = vec![
        Column::new("node", "node"),
        Column::grads("grad"),
        Column::new("difference", "difference").with_sign(),
        Column::new("error", "error").rank(1),
        Column::new("verdict", "verdict"),
    ];
    Table::new("rows", columns, rows)
}
