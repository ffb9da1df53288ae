//! `:thaw a b`: frozen leaves that `:step` may move again.

use super::args::{Argument, Takes};
use super::{Command, Group, freeze};

/// The command.
pub const COMMAND: Command = Command {
    name: "thaw",
    aliases: &[],
    group: Group::Change,
    arguments: &[Argument::needed("LEAF", Takes::Nodes)],
    summary: "mark leaves free again",
    details: "The counterpart of `:freeze`, also for what `const` made.",
    example: "",
    run: |session, arguments| freeze::mark(session, arguments, false),
};
