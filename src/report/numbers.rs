//! The numbers of a value: one, or those of a list with its brackets.
//!
//! Lists may be nested deep, so this is a flat sequence, which every view writes in one loop.

/// A number, or a list of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// Its brackets and numbers, in order.
    pub parts: Vec<NumberPart>,
    /// How the numbers of a list belong together: `16 × 2`; empty for a number.
    pub shape: String,
    /// The lengths of the lists on each level, if all lists of a level are of one length; none for a number.
    pub lengths: Vec<usize>,
}

/// A part of a value as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberPart {
    /// A list begins.
    Open,
    /// A number.
    Number(f64),
    /// A list ends.
    Close,
}
