//! Commands for doing a pass by hand: `:walk`, `:next`, `:prev`, `:guess`.
//!
//! Walks are part of the session; guesses are judged in `study::guess`. `recording` has the stops of both walks of a graph
//! for the page that `:graph` writes.

pub(crate) mod guess;
pub(crate) mod next;
pub(crate) mod prev;
pub(crate) mod recording;
pub(crate) mod walk;
