//! The place where the grammar stopped, as tokens: divides the text around it into tokens, and finds the brackets, operands
//! and words around it.
//!
//! `table_names` gives names to what this file and `stop_places` find, and `errors.txt` uses the names.

use pest::Parser;
use pest::iterators::Pair;

use crate::grammar::{Grammar, Rule};
use crate::lexer::{as_grammar_text, open_bracket};
use crate::tree::Span;

/// The tokens around the place where the grammar stopped. Methods take the index of a token. An index that no token has,
/// such as [`BEFORE_FIRST`], stands for an empty text with the rule `EOI`.
pub(super) struct GrammarStop<'t> {
    pub(super) text: &'t str,
    /// The statement, or the part of one, that the grammar refused.
    pub(super) region: Span,
    pub(super) tokens: Vec<(Rule, Span)>,
    /// The token at the place, which the grammar did not expect. After the last token if the text ends there.
    pub(super) found: usize,
    /// The first `=` before the place that is outside of brackets.
    pub(super) equals: Option<usize>,
    pub(super) around: Surroundings,
}

/// Tokens before the place: those in the innermost open bracket, or in the statement if no bracket is open.
#[derive(Clone, Copy, Default)]
pub(super) struct Surroundings {
    pub(super) open_bracket: Option<usize>,
    pub(super) for_word: Option<usize>,
    /// The `in` after `for_word` and its names.
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
                    inner = Surroundings::default();
                    inner.open_bracket = Some(token);
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
        let has_operand_before = token > 0 && self.ends_operand(token - 1);
        let has_names_before = inner.for_word.is_some_and(|word| token > word + 1);
        match self.word(token) {
            "for" if inner.for_word.is_none() && has_operand_before => inner.for_word = Some(token),
            "in" if inner.in_word.is_none() && has_names_before => inner.in_word = Some(token),
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

    /// Whether nothing stands between a token and the previous token.
    pub(super) fn is_adjacent(&self, token: usize) -> bool {
        match (self.tokens.get(previous(token)), self.tokens.get(token)) {
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

    /// Whether the innermost open bracket around the place has the kind with this name in the table of errors.
    pub(super) fn is_in(&self, kind: &str) -> bool {
        let open_bracket = self.around.open_bracket;
        open_bracket.is_some_and(|open| self.bracket_kind(open) == kind)
    }

    /// The kind of a bracket, by its sign and by the token before it.
    fn bracket_kind(&self, open: usize) -> &'static str {
        let before = previous(open);
        let is_after_value = self.ends_operand(before);
        if self.rule(open) == Rule::open {
            // `2(a + b)` is a product.
            let is_call = is_after_value && self.rule(before) != Rule::number;
            return if is_call { "call" } else { "group" };
        }
        match self.rule(self.operand_start(before)) {
            _ if !is_after_value => "list",
            Rule::number | Rule::list_open => "list-after-value",
            _ if self.is_adjacent(open) => "index",
            _ => "index-apart",
        }
    }

    /// Whether the statement begins with `f(…)` or `f'(…)`, and the token is the closing bracket of that call.
    pub(super) fn is_call_end(&self, token: usize) -> bool {
        let open = 1 + usize::from(self.rule(1) == Rule::primes);
        self.rule(0) == Rule::name
            && self.rule(open) == Rule::open
            && self.closing_bracket(open) == token
    }

    /// Whether the token is a number of degrees, as in `sin 30°`.
    pub(super) fn is_in_degrees(&self, token: usize) -> bool {
        self.rule(token) == Rule::number && matches!(self.word(token + 1), "°" | "deg" | "degrees")
    }

    /// The first `in` between the place and the end of the bracket around it. It belongs to a `for` at the place.
    pub(super) fn in_after_found(&self) -> Option<usize> {
        let bracket_end = self.last_before(self.found, |_| false);
        let mut names = self.found + 1..=bracket_end;
        names.find(|&token| self.word(token) == "in")
    }

    /// The bracket that closes the bracket at `open`, or the last token if none does. Returns `open` if that token is no
    /// bracket.
    pub(super) fn closing_bracket(&self, open: usize) -> usize {
        // `open` may be after the last token.
        let last = self.tokens.len().saturating_sub(1).max(open);
        self.find_balance(open..=last).unwrap_or(last)
    }

    /// The bracket that opens the bracket at `token`, or the first token if none does. Returns `token` if it closes no
    /// bracket.
    fn opening_bracket(&self, token: usize) -> usize {
        match self.rule(token) {
            Rule::close | Rule::list_close => self.find_balance((0..=token).rev()).unwrap_or(0),
            _ => token,
        }
    }

    /// The first token after which all brackets among the tokens so far are in pairs.
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
    ///
    /// Removes postfixes from the end: for `2 + f'(x)[0]!`, the last tokens of the rest are `!`, `]`, `)`, `'` and `f`.
    pub(super) fn operand_start(&self, end: usize) -> usize {
        let mut last = end;
        while let Some(shorter) = self.before_postfix(last) {
            last = shorter;
        }
        self.opening_bracket(last)
    }

    /// The last token of an operand without the postfix that ends with this token: the `f` of `f(x)`. Returns `None` if no
    /// postfix ends there.
    fn before_postfix(&self, end: usize) -> Option<usize> {
        let start = self.opening_bracket(end);
        let before = start.checked_sub(1)?;
        let rule_before = self.rule(before);
        let is_postfix = match self.rule(end) {
            Rule::factorial | Rule::superscript | Rule::primes | Rule::method => true,
            // The `@1` of `a@1`, a former value.
            Rule::node => rule_before == Rule::name,
            Rule::close => matches!(rule_before, Rule::name | Rule::primes | Rule::method),
            Rule::list_close => self.ends_operand(before) && self.is_adjacent(start),
            _ => false,
        };
        is_postfix.then_some(before)
    }

    /// The last token of the part that contains `start`: before the next comma, or before the end of the bracket.
    pub(super) fn part_end(&self, start: usize) -> usize {
        self.last_before(start, |rule| rule == Rule::comma)
    }

    /// The last token before the end of the bracket around `start`, or before a token after `start` for which `is_end`
    /// holds. Brackets that open after `start` are skipped.
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

    /// The first token of the part that ends with `end`: after the last comma or `=`, or after the bracket around the part.
    pub(super) fn part_start(&self, end: usize) -> usize {
        let mut token = self.opening_bracket(end);
        loop {
            match self.rule(previous(token)) {
                Rule::EOI | Rule::open | Rule::list_open | Rule::comma | Rule::equals => {
                    break token;
                }
                _ => token = self.opening_bracket(token - 1),
            }
        }
    }
}

/// The index before this one. Wraps around to [`BEFORE_FIRST`] before the first token.
pub(super) fn previous(token: usize) -> usize {
    token.wrapping_sub(1)
}

/// The index before the first token. No token has it.
pub(super) const BEFORE_FIRST: usize = usize::MAX;

/// The number of bytes before and after a place that are divided into tokens. A message quotes far less, and a
/// statement may have megabytes.
pub(super) const WINDOW: usize = 4_000;

/// The tokens of `region` near the place `stop`. What is expected there depends on the innermost bracket around it. So
/// if that bracket opens farther away than [`WINDOW`], the bracket and the tokens before it come first.
fn tokens_near(text: &str, region: Span, stop: u32) -> Vec<(Rule, Span)> {
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
pub(crate) fn tokens(text: &str, part: Span) -> Vec<(Rule, Span)> {
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
