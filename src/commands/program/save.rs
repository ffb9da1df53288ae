//! `:save FILE`: writes the session as a script that recreates it. `session/save.rs` makes the script.

use crate::commands::args::Arguments;
use crate::commands::args::suggestions::Offers;
use crate::commands::{Command, Reply};
use crate::session::{Contents, NOT_AS_TYPED, Session, is_saved_session};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Note, Report, plural, say};

/// A script file.
pub(crate) const SCRIPT: Offers = Offers::Files(|| vec!["calc"]);

pub(crate) static COMMAND: Command =
    Command::new("save", page!("commands/save"), run, &[("FILE", SCRIPT)]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(file) = arguments.file("FILE")? else {
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
    let note = script.text.contains(NOT_AS_TYPED).then(|| {
        Note::new(say!(
            "not all is saved as typed, since a node without a name was meant by its number: {:dim} marks it in the file",
            NOT_AS_TYPED.trim_end_matches([':', ' '])
        ))
    });
    let contents = Contents::Text {
        text: script.text,
        own: is_saved_session,
    };
    Ok(Reply::show(report)
        .write(session, &file, contents)?
        .with_notes(note))
}
