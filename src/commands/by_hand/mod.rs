//! Commands of a pass by hand: `:walk`, `:next`, `:prev`, `:guess`.
//!
//! What a walk is and how a guess is judged is found out by the session.

pub(crate) mod guess;
pub(crate) mod next;
pub(crate) mod prev;
pub(crate) mod walk;
