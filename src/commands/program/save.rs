//! `:save FILE`: writes the session as a script that recreates it.
//!
//! The session keeps the statements.

use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Fact, Report, plural, say};
use crate::session::{Contents, Session, opens_saved};

/// A script file.
pub(crate) const SCRIPT: Offers = Offers::Files(|| vec!["calc"]);

pub(crate) const COMMAND: Command = Command {
    name: "save",
    aliases: &[],
    group: Group::Session,
    entry: (":save FILE", "save the session"),
    arguments: &[Argument::needed("FILE", ArgumentKind::File)
        .means("the script to write; its name ends in `.calc`")
        .offering(SCRIPT)],
    summary: "write what was typed as a script",
    details: "The file has the statements that changed something, as they were typed, with the comments before them. \
              `:load` runs them in an empty session, and brings back names, values, functions, settings and every \
              gradient, bit for bit. What `:step`, `:solve`, `:minimize` and `:data` have led to is written as \
              numbers, and `.grad` as its number. Passes, results that nothing uses, watches, a walk, scores and the \
              undo history are not saved. An existing file is replaced only when the new one is complete, and a file \
              that is not a saved session is kept as `lesson.calc~`. FILE ends in `.calc` and is quoted if it \
              contains blanks, `;` or `#`; `~/` is the home folder.",
    example: "
∂> w, x = 0.5, 2
w = 0.5, x = 2
∂> const t = 3
t = 3
∂> E = (w*x - t)^2
E = 4
∂> :save lesson.calc
saved 3 statements to lesson.calc
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(file) = arguments.file("FILE")? else {
        return Ok(Reply::default());
    };
    let script = session.script();
    let count = plural(script.statements, "statement");
    let line = say!("saved {} to {:typed}", count, &*file.path);
    let report = Report::done(
        "save",
        vec![
            ("path", Fact::Text(file.path.clone())),
            ("statements", Fact::Count(script.statements as u64)),
            ("bytes", Fact::Count(script.text.len() as u64)),
        ],
        line,
    );
    let contents = Contents::Text {
        text: script.text,
        own: opens_saved,
    };
    Reply::show(report).write(session, &file, contents)
}
