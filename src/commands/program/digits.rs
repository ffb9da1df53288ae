//! `:digits N`: sets how many significant digits are shown.
//!
//! Only the display changes, never the numbers themselves.

use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Block, Fact, Report, say};
use crate::session::Session;
use crate::session::settings::MOST_DIGITS;

pub(crate) const COMMAND: Command = Command {
    name: "digits",
    aliases: &[],
    group: Group::Session,
    looks: false,
    entry: (":digits 4", "digits shown"),
    arguments: &[Argument::optional("N", ArgumentKind::Count)
        .means("1 to 17; without it, the present number is shown")],
    summary: "significant digits shown; 17 is exact",
    page: page!("commands/digits"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let asked = arguments.count(session, "N", u64::from(MOST_DIGITS))?;
    if let Some(digits) = asked {
        session.configure(|settings| {
            settings.set_digits(digits as u8);
        });
    }
    let settings = session.settings();
    let (digits, in_tables) = (settings.digits, settings.table_digits);
    let facts = vec![
        ("digits", Fact::Count(u64::from(digits))),
        ("table_digits", Fact::Count(u64::from(in_tables))),
    ];
    let line = say!("digits {}, in tables {}", digits, in_tables);
    Ok(Reply::show(Report {
        kind: "digits",
        facts,
        blocks: vec![Block::Line(line)],
        confirmation: asked.is_some(),
    }))
}
