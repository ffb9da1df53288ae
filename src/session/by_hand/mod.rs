//! What is done by hand and lasts: the walk that is open, the score of the guesses, the progress of the tour.
//!
//! None of it is undone.

pub(crate) mod guesses;
pub(crate) mod tour;
pub mod walk;
