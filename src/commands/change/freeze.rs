//! `:freeze a b` marks leaves that `:step` must not move, `:thaw a b` lets it move them again.
//!
//! The mark is kept in the leaf; only `:step` looks at it.

use std::rc::Rc;

use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Fact, Report, say};
use crate::session::Session;

pub(crate) const COMMAND: Command = Command {
    name: "freeze",
    aliases: &[],
    group: Group::Change,
    looks: false,
    entry: (":freeze a", "keep it fixed"),
    arguments: &[Argument::needed("LEAF", ArgumentKind::Nodes)
        .offering(Offers::Nodes(Node::is_free))
        .leaves()],
    summary: "freeze leaves: `:step` does not move them",
    page: page!("commands/freeze"),
    run: |session, arguments| mark(session, arguments, true),
};

pub(crate) const THAW: Command = Command {
    name: "thaw",
    aliases: &[],
    group: Group::Change,
    looks: false,
    entry: (":thaw a", "let it move"),
    arguments: &[Argument::needed("LEAF", ArgumentKind::Nodes)
        .offering(Offers::Nodes(Node::is_frozen))
        .leaves()],
    summary: "free frozen leaves: `:step` moves them again",
    page: page!("commands/thaw"),
    run: |session, arguments| mark(session, arguments, false),
};

/// Freezes or frees the leaves that were named.
fn mark(session: &mut Session, arguments: &Arguments, freeze: bool) -> Result<Reply, Diagnostic> {
    let leaves = arguments.nodes(session, "LEAF")?;
    let leaves: Vec<Rc<Node>> = leaves.into_iter().map(|(leaf, _)| leaf).collect();
    let changed = session.freeze(&leaves, freeze);
    let state = if freeze { "frozen" } else { "free" };
    let line = if changed.is_empty() {
        say!("already {}: {}", state, rows::enumerated(session, &leaves))
    } else {
        say!("{}: {}", state, rows::enumerated(session, &changed))
    };
    Ok(Reply::show(Report::done(
        arguments.command.name,
        vec![
            ("leaves", rows::listed(session, &leaves)),
            ("changed", Fact::Count(changed.len() as u64)),
        ],
        line,
    )))
}
