//! Parses the text of a statement into its tree.
//!
//! pest reads the text according to the grammar; `statement`, `expression` and `arguments` make trees from its pairs. `errors`
//! explains what is wrong with a text that the grammar refuses, or a tree that these files refuse.

pub(crate) mod arguments;
mod block;
mod errors;
mod expression;
mod name;
pub(crate) mod parts;
mod python;
mod statement;

pub use self::expression::FOLDS;
pub use self::name::{canonical_name, kept_name};
pub use self::statement::{as_expression, called_step, expression, statement, value_and_width};
