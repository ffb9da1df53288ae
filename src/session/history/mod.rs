//! Changes, and the way back: the journal of undo, changes in place, steps, several statements tried as one.
//!
//! Every change of a session goes through here.

pub(crate) mod change;
pub(crate) mod descent;
pub mod journal;
pub(crate) mod mark;
pub mod step_history;
pub(crate) mod trial;
