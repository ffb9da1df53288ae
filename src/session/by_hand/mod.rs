//! The state of exercises that the user does by hand: the open walk and the score of `:guess`.
//!
//! None of it is affected by undo.

pub(crate) mod guesses;
pub mod walk;
