//! Gradients at work: commands that put derivatives to use for a goal outside the session.
//!
//! They find what is wanted by exact derivatives, or write model and gradients down for other programs.

mod columns;
pub(crate) mod export;
pub(crate) mod solve;
