//! What is told about watched values after each statement.
//!
//! A few changes stand on one line, more of them in a table. Of a long list only the largest change is told.

use std::collections::HashSet;
use std::rc::Rc;

use super::watch::{COMMAND, ITEMS_TOLD, item};
use crate::commands::change::step;
use crate::report::{Audience, Block, Cell, Column, Line, Piece, Report, Table, join, say};
use crate::session::Session;
use crate::session::watches::Change;

/// The most changes on one line; more of them, or a grad among them, make a table.
const ON_A_LINE: usize = 3;

/// The changes of watched values that a statement has made.
#[derive(Clone, Debug)]
pub struct Watched {
    changes: Vec<NamedChange>,
}

/// A change and its name.
#[derive(Clone, Debug)]
struct NamedChange {
    /// What is watched.
    subject: String,
    /// The number that has changed: itself, or an item of the list that is watched.
    label: String,
    change: Change,
    /// Whether the statement's own answer shows it in text.
    told: bool,
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
    // Programs get all rows, of which there may be a million, and all changes.
    let read = answer.filter(|_| !session.all_rows);
    let rows = read.map(names_in_rows).unwrap_or_default();
    // The table of `:step` has the leaves; the value of the root is in the line below it.
    let stepped = answer
        .filter(|report| report.kind == step::COMMAND.name)
        .and_then(|_| session.pass().map(|pass| Rc::clone(pass.root())));
    let labelled = |change: Change| {
        let subject = session.watched_as(&change.subject);
        let told = rows.contains(&*session.shown(&change.node))
            || rows.contains(&*subject)
            || (stepped.as_ref()).is_some_and(|root| Rc::ptr_eq(root, &change.node));
        NamedChange {
            label: item(&subject, &change.shape, change.place),
            told,
            subject,
            change,
        }
    };
    Some(Watched {
        changes: changes.into_iter().map(labelled).collect(),
    })
}

/// The names of nodes in those columns of an answer that text shows.
fn names_in_rows(answer: &Report) -> HashSet<String> {
    let mut names = HashSet::new();
    for block in &answer.blocks {
        let Block::Table(table) = block else { continue };
        for row in table.rows.each() {
            for (cell, column) in row.iter().zip(&table.columns) {
                if let (Cell::Name(name), false) = (cell, column.audience == Audience::Machines) {
                    names.insert(name.clone());
                }
            }
        }
    }
    names
}

impl Watched {
    /// All changes, or those that the answer does not show.
    pub fn report(&self, all: bool) -> Option<Report> {
        let changes = self.changes.iter();
        let chosen: Vec<&NamedChange> = changes.filter(|change| all || !change.told).collect();
        if chosen.is_empty() {
            return None;
        }
        let mut few: Vec<&NamedChange> = Vec::new();
        let mut blocks = Vec::new();
        for of_one in chosen.chunk_by(|one, other| one.subject == other.subject) {
            if of_one.len() > ITEMS_TOLD {
                blocks.push(Block::Line(summary(of_one)));
            } else {
                few.extend(of_one);
            }
        }
        let is_line = few.len() <= ON_A_LINE
            && (few.iter()).all(|it| it.change.before.is_some() && !it.change.of_grad());
        if is_line && !few.is_empty() {
            blocks.push(Block::Line(on_a_line(&few)));
        }
        if is_line || few.len() < chosen.len() {
            blocks.push(Block::Table(table("changed", &chosen, false)));
        }
        if !is_line {
            // JSON has all changes in one table.
            let key = if few.len() < chosen.len() {
                ""
            } else {
                "changed"
            };
            blocks.push(Block::Table(table(key, &few, true)));
        }
        Some(Report::new(COMMAND.name, Vec::new(), blocks))
    }
}

/// `watch: w  337 of 337 items changed, w[5] most: 0.1 → 0.2`
fn summary(changes: &[&NamedChange]) -> Line {
    let first = changes[0];
    let mut line = say!("{:dim}{:name}", "watch: ", &*first.subject);
    let size = first.change.shape.size();
    let moved: Vec<_> = changes.iter().filter(|it| it.change.of_data()).collect();
    let apart = |it: &NamedChange| {
        let distance = (it.change.node.data() - it.change.before.unwrap_or(0.0)).abs();
        if distance.is_nan() {
            f64::INFINITY
        } else {
            distance
        }
    };
    if let Some(most) = (moved.iter()).max_by(|one, other| apart(one).total_cmp(&apart(other))) {
        let data = most.change.node.data();
        line.extend(match most.change.before {
            Some(before) => say!(
                "  {} of {} items changed, {:name} most: {} → {}",
                moved.len(),
                size,
                &*most.label,
                Piece::Apart(before, data),
                Piece::Apart(data, before)
            ),
            None => say!("  {} new items", size),
        });
    }
    let grads: Vec<_> = changes.iter().filter(|it| it.change.of_grad()).collect();
    let steep = |it: &NamedChange| it.change.grad.map_or(0.0, f64::abs);
    if let Some(most) = (grads.iter()).max_by(|one, other| steep(one).total_cmp(&steep(other))) {
        line.extend(say!(
            "  {} new grads, the largest of {:name}: {}",
            grads.len(),
            &*most.label,
            most.change.grad.unwrap_or_default()
        ));
    }
    line
}

/// The changes on one line: `watch: L  -8 → -12   a  2 → 3`
fn on_a_line(changes: &[&NamedChange]) -> Line {
    // Short numbers, so that a narrow terminal does not break the line within one.
    let number = if changes.len() > 1 {
        Piece::ShortApart
    } else {
        Piece::Apart
    };
    let changes = changes.iter().map(|NamedChange { label, change, .. }| {
        let data = change.node.data();
        match change.before {
            Some(before) => say!(
                "{:name}  {} → {}",
                &**label,
                number(before, data),
                number(data, before)
            ),
            None => say!("{:name}  {}", &**label, number(data, data)),
        }
    });
    say!("{:dim}{}", "watch: ", join(changes, "   "))
}

fn table(key: &'static str, changes: &[&NamedChange], for_people: bool) -> Table {
    let grads = changes.iter().any(|it| it.change.grad.is_some());
    let mut columns: Vec<Column> = ["id", "node", "before", "after", "grad_before", "grad"]
        .map(Column::machines)
        .into();
    if for_people {
        columns.extend(["watch", "data"].map(Column::people));
        columns.extend(grads.then(|| Column::grads_for_people("grad")));
    }
    let row = |NamedChange { label, change, .. }: &&NamedChange| {
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
        key,
        columns,
        rows: changes.iter().map(row).collect(),
        omitted: None,
    }
}
