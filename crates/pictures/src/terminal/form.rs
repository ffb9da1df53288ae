//! The form of a graph on a terminal: the size of its boxes, and whether the graph runs to the right or downwards.
//! `terminal/mod.rs` has the list of forms and chooses one.

use crate::shapes::letters::LONGEST_LABEL;
use chainrule_report::Flow;

/// The form of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// The arrangement of its numbers.
    pub size: BoxSize,
    /// Whether the picture runs from top to bottom and not from left to right.
    pub is_downwards: bool,
}

impl Form {
    /// Whether the form runs in the direction that is asked for, if there is one.
    pub(crate) fn runs(self, flow: Option<Flow>) -> bool {
        flow.is_none_or(|flow| self.is_downwards == (flow == Flow::Down))
    }

    /// The most columns of a label.
    pub(crate) fn label_room(self) -> usize {
        match self.size {
            BoxSize::Full => LONGEST_LABEL,
            // These sizes are for narrow windows, and a long label would take the columns that they save.
            BoxSize::Short | BoxSize::Line => LONGEST_LABEL / 2,
        }
    }
}

/// The arrangement of numbers in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoxSize {
    /// Each number has a row with its name.
    Full,
    /// Each number has a row.
    Short,
    /// The label and the numbers share one row.
    Line,
}
