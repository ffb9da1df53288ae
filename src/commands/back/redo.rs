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
    looks: false,
    entry: (":redo", "redo a change"),
    arguments: &[
        Argument::optional("N", ArgumentKind::Count).means("how many changes; by default, one")
    ],
    summary: "redo what `:undo` took back",
    page: page!("commands/redo"),
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
