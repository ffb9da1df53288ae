//! Uncertainties in a saved session: `x = 5 ± 0.1`, `w = [5, 6] ± [0.1, 0.2]`, and those that a fit left.
//!
//! Everything reads back to the same bits.

use std::fmt::Write as _;
use std::rc::Rc;

use super::called::Called;
use super::literals::number;
use super::save_order::{SaveOrder, Written};
use super::script::ScriptWriter;
use crate::graph::Node;
use crate::session::Session;
use crate::session::naming::Uncertainty;

/// A fit of more leaves is saved without correlations, whose number is the square of theirs.
const MOST_CORRELATED: usize = 500;

impl Session {
    /// The uncertainty of a leaf, if it was typed. One that a fit left is written at the end.
    pub(super) fn typed_width(&self, leaf: &Node) -> Option<f64> {
        let known = self.names.uncertain.of(leaf)?;
        (!known.is_fitted()).then(|| known.width())
    }

    /// What stands behind a list of new leaves: ` ± 0.1`, ` ± [0.1, 0.2]`; empty if none of them is uncertain, or if not
    /// all are new.
    pub(super) fn list_widths(&self, outline: &SaveOrder, list: usize, all_new: bool) -> String {
        let saved = &outline.names.lists[list];
        if !all_new || !self.has_uncertain() {
            return String::new();
        }
        let widths: Vec<f64> = (saved.items.iter().flatten())
            .map(|&at| self.typed_width(outline.nodes[at]).unwrap_or(0.0))
            .collect();
        match widths.as_slice() {
            all if all.iter().all(|width| *width == 0.0) => String::new(),
            [first, rest @ ..] if rest.iter().all(|width| width == first) => {
                format!(" ± {}", number(*first))
            }
            all => {
                let mut text = " ± ".to_string();
                super::list_text::write_list(
                    &mut text,
                    &saved.shape,
                    |text, place| text.push_str(&number(all[place])),
                    |_, _, _, _| false,
                );
                text
            }
        }
    }

    /// Writes the uncertainties of those leaves that a list makes among other things.
    pub(super) fn write_widths(
        &self,
        called: &Called,
        outline: &SaveOrder,
        list: usize,
        text: &mut String,
    ) {
        if !self.has_uncertain() {
            return;
        }
        for &at in outline.names.lists[list].items.iter().flatten() {
            let is_own = outline.written[at] == Written::Item
                && matches!(outline.home_place(at), Some((home, _)) if home == list);
            if let Some(width) = self.typed_width(outline.nodes[at]).filter(|_| is_own) {
                let _ = writeln!(
                    text,
                    ":set {} ± {};",
                    called.text(outline, at),
                    number(width)
                );
            }
        }
    }

    /// Writes what fits have left: the leaves of each with their uncertainties and correlations.
    pub(super) fn write_fits(&self, script: &mut ScriptWriter) {
        if !self.has_uncertain() {
            return;
        }
        // The leaves of each fit, in the order of the nodes.
        let mut fits: Vec<Vec<usize>> = Vec::new();
        for (at, node) in script.outline.nodes.iter().enumerate() {
            let Some(known) = self.names.uncertain.of(node).filter(|it| it.is_fitted()) else {
                continue;
            };
            let of_one_fit = |fit: &&mut Vec<usize>| {
                let other = fit.first().map(|&at| script.outline.nodes[at]);
                let other = other.and_then(|other| self.names.uncertain.of(other));
                other.is_some_and(|other| other.is_of_fit_of(known))
            };
            match fits.iter_mut().find(of_one_fit) {
                Some(fit) => fit.push(at),
                None => fits.push(vec![at]),
            }
        }
        for fit in fits {
            let leaves: Vec<&Rc<Node>> = fit.iter().map(|&at| script.outline.nodes[at]).collect();
            let each = fit.iter().zip(&leaves).map(|(&at, leaf)| {
                let width = self
                    .names
                    .uncertain
                    .of(leaf)
                    .map_or(0.0, Uncertainty::width);
                format!("{} ± {}", self.called_at_end(script, at), number(width))
            });
            let each = each.collect::<Vec<_>>().join(", ");
            if leaves.len() > MOST_CORRELATED {
                let _ = writeln!(
                    script.text,
                    "# the correlations that a fit left are too many to save"
                );
                let _ = writeln!(script.text, ":set {each};");
                continue;
            }
            let row = |one: &&Rc<Node>| {
                let row = leaves
                    .iter()
                    .map(|other| number(self.correlation(one, other)));
                format!("[{}]", row.collect::<Vec<_>>().join(", "))
            };
            let rows = leaves.iter().map(row).collect::<Vec<_>>().join(", ");
            let _ = writeln!(script.text, ":set {each} corr [{rows}];");
        }
    }

    /// What a node is called when all nodes have been made: a name that went on to another node is a former one.
    fn called_at_end(&self, script: &ScriptWriter, at: usize) -> String {
        let former = script.plan.passed_on[at]
            .then(|| self.names.former(script.outline.nodes[at]))
            .flatten();
        former.unwrap_or_else(|| script.plan.called.text(&script.outline, at))
    }
}
