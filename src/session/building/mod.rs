//! From trees to nodes: expressions, bindings, calls, and derivatives as expressions.
//!
//! A statement builds first and binds last, so that one that fails leaves no trace.

mod bind;
mod build;
mod calls;
mod derivative;
mod derivative_calls;
mod functions;
mod notes;
mod paste;
mod slopes;
mod terms;

pub use self::bind::Bound;
pub(crate) use self::build::is_at_fault;
pub use self::build::{Built, Evaluated, first_not_finite};
pub(crate) use self::functions::Callee;
pub use self::functions::{Function, Functions, STATEMENT_NODES};
pub use self::paste::Paste;
