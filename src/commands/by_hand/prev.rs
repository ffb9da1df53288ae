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
    entry: (":prev", "back one stop"),
    arguments: &[
        Argument::optional("N", ArgumentKind::Count).means("how many stops; by default, one"),
        Argument::TABLE,
    ],
    summary: "go back one stop of the walk, or N",
    details: "Shows the stop to which the walk has come back.",
    example: "
∂> a = 3
a = 3
∂> b = a*a + a
b = 12
∂> :walk b
a backward walk of b: 2 stops; db/db = 1, every other grad is 0
next: b
∂> :next 2
1 of 2   b = a*a + a = 12   upstream db/db = 1
  operand   local   =   upstream*local   grad
  a*a       1       1                1      0 → 1
  a         1       1                1      0 → 1
next: a*a: all its users are done

2 of 2   a*a = 9   upstream db/d(a*a) = 1
  operand   local   =   upstream*local   grad
  a         a       3                3      1 → 4   second contribution
  a         a       3                3      4 → 7   third contribution
done: every grad is what :grad b shows
∂> :prev
1 of 2   b = a*a + a = 12   upstream db/db = 1
  operand   local   =   upstream*local   grad
  a*a       1       1                1      0 → 1
  a         1       1                1      0 → 1
next: a*a: all its users are done
",
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
