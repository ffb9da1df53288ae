//! From the text of a statement to its tree.
//!
//! pest reads the text by the grammar; `statement` and `expression` make the tree of what it finds. `trouble` says what is
//! wrong with a text that the grammar, or the tree, refuses.

mod expression;
pub(crate) mod parts;
mod python;
mod statement;
mod trouble;

pub use self::expression::name;
pub use self::statement::{as_expression, called, expression, python, statement, uncertain, width};
