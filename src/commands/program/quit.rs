//! `:quit`: ends the session.
//!
//! The command only requests it; the shell ends the run.

use crate::command::signatures::quit::SIGNATURE;
use crate::command::{Command, Effect, Reply};

pub(crate) static COMMAND: Command =
    Command::new(SIGNATURE, |_, _| Ok(Reply::effect(Effect::Quit)), &[]);
