//! `:del a`: forget names.
//!
//! The nodes are not its affair: they go when nothing uses them any more.

use super::args::{Argument, Arguments, Takes};
use super::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Block, Fact, Piece, Report};
use crate::session::Session;
use crate::suggest::nearest;
use crate::syntax::Span;

/// The command.
pub const COMMAND: Command = Command {
    name: "del",
    aliases: &["delete", "forget"],
    group: Group::Session,
    arguments: &[Argument::needed("NAME", Takes::Names)],
    summary: "forget names and functions",
    details: "The nodes stay as long as something uses them; one that lost its last name is shown as `a@1`. A function is \
              forgotten by its name too, or by `f()` where a value has the same name.",
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
    let mut functions: Vec<&str> = Vec::new();
    for &span in arguments.words("NAME") {
        let word = span.of(arguments.text);
        let called = word.strip_suffix("()");
        let name = called.unwrap_or(word);
        let list = if called.is_none() && session.names().get(name).is_some() {
            &mut names
        } else if session.functions().get(name).is_some() {
            &mut functions
        } else {
            return Err(nothing_to_forget(session, word, span));
        };
        if !list.contains(&name) {
            list.push(name);
        }
    }
    session.forget(arguments.statement, &names, &functions);
    let listed: Vec<String> = (names.iter().map(ToString::to_string))
        .chain(functions.iter().map(|function| format!("{function}()")))
        .collect();
    let mut line = vec![Piece::plain("forgotten: ")];
    for (place, name) in listed.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        line.extend([Piece::plain(comma), Piece::name(name)]);
    }
    let facts = vec![(
        "names",
        Fact::List(listed.into_iter().map(Fact::Text).collect()),
    )];
    Ok(Reply::show(Report {
        kind: "del",
        facts,
        blocks: vec![Block::Line(line)],
        confirmation: true,
    }))
}

fn nothing_to_forget(session: &Session, word: &str, span: Span) -> Diagnostic {
    let names = session.names().bound().map(|(name, _)| &**name);
    let functions = session.functions().iter().map(|function| &*function.name);
    let near = nearest(word, names.chain(functions));
    let help = near.map_or_else(
        || "`:vars` and `:funcs` list what there is".to_string(),
        |near| format!("did you mean `{near}`?"),
    );
    Diagnostic::new(format!("there is no name `{word}` to forget"))
        .at(span)
        .help(help)
}
