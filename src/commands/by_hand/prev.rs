//! `:prev [N]`: takes back stops of the walk, and the contributions that they added to grads.

use super::walk;
use crate::commands::args::Arguments;
use crate::commands::signatures::prev::{N, SIGNATURE};
use crate::commands::{Command, Reply};
use crate::session::Session;
use chainrule_report::diagnostic::Diagnostic;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    if walk::open_walk(session, arguments)?.position == 0 {
        return Err(Diagnostic::new("the walk is at its beginning")
            .at(arguments.word)
            .help("`:next` goes on"));
    }
    let count = arguments.count(session, N, u64::from(u32::MAX))?;
    session.walk_back(count.unwrap_or(1) as usize);
    Ok(Reply::show(walk::place_report(session)))
}
