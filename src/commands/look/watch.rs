//! `:watch L a`: after every statement that changes one of them, a line says how. `:unwatch` ends that.
//!
//! The session knows what is watched and what has changed; this file makes the reports.

use crate::commands::args::Arguments;
use crate::commands::args::resolve;
use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::{Command, Reply};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::{did_you_mean, nearest};
use crate::report::{Block, Cell, Column, Fact, Line, Report, Table, join, name_list, say};
use crate::session::Session;
use crate::session::naming::item_name;
use crate::session::naming::labels::parts::FEW_ITEMS;
use crate::session::values::ListShape;
use crate::session::watches::{Change, MOST_WATCHES, Watch};
use crate::syntax;
use crate::syntax::{Head, Item, ItemKind, Span};

pub(crate) static COMMAND: Command = Command::new("watch", page!("commands/watch"), watch, &[]);

pub(crate) static UNWATCH: Command = Command::new(
    "unwatch",
    page!("commands/unwatch"),
    unwatch,
    &[("NAME", Offers::Words(watched_words))],
);

fn watch(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let words = arguments.words("NODE");
    if words.is_empty() {
        return Ok(watch_reply("watches", "watched", &labels(session)));
    }
    let mut watched = Vec::new();
    for &word in words {
        let label = word.of(arguments.text);
        check_watchable(session, arguments.text, word)?;
        session.watch(label);
        if session.watches().len() > MOST_WATCHES {
            return Err(Diagnostic::new(format!("more than {MOST_WATCHES} watches"))
                .at(word)
                .help("`:unwatch NAME` ends one, `:unwatch` all; a list is one watch"));
        }
        if !watched.iter().any(|known| known == label) {
            watched.push(label.to_string());
        }
    }
    Ok(watch_reply("watches", "watched", &watched))
}

fn unwatch(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let all = labels(session);
    let mut ended: Vec<String> = Vec::new();
    for &word in arguments.words("NAME") {
        let label = word.of(arguments.text);
        if all.iter().any(|known| known == label) {
            ended.push(label.to_string());
        } else {
            let near = nearest(label, all.iter().map(String::as_str));
            let help = did_you_mean(near, || {
                "`:watch` lists what is watched, `:unwatch` ends all".into()
            });
            return Err(Diagnostic::new(format!("`{label}` is not watched"))
                .at(word)
                .help(help));
        }
    }
    session.keep_watches(|typed| !ended.is_empty() && !ended.iter().any(|label| label == typed));
    if ended.is_empty() {
        ended = all;
    }
    Ok(watch_reply("unwatch", "no longer watched", &ended))
}

fn watch_reply(kind: &'static str, what: &str, labels: &[String]) -> Reply {
    let line = match labels {
        [] => say!("nothing is watched: `:watch L` shows L after every change"),
        labels => say!("{}: {}", what, name_list(labels)),
    };
    let names = labels.iter().cloned().map(Fact::Text).collect();
    Reply::show(Report::confirming(
        kind,
        vec![("names", Fact::List(names))],
        line,
    ))
}

fn labels(session: &Session) -> Vec<String> {
    let label = |watch: &Watch| watch.typed.to_string();
    session.watches().iter().map(label).collect()
}

/// The watched labels that are not yet among the words, for completion.
fn watched_words(session: &Session, given: &[&str]) -> Vec<Word> {
    let mut labels = labels(session);
    labels.retain(|label| !given.contains(&&**label));
    let word = |label| Word::new(label, say!("watched"));
    labels.into_iter().map(word).collect()
}

/// Refuses nodes that never change, and expressions without a name that could be read again.
fn check_watchable(session: &mut Session, text: &str, word: Span) -> Result<(), Diagnostic> {
    let label = word.of(text);
    let expression = syntax::expression(text, word).map_err(|error| session.explain(error))?;
    let is_index = |item: &Item| {
        matches!(
            item.kind,
            ItemKind::Number(_) | ItemKind::Apply(Head::Index, _)
        )
    };
    if !expression.items.iter().skip(1).all(is_index) {
        return Err(Diagnostic::new(format!("`{label}` has no name to watch"))
            .at(word)
            .help(format!("give it one: `p = {label}`, then `:watch p`")));
    }
    let value = resolve::value(session, text, word)?;
    if value.nodes().iter().any(|node| !node.varies()) {
        return Err(
            Diagnostic::new(format!("`{label}` is a constant: it never changes"))
                .at(word)
                .help("watch a name or a node that depends on one"),
        );
    }
    Ok(())
}

/// The name of the number at a place, counted from 0, of a value with this name.
fn item_label(name: &str, shape: &ListShape, place: usize) -> String {
    if shape.is_number() {
        name.to_string()
    } else {
        item_name(name, shape, place as u32 + 1)
    }
}

/// The changes since the last statement: a line for people, `watch: L  4 → -2   a  2 → 4`, and a table for programs.
pub(crate) fn change_report(session: &mut Session) -> Option<Report> {
    let changes = session.take_watched_changes();
    if changes.is_empty() {
        return None;
    }
    let label = |change: &Change| item_label(&change.typed, &change.shape, change.place);
    let mut parts = Vec::new();
    for of_one in changes.chunk_by(|one, other| one.typed == other.typed) {
        if of_one.len() > FEW_ITEMS {
            let list = &*of_one[0].typed;
            let size = of_one[0].shape.size();
            let count = of_one.len();
            parts.push(say!("{:name}  {} of {} items changed", list, count, size));
        } else {
            parts.extend(
                of_one
                    .iter()
                    .map(|change| change_line(&label(change), change)),
            );
        }
    }
    let line = say!("{:dim}{}", "watch: ", join(parts, "   "));
    let keys = ["id", "node", "before", "after", "grad_before", "grad"];
    let row = |change: &Change| {
        vec![
            Cell::Count(u64::from(change.node.id())),
            Cell::Name(label(change)),
            Cell::number(change.before),
            Cell::Number(change.node.data()),
            Cell::number(change.grad_before),
            Cell::number(change.grad),
        ]
    };
    let table = Table {
        key: "changed",
        columns: keys.map(Column::machines).into(),
        rows: changes.iter().map(row).collect(),
        omitted: None,
    };
    let blocks = vec![Block::Line(line), Block::Table(table)];
    Some(Report::new(COMMAND.name, Vec::new(), blocks))
}

/// `L  4 → -2, grad 1`
fn change_line(label: &str, change: &Change) -> Line {
    let between = |before, after| match before {
        Some(before) => crate::report::change(before, after),
        None => say!("{}", after),
    };
    let mut numbers = Vec::new();
    if change.of_data() {
        numbers.push(between(change.before, change.node.data()));
    }
    if let Some(grad) = change.grad.filter(|_| change.of_grad()) {
        numbers.push(say!("grad {}", between(change.grad_before, grad)));
    }
    say!("{:name}  {}", label, join(numbers, ", "))
}
