//! Parses the text of a statement into its tree.
//!
//! pest reads the text by the grammar. `statement`, `block`, `expression` and `arguments` make trees from its pairs.
//! `errors` explains what is wrong with a text that the grammar refuses, or with a tree that these files refuse.

pub(crate) mod arguments;
mod block;
mod errors;
mod expression;
mod name;
mod operators;
pub(crate) mod parts;
mod postfix;
mod python;
mod statement;

pub use self::name::{canonical_name, kept_name};
pub use self::postfix::FOLDS;
pub use self::statement::{as_expression, called_step, expression, statement, value_and_width};
