//! `:save FILE` writes the session as a script that recreates it, and `:load FILE` runs a script on top of the session,
//! as one change.
//!
//! `chainrule_session` makes the script. The shell reads and runs a file.

use crate::command::Effect;
use crate::command::prelude::*;
use crate::command::signatures::{load, save};
use chainrule_session::{Contents, is_saved_session};

pub(crate) static COMMAND: Command = Command::new(save::SIGNATURE, run, &[]);

pub(crate) static LOAD: Command = Command::new(
    load::SIGNATURE,
    |_, arguments| Ok(Reply::effect(Effect::Load(arguments.file(load::FILE)?))),
    &[],
);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let file = arguments.file(save::FILE)?;
    let script = session.script();
    let count = plural(script.statements, "statement");
    let line = say!("saved {} to {:typed}", count, &*file.path);
    let facts = vec![
        ("path", file.path.clone().into()),
        ("statements", script.statements.into()),
        ("bytes", script.text.len().into()),
    ];
    let report = Report::confirming(&COMMAND, facts, line);
    let contents = Contents::Text {
        text: script.text,
        own: is_saved_session,
    };
    Reply::show(report).write(session, &file, contents)
}

/// The report of a file that was loaded.
pub fn load_report(path: &str, statements: usize) -> Report {
    let line = say!("loaded {:typed}: {}", path, plural(statements, "statement"));
    let facts = vec![("path", path.into()), ("statements", statements.into())];
    Report::confirming(&LOAD, facts, line)
}
