//! `:nudge NODE [h] [of T]`: changes a node by a little, and compares the resulting slope with the gradient.
//!
//! `study::nudge` changes a copy of the graph; this file makes the report.

use crate::command::prelude::*;
use crate::command::signatures::nudge::{H, NODE, OF, SIGNATURE};
use crate::study;
use chainrule_report::{ask_numbers, telling_change};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let h = match arguments.number(session, H)? {
        Some((h, span)) if !h.is_finite() || h == 0.0 => {
            let message = format!("`{}` cannot be a bump", span.of(arguments.text));
            let help = "a small number other than 0 is expected, as in `:nudge a 0.001`";
            return Err(Diagnostic::new(message).at(span).help(help));
        }
        found => found.map(|(h, _)| h),
    };
    let (node, target) = arguments.node_and_root(session, [NODE, OF])?;
    session.note_shown(&target.node, std::slice::from_ref(&node));
    let nudge = study::nudge(&target.node, &node, h);
    let (root, label) = (session.label(&target.node), session.label(&node));
    let facts = vec![
        ("root", root.clone().into()),
        ("node", label.clone().into()),
        ("h", nudge.h.into()),
        ("before", nudge.before.into()),
        ("after", nudge.after.into()),
        ("slope", nudge.slope.into()),
        ("grad", nudge.grad.into()),
    ];
    let blocks = vec![
        Block::Line(say!(
            "{:name} bumped by {:short}:  {:name} {}",
            &label,
            nudge.h,
            &root,
            telling_change(nudge.before, nudge.after)
        )),
        Block::Line(say!(
            "slope {}   grad {}{}",
            ask_numbers(say!("{}", nudge.slope)),
            ask_numbers(say!("{}", nudge.grad)),
            dim(say!("   difference {:short}", nudge.slope - nudge.grad))
        )),
    ];
    let report = Report::new(&COMMAND, facts, blocks);
    Ok(Reply::show(report).with_notes(target.notes))
}
