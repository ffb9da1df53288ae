//! Turns lines into code: expressions, bindings, blocks and functions, and calls that are written as in Python.

mod block;
mod compiler;
mod function;
mod lower;
mod unknown_names;

pub use self::block::block;
pub use self::compiler::{binding, call, expression};
pub use self::function::check_operands;
pub use self::lower::{sides_of_derivative, weight_lists};
pub use self::unknown_names::with_all_unknown_names;
