#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

mod error;
mod grammar;
mod implied_signs;
mod lexer;
mod limits;
pub mod math;
mod number;
mod parser;
pub mod precedence;
mod print;
#[cfg(test)]
mod tests;
mod tree;

pub use self::error::{Juxtaposed, Juxtaposition, SyntaxError};
pub use self::implied_signs::{WordKind, Words, write_signs};
pub use self::lexer::words::{first_word, is_name, key_value, strip_quotes, words};
pub use self::lexer::{
    CodeLine, Continuation, StatementSpan, begins_block, begins_command, begins_definition,
    begins_loop, check_nesting, code_end, code_lines, head_end, is_unsafe, one_line, open_bracket,
    open_quote, outside_brackets, set_commands_of_words, statements, takes_words,
};
pub use self::limits::{MAX_BLOCKS, MAX_CONTINUATION, MAX_FUNCTIONS, MAX_LENGTH, MAX_NESTING};
pub use self::number::digits_and_base;
pub use self::parser::arguments::{
    LeafSetting, ModelSides, RangeSides, RelationSides, RelationSign, correlations, items, model,
    range, relations, settings,
};
pub use self::parser::parts::{TextPart, parts};
pub use self::parser::{
    FOLDS, Lambda, as_expression, called_step, canonical_name, expression, kept_name, lambda,
    measured_expression, statement,
};
pub use self::precedence::Operator;
pub use self::print::{infix, literal, write_infix};
pub use self::tree::{
    Arm, Binding, BindingTarget, Bounds, CommandLine, Definition, Expression, Head, Item, ItemKind,
    ListChange, Literal, MeasuredExpression, Name, Parameter, PrintPiece, Printing, Property, Span,
    Statement, Step, StepKind, Width,
};
