//! `:save FILE`: writes the session as a script that recreates it.
//!
//! The session makes the text.

use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Fact, Report, plural, say};
use crate::session::saving::header;
use crate::session::{Contents, Session};

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
    summary: "write the session as a script",
    details: "`:load` brings it back in another session, bit for bit: names, values, frozen leaves, former names and \
              settings, and with them every gradient. Results, passes and the undo history are not saved. An existing \
              file is replaced only when the new one is complete, and a file that is not a saved session is kept as \
              `lesson.calc~`. FILE ends in `.calc` and is quoted if it contains blanks, `;` or `#`; `~/` is the home \
              folder. The file is a script like any other: you can read, change and run it. It \
              keeps the comments before and after the statements that bound names.",
    example: "
∂> w, x = 0.5, 2
w = 0.5, x = 2
∂> const t = 3
t = 3
∂> E = (w*x - t)^2
E = 4
∂> :save lesson.calc
saved 7 nodes to lesson.calc
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(file) = arguments.file("FILE")? else {
        return Ok(Reply::default());
    };
    let script = session.script();
    let nodes = plural(script.nodes, "node");
    let line = say!("saved {} to {:typed}", nodes, &*file.path);
    let report = Report::done(
        "save",
        vec![
            ("path", Fact::Text(file.path.clone())),
            ("nodes", Fact::Count(script.nodes as u64)),
            ("bytes", Fact::Count(script.text.len() as u64)),
        ],
        line,
    );
    let contents = Contents::Text {
        text: script.text,
        own: header::opens,
    };
    Reply::show(report).write(session, &file, contents)
}
