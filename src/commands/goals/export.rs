//! `:export T FILE`: what was made here, for other programs.
//!
//! The ending of the file decides what is written. The shell writes it, completely or not at all.

use super::columns;
use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Effect, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Fact, Report, plural, say};
use crate::session::Session;

pub(crate) const COMMAND: Command = Command {
    name: "export",
    aliases: &[],
    group: Group::Goals,
    entry: (":export w FILE", "for other programs"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression).means("lists, with commas between"),
        Argument::needed("FILE", ArgumentKind::File)
            .means("a table of lists: `.csv`")
            .offering(Offers::Files(|| vec!["csv"])),
    ],
    summary: "lists as a table for other programs",
    details: "Each list is a column, named as it was typed, and a list of rows is as many columns. `:data` reads the \
              same numbers back, to the bit.",
    example: "
∂> w = [0.5, -1, 0.25]
w = [0.5, -1, 0.25]
∂> :export w, w^2 weights.csv
wrote 2 columns of 3 numbers to weights.csv
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(file) = arguments.file("FILE")? else {
        return Ok(Reply::default());
    };
    let made = session.made();
    let before = session.begin_copy();
    let typed = arguments.stretch("T").unwrap_or(arguments.word);
    let found = columns::columns(session, arguments.text, typed);
    session.end_copy(before);
    session.rewind(made);
    let columns = found?;
    let line = say!(
        "wrote {} of {} to {:typed}",
        plural(columns.width, "column"),
        plural(columns.rows, "number"),
        &*file.path
    );
    let facts = vec![
        ("path", Fact::Text(file.path.clone())),
        ("columns", Fact::Count(columns.width as u64)),
        ("rows", Fact::Count(columns.rows as u64)),
    ];
    Ok(Reply {
        report: Some(Report::done(COMMAND.name, facts, line)),
        effect: Effect::Write {
            file,
            text: columns.text,
            own: |_| true,
        },
        ..Reply::default()
    })
}
