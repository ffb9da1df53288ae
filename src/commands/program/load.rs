//! `:load FILE`: runs a script on top of the session, as one change.
//!
//! The shell reads and runs the file; this file makes the report.

use super::save::SCRIPT;
use crate::commands::args::Arguments;
use crate::commands::signatures::load::{FILE, SIGNATURE};
use crate::commands::{Command, Effect, Reply};
use crate::session::Session;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Fact, Report, plural, say};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[(FILE, SCRIPT)]);

fn run(_: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(file) = arguments.file(FILE)? else {
        return Ok(Reply::default());
    };
    Ok(Reply::effect(Effect::Load(file)))
}

/// The report of a file that was loaded.
pub fn load_report(path: &str, statements: usize) -> Report {
    let line = say!("loaded {:typed}: {}", path, plural(statements, "statement"));
    let facts = vec![
        ("path", Fact::Text(path.to_owned())),
        ("statements", Fact::Count(statements as u64)),
    ];
    Report::confirming(COMMAND.name, facts, line)
}
