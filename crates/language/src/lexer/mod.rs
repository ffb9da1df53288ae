//! Divides a chunk of text into statements, and the text of a command into words.
//!
//! The grammar reads the inside of a statement.

mod characters;
mod continuation;
mod marks;
mod python_block;
mod statements;
pub(crate) mod words;

pub(crate) use self::characters::continues_name;
pub use self::characters::{is_unsafe, outside_brackets};
pub use self::continuation::{Continuation, open_bracket};
pub(crate) use self::marks::three_quotes;
pub use self::marks::{set_commands_of_words, takes_words};
pub use self::python_block::{begins_branch, begins_definition, begins_loop, head_end};
pub use self::statements::{
    CodeLine, StatementSpan, begins_block, begins_command, check_nesting, code_end, code_lines,
    one_line, open_quote, statements,
};
pub(crate) use self::statements::{as_grammar_text, check_depth, comments, trim, trimmed_code};
