//! What can be wrong with a definition, `f(x) = 2x`: the errors and their sentences.
//!
//! The parser finds them.

use super::{Quote, SyntaxError};
use crate::syntax::tree::Span;

/// What is wrong with the left side of a definition, or with the number of its bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// `f() = 3`
    NoParameter {
        /// The name.
        name: Quote,
        /// From bracket to bracket.
        brackets: Span,
    },
    /// `f(2) = 3`, `f(x + 1) = 2x`, `f(x,) = 2x`
    Parameter {
        /// The name of the function.
        name: Quote,
        /// What stands in the parameter's place; may be empty.
        found: Quote,
    },
    /// `f(x, x) = 2x`
    Twice {
        /// The parameter.
        parameter: Quote,
        /// Where it stood before.
        first: Span,
    },
    /// `f'(x) = 2x`
    Primes {
        /// The name of the function.
        name: Quote,
        /// The primes.
        span: Span,
    },
    /// `f(x) += 1`
    Compound {
        /// The function and its parameters.
        left: Quote,
        /// The sign.
        sign: Quote,
    },
    /// `const f(x) = 2x`
    Const {
        /// The function and its parameters.
        left: Quote,
        /// `const`
        span: Span,
    },
    /// `f(x), g(x) = 2x, 3x`, `a, f(x) = 2, 3x`
    Several {
        /// All that stands to the left.
        left: Span,
        /// The first of them that is a function, and its parameters.
        function: Quote,
    },
    /// `f(x) = 2x, 3x`
    Bodies {
        /// The function and its parameters.
        left: Quote,
        /// All the bodies.
        bodies: Span,
        /// How many.
        count: usize,
    },
}

impl Undefined {
    /// The place it is about.
    pub(crate) fn span(&self) -> Span {
        match self {
            Undefined::NoParameter { brackets: span, .. }
            | Undefined::Primes { span, .. }
            | Undefined::Const { span, .. }
            | Undefined::Several { left: span, .. }
            | Undefined::Bodies { bodies: span, .. } => *span,
            Undefined::Parameter { found: piece, .. }
            | Undefined::Twice {
                parameter: piece, ..
            }
            | Undefined::Compound { sign: piece, .. } => piece.span,
        }
    }

    /// The sentence.
    pub(crate) fn message(&self) -> String {
        match self {
            Undefined::NoParameter { name, .. } => {
                format!("`{}` is defined without a parameter", name.text)
            }
            Undefined::Parameter { found, .. } if found.text.is_empty() => {
                "expected the name of a parameter, found nothing".into()
            }
            Undefined::Parameter { found, .. } => {
                format!("expected the name of a parameter, found `{}`", found.text)
            }
            Undefined::Twice { parameter, .. } => {
                format!("two parameters are called `{}`", parameter.text)
            }
            Undefined::Primes { name, .. } => format!(
                "a derivative follows from its function: `{}` itself is to be defined",
                name.text
            ),
            Undefined::Compound { sign, .. } => {
                format!(
                    "a function is defined with `=`, `{}` changes a value",
                    sign.text
                )
            }
            Undefined::Const { left, .. } => {
                format!(
                    "`const` stands before a number's name, and `{}` is a function",
                    left.text
                )
            }
            Undefined::Several { .. } => "a statement defines one function and nothing else".into(),
            Undefined::Bodies { count, .. } => {
                format!("a function has one body, here are {count}")
            }
        }
    }

    /// The way out.
    pub(crate) fn help(&self) -> String {
        match self {
            Undefined::NoParameter { name, .. } => format!(
                "a value is bound by `{0} = …`, a function defined by `{0}(x) = …`",
                name.text
            ),
            Undefined::Parameter { name, .. } => format!(
                "parameters are names: `{0}(x) = …`; numbers are put in by calling: `{0}(2)`",
                name.text
            ),
            Undefined::Twice { .. } => "give each parameter a name of its own".into(),
            Undefined::Primes { name, .. } => format!(
                "write `{0}(x) = …`; after that `{0}'(3)` is its derivative at 3",
                name.text
            ),
            Undefined::Compound { left, .. } => {
                format!("`{} = …` defines it anew", left.text)
            }
            Undefined::Const { left, .. } => format!("write `{} = …`", left.text),
            Undefined::Several { function, .. } => {
                format!("put `;` between them: `{} = …; …`", function.text)
            }
            Undefined::Bodies { left, .. } => format!(
                "write `{} = …`, with one expression behind the sign",
                left.text
            ),
        }
    }

    /// What to write at the place.
    pub(crate) fn label(&self) -> String {
        match self {
            Undefined::Twice { .. } => "again here".into(),
            _ => String::new(),
        }
    }

    /// Other places that matter, and what to write there.
    pub(crate) fn others(&self) -> Vec<(Span, String)> {
        match self {
            Undefined::Twice { first, .. } => vec![(*first, "first here".into())],
            _ => Vec::new(),
        }
    }
}

impl From<Undefined> for SyntaxError {
    fn from(undefined: Undefined) -> SyntaxError {
        SyntaxError::Undefined(Box::new(undefined))
    }
}
