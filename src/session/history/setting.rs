//! Changes of data: leaves are set, and what is above them is recomputed.
//!
//! However many leaves and uncertainties change, they are one entry of the journal.

use std::rc::Rc;

use super::journal::Change;
use super::new_leaves::NewLeaves;
use super::uncertain::Widths;
use crate::graph::{Node, is_at_fault};
use crate::report::Note;
use crate::session::Session;

/// A leaf and its new data.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The leaf.
    pub leaf: Rc<Node>,
    /// Its new data.
    pub data: f64,
}

impl Setting {
    /// Whether it changes the data.
    pub(super) fn moves(&self) -> bool {
        self.leaf.data().to_bits() != self.data.to_bits()
    }
}

/// A node whose data has changed.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The node, which holds the new data.
    pub node: Rc<Node>,
    /// Its data before.
    pub before: f64,
}

/// What a change of data brought about.
#[derive(Debug)]
pub(super) struct Moving {
    /// A node became NaN or infinite.
    pub(super) fault: Option<Note>,
    /// Uncertainties that a fit left are gone.
    pub(super) gone: Option<Note>,
}

impl Session {
    /// Changes several leaves at once and recomputes the nodes above them, as one entry of the journal. Returns the
    /// nodes that changed, leaves first, and notes: if one became NaN or infinite, and if uncertainties that a fit left
    /// are gone.
    pub fn set(&mut self, statement: &str, settings: &[Setting]) -> (Vec<Moved>, Vec<Note>) {
        self.set_uncertain(statement, settings, Widths::default())
    }

    /// The same for data and uncertainties. `settings` and `widths` need not be about the same leaves, and each may be
    /// empty; leaves that get new uncertainties keep those when they move.
    pub fn set_uncertain(
        &mut self,
        statement: &str,
        settings: &[Setting],
        widths: Widths,
    ) -> (Vec<Moved>, Vec<Note>) {
        let moved = |node: &Rc<Node>, before: f64| Moved {
            node: Rc::clone(node),
            before,
        };
        let leaves = settings.iter().map(|setting| &setting.leaf);
        let mut all: Vec<Moved> = leaves.map(|leaf| moved(leaf, leaf.data())).collect();
        let notes = self.set_telling(statement, settings, widths, |node, before| {
            all.push(moved(node, before));
        });
        (all, notes)
    }

    /// The same; calls `tell` with each node above the leaves that changes, and its data before.
    pub fn set_telling(
        &mut self,
        statement: &str,
        settings: &[Setting],
        widths: Widths,
        tell: impl FnMut(&Rc<Node>, f64),
    ) -> Vec<Note> {
        let mut changes = Vec::new();
        self.widen(widths, &mut changes);
        let Moving { fault, gone } = self.move_leaves(statement, settings, changes, tell);
        fault.into_iter().chain(gone).collect()
    }

    /// Sets data and uncertainties as a fit has found them, and keeps the leaves that were new in it, as one entry of the
    /// journal.
    pub(crate) fn set_fitted(
        &mut self,
        statement: &str,
        new: &NewLeaves,
        settings: &[Setting],
        widths: Widths,
    ) -> Vec<Note> {
        let mut changes = new.changes().collect();
        self.widen(widths, &mut changes);
        let Moving { fault, gone } = self.move_leaves(statement, settings, changes, |_, _| {});
        fault.into_iter().chain(gone).collect()
    }

    /// Changes leaves and recomputes, as one entry with changes that have been made already.
    pub(super) fn move_leaves(
        &mut self,
        statement: &str,
        settings: &[Setting],
        mut changes: Vec<Change>,
        mut tell: impl FnMut(&Rc<Node>, f64),
    ) -> Moving {
        let moving = settings.iter().filter(|setting| setting.moves());
        let gone = self.leave_fit(moving.map(|setting| &setting.leaf), &mut changes);
        let data = |setting: &Setting| Change::Data(Rc::clone(&setting.leaf), setting.leaf.data());
        let moves = settings.iter().filter(|setting| setting.moves());
        changes.extend(moves.map(data));
        if !changes.is_empty() {
            self.record(statement, &mut changes);
        }
        for Setting { leaf, data } in settings {
            self.graph.set(leaf, *data);
        }
        let leaves: Vec<Rc<Node>> = settings
            .iter()
            .map(|setting| Rc::clone(&setting.leaf))
            .collect();
        let mut fault = None;
        self.graph.recompute(&leaves, |node, before| {
            // Operands are recomputed first, so the first node found is where the trouble began.
            let broke = before.is_finite() && !node.data().is_finite();
            if fault.is_none() && broke && is_at_fault(node) {
                fault = Some(Rc::clone(node));
            }
            tell(node, before);
        });
        Moving {
            fault: fault.map(|node| self.moved_note(node)),
            gone,
        }
    }

    /// Whether at most `most` nodes are known to depend on these leaves, without building an index for the question.
    pub fn reaches_few(&self, leaves: &[Rc<Node>], most: usize) -> bool {
        self.graph.living().are_few(leaves, most)
    }
}
