//! `:load FILE`: runs a script on top of the session, as one change.
//!
//! The shell reads and runs the file; this file makes the report.

use super::save::SCRIPT;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Effect, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Fact, Report, plural, say};
use crate::session::Session;

pub(crate) const COMMAND: Command = Command {
    name: "load",
    aliases: &[],
    group: Group::Session,
    looks: false,
    entry: (":load FILE", "run a script"),
    arguments: &[Argument::needed("FILE", ArgumentKind::File)
        .means("the script to run; its name ends in `.calc`")
        .offering(SCRIPT)],
    summary: "run a script in this session, all or nothing",
    page: page!("commands/load"),
    run,
};

fn run(_: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(file) = arguments.file("FILE")? else {
        return Ok(Reply::default());
    };
    Ok(Reply::effect(Effect::Load(file)))
}

/// The report of a file that was loaded. The path is shown as typed.
pub fn loaded(path: &str, statements: usize) -> Report {
    let line = say!("loaded {:typed}: {}", path, plural(statements, "statement"));
    let facts = vec![
        ("path", Fact::Text(path.to_owned())),
        ("statements", Fact::Count(statements as u64)),
    ];
    Report::done(COMMAND.name, facts, line)
}
