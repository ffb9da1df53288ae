//! Values: what an expression gives and a name stands for, a number or a list; comments
//! beside the statements that bind them; and the last results.
//!
//! Nothing here knows names.

mod comment;
pub mod results;
mod shape;
mod value;

pub use self::comment::Comment;
pub(crate) use self::comment::write_lines;
pub use self::shape::{LIST_DEPTH, ListShape};
pub(crate) use self::value::WeakValue;
pub use self::value::{List, ListPart, Value};
