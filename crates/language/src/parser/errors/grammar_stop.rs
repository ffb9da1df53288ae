//! The tokens around the place where the grammar stopped, for the names in `table_names`.

use pest::Parser;
use pest::iterators::Pair;

use super::number_run;
use crate::grammar::{Grammar, Rule};
use crate::lexer::{as_grammar_text, open_bracket};
use crate::tree::Span;

/// How many bytes before and after a place are divided into tokens. A message quotes far less, and a statement may have
/// megabytes.
const WINDOW: usize = 4_000;

/// The tokens around the place where the grammar stopped. Methods name a token by its index among them; an index outside
/// of them has an empty text and the rule `EOI`.
pub(super) struct GrammarStop<'t> {
    pub(super) text: &'t str,
    /// The statement, or the part of one, that the grammar refused.
    pub(super) region: Span,
    pub(super) tokens: Vec<(Rule, Span)>,
    /// The token that was not expected.
    pub(super) found: usize,
    /// The first `=` outside of brackets.
    pub(super) equals: Option<usize>,
    pub(super) around: Surroundings,
}

/// The tokens before the place in its innermost bracket, or in the statement if no bracket is open.
#[derive(Clone, Copy, Default)]
pub(super) struct Surroundings {
    pub(super) open_bracket: Option<usize>,
    pub(super) for_word: Option<usize>,
    /// The `in` of that `for`.
    pub(super) in_word: Option<usize>,
    /// The last `±` after the last comma.
    pub(super) plus_minus: Option<usize>,
}

impl<'t> GrammarStop<'t> {
    pub(super) fn new(text: &'t str, region: Span, stop: u32) -> GrammarStop<'t> {
        let tokens = tokens_near(text, region, stop);
        let mut grammar_stop = GrammarStop {
            text,
            region,
            found: tokens.partition_point(|(_, span)| span.end <= stop),
            tokens,
            equals: None,
            around: Surroundings::default(),
        };
        grammar_stop.find_surroundings();
        grammar_stop
    }

    /// Finds the bracket, the `for`, the `=` and the `±` that the place belongs to.
    fn find_surroundings(&mut self) {
        let mut outer = Vec::new();
        let mut inner = Surroundings::default();
        for token in 0..self.found {
            match self.rule(token) {
                Rule::open | Rule::list_open => {
                    outer.push(inner);
                    inner = Surroundings {
                        open_bracket: Some(token),
                        ..Surroundings::default()
                    };
                }
                Rule::close | Rule::list_close => inner = outer.pop().unwrap_or_default(),
                Rule::equals if outer.is_empty() => self.equals = self.equals.or(Some(token)),
                Rule::plus_minus => inner.plus_minus = Some(token),
                Rule::comma => inner.plus_minus = None,
                _ => self.note_loop_word(token, &mut inner),
            }
        }
        self.around = inner;
    }

    /// Notes a `for` after an operand, and an `in` after the names of a `for`.
    fn note_loop_word(&self, token: usize, inner: &mut Surroundings) {
        match (self.word(token), inner.for_word, inner.in_word) {
            ("for", None, _) if token > 0 && self.ends_operand(token - 1) => {
                inner.for_word = Some(token);
            }
            ("in", Some(for_word), None) if token > for_word + 1 => inner.in_word = Some(token),
            _ => {}
        }
    }

    /// The text of a token.
    pub(super) fn word(&self, token: usize) -> &'t str {
        let found = self.tokens.get(token);
        found.map_or("", |(_, span)| span.of(self.text))
    }

    pub(super) fn rule(&self, token: usize) -> Rule {
        self.tokens.get(token).map_or(Rule::EOI, |(rule, _)| *rule)
    }

    /// Whether the token stands directly after the one before it.
    pub(super) fn is_adjacent(&self, token: usize) -> bool {
        match (self.tokens.get(before(token)), self.tokens.get(token)) {
            (Some((_, left)), Some((_, right))) => left.end == right.start,
            _ => false,
        }
    }

    #[rustfmt::skip]
    pub(super) fn ends_operand(&self, token: usize) -> bool {
        matches!(
            self.rule(token),
            Rule::name | Rule::number | Rule::node | Rule::result | Rule::close | Rule::list_close
                | Rule::method | Rule::factorial | Rule::superscript | Rule::primes | Rule::per_cent
        )
    }

    #[rustfmt::skip]
    pub(super) fn begins_operand(&self, token: usize) -> bool {
        matches!(
            self.rule(token),
            Rule::name | Rule::number | Rule::node | Rule::result | Rule::open | Rule::list_open | Rule::root
        )
    }

    /// The kind of the open bracket around the place, as the table calls it.
    pub(super) fn bracket_kind(&self) -> &'static str {
        let Some(open) = self.around.open_bracket else {
            return "outside";
        };
        let before = before(open);
        let first_rule = self.rule(self.operand_start(before));
        let has_list_before = matches!(first_rule, Rule::number | Rule::list_open);
        match (self.word(open), self.ends_operand(before)) {
            ("(", true) if self.rule(before) != Rule::number => "call",
            ("(", _) => "group",
            (_, true) if has_list_before => "list-after-value",
            (_, true) if self.is_adjacent(open) => "index",
            (_, true) => "index-apart",
            _ => "list",
        }
    }

    /// Whether the statement begins with `f(…)`, and the token is its last bracket.
    pub(super) fn is_call_end(&self, token: usize) -> bool {
        let open = 1 + usize::from(self.rule(1) == Rule::primes);
        self.rule(0) == Rule::name
            && self.rule(open) == Rule::open
            && self.closing_bracket(open) == token
    }

    /// The first parameter of a definition that is not a name.
    pub(super) fn wrong_parameter(&self) -> Option<Span> {
        let mut start = 2;
        while start < self.closing_bracket(1) {
            let end = self.part_end(start);
            if end > start || self.rule(start) != Rule::name {
                return Some(self.span(start, end));
            }
            start = end + 2;
        }
        None
    }

    /// Whether the token is a number of degrees, as in `sin 30°`.
    pub(super) fn is_in_degrees(&self, token: usize) -> bool {
        self.rule(token) == Rule::number && matches!(self.word(token + 1), "°" | "deg" | "degrees")
    }

    /// The `in` of a `for` that stands at the place.
    pub(super) fn in_after_found(&self) -> Option<usize> {
        let bracket_end = self.last_before(self.found, |_| false);
        let mut names = self.found + 1..=bracket_end;
        names.find(|&token| self.word(token) == "in")
    }

    /// The number before the place with its commas, if it goes on with one: `1,000`
    pub(super) fn number_with_commas(&self) -> Option<&'t str> {
        let comma = self.found;
        let is_number = |token| self.rule(token) == Rule::number;
        let has_comma = is_number(self.last_token()) && self.word(comma) == ",";
        let is_glued = self.is_adjacent(comma) && self.is_adjacent(comma + 1);
        let number = self.token_span(self.last_token());
        (has_comma && is_glued && is_number(comma + 1))
            .then(|| number_run(self.text, number).of(self.text))
    }

    /// The bracket that closes the one at `open`, or the last token if none does. A token that opens nothing closes itself.
    pub(super) fn closing_bracket(&self, open: usize) -> usize {
        let last = self.tokens.len().saturating_sub(1).max(open);
        self.find_balance(open..=last).unwrap_or(last)
    }

    /// The bracket that opens the one at `close`, or the first token if none does.
    fn opening_bracket(&self, close: usize) -> usize {
        self.find_balance((0..=close).rev()).unwrap_or(0)
    }

    /// The first of some tokens up to which as many brackets open as close.
    fn find_balance(&self, tokens: impl Iterator<Item = usize>) -> Option<usize> {
        let mut depth = 0_i32;
        for token in tokens {
            depth += match self.rule(token) {
                Rule::open | Rule::list_open => 1,
                Rule::close | Rule::list_close => -1,
                _ => 0,
            };
            if depth == 0 {
                return Some(token);
            }
        }
        None
    }

    /// The first token of the operand that ends with the token `end`.
    pub(super) fn operand_start(&self, end: usize) -> usize {
        let mut token = end;
        while token > 0 {
            let opening = match self.rule(token) {
                Rule::close | Rule::list_close => self.opening_bracket(token),
                _ => token,
            };
            let before = before(opening);
            match (self.rule(token), self.rule(before)) {
                (Rule::factorial | Rule::superscript | Rule::primes | Rule::method, _)
                | (Rule::node, Rule::name) => token -= 1,
                (Rule::close, Rule::name | Rule::primes | Rule::method) => token = before,
                (Rule::list_close, _) if self.ends_operand(before) && self.is_adjacent(opening) => {
                    token = before;
                }
                (Rule::close | Rule::list_close, _) => return opening,
                _ => return token,
            }
        }
        token
    }

    /// The last token from `start` on before a comma or the end of the bracket around it.
    pub(super) fn part_end(&self, start: usize) -> usize {
        self.last_before(start, |rule| rule == Rule::comma)
    }

    /// The last token from `start` on before the end of the bracket around it, or before a later token that `is_end`.
    fn last_before(&self, start: usize, is_end: fn(Rule) -> bool) -> usize {
        let mut token = start;
        while token < self.tokens.len() {
            match self.rule(token) {
                Rule::close | Rule::list_close => break,
                rule if is_end(rule) && token > start => break,
                Rule::open | Rule::list_open => token = self.closing_bracket(token),
                _ => {}
            }
            token += 1;
        }
        token.saturating_sub(1).max(start)
    }

    /// The first token, up to `end`, after a comma or the bracket around it.
    fn part_start(&self, end: usize) -> usize {
        let mut token = end;
        loop {
            if matches!(self.rule(token), Rule::close | Rule::list_close) {
                token = self.opening_bracket(token);
            }
            match self.rule(before(token)) {
                Rule::EOI | Rule::open | Rule::list_open | Rule::comma | Rule::equals => {
                    return token;
                }
                _ => token -= 1,
            }
        }
    }

    /// The operand that ends before a token.
    pub(super) fn operand_before(&self, token: usize) -> Span {
        let last = token.saturating_sub(1);
        self.span(self.operand_start(last), last)
    }

    /// The text from a comma or the bracket around it up to a token.
    pub(super) fn part_before(&self, token: usize) -> Span {
        let last = token.saturating_sub(1);
        self.span(self.part_start(last), last)
    }

    /// The place of a token; the place after the region if there is none.
    pub(super) fn token_span(&self, token: usize) -> Span {
        self.span(token, token)
    }

    /// From one token to another; the place after the region if there are none.
    pub(super) fn span(&self, first: usize, last: usize) -> Span {
        let last = last.min(self.tokens.len().saturating_sub(1));
        match (self.tokens.get(first), self.tokens.get(last)) {
            (Some((_, first)), Some((_, last))) if first.start <= last.start => first.to(*last),
            _ => self.region.behind(),
        }
    }

    /// The operand, with its powers, that the grammar reads from a token on. A call goes up to its last bracket, whatever
    /// stands in it.
    pub(super) fn operand(&self, token: usize) -> Span {
        let first = self.token_span(token);
        let start = first.start as usize;
        let rest = &self.text[start..self.region.end as usize];
        let near = as_grammar_text(&rest[..rest.floor_char_boundary(WINDOW)]);
        let powers = Grammar::parse(Rule::powers, &near);
        let length = powers.map_or(0, |pairs| pairs.as_str().trim_end().len());
        let operand = Span::new(start, start + length).to(first);
        let bracket = token + 1;
        if self.rule(bracket) == Rule::open && self.is_adjacent(bracket) {
            operand.to(self.span(token, self.closing_bracket(bracket)))
        } else {
            operand
        }
    }

    /// The token before the place, or the first one.
    pub(super) fn last_token(&self) -> usize {
        self.found.saturating_sub(1)
    }

    /// The open bracket around the place.
    pub(super) fn open_bracket(&self) -> usize {
        self.around.open_bracket.unwrap_or_default()
    }

    /// The `for` around the place, or the token at the place.
    pub(super) fn for_word(&self) -> usize {
        self.around.for_word.unwrap_or(self.found)
    }

    /// The last `±`.
    pub(super) fn plus_minus(&self) -> usize {
        self.around.plus_minus.unwrap_or(self.last_token())
    }

    /// The last value with its uncertainty.
    pub(super) fn measurement(&self) -> Span {
        let start = self.operand_start(self.plus_minus().saturating_sub(1));
        let is_per_cent = self.word(self.found) == "%" && self.is_adjacent(self.found);
        self.span(start, self.last_token() + usize::from(is_per_cent))
    }

    /// The text after the token at the place, up to a comma or a bracket.
    pub(super) fn rest(&self) -> Span {
        match self.part_end(self.found) {
            end if end > self.found => self.span(self.found + 1, end),
            _ => self.region.behind(),
        }
    }

    /// The first token of the value of a binding, or of the statement if it is no binding.
    pub(super) fn value_start(&self) -> usize {
        self.equals.map_or(0, |equals| equals + 1)
    }
}

/// The index of the token before this one. Before the first it is [`BEFORE_FIRST`].
pub(super) fn before(token: usize) -> usize {
    token.wrapping_sub(1)
}

/// The index before the first token.
pub(super) const BEFORE_FIRST: usize = usize::MAX;

/// The tokens around a place of `region`, and those around the bracket that is open there, even if it is far away.
fn tokens_near(text: &str, region: Span, stop: u32) -> Vec<(Rule, Span)> {
    let [start, stop, end] = [region.start, stop, region.end].map(|at| at as usize);
    let window_start = |at: usize| text.ceil_char_boundary(at.saturating_sub(WINDOW).max(start));
    let near = window_start(stop);
    let far = text.floor_char_boundary((stop + WINDOW).min(end));
    let open = open_bracket(&text[start..stop]).map(|open| start + open.start as usize);
    let mut found = match open {
        Some(open) if open < near => tokens(text, Span::new(window_start(open), open + 1)),
        _ => Vec::new(),
    };
    found.extend(tokens(text, Span::new(near, far)));
    found
}

/// Divides a part of a text into tokens. Any text has some.
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
