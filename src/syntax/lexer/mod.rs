//! From a chunk of text to its statements, and what is a name.
//!
//! The tokenizer proper is the grammar, which the parser calls.

pub(crate) mod names;
mod scan;

pub(crate) use self::scan::{BLANKS, goes_on};
pub use self::scan::{
    Continuation, Cut, Statements, begins_command, count_words, statements, unclosed,
};
