//! The state of exercises that the user does by hand: the open walk, the score of `:guess`, the progress in the tour.
//!
//! None of it is affected by undo.

pub(crate) mod guesses;
pub(crate) mod tour;
pub mod walk;
