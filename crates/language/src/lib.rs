//! The language: reads text into trees and prints trees as text.
//!
//! `grammar/calculator.pest` defines the language for pest, and `grammar/python.pest` adds what only Python has;
//! [`precedence`] is the table of operator precedence. A chunk of lines is divided into [`statements`], each is parsed
//! into a flat tree ([`statement`], `tree`), and [`infix`] prints a tree as text that reads back. This crate does not
//! know which names are functions or what anything evaluates to. All places are byte offsets in the whole chunk.
//!
//! ```
//! use chainrule_language::{Statement, infix, statement, statements};
//!
//! let text = "L = (a*b + c) * f";
//! let span = statements(text).next().expect("a statement").expect("it is complete");
//! let Ok(Statement::Binding(binding)) = statement(text, &span) else { panic!("it binds a name") };
//! // The tree is in postfix order: operands stand before their operation.
//! let items = &binding.values[0].items;
//! assert_eq!(items.len(), 7); // a b * c + f *
//! assert_eq!(items[1].span.of(text), "b");
//! assert_eq!(infix(items), "(a*b + c)*f");
//! ```

mod error;
mod grammar;
mod lexer;
mod limits;
mod number;
mod parser;
pub mod precedence;
mod print;
#[cfg(test)]
mod tests;
mod tree;

pub use self::error::{Juxtaposed, Juxtaposition, SyntaxError};
pub use self::lexer::words::{first_word, is_name, key_value, split_range, strip_quotes, words};
pub use self::lexer::{
    Continuation, StatementSpan, Statements, begins_block, begins_command, begins_definition,
    begins_loop, check_nesting, code_end, head_end, one_line, open_bracket, open_quote,
    outside_brackets, statements,
};
pub use self::limits::{MAX_CHAIN, MAX_CONTINUATION, MAX_LENGTH, MAX_NESTING};
pub use self::parser::parts::{TextPart, parts};
pub use self::parser::{
    as_expression, canonical_name, expression, lecture_call, python, statement, value_and_width,
    width,
};
pub use self::precedence::Operator;
pub use self::print::{infix, literal, write_infix};
pub use self::tree::{
    Binding, BindingTarget, CommandLine, Definition, Expression, Head, Item, ItemKind, Lecture,
    Literal, PrintPiece, Property, Span, Statement, Width,
};
