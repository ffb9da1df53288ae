//! `:del a`: deletes names and functions.
//!
//! Nodes are not deleted here: a node is dropped when nothing uses it any more.

use rustc_hash::FxHashSet;

use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::{did_you_mean, nearest};
use crate::report::{Fact, Report, name_list, say};
use crate::session::{Forgotten, Session};
use crate::syntax;
use crate::syntax::{Head, Item, ItemKind, Span};

pub(crate) const COMMAND: Command = Command {
    name: "del",
    aliases: &["delete", "forget"],
    group: Group::Back,
    looks: false,
    entry: (":del a", "forget a name"),
    arguments: &[Argument::needed("NAME", ArgumentKind::Names)
        .means("names and functions, separated by blanks")],
    summary: "forget names and functions",
    page: page!("commands/del"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let mut names: Vec<&str> = Vec::new();
    let mut functions: Vec<&str> = Vec::new();
    let mut formers: Vec<(&str, u32)> = Vec::new();
    let mut seen = FxHashSet::default();
    for &span in arguments.words("NAME") {
        let word = span.of(arguments.text);
        if let Some(former) = former(arguments.text, span) {
            formers.push(former);
            continue;
        }
        let called = word.strip_suffix("()");
        let name = called.unwrap_or(word);
        let is_value = called.is_none() && session.names().find(name).is_some();
        let list = if is_value {
            &mut names
        } else if session.functions().get(name).is_some() {
            &mut functions
        } else if let Some(list) = list_of_item(arguments.text, span) {
            return Err(item_forgotten(word, list, span));
        } else {
            return Err(nothing_to_forget(session, word, span));
        };
        if seen.insert((is_value, name)) {
            list.push(name);
        }
    }
    let listed: Vec<String> = (names.iter().map(ToString::to_string))
        .chain(functions.iter().map(|function| format!("{function}()")))
        .chain(
            formers
                .iter()
                .map(|(name, count)| format!("{name}@{count}")),
        )
        .collect();
    let forgotten = Forgotten {
        names,
        functions,
        formers,
    };
    session.forget(&forgotten);
    let line = say!("forgotten: {}", name_list(&listed));
    let facts = vec![(
        "names",
        Fact::List(listed.into_iter().map(Fact::Text).collect()),
    )];
    Ok(Reply::show(Report::done("del", facts, line)))
}

/// Parses a former name: `a@1`.
fn former(text: &str, span: Span) -> Option<(&str, u32)> {
    let expression = syntax::expression(text, span).ok()?;
    match expression.items[..] {
        [
            Item {
                kind: ItemKind::Former(name, count),
                ..
            },
        ] if (1..=MOST_FORMER).contains(&count) => Some((name, count)),
        _ => None,
    }
}

/// The list in `w[2]` or `w@1[2]`.
fn list_of_item(text: &str, span: Span) -> Option<&str> {
    let expression = syntax::expression(text, span).ok()?;
    let (last, first) = (expression.items.last()?, expression.items.first()?);
    let is_index = last.kind == ItemKind::Apply(Head::Index, 2);
    let is_name = matches!(first.kind, ItemKind::Name(_) | ItemKind::Former(..));
    (is_index && is_name).then(|| first.span.of(text))
}

/// `:del w[2]`
fn item_forgotten(word: &str, list: &str, span: Span) -> Diagnostic {
    Diagnostic::new(format!("`{word}` is an item of a list, not a name"))
        .at(span)
        .help(format!(
            "`:del {list}` forgets the list; an item of it stays as long as something uses it"
        ))
}

fn nothing_to_forget(session: &Session, word: &str, span: Span) -> Diagnostic {
    let names = session.names().bound().map(|(name, _)| name);
    let functions = session.functions().iter().map(|function| &*function.name);
    let near = nearest(word, names.chain(functions));
    let help = did_you_mean(near, || "`:vars` lists all names".into());
    Diagnostic::new(format!("there is no name `{word}` to forget"))
        .at(span)
        .help(help)
}

/// The largest number of a former name.
const MOST_FORMER: u32 = 1_000_000_000;
