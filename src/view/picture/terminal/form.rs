//! How much a picture on a terminal says of a node, and which way it runs.
//!
//! The fullest form that fits the window is taken.

use crate::report::Flow;

/// How much a picture says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// How its numbers stand.
    pub size: BoxSize,
    /// Columns of the longest label.
    pub label: usize,
    /// Digits of a number at most.
    pub digits: u8,
    /// Room around wires.
    pub roomy: bool,
    /// Operations stand in one line with an operand, which takes less room than in the middle of all.
    pub lean: bool,
    /// The picture runs from top to bottom; else from left to right.
    pub downwards: bool,
}

/// A form from left to right, with labels of at most `label` columns.
pub(crate) const fn right(size: BoxSize, label: usize) -> Form {
    Form {
        size,
        label,
        digits: u8::MAX,
        roomy: false,
        lean: false,
        downwards: false,
    }
}

/// A form from top to bottom.
pub(crate) const fn down(size: BoxSize, label: usize) -> Form {
    Form {
        downwards: true,
        ..right(size, label)
    }
}

impl Form {
    /// Whether a picture that runs this way may have it.
    pub(crate) fn runs(self, flow: Option<Flow>) -> bool {
        flow.is_none_or(|flow| self.downwards == (flow == Flow::Down))
    }

    pub(crate) const fn roomy(self) -> Form {
        Form {
            roomy: true,
            ..self
        }
    }

    pub(crate) const fn lean(self) -> Form {
        Form { lean: true, ..self }
    }

    pub(crate) const fn digits(self, digits: u8) -> Form {
        Form { digits, ..self }
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
