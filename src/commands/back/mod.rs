//! Commands that undo changes or delete something: `:undo`, `:redo`, `:log`, `:del`, `:reset`.
//!
//! The journal of changes itself is in `session::history`.

pub(crate) mod del;
pub(crate) mod log;
pub(crate) mod reset;
pub(crate) mod undo;
