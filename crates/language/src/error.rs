//! Defines the error for a text that is not a statement. The parser returns it, and the session shows it.
//!
//! A sentence is in lower case without a final period, quotes the user's text in backticks, and says what was expected and
//! found. The help says what to do. Most sentences are in `parser/errors/errors.txt`. If the session knows more (`sin x`:
//! `sin` is a function), it replaces both the sentence and the help.

use super::limits::MAX_LENGTH;
use super::tree::Span;

/// The largest number of characters that a sentence quotes in full.
const MAX_QUOTE: usize = 60;

/// An error of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The place that it points at.
    pub span: Span,
    /// The sentence that says what is wrong.
    pub message: String,
    /// The words beside the place, which may be empty.
    pub label: String,
    /// Another place that matters, and the words beside it.
    pub other: Option<(Span, String)>,
    /// What to do, which may be empty.
    pub help: String,
    /// The operand after which an operator or brackets are missing.
    pub juxtaposed: Option<Box<Juxtaposed>>,
}

/// An operand that something other than an operator follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Juxtaposed {
    /// The operand.
    pub left: String,
    /// The text after it.
    pub right: Juxtaposition,
}

/// The text after an operand where an operator is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Juxtaposition {
    /// `sin x`
    Operand(String),
    /// `f'`
    Prime,
    /// `f()`
    NoArguments,
}

impl SyntaxError {
    pub(super) fn new(span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        SyntaxError {
            span,
            message: message.into(),
            label: String::new(),
            other: None,
            help: help.into(),
            juxtaposed: None,
        }
    }

    /// The same error, if its text begins at this byte of a longer one.
    #[must_use]
    pub fn behind(mut self, start: u32) -> SyntaxError {
        self.span = self.span.shift(start);
        self
    }

    /// Adds words beside the place.
    pub(super) fn label(mut self, label: impl Into<String>) -> SyntaxError {
        self.label = label.into();
        self
    }

    /// The error of a text of more than `MAX_LENGTH` bytes.
    pub(super) fn too_long() -> SyntaxError {
        let message = format!("a statement is longer than {} MiB", MAX_LENGTH >> 20);
        let help = "give parts of it names, in statements of their own";
        SyntaxError::new(Span::default(), message, help)
    }

    /// The error of an expression that consists of blanks: `:grad `
    pub(super) fn missing_expression(span: Span) -> SyntaxError {
        SyntaxError::new(span, "expected an expression, found nothing", "")
            .label("an expression is missing")
    }
}

impl Span {
    /// Its text for a sentence: on one line, and without its middle if it is long.
    pub(super) fn quote(self, text: &str) -> String {
        let words: Vec<&str> = self.of(text).split_whitespace().collect();
        let line = words.join(" ");
        let length = line.chars().count();
        if length <= MAX_QUOTE {
            return line;
        }
        let half = MAX_QUOTE / 2;
        let start: String = line.chars().take(half).collect();
        let end: String = line.chars().skip(length - half).collect();
        format!("{start}…{end}")
    }
}
