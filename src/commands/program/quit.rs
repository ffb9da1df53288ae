//! `:quit`: ends the session.
//!
//! The command only requests it; the shell ends the run.

use crate::commands::{Command, Effect, Reply};

pub(crate) static COMMAND: Command = Command::new(
    "quit",
    page!("commands/quit"),
    |_, _| Ok(Reply::effect(Effect::Quit)),
    &[],
);
