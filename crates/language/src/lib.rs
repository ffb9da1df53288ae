//! Text to trees and back: the only layer that knows how the language is written.
//!
//! `grammar/calculator.pest` is the language, as pest reads it, and `grammar/python.pest` what only Python has;
//! [`precedence`] is the table of operator precedence. A chunk of lines is cut into statements ([`statements`]), each is
//! parsed into a flat tree ([`statement`], `tree`), and [`infix`] prints a tree as text that reads back. This layer does
//! not know which names are functions or what anything evaluates to. All places are bytes of the whole chunk.
//!
//! ```
//! use chainrule_language::{Statement, infix, statement, statements};
//!
//! let text = "L = (a*b + c) * f";
//! let cut = statements(text).next().expect("a statement").expect("it is complete");
//! let Ok(Statement::Binding(binding)) = statement(text, &cut) else { panic!("it binds a name") };
//! // The tree in postfix order: what an operation is applied to stands before it.
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
pub use self::lexer::names::{first_word, is_name, key_value, range, unquoted, words};
pub use self::lexer::{
    Continuation, Cut, Statements, begins_block, begins_command, begins_definition, begins_loop,
    head_end, one_line, open_quote, outside, statements, unclosed,
};
pub use self::limits::{MAX_CHAIN, MAX_CONTINUATION, MAX_LENGTH, MAX_NESTING};
pub use self::parser::name as understood_name;
pub use self::parser::parts::{TextPart, parts};
pub use self::parser::{as_expression, called, expression, python, statement, uncertain, width};
pub use self::precedence::Operator;
pub use self::print::{infix, literal, write_infix};
pub use self::tree::{
    Binding, BindingTarget, CommandLine, Definition, Expression, Head, Item, ItemKind, Lecture,
    Literal, Printed, Property, Span, Statement, Width,
};
