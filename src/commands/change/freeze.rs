//! `:freeze a b` marks leaves that `:step` and searches must not move; `:thaw a b` frees them again.

use crate::commands::args::suggestions::Offers;
use crate::commands::node_table;
use crate::commands::prelude::*;
use crate::commands::signatures::{freeze, thaw};

pub(crate) static COMMAND: Command = Command::new(
    freeze::SIGNATURE,
    |session, arguments| {
        let leaves = arguments.nodes(session, freeze::LEAF)?;
        let changed = session.freeze(&leaves, true);
        Ok(reply(session, arguments, "frozen", &leaves, &changed))
    },
    &[(freeze::LEAF, Offers::Nodes(Node::is_free))],
);

pub(crate) static THAW: Command = Command::new(
    thaw::SIGNATURE,
    |session, arguments| {
        let leaves = arguments.nodes(session, thaw::LEAF)?;
        let changed = session.freeze(&leaves, false);
        Ok(reply(session, arguments, "free", &leaves, &changed))
    },
    &[(thaw::LEAF, Offers::Nodes(Node::is_frozen))],
);

/// Names the leaves that have changed, or says that all are in this state already.
fn reply(
    session: &Session,
    arguments: &Arguments,
    state: &str,
    leaves: &[Rc<Node>],
    changed: &[Rc<Node>],
) -> Reply {
    let line = if changed.is_empty() {
        say!(
            "already {}: {}",
            state,
            node_table::labels_line(session, leaves)
        )
    } else {
        say!("{}: {}", state, node_table::labels_line(session, changed))
    };
    let facts = vec![
        ("leaves", node_table::labels_fact(session, leaves)),
        ("changed", changed.len().into()),
    ];
    let name = arguments.command.name;
    Reply::show(Report::confirming(name, facts, line))
}
