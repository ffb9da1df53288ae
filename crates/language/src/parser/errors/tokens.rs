//! Divides a text, or the text around a place, into tokens.

use pest::Parser;
use pest::iterators::Pair;

use crate::grammar::{Grammar, Rule};
use crate::lexer::{as_grammar_text, open_bracket};
use crate::tree::Span;

/// The number of bytes before and after a place that are divided into tokens. A message quotes far less, and a
/// statement may have megabytes.
pub(super) const WINDOW: usize = 4_000;

/// The tokens of `region` near the place `stop`. What is expected there depends on the innermost bracket around it. So
/// if that bracket opens farther away than [`WINDOW`], the bracket and the tokens before it come first.
pub(super) fn tokens_near(text: &str, region: Span, stop: u32) -> Vec<(Rule, Span)> {
    let [start, stop, end] = [region.start, stop, region.end].map(|at| at as usize);
    let window_start = |at: usize| text.ceil_char_boundary(at.saturating_sub(WINDOW).max(start));
    let near_start = window_start(stop);
    let near_end = text.floor_char_boundary((stop + WINDOW).min(end));
    let bracket = open_bracket(&text[start..stop]).map(|found| start + found.start as usize);
    let mut all = match bracket {
        Some(at) if at < near_start => tokens(text, Span::new(window_start(at), at + 1)),
        _ => Vec::new(),
    };
    all.extend(tokens(text, Span::new(near_start, near_end)));
    all
}

/// Divides a part of a text into tokens. No text is refused: unknown signs are tokens, too.
pub(in crate::parser) fn tokens(text: &str, part: Span) -> Vec<(Rule, Span)> {
    let plain = as_grammar_text(part.of(text));
    let parsed = Grammar::parse(Rule::tokens, &plain);
    let pairs = parsed.into_iter().flatten().flat_map(Pair::into_inner);
    pairs
        .filter(|pair| pair.as_rule() != Rule::EOI)
        .map(|pair| {
            let span = pair.as_span();
            let place = Span::new(span.start(), span.end());
            (pair.as_rule(), place.shift(part.start))
        })
        .collect()
}
