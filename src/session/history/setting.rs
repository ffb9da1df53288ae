//! Changes of data: leaves are set, and what is above them is recomputed.
//!
//! The data of leaves is a table of the session, kept by the graph.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::uncertain::Widths;
use crate::graph::{Graph, Node, NodeId, is_at_fault};
use crate::report::Note;
use crate::session::Session;
use crate::session::logged::Keyed;

/// The data of each leaf, and whether it is frozen.
impl Keyed for Graph {
    type Key = Rc<Node>;
    type Value = (f64, bool);

    fn swap(&mut self, leaf: &Rc<Node>, (data, frozen): (f64, bool)) -> (f64, bool) {
        let before = leaf.data();
        if before.to_bits() != data.to_bits() {
            self.set(leaf, data);
        }
        (before, self.freeze(leaf, frozen))
    }

    fn restored<'k>(&mut self, leaves: impl Iterator<Item = &'k Rc<Node>>) {
        let leaves: Vec<Rc<Node>> = leaves.cloned().collect();
        self.recompute(&leaves, |_, _| {});
    }
}

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
    /// Changes several leaves at once and recomputes the nodes above them. Returns the
    /// nodes that changed, leaves first, and notes: if one became NaN or infinite, and if uncertainties that a fit left
    /// are gone.
    pub fn set(&mut self, settings: &[Setting]) -> (Vec<Moved>, Vec<Note>) {
        self.set_uncertain(settings, Widths::default())
    }

    /// The same for data and uncertainties. `settings` and `widths` need not be about the same leaves, and each may be
    /// empty; leaves that get new uncertainties keep those when they move.
    pub fn set_uncertain(
        &mut self,
        settings: &[Setting],
        widths: Widths,
    ) -> (Vec<Moved>, Vec<Note>) {
        let moved = |node: &Rc<Node>, before: f64| Moved {
            node: Rc::clone(node),
            before,
        };
        let leaves = settings.iter().map(|setting| &setting.leaf);
        let mut all: Vec<Moved> = leaves.map(|leaf| moved(leaf, leaf.data())).collect();
        let notes = self.set_telling(settings, widths, |node, before| {
            all.push(moved(node, before));
        });
        (all, notes)
    }

    /// The same; calls `tell` with each node above the leaves that changes, and its data before.
    pub fn set_telling(
        &mut self,
        settings: &[Setting],
        widths: Widths,
        tell: impl FnMut(&Rc<Node>, f64),
    ) -> Vec<Note> {
        let new = self.widen(widths);
        let Moving { fault, gone } = self.move_leaves(settings, &new, tell);
        fault.into_iter().chain(gone).collect()
    }

    /// Changes leaves and recomputes. The leaves in `new` have new uncertainties already.
    pub(super) fn move_leaves(
        &mut self,
        settings: &[Setting],
        new: &FxHashSet<NodeId>,
        mut tell: impl FnMut(&Rc<Node>, f64),
    ) -> Moving {
        let moving = settings.iter().filter(|setting| setting.moves());
        let gone = self.leave_fit(moving.map(|setting| &setting.leaf), new);
        for Setting { leaf, data } in settings {
            if leaf.data().to_bits() != data.to_bits() {
                self.graph.write(Rc::clone(leaf), (*data, leaf.is_frozen()));
            }
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
}
