//! `:load FILE`: runs a script on top of the session, as one change.
//!
//! The shell reads and runs the file and adds the number of statements to the report.

use super::save::SCRIPT;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Effect, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Fact, Report, say};
use crate::session::Session;

pub(crate) const COMMAND: Command = Command {
    name: "load",
    aliases: &[],
    group: Group::Session,
    entry: (":load FILE", "run a script"),
    arguments: &[Argument::needed("FILE", ArgumentKind::File)
        .means("a script; its name ends in `.calc`")
        .offering(SCRIPT)],
    summary: "run a script on top of the session, all or nothing",
    details: "It may be one that `:save` wrote or any other, and may load others: a path in a file begins at the \
              file's own folder. What its statements show is shown. One that fails takes back all of the file, and \
              all of it is one change for `:undo`. `:quit` ends the file. Nothing is written from inside it: `:save` \
              is an error there.",
    example: "
∂> a, b = 2, -3
a = 2, b = -3
∂> L = a*b
L = -6
∂> :save product.calc
saved 3 nodes to product.calc
∂> :reset
3 names forgotten; :undo brings them back
∂> :load product.calc
loaded product.calc: 7 statements
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
    let line = say!("loaded {:typed}", &*file.path);
    let report = Report::done("load", vec![("path", Fact::Text(file.path.clone()))], line);
    Ok(Reply {
        report: Some(report),
        effect: Effect::Load(file),
        ..Reply::default()
    })
}
