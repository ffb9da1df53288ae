//! The one form of all errors: a sentence, the place in the text, and a way out.
//!
//! Messages begin in lower case, have no final period, and quote the user's own text in backticks. Only views turn a
//! diagnostic into lines or JSON. A quoted text may be long, so this file shortens the quotations of all errors.

pub mod suggest;

use std::ops::Range;

use crate::characters::shorten_middle;

/// The longest quotation between backticks, in columns.
const QUOTED: usize = 216;

/// The longest sentence, in columns: it may have several quotations, or one that itself contains backticks.
const SENTENCE: usize = 800;

/// The result of work that a user has asked for.
pub type Result<T, E = Diagnostic> = std::result::Result<T, E>;

/// An error as the user sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostic {
    /// What is wrong: "unknown name `alhpa`".
    pub message: String,
    /// The place in the text of the statement, in bytes; `None` if there is no text to point at.
    pub span: Option<Range<usize>>,
    /// The words beside the caret at the place; may be empty.
    pub label: String,
    /// Other relevant places, each with its words.
    pub others: Vec<(Range<usize>, String)>,
    /// The way out: "did you mean `alpha`?"
    pub help: Option<String>,
    /// The names that have no value, if this is what is wrong.
    pub unknown: Vec<String>,
    /// The numbers of the message for programs, each with its key in JSON.
    pub numbers: Vec<(&'static str, f64)>,
    /// Whether Ctrl-C stopped the statement. A script then ends with status 130.
    pub is_interrupt: bool,
    /// The line that was run instead of the statement. All places are places in this line then.
    pub translated: Option<Box<Translation>>,
    /// The line of a called function where the error happened; the place is the place of the call then.
    pub inside: Option<Box<LineInside>>,
}

/// A line of a function that the statement calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineInside {
    /// The function.
    pub function: String,
    /// The line, without the blanks before it.
    pub line: String,
    /// The place in it, in bytes.
    pub span: Range<usize>,
}

impl LineInside {
    /// The line of a function's text around a place in it.
    pub fn around(function: &str, text: &str, span: Range<usize>) -> LineInside {
        let line_begin = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[line_begin..];
        let end = line_begin + rest.find('\n').unwrap_or(rest.len());
        let line = text[line_begin..end].trim_start();
        let begin = end - line.len();
        LineInside {
            function: function.to_string(),
            line: line.trim_end().to_string(),
            span: span.start.max(begin) - begin..span.end.clamp(begin, end) - begin,
        }
    }
}

/// A line that is run instead of a statement in another spelling, such as Python's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The place of the statement in its text, in bytes.
    pub from: Range<usize>,
    /// The line.
    pub line: String,
    /// Whether its answer is not shown. A `;` of Python does not hide a picture.
    pub is_silenced: bool,
}

impl Diagnostic {
    /// An error with only a sentence.
    pub fn new(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            message: shorten_quotations(message.into()),
            ..Diagnostic::default()
        }
    }

    /// The error of a statement that was stopped by Ctrl-C.
    pub fn of_interrupt() -> Diagnostic {
        Diagnostic {
            is_interrupt: true,
            ..Diagnostic::new("interrupted")
        }
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, span: impl Into<Range<usize>>) -> Diagnostic {
        self.span = Some(span.into());
        self
    }

    /// Moves the places by `start`: the error is about the part of a longer text that begins there.
    #[must_use]
    pub fn behind(mut self, start: usize) -> Diagnostic {
        self.span = self.span.map(|it| start + it.start..start + it.end);
        self
    }

    /// Adds words beside the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = shorten_quotations(label.into());
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn other(mut self, span: impl Into<Range<usize>>, label: impl Into<String>) -> Diagnostic {
        self.others
            .push((span.into(), shorten_quotations(label.into())));
        self
    }

    /// Adds numbers for programs.
    #[must_use]
    pub fn numbers(mut self, numbers: impl IntoIterator<Item = (&'static str, f64)>) -> Diagnostic {
        self.numbers.extend(numbers);
        self
    }

    /// Adds a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(shorten_quotations(help.into()));
        self
    }
}

impl From<Box<Diagnostic>> for Diagnostic {
    fn from(error: Box<Diagnostic>) -> Diagnostic {
        *error
    }
}

/// A text to quote in a sentence. A long text loses its middle.
pub fn shorten_quotation(text: &str) -> String {
    shorten_middle(text, QUOTED).into_owned()
}

/// Words between backticks: `` `a`, `b` ``.
pub fn backtick_list(words: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let quoted = words.into_iter().map(|word| format!("`{word}`"));
    quoted.collect::<Vec<_>>().join(", ")
}

/// Shortens the quotations in a sentence, and then the sentence itself if it is still too long.
pub fn shorten_quotations(sentence: String) -> String {
    if sentence.len() <= QUOTED {
        return sentence;
    }
    let mut parts: Vec<String> = sentence.split('`').map(str::to_owned).collect();
    for quoted in parts.iter_mut().skip(1).step_by(2) {
        *quoted = shorten_quotation(quoted);
    }
    let shorter = parts.join("`");
    // A message of several lines is a list, which may be longer.
    let lines = if shorter.contains('\n') { 10 } else { 1 };
    shorten_middle(&shorter, lines * SENTENCE).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_of_any_length_make_sentences_that_can_be_read() {
        let message = |text: &str| Diagnostic::new(format!("unknown name `{text}` here")).message;
        let at_limit = "ä".repeat(QUOTED);
        assert_eq!(
            message(&at_limit),
            format!("unknown name `{at_limit}` here")
        );
        let tail = "ä".repeat((QUOTED - 1) / 3);
        let head = "ä".repeat(QUOTED - 1 - (QUOTED - 1) / 3);
        assert_eq!(
            message(&format!("{at_limit}ä")),
            format!("unknown name `{head}…{tail}` here")
        );
        for text in ["`", "a`", "``b", " ", "\u{1b}", "漢"] {
            let text = text.repeat(100_000);
            let diagnostic = Diagnostic::new(format!("unknown `{text}` and `{text}`"))
                .at(0..text.len())
                .label(format!("it calls `{text}`"))
                .other(0..1, text.clone())
                .help(format!("did you mean `{text}`?"));
            assert_eq!(diagnostic.span, Some(0..text.len()));
            let Diagnostic {
                message,
                label,
                others,
                help,
                ..
            } = diagnostic;
            for said in [
                message,
                label,
                others[0].1.clone(),
                help.unwrap_or_default(),
            ] {
                assert!(said.chars().count() <= SENTENCE + 1, "{}", said.len());
            }
        }
        // Text that is not quoted is not shortened.
        let list = "`a`, ".repeat(SENTENCE / 5);
        assert_eq!(Diagnostic::new(list.clone()).message, list);
    }
}
