//! What the pictures of `:plot` and `:fit` share: their options, the numbers of lists and their classes, curves and maps that
//! are sampled from expressions, and the bands around curves.

pub(crate) mod band;
pub(crate) mod lists;
pub(crate) mod picture_options;
pub(crate) mod sampling;
pub(crate) mod typed_lists;

use crate::command::ending;
use crate::command::prelude::*;
use crate::command::signatures::plot::FILE;
use chainrule_report::{Curve, MOST_DOTS, TABLE_ENDINGS};

/// The most curves of a plot: six dashes, alone and with 18 letters. A reader could not tell more of them apart.
pub const MOST_CURVES: usize = 24;

/// Refuses more curves than a reader can tell apart.
pub(crate) fn check_count(count: usize, most: usize, all: Span) -> Result<()> {
    if count <= most {
        return Ok(());
    }
    let message = format!("a plot has at most {most} curves, these are {count}");
    let help = "more could not be told apart: draw them in two plots";
    Err(Diagnostic::new(message).at(all).help(help))
}

/// The note on points that are not drawn.
pub(crate) fn missing_note(label: &str, missing: usize, all: usize) -> Note {
    let points = format!("{} of {}", count_text(missing), plural(all, "point"));
    Note::new(say!("{:formula} is not drawn at {}", label, points))
}

/// Whether a plot goes into a file of numbers.
pub(crate) fn is_table(arguments: &Arguments) -> bool {
    let file = arguments.file_if_given(FILE).ok().flatten();
    file.is_some_and(|file| TABLE_ENDINGS.contains(&&*ending(&file.path)))
}

/// The note on dots of which a picture draws only some. A file of numbers has all.
pub(crate) fn crowd_note(arguments: &Arguments, curves: &[Curve]) -> Option<Note> {
    let dotted = curves.iter().filter(|curve| curve.has_dots);
    let all = dotted.map(|curve| curve.points.len()).sum();
    let (drawn, points) = (count_text(MOST_DOTS), plural(all, "point"));
    let rest = "the extremes, and an even choice of the others";
    let line = say!("{} of {} are drawn: {}", drawn, points, rest);
    (all > MOST_DOTS && !is_table(arguments)).then(|| Note::new(line))
}
