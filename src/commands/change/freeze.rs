//! `:freeze a b` marks leaves that `:step` and searches must not move; `:thaw a b` frees them again.

use crate::commands::args::Argument;
use crate::commands::args::suggestions::Offers;
use crate::commands::node_table;
use crate::commands::prelude::*;
use crate::commands::signatures::{freeze, thaw};
use chainrule_engine::graph::Node;
use chainrule_report::{Report, say};

pub(crate) static COMMAND: Command = Command::new(
    freeze::SIGNATURE,
    |session, arguments| mark(session, arguments, freeze::LEAF, true),
    &[(freeze::LEAF, Offers::Nodes(Node::is_free))],
);

pub(crate) static THAW: Command = Command::new(
    thaw::SIGNATURE,
    |session, arguments| mark(session, arguments, thaw::LEAF, false),
    &[(thaw::LEAF, Offers::Nodes(Node::is_frozen))],
);

/// Freezes or frees the given leaves.
fn mark(
    session: &mut Session,
    arguments: &Arguments,
    argument: &Argument,
    freeze: bool,
) -> Result<Reply, Diagnostic> {
    let leaves = arguments.nodes(session, argument)?;
    let changed = session.freeze(&leaves, freeze);
    let state = if freeze { "frozen" } else { "free" };
    let (already, named) = match &changed[..] {
        [] => ("already ", &leaves),
        _ => ("", &changed),
    };
    let named = node_table::labels_line(session, named);
    let line = say!("{}{}: {}", already, state, named);
    let facts = vec![
        ("leaves", node_table::labels_fact(session, &leaves)),
        ("changed", changed.len().into()),
    ];
    let name = arguments.command.name;
    Ok(Reply::show(Report::confirming(name, facts, line)))
}
