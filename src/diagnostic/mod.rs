//! The one shape of everything that can go wrong: a sentence, the place, a way out.
//!
//! Lower case, no final period, the user's own text in backticks. Layers have their own error enums; each becomes a
//! diagnostic, and only views turn a diagnostic into lines or JSON. What is quoted may be of any length; the sentence
//! about it is not: long quotations lose their middle here, for every error there is or will be.

pub(crate) mod suggest;

use std::ops::Range;

/// What is repeated of a text between backticks at most, in characters.
const QUOTED: usize = 100;

/// What a sentence has at most, in characters: several quotations, or one that has backticks in itself.
const SENTENCE: usize = 800;

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
            message: short(message.into()),
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
        self.label = short(label.into());
        self
    }

    /// With a second place.
    #[must_use]
    pub fn other(mut self, span: impl Into<Range<usize>>, label: impl Into<String>) -> Diagnostic {
        self.others.push((span.into(), short(label.into())));
        self
    }

    /// With a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(short(help.into()));
        self
    }
}

/// A text as it is repeated in a sentence: of a long one the beginning and the end.
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    without_middle(text, QUOTED, &mut out);
    out
}

/// Words between backticks: `` `a`, `b` ``.
pub(crate) fn listed(words: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let quoted = words.into_iter().map(|word| format!("`{word}`"));
    quoted.collect::<Vec<_>>().join(", ")
}

/// The sentence without the middles of its long quotations, and without its own if it is still too long.
fn short(sentence: String) -> String {
    if sentence.len() <= QUOTED {
        return sentence;
    }
    let mut out = String::with_capacity(sentence.len().min(2 * SENTENCE));
    for (at, part) in sentence.split('`').enumerate() {
        if at > 0 {
            out.push('`');
        }
        if at % 2 == 1 {
            without_middle(part, QUOTED, &mut out);
        } else {
            out.push_str(part);
        }
    }
    // A message of several lines is a list.
    let most = if out.contains('\n') {
        10 * SENTENCE
    } else {
        SENTENCE
    };
    let mut short = String::new();
    without_middle(&out, most, &mut short);
    short
}

/// Appends a text, of a long one its beginning and its end.
fn without_middle(text: &str, most: usize, out: &mut String) {
    if text.chars().nth(most).is_none() {
        out.push_str(text);
        return;
    }
    let half = most / 2;
    out.extend(text.chars().take(half));
    out.push('…');
    let end = text.char_indices().rev().nth(half - 1);
    out.push_str(&text[end.map_or(0, |(at, _)| at)..]);
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
        let half = "ä".repeat(QUOTED / 2);
        assert_eq!(
            message(&format!("{at_limit}ä")),
            format!("unknown name `{half}…{half}` here")
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
        // Words of our own stay as they are.
        let list = "`a`, ".repeat(SENTENCE / 5);
        assert_eq!(Diagnostic::new(list.clone()).message, list);
    }
}
