//! `:thaw a b`: lets `:step` move frozen leaves again.
//!
//! The function is shared with `:freeze` and is in `freeze`.

use super::freeze;
use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind};
use crate::commands::{Command, Group};
use crate::graph::Node;

pub(crate) const COMMAND: Command = Command {
    name: "thaw",
    aliases: &[],
    group: Group::Change,
    looks: false,
    entry: (":thaw a", "let it move"),
    arguments: &[
        Argument::needed("LEAF", ArgumentKind::Nodes).offering(Offers::Nodes(Node::is_frozen))
    ],
    summary: "free frozen leaves: `:step` moves them again",
    page: page!("commands/thaw"),
    run: |session, arguments| freeze::mark(session, arguments, false),
};
