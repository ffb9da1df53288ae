//! What `:solve`, `:fit` and `:minimize` have in common: how a search begins and ends, and the table of its leaves.
//!
//! What the leaves become is found in `study::goals`.

use std::rc::Rc;

use crate::commands::Reply;
use crate::commands::args::Arguments;
use crate::commands::rows::{self, Rows};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, Order, first_not_finite};
use crate::report::{Cell, Column, Note, Report, Table};
use crate::session::{Session, Setting};
use crate::stop;
use crate::syntax::{Span, literal};

/// Leaves and their data before a search.
#[derive(Debug)]
pub(super) struct MovedLeaves {
    leaves: Vec<Rc<Node>>,
    before: Vec<f64>,
}

impl MovedLeaves {
    /// These leaves, which still have the data from before.
    pub(super) fn of(leaves: &[Rc<Node>]) -> MovedLeaves {
        MovedLeaves {
            leaves: leaves.to_vec(),
            before: leaves.iter().map(|leaf| leaf.data()).collect(),
        }
    }

    /// The table of the leaves, with further columns of numbers, of which some may not be known.
    pub(super) fn table(
        &self,
        session: &Session,
        more: &[(&'static str, &[Option<f64>])],
    ) -> Table {
        let rows = Rows::of(session, &self.leaves);
        let mut columns = vec![
            Column::machines("id"),
            Column::new("node", "leaf"),
            Column::people(""),
            Column::new("before", "before"),
            Column::new("after", "after"),
        ];
        columns.extend(more.iter().map(|(key, _)| Column::new(key, heading(key))));
        columns.push(Column::machines("names"));
        let omitted = rows.omitted();
        let node = |place: usize, caption: crate::session::Caption| {
            let (leaf, before) = (&self.leaves[place], self.before[place]);
            let mut cells = vec![
                Cell::Count(u64::from(leaf.id())),
                Cell::Name(caption.label),
                Cell::Empty,
                Cell::Apart(before, leaf.data()),
                Cell::Apart(leaf.data(), before),
            ];
            cells.extend(more.iter().map(|(_, numbers)| Cell::number(numbers[place])));
            cells.push(rows::names(session.names(), leaf));
            cells
        };
        let list = |fold: &crate::session::naming::folds::Fold| {
            let range = |of: &dyn Fn(usize) -> Option<f64>| {
                Cell::range(fold.places.iter().filter_map(|&place| of(place)))
            };
            let mut cells = vec![
                Cell::Empty,
                rows::list_name(fold),
                rows::shape(fold),
                range(&|place| Some(self.before[place])),
                range(&|place| Some(self.leaves[place].data())),
            ];
            cells.extend(
                more.iter()
                    .map(|(_, numbers)| range(&|place| numbers[place])),
            );
            cells.push(Cell::Empty);
            cells
        };
        Table {
            key: "rows",
            columns,
            rows: rows.cells(&self.leaves, node, list).collect(),
            omitted,
        }
    }
}

/// The heading of a column of numbers.
fn heading(key: &'static str) -> &'static str {
    match key {
        "sigma" => "±",
        other => other,
    }
}

/// What a search has found: where its leaves go, and what is told beside.
pub(super) struct FoundPoint<'l> {
    pub(super) leaves: &'l [Rc<Node>],
    pub(super) point: &'l [f64],
    pub(super) interrupted: bool,
    /// The command is part of a saved session, not only what it has found.
    pub(super) runs_again: bool,
    pub(super) notes: Vec<Note>,
}

impl FoundPoint<'_> {
    /// Moves the leaves with `set`, and reports. Nothing stops on the way, since the session changes.
    pub(super) fn settle(
        self,
        session: &mut Session,
        arguments: &Arguments,
        set: impl FnOnce(&mut Session, &[Setting]) -> Vec<Note>,
        report: impl FnOnce(&mut Session, &MovedLeaves) -> Report,
    ) -> Reply {
        let moved = MovedLeaves::of(self.leaves);
        let each = self.leaves.iter().zip(self.point);
        let setting = |(leaf, &data): (&Rc<Node>, &f64)| Setting {
            leaf: Rc::clone(leaf),
            data,
        };
        let settings: Vec<Setting> = each.map(setting).collect();
        // A fit runs again when a saved session is loaded, unless it did not reach its end.
        if !self.runs_again {
            session.keep_as("");
        }
        if !self.runs_again || self.interrupted {
            session.keep_moved();
        }
        stop::undisturbed(|| {
            let more = set(session, &settings);
            // The last pass is repeated, as after `:set`.
            if let Some(root) = session.pass().map(|pass| Rc::clone(pass.root())) {
                session.backward(&root);
            }
            let report = report(session, &moved);
            Reply {
                report: (!arguments.silenced).then_some(report),
                interrupted: self.interrupted,
                ..Reply::default()
            }
            .notes(self.notes)
            .notes(more)
        })
    }
}

/// The error for a side that is not a number where the search begins. The help names what to change: a leaf, best one
/// of those that `moved` names, or a number that was typed.
pub(super) fn check_finite(
    session: &Session,
    side: &Rc<Node>,
    span: Span,
    moved: &[Rc<Node>],
) -> Result<(), Diagnostic> {
    if side.data().is_finite() {
        return Ok(());
    }
    let what = literal(side.data(), false);
    let below = Order::below([side]);
    let leaf = first_not_finite(below.nodes()).and_then(|first| {
        let below = Order::below([first]);
        let is_moved = |leaf: &&Rc<Node>| moved.iter().any(|moved| Rc::ptr_eq(moved, leaf));
        let mut leaves = below.nodes().iter().filter(|node| node.is_leaf());
        leaves
            .clone()
            .find(is_moved)
            .or_else(|| leaves.next())
            .cloned()
    });
    let help = leaf.map_or_else(
        || "no leaf changes that: write a number instead".to_string(),
        |leaf| {
            let name = session.label(&leaf);
            format!("`:set {name} VALUE` first, to a value where it is a number")
        },
    );
    let label = session.label(side);
    let message = format!("`{label}` is {what} here, and the search cannot begin");
    Err(Diagnostic::new(message).at(span).help(help))
}

/// Runs a search. Its host hears of each pass: how many of how many, and a number to watch. The search goes on while the
/// closure it gets says so.
pub(super) fn watched<T>(
    session: &mut Session,
    most: u64,
    search: impl FnOnce(&mut Session, &mut dyn FnMut(u64, f64) -> bool) -> T,
) -> T {
    let host = session.host();
    let mut watch = |pass: u64, value: f64| {
        host.progress(pass, most, value);
        !host.stop()
    };
    let found = search(session, &mut watch);
    host.over();
    found
}
