//! Runs the searches of `:solve`, `:fit` and `:minimize`: shows their progress, moves the leaves to the point that was
//! found, with their new uncertainties, and makes the table of the leaves.
//!
//! Each feature has its own search; `checks` has the checks before it.

use super::SearchWatch;
use super::implicit::{counted_sources, unmoved_leaves};
use super::leaf_texts::unknown_effect_note;
use crate::command::node_table::{self, NodeTable, TableNode};
use crate::command::prelude::*;
use chainrule_program::Environment as _;
use chainrule_report::name_list;
use chainrule_session::{Setting, Widths, setting_text};

/// A relative change of at most this size counts as rounding: some thousand units in the last place.
const ROUNDING: f64 = 1e-12;

/// Binds those of the names that have no value to leaves with the data 1. If the command fails later, the new leaves are
/// undone with the rest of the statement.
pub(crate) fn bind_new_leaves(session: &mut Session, names: &[&str]) -> Vec<Rc<Node>> {
    let mut leaves = Vec::new();
    for name in names {
        if !session.knows(name) && !session.is_function(name) {
            leaves.push(session.bind_leaf(name, 1.0));
        }
    }
    leaves
}

/// A note on new leaves, if there are any.
pub(crate) fn new_leaves_note(session: &Session, new: &[Rc<Node>], start: &str) -> Option<Note> {
    let names = name_list(new.iter().map(|leaf| session.label(leaf)));
    let line = say!("new leaves, from {}: {}", start, names);
    (!new.is_empty()).then(|| Note::new(line))
}

/// Runs a search for these leaves. After each pass, the search reports the number of the pass, the value that it
/// improves, and the data of the leaves; the host shows them. `most` is the greatest number of passes.
///
/// Fails if the user stops the search in its first pass, because it has found nothing then, and if the value of a leaf
/// decides how the roots are computed.
pub(crate) fn run_search<T>(
    session: &mut Session,
    roots: &[Rc<Node>],
    leaves: &[Rc<Node>],
    most: u64,
    search: impl FnOnce(&mut Session, SearchWatch) -> T,
) -> Result<T> {
    // The error is about the whole statement, so it loses its span.
    let checked = session.check_guards(roots, Some(leaves), Span::default());
    checked.map_err(|error| Diagnostic {
        span: None,
        ..*error
    })?;
    let host = session.host();
    let labels: Vec<String> = leaves.iter().map(|leaf| session.label(leaf)).collect();
    let (mut is_stopped, mut passes) = (false, 0);
    let mut watch = |pass: u64, value: f64, point: &[f64]| {
        let setting = || setting_text(labels.iter().zip(point.iter().copied()));
        host.progress(pass, most, value, Some(&setting));
        (passes, is_stopped) = (pass, is_stopped || host.stop());
        !is_stopped
    };
    let found = search(session, &mut watch);
    host.end_progress();
    let nodes = Order::below(roots).nodes().len() as u64;
    session.keeping().count_work(passes.saturating_mul(nodes));
    if is_stopped && passes <= 1 {
        return Err(Diagnostic::of_interrupt());
    }
    Ok(found)
}

/// The point that a search has found.
pub(crate) struct FoundPoint<'l> {
    pub(crate) leaves: &'l [Rc<Node>],
    pub(crate) point: &'l [f64],
    pub(crate) is_interrupted: bool,
    /// The new uncertainties of the leaves.
    pub(crate) widths: Widths,
    pub(crate) notes: Vec<Note>,
}

impl FoundPoint<'_> {
    /// Moves the leaves and makes the reply. `make_report` gets the data that the leaves had before. Ctrl-C waits until
    /// the end, because an interrupted move would leave the session half changed.
    pub(crate) fn move_leaves(
        mut self,
        session: &mut Session,
        make_report: impl FnOnce(&mut Session, &[f64]) -> Report,
    ) -> Reply {
        let before = values(self.leaves);
        let each = self.leaves.iter().cloned().zip(self.point);
        let settings: Vec<Setting> = each.map(|(leaf, &data)| Setting { leaf, data }).collect();
        // A saved session must not run this search again: it would not stop at the same pass.
        session.keeping().has_stopped = self.is_interrupted;
        // As after `:set`, the last backward pass is repeated with the new data.
        let report = stop::run_to_end(|| {
            self.notes
                .extend(session.set(&settings, self.widths, |_, _| {}));
            session.repeat_pass();
            make_report(session, &before)
        });
        let mut reply = Reply::show(report).with_notes(self.notes);
        reply.is_interrupted = self.is_interrupted;
        reply
    }
}

/// Returns the new uncertainties of the leaves that a search has found at `point`. They follow from the uncertainties
/// of their sources: the leaves below `roots` that the search does not move. `slopes` gets the sources and returns, for
/// each source, the derivatives of the found leaves by it.
///
/// If there are too many sources or the derivatives are not known, adds a note and returns no uncertainties.
pub(crate) fn found_widths(
    session: &mut Session,
    roots: &[Rc<Node>],
    leaves: &[Rc<Node>],
    point: &[f64],
    notes: &mut Vec<Note>,
    slopes: impl FnOnce(&mut Session, &[Rc<Node>]) -> Option<Vec<Vec<f64>>>,
) -> Widths {
    let unmoved = unmoved_leaves(roots, leaves);
    // Without sources, only leaves that have an uncertainty already need a new one, which is 0.
    if unmoved.is_empty()
        && !leaves
            .iter()
            .any(|leaf| session.names().uncertain.has_width(leaf))
    {
        return Widths::new();
    }
    if let Some(sources) = counted_sources(session, unmoved.clone())
        && let Some(slopes) = slopes(session, &sources)
    {
        let uncertain = &session.names().uncertain;
        let found = uncertain.of_found(point, None, &sources, &slopes);
        return leaves.iter().cloned().zip(found).collect();
    }
    notes.extend(unknown_effect_note(session, &unmoved));
    Widths::new()
}

/// Begins the table of leaves that a search has moved from the data `before`.
pub(crate) fn moved_rows<'t>(
    session: &'t Session,
    leaves: &'t [Rc<Node>],
    before: &'t [f64],
) -> NodeTable<'t> {
    let cell = move |row: &TableNode, is_after: bool| {
        let (start, end) = (before[row.place], row.node.data());
        // Data that has moved by rounding alone must not look changed.
        let is_unchanged = (start - end).abs() <= ROUNDING * end.abs();
        let shown = if is_unchanged { end } else { start };
        let (data, other) = if is_after { (end, shown) } else { (shown, end) };
        moved_cell(session, &row.node, data, other)
    };
    NodeTable::of_labels(session, leaves, "leaf")
        .column(Column::new("before", "before"), move |row| cell(row, false))
        .column(Column::new("after", "after"), move |row| cell(row, true))
}

/// A cell with the data of a leaf before or after a search. If the leaf has an uncertainty that was computed for this
/// data, the cell shows it, too. Otherwise the cell has enough digits to differ from `compared_with`.
fn moved_cell(session: &Session, leaf: &Rc<Node>, data: f64, compared_with: f64) -> Cell {
    let measurement = node_table::leaf_measurement(session.names(), leaf);
    let found = measurement.filter(|it| !it.is_typed && it.value == data);
    found.map_or(Cell::Distinct(data, compared_with), Cell::Value)
}

/// Adds the column of the uncertainties of these leaves, if any has one.
pub(crate) fn with_sigmas<'t>(
    rows: NodeTable<'t>,
    session: &Session,
    leaves: &[Rc<Node>],
) -> NodeTable<'t> {
    let has_width = |leaf: &Rc<Node>| session.names().uncertain.width(leaf).is_some();
    if leaves.iter().any(has_width) {
        rows.sigma(Cell::Missing)
    } else {
        rows
    }
}
