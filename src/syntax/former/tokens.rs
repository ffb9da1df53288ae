//! The tokens of any text, made in sections as they are asked for.
//!
//! Only a text that the grammar has refused is read so, to find the error. It mostly stands near the beginning, so a
//! hostile line of megabytes is not cut into millions of tokens of which few are needed.

use std::collections::VecDeque;

use pest::Parser;

use super::pairs::PairStream;
use super::postfix::Token;
use super::slice;
use crate::syntax::former::grammar::{Grammar, Rule};
use crate::syntax::tree::Span;

/// The length of a section in bytes.
const STRETCH: usize = 16 * 1024;

/// A token that ends this many bytes before the end of a section does not depend on what follows the section. (The
/// furthest look ahead is that of `2.e-1`, to the digit.)
const MARGIN: usize = 32;

/// The tokens of a text. Of a text that the grammar cannot read at all (there is none) there are no tokens.
pub(crate) fn tokens(text: &str, region: Span) -> Tokens<'_> {
    Tokens {
        text,
        rest: region,
        stretch: STRETCH,
        ready: VecDeque::new(),
    }
}

/// See [`tokens`].
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'t> {
    text: &'t str,
    /// What is not cut yet; it begins where a token ended.
    rest: Span,
    stretch: usize,
    ready: VecDeque<Token>,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if self.ready.is_empty() {
            self.cut();
        }
        self.ready.pop_front()
    }
}

impl Tokens<'_> {
    /// Cuts the next section that has tokens whose end is certain, a longer one if a token is that long.
    fn cut(&mut self) {
        let mut length = self.stretch;
        while self.rest.start < self.rest.end {
            let start = self.rest.start as usize;
            let end = self.text.floor_char_boundary(start + length);
            let whole = end >= self.rest.end as usize;
            let end = end.min(self.rest.end as usize);
            let stretch = Span::new(start, end);
            if let Ok(pairs) = Grammar::parse(Rule::tokens, slice(self.text, stretch)) {
                self.ready.extend(PairStream::new(pairs, stretch.start));
            }
            if whole {
                self.rest.start = self.rest.end;
                return;
            }
            self.drop_uncertain(end);
            if let Some(last) = self.ready.back() {
                self.rest.start = last.span.end;
                return;
            }
            length *= 2;
        }
    }

    /// Drops tokens at the end that could be different if the text continued.
    fn drop_uncertain(&mut self, end: usize) {
        // A quote that is not closed in this section may be closed in the next.
        let mut before = None;
        for token in &self.ready {
            let text = token.span.of(self.text);
            let alone = before != Some(token.span.start);
            if text.starts_with(['"', '\''])
                && token.rule != Rule::quoted
                && (alone || text == "\"")
            {
                self.ready.clear();
                return;
            }
            before = is_primed(token.rule).then_some(token.span.end);
        }
        let mut next = None;
        while let Some(last) = self.ready.back() {
            // Primes belong to what stands before them, so both are cut together.
            let split = next == Some(last.span.end) && is_primed(last.rule);
            if last.span.end as usize + MARGIN <= end && !split {
                return;
            }
            next = (last.rule == Rule::primes).then_some(last.span.start);
            self.ready.pop_back();
        }
    }
}

/// What may have primes behind it.
fn is_primed(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::name
            | Rule::number
            | Rule::close
            | Rule::list_close
            | Rule::member
            | Rule::node
            | Rule::result
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_at_a_time_is_as_good_as_all_at_once() {
        let pieces = [
            "a",
            "x1",
            "é",
            "12",
            "1.",
            ".5",
            "e",
            "e-",
            "1e5",
            "0x",
            "0b1",
            "_",
            "'",
            "''",
            "’",
            "\"",
            "@",
            "@1",
            "$2",
            ".",
            "..",
            ".f",
            "=",
            "==",
            "!",
            "!=",
            "<",
            "*",
            "**",
            "*=",
            "+",
            "-",
            "−",
            "·",
            "÷",
            "√",
            "±",
            "+/-",
            "%",
            "% ,",
            "²",
            "⁻",
            "⁻¹",
            "(",
            ")",
            "[",
            ",",
            ";",
            ":",
            "?",
            "`",
            " ",
            "\t",
            "\n",
            "\\",
            "\\\n",
            " # a 'b\n",
            " #",
            "'q w'",
            "\"q\"",
            "≤",
            "∞",
            "\u{301}",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "''''''''''''''''''''''''''''''''''''''''''''",
            "                                            ",
        ];
        let mut seed = 3_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize
        };
        for _ in 0..4_000 {
            let text: String = (0..random() % 120)
                .map(|_| pieces[random() % pieces.len()])
                .collect();
            let region = Span::new(0, text.len());
            let whole = Tokens {
                stretch: text.len() + 1,
                ..tokens(&text, region)
            };
            let parts = Tokens {
                stretch: MARGIN + 1 + random() % 40,
                ..tokens(&text, region)
            };
            assert_eq!(
                parts.collect::<Vec<_>>(),
                whole.collect::<Vec<_>>(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn no_more_is_cut_than_is_asked_for() {
        let text = "`".repeat(10_000_000);
        let mut tokens = tokens(&text, Span::new(0, text.len()));
        assert!(tokens.next().is_some());
        assert!(tokens.ready.len() <= STRETCH);
    }
}
