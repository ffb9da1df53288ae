//! `:watch L a`: shows nodes after every statement that changes them. `:unwatch` is its counterpart.
//!
//! The session knows what is watched and what has changed; this file shows it to people and machines.

use std::collections::HashSet;
use std::rc::Rc;

use crate::commands::args::resolve;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::change::step;
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::Diagnostic;
use crate::report::{
    Audience, Block, Cell, Column, Fact, Line, Piece, Report, Table, join, name_list, say,
};
use crate::session::Session;
use crate::session::watches::{Change, MOST_WATCHES, Subject};
use crate::syntax;
use crate::syntax::{ItemKind, Span};

/// The most changes on one line; more of them, or a grad among them, make a table.
const ON_A_LINE: usize = 3;

pub(crate) const COMMAND: Command = Command {
    name: "watch",
    aliases: &[],
    group: Group::Look,
    entry: (":watch L", "show every change"),
    arguments: &[Argument::optional("NODE", ArgumentKind::Nodes)],
    summary: "show nodes after every statement that changes them",
    details: "What was and what is, in data and in grad, once after each statement, also after one silenced with `;`; \
              what the answer itself shows is not repeated. A name is followed through rebinding; `@9`, `$3` and `a@1` \
              stay with their node. `:watch` alone lists what is watched, `:unwatch` ends it. Watches are no change: \
              `:undo` takes none away, `:save` writes none, `:reset` forgets all.",
    example: "
∂> a, b = 2, -3
a = 2, b = -3
∂> L = a*b + 10
L = 4
∂> :watch L a
watched: L, a
∂> :set a 4;
watch: L  4 → -2   a  2 → 4
∂> L = L^2
L = 4
watch: L  -2 → 4
∂> :undo
undone: L = L^2
watch: L  4 → -2
∂> :grad L;
  watch   data   grad
  L         -2      1
  a          4     -3
∂> :watch
  watch   expression   data   grad
  L       a*b + 10       -2      1
  a       leaf            4     -3
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let words = arguments.words("NODE");
    if words.is_empty() {
        return Ok(Reply::show(list(session)));
    }
    let mut subjects: Vec<Subject> = Vec::new();
    for &word in words {
        let subject = subject(session, arguments.text, word)?;
        if !subjects.iter().any(|other| other.is(&subject)) {
            subjects.push(subject);
        }
    }
    let known = |subject: &Subject| session.watches().iter().any(|it| it.subject.is(subject));
    let new = subjects.iter().filter(|subject| !known(subject)).count();
    if session.watches().len() + new > MOST_WATCHES {
        return Err(Diagnostic::new(format!("more than {MOST_WATCHES} watches"))
            .at(words[words.len() - 1])
            .help("`:unwatch NAME` ends one, `:unwatch` all"));
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

/// What a word asks to watch: a name is followed through rebinding, anything else is the node it is now.
fn subject(session: &mut Session, text: &str, word: Span) -> Result<Subject, Diagnostic> {
    if let Some(name) = name(session, text, word) {
        return Ok(Subject::Name(name));
    }
    let node = resolve::node(session, text, word)?;
    if !node.varies() {
        let label = session.label(&node);
        return Err(
            Diagnostic::new(format!("`{label}` is a constant: it never changes"))
                .at(word)
                .help("watch a name or a node that depends on one"),
        );
    }
    Ok(Subject::Node(node))
}

/// The word as a name, if it is one and is bound.
fn name(session: &Session, text: &str, word: Span) -> Option<Rc<str>> {
    let expression = syntax::expression(text, word).ok()?;
    let [only] = expression.items.as_slice() else {
        return None;
    };
    let ItemKind::Name(name) = only.kind else {
        return None;
    };
    let names = session.names();
    names.find(name)?;
    names.id(name).map(|id| Rc::from(names.name(id)))
}

/// The report of everything that is watched.
pub(crate) fn list(session: &Session) -> Report {
    let mut blocks = Vec::new();
    if session.watches().is_empty() {
        blocks.push(Block::Line(say!(
            "nothing is watched: `:watch L` shows L after every statement that changes it"
        )));
    }
    blocks.push(all(session, true));
    Report::new("watches", Vec::new(), blocks)
}

/// A table of everything watched for machines, and for people if they asked.
fn all(session: &Session, for_people: bool) -> Block {
    let mut columns: Vec<Column> = ["id", "node", "expression", "data", "grad"]
        .map(Column::machines)
        .into();
    if for_people {
        let grad = if session.is_stale() {
            "grad (stale)"
        } else {
            "grad"
        };
        columns.extend(["watch", "expression", "data", grad].map(Column::people));
    }
    let row = |subject: &Subject| {
        let label = Cell::Name(session.watched_as(subject));
        let (id, kind, expression, data, grad) = match session.watched(subject) {
            Some(node) => {
                let expression = Cell::Formula(session.expression(&node));
                let grad = session.pass().and_then(|pass| pass.grad(&node));
                (
                    Cell::Count(u64::from(node.id())),
                    rows::leaf(&node).unwrap_or_else(|| expression.clone()),
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
    };
    Block::Table(Table {
        key: "rows",
        columns,
        rows: (session.watches().iter())
            .map(|watch| row(&watch.subject))
            .collect(),
        omitted: None,
    })
}

/// The changes of watched values that a statement has made.
#[derive(Clone, Debug)]
pub struct Watched {
    changes: Vec<(String, Change)>,
    /// For each change, whether the statement's own answer shows it in text.
    told: Vec<bool>,
}

/// The changes that a statement made to what is watched. `answer` is what the statement shows itself.
pub(crate) fn watched(session: &mut Session, answer: Option<&Report>) -> Option<Watched> {
    if session.watches().is_empty() {
        return None;
    }
    let changes = session.changes_watched();
    if changes.is_empty() {
        return None;
    }
    let session = &*session;
    let rows = answer.map(names_in_rows).unwrap_or_default();
    // The table of `:step` has the leaves; the value of the root is in the line below it.
    let stepped = answer
        .filter(|report| report.kind == step::COMMAND.name)
        .and_then(|_| session.pass().map(|pass| Rc::clone(pass.root())));
    let told = |change: &Change| {
        rows.contains(&*session.shown(&change.node))
            || (stepped.as_ref()).is_some_and(|root| Rc::ptr_eq(root, &change.node))
    };
    Some(Watched {
        told: changes.iter().map(told).collect(),
        changes: (changes.into_iter())
            .map(|change| (session.watched_as(&change.subject), change))
            .collect(),
    })
}

/// The names of nodes in those columns of an answer that text shows.
fn names_in_rows(answer: &Report) -> HashSet<&str> {
    let mut names = HashSet::new();
    for block in &answer.blocks {
        let Block::Table(table) = block else { continue };
        for row in &table.rows {
            for (cell, column) in row.iter().zip(&table.columns) {
                if let (Cell::Name(name), false) = (cell, column.audience == Audience::Machines) {
                    names.insert(&**name);
                }
            }
        }
    }
    names
}

impl Watched {
    /// All changes, or those that the answer does not show.
    pub fn report(&self, all: bool) -> Option<Report> {
        let chosen: Vec<&(String, Change)> = (self.changes.iter().zip(&self.told))
            .filter_map(|(change, told)| (all || !told).then_some(change))
            .collect();
        if chosen.is_empty() {
            return None;
        }
        let line = chosen.len() <= ON_A_LINE
            && (chosen.iter()).all(|(_, change)| change.before.is_some() && !change.of_grad());
        let mut blocks = Vec::new();
        if line {
            blocks.push(Block::Line(on_a_line(&chosen)));
        }
        blocks.push(Block::Table(table(&chosen, !line)));
        Some(Report::new(COMMAND.name, Vec::new(), blocks))
    }
}

/// The changes on one line: `watch: L  -8 → -12   a  2 → 3`
fn on_a_line(changes: &[&(String, Change)]) -> Line {
    // Short numbers, so that a narrow terminal does not break the line within one.
    let number = if changes.len() > 1 {
        Piece::ShortApart
    } else {
        Piece::Apart
    };
    let changes = changes.iter().map(|(label, change)| {
        let data = change.node.data();
        match change.before {
            Some(before) => say!(
                "{:name}  {} → {}",
                label,
                number(before, data),
                number(data, before)
            ),
            None => say!("{:name}  {}", label, number(data, data)),
        }
    });
    say!("{:dim}{}", "watch: ", join(changes, "   "))
}

fn table(changes: &[&(String, Change)], for_people: bool) -> Table {
    let grads = changes.iter().any(|(_, change)| change.grad.is_some());
    let mut columns: Vec<Column> = ["id", "node", "before", "after", "grad_before", "grad"]
        .map(Column::machines)
        .into();
    if for_people {
        columns.extend(["watch", "data"].map(Column::people));
        columns.extend(grads.then(|| Column::people("grad")));
    }
    let row = |(label, change): &&(String, Change)| {
        let data = change.node.data();
        let mut row = vec![
            Cell::Count(u64::from(change.node.id())),
            Cell::Name(label.clone()),
            Cell::number(change.before),
            Cell::Number(data),
            Cell::number(change.grad_before),
            Cell::number(change.grad),
        ];
        if for_people {
            row.push(Cell::Name(label.clone()));
            row.push(Cell::change(change.before, Some(data)));
            row.extend(grads.then(|| Cell::change(change.grad_before, change.grad)));
        }
        row
    };
    Table {
        key: "changed",
        columns,
        rows: changes.iter().map(row).collect(),
        omitted: None,
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
