//! What can be wrong with the text of a statement.
//!
//! The sentences are in lower case without a final period, quote the user's text in backticks and say what was expected
//! and found; the help gives a way out. Sentences used in several places are here, the others stand in the parser beside
//! the condition that leads to them. Where the session knows more (`sin x`: `sin` is a function), it replaces both.

use super::limits::MAX_LENGTH;
use super::tree::Span;

/// The longest text that is quoted in full, in characters.
const LONGEST: usize = 60;

/// What is wrong with a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The place it is about.
    pub span: Span,
    /// The sentence.
    pub message: String,
    /// What to write beside the place; may be empty.
    pub label: String,
    /// Another place that matters, and what to write there.
    pub other: Option<(Span, String)>,
    /// The way out; may be empty.
    pub help: String,
    /// The operand behind which an operator or brackets are missing.
    pub juxtaposed: Option<Box<Juxtaposed>>,
}

/// An operand that is followed by something else than an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Juxtaposed {
    /// The operand.
    pub left: String,
    /// What follows it.
    pub right: Juxtaposition,
}

/// What follows an operand where an operator is missing.
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
    pub(super) fn new(
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> SyntaxError {
        SyntaxError {
            span,
            message: message.into(),
            label: String::new(),
            other: None,
            help: help.into(),
            juxtaposed: None,
        }
    }

    /// Adds words beside the place.
    pub(super) fn label(mut self, label: impl Into<String>) -> SyntaxError {
        self.label = label.into();
        self
    }

    /// A character that never reaches the screen as it is: `a\u{7}`
    pub(super) fn forbidden(character: char, span: Span) -> SyntaxError {
        let code = u32::from(character);
        let message = format!("the invisible character U+{code:04X} is not allowed in a line");
        SyntaxError::new(span, message, "delete it, or type the line again")
    }

    /// A text of more than `MAX_LENGTH` bytes: `1+1+1+…`
    pub(super) fn long() -> SyntaxError {
        let message = format!("a statement is longer than {} MiB", MAX_LENGTH >> 20);
        let help = "give parts of it names, in statements of their own";
        SyntaxError::new(Span::default(), message, help)
    }

    /// A command's expression consists of blanks: `:grad `
    pub(super) fn nothing(span: Span) -> SyntaxError {
        SyntaxError::new(span, "expected an expression, found nothing", "")
            .label("an expression is missing")
    }
}

impl Span {
    /// Its text as quoted in a sentence: on one line, a long one without its middle.
    pub(super) fn quote(self, text: &str) -> String {
        let words: Vec<&str> = self.of(text).split_whitespace().collect();
        let words = words.join(" ");
        let length = words.chars().count();
        if length <= LONGEST {
            return words;
        }
        let half = LONGEST / 2;
        let start: String = words.chars().take(half).collect();
        let end: String = words.chars().skip(length - half).collect();
        format!("{start}…{end}")
    }
}
