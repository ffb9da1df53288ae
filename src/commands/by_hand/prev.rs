//! `:prev [N]`: takes back stops of the walk.
//!
//! What a stop added to grads is removed again.

use super::walk;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::session::Session;

pub(crate) const COMMAND: Command = Command {
    name: "prev",
    aliases: &["p"],
    group: Group::Walk,
    looks: false,
    entry: (":prev", "back one stop"),
    arguments: &[
        Argument::optional("N", ArgumentKind::Count).means("how many stops; by default, one")
    ],
    summary: "go back one stop of the walk, or N",
    page: page!("commands/prev"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    if walk::open(session, arguments)?.position() == 0 {
        return Err(Diagnostic::new("the walk is at its beginning")
            .at(arguments.word)
            .help("`:next` goes on"));
    }
    for _ in 0..arguments
        .count(session, "N", u64::from(u32::MAX))?
        .unwrap_or(1)
    {
        if !session.walk_back() {
            break;
        }
    }
    Ok(Reply::show(walk::place(session)))
}
