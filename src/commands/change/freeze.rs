//! `:freeze a b` marks leaves that `:step` and searches must not move; `:thaw a b` frees them again.

use crate::command::args::suggestions::Offers;
use crate::command::node_table::{labels_fact, labels_line};
use crate::command::prelude::*;
use crate::command::signatures::{freeze, thaw};

pub(crate) static COMMAND: Command = Command::new(
    freeze::SIGNATURE,
    freeze_or_thaw,
    &[(freeze::LEAF, Offers::Nodes(Node::is_free))],
);

pub(crate) static THAW: Command = Command::new(
    thaw::SIGNATURE,
    freeze_or_thaw,
    &[(thaw::LEAF, Offers::Nodes(Node::is_frozen))],
);

/// Names the leaves that have changed, or says that all are in this state already.
fn freeze_or_thaw(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let is_frozen = arguments.command.name == COMMAND.name;
    let argument = if is_frozen { freeze::LEAF } else { thaw::LEAF };
    let state = if is_frozen { "frozen" } else { "free" };
    let leaves = arguments.nodes(session, argument)?;
    let changed = session.freeze(&leaves, is_frozen);
    let line = match changed.as_slice() {
        [] => say!("already {}: {}", state, labels_line(session, &leaves)),
        changed => say!("{}: {}", state, labels_line(session, changed)),
    };
    let facts = vec![
        ("leaves", labels_fact(session, &leaves)),
        ("changed", changed.len().into()),
    ];
    Ok(Reply::show(Report::confirming(
        arguments.command,
        facts,
        line,
    )))
}
