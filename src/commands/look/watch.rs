//! `:watch L a`: shows nodes after every statement that changes them. `:unwatch` is its counterpart.
//!
//! The session knows what is watched and what has changed; this file shows it to people and machines.

use std::rc::Rc;

use crate::commands::args::resolve;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, Cell, Column, Fact, Report, Table, name_list, say};
use crate::session::Session;
use crate::session::naming::item_name;
use crate::session::values::ListShape;
use crate::session::watches::{MOST_WATCHES, Subject, Watch};
use crate::syntax;
use crate::syntax::{Head, Item, ItemKind, Literal, Span};

/// A list with more numbers is not told item by item.
pub(crate) const ITEMS_TOLD: usize = 8;

pub(crate) const COMMAND: Command = Command {
    name: "watch",
    aliases: &[],
    group: Group::Look,
    looks: true,
    entry: (":watch L", "show every change"),
    arguments: &[Argument::optional("NODE", ArgumentKind::Nodes)],
    summary: "show nodes after every statement that changes them",
    page: page!("commands/watch"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let words = arguments.words("NODE");
    if words.is_empty() {
        return Ok(Reply::show(list(session)));
    }
    let mut subjects: Vec<Subject> = Vec::new();
    for &word in words {
        for subject in meant(session, arguments.text, word)? {
            if !subjects.iter().any(|other| other.is(&subject)) {
                subjects.push(subject);
            }
            if subjects.len() > MOST_WATCHES {
                return Err(too_many(word));
            }
        }
    }
    let known = |subject: &Subject| session.watches().iter().any(|it| it.subject.is(subject));
    let new = subjects.iter().filter(|subject| !known(subject)).count();
    if session.watches().len() + new > MOST_WATCHES {
        return Err(too_many(words[words.len() - 1]));
    }
    let labels: Vec<String> = subjects.iter().map(|it| session.watched_as(it)).collect();
    for subject in subjects {
        session.watch(subject);
    }
    Ok(Reply::show(Report {
        blocks: vec![
            Block::Line(say!("watched: {}", name_list(&labels))),
            all(session, false),
        ],
        confirmation: true,
        ..list(session)
    }))
}

fn too_many(word: Span) -> Diagnostic {
    Diagnostic::new(format!("more than {MOST_WATCHES} watches"))
        .at(word)
        .help("`:unwatch NAME` ends one, `:unwatch` all; a list with a name is one watch")
}

/// What a word asks to watch: a name or an item is followed through rebinding, anything else means the nodes it has
/// now.
fn meant(session: &mut Session, text: &str, word: Span) -> Result<Vec<Subject>, Diagnostic> {
    let value = resolve::value(session, text, word)?;
    if let Some((name, path)) = part(text, word)
        && session.names().find(name).is_some()
        && let Some(id) = session.names().id(name)
    {
        let name = session.names().name(id);
        return Ok(vec![Subject::Name(name.into(), path)]);
    }
    if let Some(constant) = value.nodes().iter().find(|node| !node.varies()) {
        let label = session.label(constant);
        return Err(
            Diagnostic::new(format!("`{label}` is a constant: it never changes"))
                .at(word)
                .help("watch a name or a node that depends on one"),
        );
    }
    let nodes = value.nodes().iter().take(MOST_WATCHES + 1);
    Ok(nodes.map(|node| Subject::Node(Rc::clone(node))).collect())
}

/// A word as a name and the positions of an item, counted from 0: `a`, `W[1][2]`.
pub(crate) fn part(text: &str, word: Span) -> Option<(&str, Vec<usize>)> {
    let expression = syntax::expression(text, word).ok()?;
    let (first, indices) = expression.items.split_first()?;
    let ItemKind::Name(name) = first.kind else {
        return None;
    };
    let position = |index: &[Item]| match index {
        [position, apply] if apply.kind == ItemKind::Apply(Head::Index, 2) => match position.kind {
            ItemKind::Number(Literal { value, .. }) => (value as usize).checked_sub(1),
            _ => None,
        },
        _ => None,
    };
    let path: Option<Vec<usize>> = indices.chunks(2).map(position).collect();
    Some((name, path?))
}

/// The report of everything that is watched.
pub(crate) fn list(session: &Session) -> Report {
    let mut blocks = Vec::new();
    if session.watches().is_empty() {
        blocks.push(Block::Line(say!(
            "nothing is watched: `:watch L` shows L after every statement that changes it"
        )));
    }
    let folded = |watch: &Watch| {
        let value = session.watched(&watch.subject);
        value.is_some_and(|value| value.nodes().len() > ITEMS_TOLD)
    };
    if !session.all_rows && session.watches().iter().any(folded) {
        blocks.push(all(session, false));
        blocks.push(overview(session));
    } else {
        blocks.push(all(session, true));
    }
    Report::new("watches", Vec::new(), blocks)
}

/// A table of everything watched for machines, and for people if they asked.
fn all(session: &Session, for_people: bool) -> Block {
    let mut columns: Vec<Column> = ["id", "node", "expression", "data", "grad"]
        .map(Column::machines)
        .into();
    if for_people {
        columns.extend(columns_for_people(session));
    }
    let mut rows = Vec::new();
    for watch in session.watches() {
        let label = session.watched_as(&watch.subject);
        let Some(value) = session.watched(&watch.subject) else {
            rows.push(row(session, label, None, for_people));
            continue;
        };
        let room = session.table_rows().saturating_sub(rows.len());
        for (at, node) in value.nodes().iter().enumerate().take(room) {
            let label = item(&label, value.shape(), at);
            rows.push(row(session, label, Some(node), for_people));
        }
    }
    Block::Table(Table {
        key: "rows",
        columns,
        rows: rows.into(),
        omitted: None,
    })
}

fn columns_for_people(session: &Session) -> [Column; 4] {
    let grad = if session.is_stale() {
        "grad (stale)"
    } else {
        "grad"
    };
    [
        Column::people("watch"),
        Column::people("expression"),
        Column::people("data"),
        Column::grads_for_people(grad),
    ]
}

/// A table for people in which a long list is one row.
fn overview(session: &Session) -> Block {
    let mut rows = Vec::new();
    for watch in session.watches() {
        let label = session.watched_as(&watch.subject);
        let mut push = |label, node| {
            let mut row = row(session, label, node, true);
            rows.push(row.split_off(row.len() - 4));
        };
        match session.watched(&watch.subject) {
            None => push(label, None),
            Some(value) if value.nodes().len() <= ITEMS_TOLD => {
                for (at, node) in value.nodes().iter().enumerate() {
                    push(item(&label, value.shape(), at), Some(node));
                }
            }
            Some(value) => rows.push(vec![
                Cell::Name(label),
                Cell::Dim(format!("{} items", value.nodes().len())),
                Cell::Empty,
                Cell::Empty,
            ]),
        }
    }
    Block::Table(Table {
        key: "",
        columns: columns_for_people(session).into(),
        rows: rows.into(),
        omitted: None,
    })
}

fn row(session: &Session, label: String, node: Option<&Rc<Node>>, for_people: bool) -> Vec<Cell> {
    let label = Cell::Name(label);
    let (id, kind, expression, data, grad) = match node {
        Some(node) => {
            let expression = Cell::Formula(session.expression(node));
            let grad = session.pass().and_then(|pass| pass.grad(node));
            (
                Cell::Count(u64::from(node.id())),
                rows::leaf(node).unwrap_or_else(|| expression.clone()),
                expression,
                Cell::Number(node.data()),
                Cell::number(grad),
            )
        }
        None => (
            Cell::Missing,
            Cell::Dim("forgotten".to_string()),
            Cell::Empty,
            Cell::Missing,
            Cell::Missing,
        ),
    };
    let mut row = vec![id, label.clone(), expression, data.clone(), grad.clone()];
    if for_people {
        row.extend([label, kind, data, grad]);
    }
    row
}

/// The name of the number at a place, counted from 0, of a value with this name.
pub(crate) fn item(name: &str, shape: &ListShape, place: usize) -> String {
    if shape.is_number() {
        name.to_string()
    } else {
        item_name(name, shape, place as u32 + 1)
    }
}

/// The names of everything that is watched.
pub(crate) fn labels(session: &Session) -> Vec<String> {
    (session.watches().iter())
        .map(|watch| session.watched_as(&watch.subject))
        .collect()
}

/// Labels as a fact.
pub(crate) fn fact(labels: &[String]) -> Fact {
    Fact::List(labels.iter().cloned().map(Fact::Text).collect())
}
