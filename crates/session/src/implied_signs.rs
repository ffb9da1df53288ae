//! Says what the words of a line are, for lines that leave signs out, as books do: `3 sin x` is `3*sin(x)`.

use crate::state::Session;
use crate::syntax_errors::syntax_diagnostic;
use chainrule_engine::ops;
use chainrule_language::{
    self as language, Span, StatementSpan, SyntaxError, TextPart, WordKind, Words,
};
use chainrule_program::Environment as _;
use chainrule_program::names;
use chainrule_report::characters::is_letter_name;
use chainrule_report::diagnostic::Diagnostic;

impl Session {
    /// An expression, or a statement that is no command, with its signs. `letter` is that of a derivative. `None` if no sign
    /// is missing, an error if they could be written in two ways.
    pub fn write_signs(
        &self,
        text: &str,
        letter: Option<&str>,
    ) -> Result<Option<String>, SyntaxError> {
        self.write_signs_beside(text, letter, &[])
    }

    /// The error for a part of a text that has names such as `ax`, which are products beside the letters of the text. It
    /// has the text to type.
    pub fn products_error(&self, text: &str, part: Span) -> Option<Diagnostic> {
        let names = || {
            let parts = language::parts(text).into_iter();
            parts.filter_map(|(kind, place)| (kind == TextPart::Name).then_some(place))
        };
        let words = names().map(|place| place.of(text));
        // A long text has each letter many times.
        let single = words.filter(|it| is_letter_name(it) && it.chars().count() == 1);
        let mut letters: Vec<&str> = single.chain(["x", "e"]).collect();
        letters.sort_unstable();
        letters.dedup();
        let is_product = |place: &Span| names::product(self, place.of(text), &letters).is_some();
        let place = names().find(is_product)?;
        let written = match self.write_signs_beside(part.of(text), None, &letters) {
            Ok(written) => written?,
            Err(refusal) => return Some(syntax_diagnostic(refusal.behind(part.start))),
        };
        let (before, after) = (&text[..part.start as usize], &text[part.end as usize..]);
        let name = place.of(text);
        let message = format!("`{name}` is one name, and it has no number");
        let line = format!("{before}{written}{after}");
        language::statement(&line, &StatementSpan::whole(&line)).ok()?;
        let help = format!(
            "write `{}`, or give `{name}` a number: `{name} = 2`",
            line.trim()
        );
        Some(Diagnostic::new(message).at(place).help(help))
    }

    fn write_signs_beside(
        &self,
        text: &str,
        letter: Option<&str>,
        letters: &[&str],
    ) -> Result<Option<String>, SyntaxError> {
        let kind = |word: &str| self.word_kind(word, letters);
        let words = Words {
            kind: &kind,
            letter,
        };
        language::write_signs(text, &words)
    }

    fn word_kind(&self, word: &str, letters: &[&str]) -> WordKind {
        let has_value = self.names().find(word).is_some();
        if !has_value && self.is_function(word) {
            let is_own = self.functions().get(word).is_some();
            return match ops::function(word, 1) {
                Some(op) if !is_own && op.arity() == (1, Some(1)) => {
                    WordKind::Operation(op.inverse())
                }
                _ => WordKind::Function,
            };
        }
        match word {
            _ if is_letter_name(word) => WordKind::Letter,
            _ if has_value || self.knows(word) => WordKind::Name,
            _ => names::product(self, word, letters).map_or(WordKind::Unknown, WordKind::Product),
        }
    }
}
