//! `:quit`: ends the session.
//!
//! The command only requests it; the shell ends the run.

use crate::commands::{Command, Effect, Group, Reply};

pub(crate) const COMMAND: Command = Command {
    name: "quit",
    aliases: &["q", "exit"],
    group: Group::Session,
    looks: false,
    entry: (":quit", "leave (Ctrl-D)"),
    arguments: &[],
    summary: "leave the program",
    page: page!("commands/quit"),
    run: |_, _| Ok(Reply::effect(Effect::Quit)),
};
