//! The one shape of everything that can go wrong: a sentence, the place, a way out.
//!
//! Lower case, no final period, the user's own text in backticks. Layers have their own error enums; each becomes a
//! diagnostic, and only views turn a diagnostic into lines or JSON.

use std::ops::Range;

/// An error as the user sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong: "unknown name `alhpa`".
    pub message: String,
    /// Where in the text of the statement, in bytes; `None` where there is no text to point at.
    pub span: Option<Range<usize>>,
    /// What to write at the place, beside the caret; may be empty.
    pub label: String,
    /// Other places that matter, and what to write there.
    pub others: Vec<(Range<usize>, String)>,
    /// The way out: "did you mean `alpha`?"
    pub help: Option<String>,
    /// The statement was stopped by Ctrl-C: a script ends with status 130.
    pub interrupted: bool,
}

impl Diagnostic {
    /// An error with nothing but its sentence.
    pub fn new(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            message: message.into(),
            ..Diagnostic::default()
        }
    }

    /// With a place.
    #[must_use]
    pub fn at(mut self, span: impl Into<Range<usize>>) -> Diagnostic {
        self.span = Some(span.into());
        self
    }

    /// With words beside the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// With a second place.
    #[must_use]
    pub fn other(mut self, span: impl Into<Range<usize>>, label: impl Into<String>) -> Diagnostic {
        self.others.push((span.into(), label.into()));
        self
    }

    /// With a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}
