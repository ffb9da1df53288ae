//! `:zero`: forgets the gradients.
//!
//! Data and names stay; only the last pass is dropped.

use crate::commands::args::Arguments;
use crate::commands::{Command, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Fact, Report, say};
use crate::session::Session;

pub(crate) static COMMAND: Command = Command::new("zero", page!("commands/zero"), run, &[]);

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
