//! `:zero`: forgets the gradients.
//!
//! Data and names stay; only the last pass is dropped.

use crate::commands::args::Arguments;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Fact, Report, say};
use crate::session::Session;

pub(crate) const COMMAND: Command = Command {
    name: "zero",
    aliases: &[],
    group: Group::Differentiate,
    entry: (":zero", "forget the gradients"),
    arguments: &[],
    summary: "forget the gradients",
    details: "After that, no node has a grad until the next pass. `:grad` does this by itself, `:backward` does not.",
    example: "
∂> a = 3
a = 3
∂> L = a^2
L = 9
∂> :grad L
  node   expression   data   grad
  L      a^2             9      1
  a      leaf            3      6
∂> :zero
gradients forgotten
∂> :vars
  name   expression   data   grad
  a      leaf            3      ·
  L      a^2             9      ·
",
    run,
};

fn run(session: &mut Session, _: &Arguments) -> Result<Reply, Diagnostic> {
    let some = session.forget_pass();
    let line = if some {
        "gradients forgotten"
    } else {
        "there were no gradients"
    };
    Ok(Reply::show(Report::done(
        "zero",
        vec![("forgotten", Fact::Flag(some))],
        say!("{}", line),
    )))
}
