//! `:redo [N]`: makes the changes again that were undone last.
//!
//! Undo and redo share one function, which is in `undo`.

use super::undo;
use crate::commands::args::{Argument, ArgumentKind};
use crate::commands::{Command, Group};
use crate::session::Session;

pub(crate) const COMMAND: Command = Command {
    name: "redo",
    aliases: &[],
    group: Group::Back,
    entry: (":redo", "make it again"),
    arguments: &[
        Argument::optional("N", ArgumentKind::Count).means("how many changes; left out, one")
    ],
    summary: "do again what `:undo` took back",
    details: "Possible until the next change, which closes the way forward.",
    example: "
∂> a = 2
a = 2
∂> :set a 7
  node   data
  a         2 → 7
∂> :undo
undone: :set a 7
∂> :redo
redone: :set a 7
∂> a
7
",
    run: |session, arguments| {
        undo::go(
            session,
            arguments,
            Session::redo,
            "redone",
            "nothing to redo",
        )
    },
};
