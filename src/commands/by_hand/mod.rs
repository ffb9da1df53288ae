//! Commands for doing a pass by hand: `:walk`, `:next`, `:prev`, `:guess`, `:answer`.
//!
//! The session keeps the walks, and `study::guess` judges guesses.

pub(crate) mod answer;
pub(super) mod asked_call;
pub(crate) mod guess;
pub(crate) mod next;
pub(crate) mod walk;
