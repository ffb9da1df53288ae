//! From syntax to nodes: expressions, bindings, function calls, and derivatives as expressions.
//!
//! A statement builds all its nodes before it binds a name, so that a statement that fails changes nothing.

mod bind;
mod block_instructions;
mod builder;
mod compile;
mod compile_block;
mod compile_function;
mod derivative;
mod evaluate;
mod formula;
mod guards;
mod list_functions;
mod lists;
mod lower;
mod machine;
mod notes;
mod words;

pub use self::bind::Bound;
pub use self::block_instructions::MOST_ROUNDS;
pub use self::builder::{LIST_NUMBERS, STATEMENT_NODES};
pub use self::evaluate::Evaluated;
pub use self::formula::Formula;
pub(crate) use self::guards::{GuardedValues, WatchedLeaves};
pub use self::machine::MOST_CALLS;
pub(crate) use self::machine::{Acts, Pause, RoundsTold};
pub use self::notes::Fault;
