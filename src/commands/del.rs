//! `:del a`: forget names.
//!
//! The nodes are not its affair: they go when nothing uses them any more.

use super::args::{Argument, Arguments, Takes};
use super::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Block, Fact, Piece, Report};
use crate::session::Session;
use crate::suggest::nearest;

/// The command.
pub const COMMAND: Command = Command {
    name: "del",
    aliases: &["delete", "forget"],
    group: Group::Session,
    arguments: &[Argument::needed("NAME", Takes::Names)],
    summary: "forget names",
    details: "The nodes stay as long as something uses them; one that lost its last name is shown as `a@1`.",
    example: "
∂> a = 2
a = 2
∂> L = a*a
L = 4
∂> :del a
forgotten: a
∂> :grad L
  node   expression   data   grad
  L      a@1*a@1         4      1
  a@1    leaf            2      4
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let mut names: Vec<&str> = Vec::new();
    for &span in arguments.words("NAME") {
        let name = span.of(arguments.text);
        if session.names().get(name).is_none() {
            let near = nearest(name, session.names().bound().map(|(name, _)| &**name));
            let help = near.map_or_else(
                || "`:vars` lists the names there are".to_string(),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(
                Diagnostic::new(format!("there is no name `{name}` to forget"))
                    .at(span)
                    .help(help),
            );
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    session.forget(arguments.statement, &names);
    let mut line = vec![Piece::plain("forgotten: ")];
    for (place, name) in names.iter().enumerate() {
        line.extend([
            Piece::plain(if place == 0 { "" } else { ", " }),
            Piece::name(*name),
        ]);
    }
    Ok(Reply::show(Report {
        kind: "del",
        facts: vec![(
            "names",
            Fact::List(
                names
                    .iter()
                    .map(|name| Fact::Text((*name).to_string()))
                    .collect(),
            ),
        )],
        blocks: vec![Block::Line(line)],
        confirmation: true,
    }))
}
