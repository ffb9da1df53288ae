//! The tokens around the place where the grammar stopped, for the classes and places of `table_names`.

use pest::Parser;
use pest::iterators::Pair;

use super::number_run;
use crate::grammar::{Grammar, Rule};
use crate::lexer::{open_bracket, without_comments};
use crate::tree::Span;

/// How many bytes before and after a place are divided into tokens.
const WINDOW: usize = 4_000;

/// The tokens around the place where the grammar stopped.
pub(super) struct GrammarStop<'t> {
    pub(super) text: &'t str,
    pub(super) region: Span,
    pub(super) tokens: Vec<(Rule, Span)>,
    /// The index of the token that was not expected.
    pub(super) at: usize,
    /// The innermost bracket that is open there.
    pub(super) open: Option<usize>,
    /// The `for` in that bracket, and its `in`.
    pub(super) each: Option<(usize, Option<usize>)>,
    /// The `=` of the statement.
    pub(super) sign: Option<usize>,
    /// The last `±` in that bracket, after its last comma.
    pub(super) width: Option<usize>,
}

impl<'t> GrammarStop<'t> {
    pub(super) fn new(text: &'t str, region: Span, stop: u32) -> GrammarStop<'t> {
        let [start, at, end] = [region.start, stop, region.end].map(|at| at as usize);
        let near = text.ceil_char_boundary(at.saturating_sub(WINDOW).max(start));
        let far = text.floor_char_boundary((at + WINDOW).min(end));
        // An open bracket far away is a token too, with the tokens before it.
        let open = open_bracket(&text[start..at]).map(|open| start + open.start as usize);
        let mut around = open.filter(|&open| open < near).map_or(Vec::new(), |open| {
            let first = text.ceil_char_boundary(open.saturating_sub(WINDOW).max(start));
            tokens(text, Span::new(first, open + 1))
        });
        around.extend(tokens(text, Span::new(near, far)));
        let mut found = GrammarStop {
            text,
            region,
            at: around.partition_point(|(_, span)| span.end <= stop),
            tokens: around,
            open: None,
            each: None,
            sign: None,
            width: None,
        };
        found.find_around();
        found
    }

    /// Finds the bracket, the `for`, the `=` and the `±` that the place belongs to.
    fn find_around(&mut self) {
        let mut open = Vec::new();
        for at in 0..self.at {
            match (self.rule(at), self.of(at), self.each) {
                (Rule::open | Rule::list_open, ..) => {
                    open.push((at, self.each.take(), self.width.take()));
                }
                (Rule::close | Rule::list_close, ..) => {
                    let around = open.pop().map(|(_, each, width)| (each, width));
                    (self.each, self.width) = around.unwrap_or_default();
                }
                (Rule::equals, ..) if open.is_empty() => self.sign = self.sign.or(Some(at)),
                (Rule::plus_minus, ..) => self.width = Some(at),
                (Rule::comma, ..) => self.width = None,
                (_, "for", None) if at > 0 && self.ends_operand(at - 1) => {
                    self.each = Some((at, None));
                }
                (_, "in", Some((each, None))) if at > each + 1 => {
                    self.each = Some((each, Some(at)));
                }
                _ => {}
            }
        }
        self.open = open.pop().map(|(at, ..)| at);
    }

    pub(super) fn of(&self, at: usize) -> &'t str {
        let token = self.tokens.get(at);
        token.map_or("", |(_, span)| span.of(self.text))
    }

    /// `EOI` where there is no token.
    pub(super) fn rule(&self, at: usize) -> Rule {
        self.tokens.get(at).map_or(Rule::EOI, |(rule, _)| *rule)
    }

    /// Whether the token stands directly after the one before it.
    pub(super) fn is_adjacent(&self, at: usize) -> bool {
        match (self.tokens.get(at.wrapping_sub(1)), self.tokens.get(at)) {
            (Some((_, before)), Some((_, token))) => before.end == token.start,
            _ => false,
        }
    }

    #[rustfmt::skip]
    pub(super) fn ends_operand(&self, at: usize) -> bool {
        matches!(
            self.rule(at),
            Rule::name | Rule::number | Rule::node | Rule::result | Rule::close | Rule::list_close
                | Rule::method | Rule::factorial | Rule::superscript | Rule::primes | Rule::per_cent
        )
    }

    #[rustfmt::skip]
    pub(super) fn begins_operand(&self, at: usize) -> bool {
        matches!(
            self.rule(at),
            Rule::name | Rule::number | Rule::node | Rule::result | Rule::open | Rule::list_open | Rule::root
        )
    }

    /// The kind of the open bracket around the place, as the table calls it.
    pub(super) fn bracket(&self) -> &'static str {
        let Some(open) = self.open else {
            return "outside";
        };
        let before = open.wrapping_sub(1);
        let listed = matches!(
            self.rule(self.operand_start(before)),
            Rule::number | Rule::list_open
        );
        match (self.of(open), self.ends_operand(before)) {
            ("(", true) if self.rule(before) != Rule::number => "call",
            ("(", _) => "group",
            (_, true) if listed => "list-after-value",
            (_, true) if self.is_adjacent(open) => "index",
            (_, true) => "index-apart",
            _ => "list",
        }
    }

    /// Whether the statement begins with `f(…)` that ends here.
    pub(super) fn is_call(&self, end: usize) -> bool {
        let call = 1 + usize::from(self.rule(1) == Rule::primes);
        self.rule(0) == Rule::name && self.rule(call) == Rule::open && self.partner(call) == end
    }

    /// The first parameter of a definition that is no name.
    pub(super) fn parameter(&self) -> Option<Span> {
        let mut start = 2;
        while start < self.partner(1) {
            let end = self.part_end(start, true);
            if end > start || self.rule(start) != Rule::name {
                return Some(self.span(start, end));
            }
            start = end + 2;
        }
        None
    }

    /// Whether it is a number of degrees, as in `sin 30°`.
    pub(super) fn is_in_degrees(&self, at: usize) -> bool {
        self.rule(at) == Rule::number && matches!(self.of(at + 1), "°" | "deg" | "degrees")
    }

    /// The `in` of a `for` at the place.
    pub(super) fn in_word(&self) -> Option<usize> {
        let mut names = self.at + 1..=self.part_end(self.at, false);
        names.find(|at| self.of(*at) == "in")
    }

    /// The number before the place, if it goes on with a comma: `1,000`
    pub(super) fn commas(&self) -> Option<&'t str> {
        let number = self.span(self.last_token(), self.last_token());
        let is_comma = self.rule(self.last_token()) == Rule::number && self.of(self.at) == ",";
        let is_glued = self.is_adjacent(self.at) && self.is_adjacent(self.at + 1);
        (is_comma && is_glued && self.rule(self.at + 1) == Rule::number)
            .then(|| number_run(self.text, number).of(self.text))
    }

    /// The bracket that belongs to the one at `from`, or the last token in its direction.
    pub(super) fn partner(&self, from: usize) -> usize {
        let mut depth = 0_i32;
        let is_partner = |&at: &usize| {
            depth += match self.rule(at) {
                Rule::open | Rule::list_open => 1,
                Rule::close | Rule::list_close => -1,
                _ => 0,
            };
            depth == 0
        };
        let last = self.tokens.len().saturating_sub(1).max(from);
        match self.rule(from) {
            Rule::close | Rule::list_close => (0..=from).rev().find(is_partner).unwrap_or(0),
            _ => (from..=last).find(is_partner).unwrap_or(last),
        }
    }

    /// The first token of the operand that ends with this token.
    pub(super) fn operand_start(&self, end: usize) -> usize {
        let mut at = end;
        while at > 0 {
            let opening = self.partner(at);
            let before = opening.wrapping_sub(1);
            match (self.rule(at), self.rule(before)) {
                (Rule::factorial | Rule::superscript | Rule::primes | Rule::method, _)
                | (Rule::node, Rule::name) => at -= 1,
                (Rule::close, Rule::name | Rule::primes | Rule::method) => at = before,
                (Rule::list_close, _) if self.ends_operand(before) && self.is_adjacent(opening) => {
                    at = before;
                }
                (Rule::close | Rule::list_close, _) => return opening,
                _ => return at,
            }
        }
        at
    }

    /// The last token from `start` on before the bracket around it closes, or with `comma` before a comma.
    pub(super) fn part_end(&self, start: usize, comma: bool) -> usize {
        let mut at = start;
        while at < self.tokens.len() {
            match self.rule(at) {
                Rule::close | Rule::list_close => break,
                Rule::comma if comma && at > start => break,
                Rule::open | Rule::list_open => at = self.partner(at),
                _ => {}
            }
            at += 1;
        }
        at.saturating_sub(1).max(start)
    }

    /// The first token, up to `end`, after a comma or the bracket around it.
    pub(super) fn part_start(&self, end: usize) -> usize {
        let mut at = end;
        loop {
            if matches!(self.rule(at), Rule::close | Rule::list_close) {
                at = self.partner(at);
            }
            match self.rule(at.wrapping_sub(1)) {
                Rule::EOI | Rule::open | Rule::list_open | Rule::comma | Rule::equals => return at,
                _ => at -= 1,
            }
        }
    }

    /// From one token to another; the place after the region if there are none.
    pub(super) fn span(&self, first: usize, last: usize) -> Span {
        let last = last.min(self.tokens.len().saturating_sub(1));
        match (self.tokens.get(first), self.tokens.get(last)) {
            (Some((_, first)), Some((_, last))) if first.start <= last.start => first.to(*last),
            _ => self.region.behind(),
        }
    }

    /// The operand, with its powers, that the grammar reads from this token on; a call up to its bracket in any case.
    pub(super) fn operand(&self, at: usize) -> Span {
        let first = self.span(at, at);
        let rest = &self.text[first.start as usize..self.region.end as usize];
        let rest = &rest[..rest.floor_char_boundary(WINDOW)];
        let rest = without_comments(rest);
        let read = Grammar::parse(Rule::powers, &rest);
        let length = read.map_or(0, |pairs| pairs.as_str().trim_end().len());
        let start = first.start as usize;
        let whole = Span::new(start, start + length).to(first);
        match self.rule(at + 1) {
            Rule::open if self.is_adjacent(at + 1) => whole.to(self.span(at, self.partner(at + 1))),
            _ => whole,
        }
    }

    /// The token before the place, or the first one.
    pub(super) fn last_token(&self) -> usize {
        self.at.saturating_sub(1)
    }

    /// The open bracket.
    pub(super) fn open_bracket(&self) -> usize {
        self.open.unwrap_or_default()
    }

    /// The `for` in that bracket.
    pub(super) fn loop_word(&self) -> usize {
        self.each.map_or(self.at, |(each, _)| each)
    }

    /// The last `±`.
    pub(super) fn plus_minus(&self) -> usize {
        self.width.unwrap_or(self.last_token())
    }

    /// The last value with its uncertainty.
    pub(super) fn measurement(&self) -> Span {
        let start = self.operand_start(self.plus_minus().saturating_sub(1));
        let is_per_cent = self.of(self.at) == "%" && self.is_adjacent(self.at);
        self.span(start, self.last_token() + usize::from(is_per_cent))
    }

    /// The text after the token at the place, up to a comma or a bracket.
    pub(super) fn rest(&self) -> Span {
        match self.part_end(self.at, true) {
            end if end > self.at => self.span(self.at + 1, end),
            _ => self.region.behind(),
        }
    }

    /// Where the value of a binding begins, or the text if it is no binding.
    pub(super) fn value_start(&self) -> usize {
        self.sign.map_or(0, |sign| sign + 1)
    }
}

/// Divides a part of a text into tokens, whatever stands in it.
pub(in crate::parser) fn tokens(text: &str, part: Span) -> Vec<(Rule, Span)> {
    let plain = without_comments(part.of(text));
    let pairs = Grammar::parse(Rule::tokens, &plain);
    let tokens = pairs.into_iter().flatten().flat_map(Pair::into_inner);
    let tokens = tokens.filter(|pair| pair.as_rule() != Rule::EOI);
    let placed = tokens.map(|pair| {
        let span = pair.as_span();
        let place = Span::new(span.start(), span.end());
        (pair.as_rule(), place.shift(part.start))
    });
    placed.collect()
}
