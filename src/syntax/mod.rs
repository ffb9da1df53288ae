//! Text to trees and back: the only layer that knows how the language is written.
//!
//! `grammar/calculator.pest` is the reference of the language, [`levels`] the table of precedence. A chunk of lines is
//! cut into statements ([`statements`]), each is parsed into a flat tree ([`statement`], [`tree`]), and [`infix`] prints
//! a tree as text that reads back. Which names are functions, what operations do and what anything is worth is not
//! known here. All places are bytes of the whole chunk.

mod complaints;
mod define;
mod error;
mod flat;
mod grammar;
mod lecture;
pub mod levels;
mod names;
mod number;
mod parse;
mod parts;
mod postfix;
mod print;
mod readings;
mod scan;
#[cfg(test)]
mod tests;
mod tokens;
pub mod tree;

pub use define::Undefined;
pub use error::{Error, Piece};
pub use lecture::{called, unwrapped};
pub use levels::Operator;
pub use names::{first_word, is_name, key_value, range, unquoted, words};
pub use number::raised;
pub use parse::{expression, statement};
pub use parts::{Part, parts};
pub use print::{infix, literal, sexpr, write_infix};
pub use scan::{
    Continuation, Cut, MAX_CONTINUATION, MAX_NESTING, MAX_TOKENS, Statements, begins_command,
    count_words, statements, unclosed,
};
pub use tree::{
    Binding, Command, Definition, Expression, Head, Item, Kind, Lecture, Literal, Printed,
    Property, Span, Statement, Target,
};
