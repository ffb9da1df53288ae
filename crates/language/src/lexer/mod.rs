//! From a chunk of text to its statements; names and the words of commands.
//!
//! What is inside a statement is read by the grammar.

mod block;
mod characters;
mod continuation;
pub(crate) mod names;
mod scan;

pub use self::block::{begins_definition, begins_loop, head_end};
pub(crate) use self::characters::continues_name;
pub use self::characters::outside;
pub use self::continuation::Continuation;
pub use self::scan::{
    Cut, Statements, begins_block, begins_command, one_line, open_quote, statements, unclosed,
};
pub(crate) use self::scan::{code, comments, trimmed, without_comments};
