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
    entry: (":load FILE", "run a script"),
    arguments: &[Argument::needed("FILE", ArgumentKind::File)
        .means("the script to run; its name ends in `.calc`")
        .offering(SCRIPT)],
    summary: "run a script in this session, all or nothing",
    details: "FILE may be a script that `:save` wrote or any other, and may load others: a relative path in a script \
              starts at the script's own folder. The answers of its statements are shown. A statement that fails takes \
              back the whole file, and `:undo` takes back the whole file as one change. `:quit` ends the file. A \
              loaded file cannot write files: `:save` is an error there.",
    example: "
∂> a, b = 2, -3
a = 2, b = -3
∂> L = a*b
L = -6
∂> :save product.calc
saved 2 statements to product.calc
∂> :reset
3 names forgotten; :undo brings them back
∂> :load product.calc
loaded product.calc: 2 statements
∂> :grad L
  node   expression   data   grad
  L      a*b            -6      1
  b      leaf           -3      2
  a      leaf            2     -3
",
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
