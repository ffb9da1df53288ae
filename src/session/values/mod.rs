//! Values: what an expression gives and a name stands for, a number or a list; and the last results.
//!
//! Nothing here knows names.

pub mod results;
mod shape;
mod value;

pub use self::shape::{LIST_DEPTH, ListShape};
pub(crate) use self::value::WeakValue;
pub use self::value::{CodeWord, List, ListOrigin, Maker, OwnFunction, Value};
