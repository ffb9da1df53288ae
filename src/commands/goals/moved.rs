//! What `:solve`, `:fit` and `:minimize` have in common: the leaves they set, and the table of these.
//!
//! What the leaves become is found in `study::goals`.

use std::rc::Rc;

use crate::commands::rows::{self, Rows};
use crate::graph::Node;
use crate::report::{Cell, Column, Table};
use crate::session::{Session, Setting};

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
            cells.push(rows::names(session, leaf));
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
            rows: rows.cells(node, list),
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

/// The settings that move leaves to a point.
pub(super) fn settings(leaves: &[Rc<Node>], point: &[f64]) -> Vec<Setting> {
    let each = leaves.iter().zip(point);
    each.map(|(leaf, &data)| Setting {
        leaf: Rc::clone(leaf),
        data,
    })
    .collect()
}

/// Runs the last pass again, as after `:set`: the leaves have moved.
pub(super) fn repeat_pass(session: &mut Session) {
    if let Some(root) = session.pass().map(|pass| Rc::clone(pass.root())) {
        session.backward(&root);
    }
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
