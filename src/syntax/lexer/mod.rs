//! From text to words and signs: statements, tokens (a tokenizer for any text, finished or not), names, numbers.
//!
//! What they mean together is found out by the parser.

pub(crate) mod names;
pub(crate) mod number;
pub(crate) mod parts;
pub(crate) mod scan;
pub(crate) mod tokens;
