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
pub use self::statement::{
    as_expression, called, expression, python, python_head, statement, uncertain, width,
};

use super::lexer::BLANKS;
use super::tree::Span;

/// Without the blanks around it.
fn trimmed(text: &str, span: Span) -> Span {
    let rest = span.of(text).trim_end_matches(BLANKS);
    let end = span.start as usize + rest.len();
    Span::new(end - rest.trim_start_matches(BLANKS).len(), end)
}
