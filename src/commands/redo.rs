//! `:redo [N]`: do again what was taken back last.

use super::args::{Argument, Takes};
use super::{Command, Group, undo};
use crate::session::Session;

/// The command.
pub const COMMAND: Command = Command {
    name: "redo",
    aliases: &[],
    group: Group::Session,
    arguments: &[Argument::optional("N", Takes::Count)],
    summary: "do again what `:undo` took back",
    details: "Possible until the next change, which closes the way forward.",
    example: "",
    run: |session, arguments| undo::go(session, arguments, Session::redo, "redone", "nothing to redo"),
};
