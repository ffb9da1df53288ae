//! `:reset`: deletes all names, results and gradients, as one change that can be undone.
//!
//! Settings stay, and `:undo` brings everything back.

use crate::commands::prelude::*;
use crate::commands::signatures::reset::SIGNATURE;
use chainrule_report::plural;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, _: &Arguments) -> Result<Reply, Diagnostic> {
    let count = session.names().bound_values().count() + session.functions().iter().count();
    session.reset();
    let names = plural(count, "name");
    let line = say!("{} forgotten; `:undo` brings them back", names);
    let facts = vec![("names", count.into())];
    Ok(Reply::show(Report::confirming("reset", facts, line)))
}
