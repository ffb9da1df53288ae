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
    entry: (":redo", "redo a change"),
    arguments: &[
        Argument::optional("N", ArgumentKind::Count).means("how many changes; by default, one")
    ],
    summary: "redo what `:undo` took back",
    details: "This works until the next change, which discards what `:undo` took back.",
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
