//! Commands that undo changes or delete something: `:undo`, `:redo`, `:log`, `:del`, `:reset`.
//!
//! The journal of changes itself is in `session::state`.

pub(crate) mod del;
pub(crate) mod undo;
