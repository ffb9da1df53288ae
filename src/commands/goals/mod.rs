//! Gradients at work: commands that put derivatives to use for a goal outside the session.
//!
//! They find what is wanted by exact derivatives, or write model and gradients down for other programs.

pub(crate) mod budget;
mod columns;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod minimize;
pub(crate) mod search;
pub(crate) mod solve;
