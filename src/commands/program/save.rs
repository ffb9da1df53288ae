//! `:save FILE`: writes the session as a script that recreates it. `session/save.rs` makes the script.

use crate::commands::args::Arguments;
use crate::commands::args::suggestions::Offers;
use crate::commands::signatures::save::{FILE, SIGNATURE};
use crate::commands::{Command, Reply};
use crate::session::{Contents, Session, is_saved_session};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Report, plural, say};

/// A script file.
pub(crate) const SCRIPT: Offers = Offers::Files(|| vec!["calc"]);

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[(FILE, SCRIPT)]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(file) = arguments.file(FILE)? else {
        return Ok(Reply::default());
    };
    let script = session.script();
    let count = plural(script.statements, "statement");
    let line = say!("saved {} to {:typed}", count, &*file.path);
    let report = Report::confirming(
        "save",
        vec![
            ("path", file.path.clone().into()),
            ("statements", script.statements.into()),
            ("bytes", script.text.len().into()),
        ],
        line,
    );
    let contents = Contents::Text {
        text: script.text,
        own: is_saved_session,
    };
    Reply::show(report).write(session, &file, contents)
}
