//! From trees to nodes: expressions, bindings, calls, and derivatives as expressions.
//!
//! A statement builds first and binds last, so that one that fails leaves no trace.

pub(crate) mod bind;
pub mod build;
pub(crate) mod calls;
pub(crate) mod derivative;
pub(crate) mod derivative_calls;
pub mod functions;
pub(crate) mod notes;
pub mod paste;
pub(crate) mod slopes;
pub(crate) mod terms;
