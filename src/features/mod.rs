//! Features of the calculator, each in a folder of its own: a command, what it computes, and what only it needs.
//!
//! A feature uses the interface of commands, the session and the rooms that it shares with others. No feature uses
//! another one, and only the list of commands names it.

pub(crate) mod budget;
pub mod export;
pub(crate) mod fit;
pub(crate) mod formula;
pub(crate) mod minimize;
pub(crate) mod solve;
