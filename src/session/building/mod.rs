//! From syntax to nodes: expressions, bindings, function calls, and derivatives as expressions.
//!
//! A statement builds all its nodes before it binds a name, so that a statement that fails changes nothing.

mod binding;
mod build;

mod define;
mod derivative;
mod derivative_calls;
mod formula;
mod given;
mod items;
mod list_functions;
mod lists;
mod machine;
mod notes;
mod slopes;
mod terms;

pub use self::binding::Bound;
pub use self::build::Evaluated;
pub use self::formula::Formula;
pub use self::given::GivenValue;
pub use self::notes::Fault;
pub(crate) use self::terms::NodeIndex;
pub use self::terms::{LIST_NUMBERS, STATEMENT_NODES};
