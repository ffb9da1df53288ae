//! From text to words and signs: statements, tokens (a tokenizer for any text, finished or not), names, numbers.
//!
//! What they mean together is found out by the parser.

pub(crate) mod names;
pub(crate) mod number;
pub(crate) mod parts;
mod scan;
pub(crate) mod tokens;

pub(crate) use self::scan::BLANKS;
pub use self::scan::{
    Continuation, Cut, MAX_CONTINUATION, MAX_NESTING, MAX_TOKENS, Statements, begins_command,
    count_words, statements, unclosed,
};
