//! How much a picture on a terminal says of a node, and which way it runs.
//!
//! The fullest form that fits the window is taken.

use crate::report::Flow;
use crate::view::picture::shapes::letters::LONGEST_LABEL;

/// How much a picture says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// How its numbers stand.
    pub size: BoxSize,
    /// The picture runs from top to bottom; else from left to right.
    pub downwards: bool,
}

impl Form {
    /// Whether a picture that runs this way may have it.
    pub(crate) fn runs(self, flow: Option<Flow>) -> bool {
        flow.is_none_or(|flow| self.downwards == (flow == Flow::Down))
    }

    /// Whether there is room around wires.
    pub(crate) fn is_roomy(self) -> bool {
        self.size == BoxSize::Full
    }

    /// Columns of the longest label.
    pub(crate) fn label(self) -> usize {
        match self.size {
            BoxSize::Full => LONGEST_LABEL,
            BoxSize::Short | BoxSize::Line => LONGEST_LABEL / 2,
        }
    }
}

/// How numbers stand in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoxSize {
    /// A row each, with its name.
    Full,
    /// A row each.
    Short,
    /// With the label in one row.
    Line,
}
