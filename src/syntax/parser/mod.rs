//! From the text of a statement to its tree.
//!
//! The grammar reads the text; `statement` and `expression` make the tree of what pest has found.

mod expression;
mod statement;

pub(crate) use self::expression::name;
pub use self::statement::{called, expression, statement, uncertain, unwrapped, width};
