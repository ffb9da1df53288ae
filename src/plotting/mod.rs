//! What the pictures of `:plot` and `:fit` share: their options, the numbers of lists and their classes, and curves and maps
//! that are sampled from expressions.

pub(crate) mod lists;
pub(crate) mod picture_options;
pub(crate) mod sampling;

use crate::command::prelude::*;

/// The most curves of a plot. A reader could not tell more of them apart.
pub const MOST_CURVES: usize = 6;

/// The note on points that are not drawn.
pub(crate) fn missing_note(label: &str, missing: usize, all: usize) -> Note {
    let points = format!("{} of {}", count_text(missing), plural(all, "point"));
    Note::new(say!("{:formula} is not drawn at {}", label, points))
}
