//! Commands for doing a pass by hand: `:walk`, `:next`, `:prev`, `:guess`.
//!
//! Walks are part of the session; guesses are judged in `study::guess`.

pub(crate) mod guess;
pub(crate) mod next;
pub(crate) mod prev;
pub(crate) mod walk;
