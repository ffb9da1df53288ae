//! Commands that take changes back or forget: `:undo`, `:redo`, `:log`, `:del`, `:reset`.
//!
//! One file for each command.

pub(crate) mod del;
pub(crate) mod log;
pub(crate) mod redo;
pub(crate) mod reset;
pub(crate) mod undo;
