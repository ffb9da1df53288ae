//! Commands for doing a pass by hand: `:walk`, `:next`, `:prev`, `:guess`.
//!
//! The session keeps the walks, and `study::guess` judges guesses. `page_walks` makes both walks of a graph for the page
//! that `:graph` writes.

pub(crate) mod guess;
mod guess_answers;
pub(crate) mod next;
pub(crate) mod page_walks;
pub(crate) mod walk;
