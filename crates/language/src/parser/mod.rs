//! Parses the text of a statement into its tree.
//!
//! pest reads the text by the grammar. `statement`, `block`, `expression` and `arguments` make trees from its pairs,
//! each with the files that it names.
//! `errors` explains what is wrong with a text that the grammar refuses, or with a tree that these files refuse.

pub(crate) mod arguments;
mod binding;
mod block;
mod brackets;
mod errors;
mod expression;
mod name;
mod operators;
pub(crate) mod parts;
mod postfix;
mod python_step;
mod statement;

pub use self::binding::measured_expression;
pub(crate) use self::errors::tokens;
pub use self::name::{canonical_name, kept_name};
pub use self::postfix::FOLDS;
pub use self::python_step::called_step;
pub use self::statement::{Lambda, as_expression, expression, lambda, statement};
