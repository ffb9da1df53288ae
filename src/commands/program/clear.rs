//! `:clear`: clears the screen.
//!
//! The command only requests it; the shell knows whether there is a screen.

use crate::commands::{Command, Effect, Group, Reply};

pub(crate) const COMMAND: Command = Command {
    name: "clear",
    aliases: &["cls"],
    group: Group::Session,
    entry: (":clear", "the screen"),
    arguments: &[],
    summary: "clear the screen, as Ctrl-L does",
    details: "Nothing else changes: `:reset` is what begins the session anew. In a script or a pipe it does nothing.",
    example: "
∂> :clear
",
    run: |_, _| {
        Ok(Reply {
            effect: Some(Effect::Clear.into()),
            ..Reply::default()
        })
    },
};
