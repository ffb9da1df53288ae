//! From trees to nodes: expressions, bindings, calls, and derivatives as expressions.
//!
//! A statement builds first and binds last, so that one that fails leaves no trace.

mod bind;
mod build;
mod calls;
mod define;
mod derivative;
mod derivative_calls;
mod notes;
mod slopes;
mod terms;

pub use self::bind::Bound;
pub use self::build::{Built, Evaluated};
pub use self::notes::Fault;
pub(crate) use self::slopes::{SlopeStep, Variable, slope_steps};
pub use self::terms::STATEMENT_NODES;
