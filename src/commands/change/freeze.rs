//! `:freeze a b` marks leaves that `:step` and searches must not move; `:thaw a b` frees them again.

use crate::commands::args::Argument;
use crate::commands::args::suggestions::Offers;
use crate::commands::node_table;
use crate::commands::prelude::*;
use crate::commands::signatures::{freeze, thaw};

pub(crate) static COMMAND: Command = Command::new(
    freeze::SIGNATURE,
    |session, arguments| freeze_or_thaw(session, arguments, freeze::LEAF, true),
    &[(freeze::LEAF, Offers::Nodes(Node::is_free))],
);

pub(crate) static THAW: Command = Command::new(
    thaw::SIGNATURE,
    |session, arguments| freeze_or_thaw(session, arguments, thaw::LEAF, false),
    &[(thaw::LEAF, Offers::Nodes(Node::is_frozen))],
);

/// Names the leaves that have changed, or says that all are in this state already.
fn freeze_or_thaw(
    session: &mut Session,
    arguments: &Arguments,
    argument: &Argument,
    is_frozen: bool,
) -> Result<Reply, Diagnostic> {
    let leaves = arguments.nodes(session, argument)?;
    let changed = session.freeze(&leaves, is_frozen);
    let state = if is_frozen { "frozen" } else { "free" };
    let line = if changed.is_empty() {
        let labels = node_table::labels_line(session, &leaves);
        say!("already {}: {}", state, labels)
    } else {
        say!("{}: {}", state, node_table::labels_line(session, &changed))
    };
    let facts = vec![
        ("leaves", node_table::labels_fact(session, &leaves)),
        ("changed", changed.len().into()),
    ];
    let name = arguments.command.name;
    Ok(Reply::show(Report::confirming(name, facts, line)))
}
