//! Commands for doing a pass by hand: `:walk`, `:next`, `:prev`, `:guess`.
//!
//! The session keeps the walks, and `study::guess` judges guesses.

pub(crate) mod guess;
pub(crate) mod next;
pub(crate) mod walk;
