//! From a chunk of text to its statements; names and the words of commands.
//!
//! The grammar is the tokenizer of statements; the parser calls it.

mod block;
mod characters;
pub(crate) mod names;
mod scan;

pub use self::block::{begins_definition, indent};
pub(crate) use self::characters::{BLANKS, goes_on};
pub(crate) use self::names::is_name;
pub use self::scan::{
    Continuation, Cut, Statements, begins_command, count_words, one_line, statements, unclosed,
};
