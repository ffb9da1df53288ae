//! Divides the text around the place where the grammar stopped into tokens, and finds brackets, operands and words among
//! them. `table_names` gives names to what this file finds, and `errors.txt` uses the names.

use pest::Parser;
use pest::iterators::Pair;

use super::number_run;
use crate::grammar::{Grammar, Rule};
use crate::lexer::{as_grammar_text, open_bracket};
use crate::tree::Span;

/// The number of bytes before and after a place that are divided into tokens. A message quotes far less, and a statement
/// may have megabytes.
const WINDOW: usize = 4_000;

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

/// The kind of a bracket, by its sign and by the token before it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum BracketKind {
    /// `(a + b)`
    Group,
    /// `f(x)`
    Call,
    /// `[a, b]`
    List,
    /// `w[0]`
    Index,
    /// `w [0]`, with a blank
    IndexApart,
    /// The second bracket of `[1, 2] [3]`, or that of `2 [3]`
    ListAfterValue,
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

    /// Whether the innermost open bracket around the place has this kind.
    pub(super) fn is_in(&self, kind: BracketKind) -> bool {
        let open_bracket = self.around.open_bracket;
        open_bracket.is_some_and(|open| self.bracket_kind(open) == kind)
    }

    fn bracket_kind(&self, open: usize) -> BracketKind {
        let before = previous(open);
        let first_rule = self.rule(self.operand_start(before));
        let has_value_before = matches!(first_rule, Rule::number | Rule::list_open);
        match (self.word(open), self.ends_operand(before)) {
            ("(", true) if self.rule(before) != Rule::number => BracketKind::Call,
            ("(", _) => BracketKind::Group,
            (_, true) if has_value_before => BracketKind::ListAfterValue,
            (_, true) if self.is_adjacent(open) => BracketKind::Index,
            (_, true) => BracketKind::IndexApart,
            (_, false) => BracketKind::List,
        }
    }

    /// Whether the statement begins with `f(…)` or `f'(…)`, and the token is the closing bracket of that call.
    pub(super) fn is_call_end(&self, token: usize) -> bool {
        let open = 1 + usize::from(self.rule(1) == Rule::primes);
        self.rule(0) == Rule::name
            && self.rule(open) == Rule::open
            && self.closing_bracket(open) == token
    }

    /// The first parameter that is not a name, in a text that begins like `f(x, 2)`.
    pub(super) fn wrong_parameter(&self) -> Option<Span> {
        // The parameters begin after the name of the function and the bracket.
        let mut start = 2;
        while start < self.closing_bracket(1) {
            let end = self.part_end(start);
            if end > start || self.rule(start) != Rule::name {
                return Some(self.span(start, end));
            }
            // The token after `end` is the comma.
            start = end + 2;
        }
        None
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

    /// A number such as `1,000` whose first comma is at the place, with all its commas.
    pub(super) fn number_with_commas(&self) -> Option<&'t str> {
        let comma = self.found;
        let is_number = |token| self.rule(token) == Rule::number;
        let has_comma = is_number(self.last_read_token()) && self.word(comma) == ",";
        let is_glued = self.is_adjacent(comma) && self.is_adjacent(comma + 1);
        let number = self.token_span(self.last_read_token());
        (has_comma && is_glued && is_number(comma + 1))
            .then(|| number_run(self.text, number).of(self.text))
    }

    /// The bracket that closes the bracket at `open`, or the last token if none does. Returns `open` if that token is no
    /// bracket.
    pub(super) fn closing_bracket(&self, open: usize) -> usize {
        // `open` may be after the last token.
        let last = self.tokens.len().saturating_sub(1).max(open);
        self.find_balance(open..=last).unwrap_or(last)
    }

    /// The bracket that opens the bracket at `close`, or the first token if none does.
    fn opening_bracket(&self, close: usize) -> usize {
        self.find_balance((0..=close).rev()).unwrap_or(0)
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

    /// The first token of the operand that ends with the token `end`. Goes back over powers, primes, calls and indices.
    pub(super) fn operand_start(&self, end: usize) -> usize {
        let mut token = end;
        while token > 0 {
            let opening = match self.rule(token) {
                Rule::close | Rule::list_close => self.opening_bracket(token),
                _ => token,
            };
            let before = previous(opening);
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
    fn part_start(&self, end: usize) -> usize {
        let mut token = end;
        loop {
            if matches!(self.rule(token), Rule::close | Rule::list_close) {
                token = self.opening_bracket(token);
            }
            match self.rule(previous(token)) {
                Rule::EOI | Rule::open | Rule::list_open | Rule::comma | Rule::equals => {
                    return token;
                }
                _ => token -= 1,
            }
        }
    }

    /// The operand that ends with the token before this one.
    pub(super) fn operand_before(&self, token: usize) -> Span {
        let last = token.saturating_sub(1);
        self.span(self.operand_start(last), last)
    }

    /// The text between a comma, a `=` or the bracket around it and this token.
    pub(super) fn part_before(&self, token: usize) -> Span {
        let last = token.saturating_sub(1);
        self.span(self.part_start(last), last)
    }

    /// The place of a token. Returns the place after the region if there is no such token.
    pub(super) fn token_span(&self, token: usize) -> Span {
        self.span(token, token)
    }

    /// The text from the token `first` to the token `last`, or to the last token of all. Returns the place after the region
    /// if there is no such text.
    pub(super) fn span(&self, first: usize, last: usize) -> Span {
        let last_known = last.min(self.tokens.len().saturating_sub(1));
        match (self.tokens.get(first), self.tokens.get(last_known)) {
            (Some((_, start)), Some((_, end))) if start.start <= end.start => start.to(*end),
            _ => self.region.behind(),
        }
    }

    /// The operand, with its powers, that the grammar reads from a token on. A call extends to its closing bracket, even if
    /// the grammar refuses its arguments.
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

    /// The last token that the grammar has read, or the first token if it has read none.
    pub(super) fn last_read_token(&self) -> usize {
        self.found.saturating_sub(1)
    }

    /// The open bracket around the place, or the first token if no bracket is open.
    pub(super) fn open_bracket(&self) -> usize {
        self.around.open_bracket.unwrap_or_default()
    }

    /// The `for` around the place, or the token at the place.
    pub(super) fn for_word(&self) -> usize {
        self.around.for_word.unwrap_or(self.found)
    }

    /// The `±` before the place, or the last token that the grammar has read.
    pub(super) fn plus_minus(&self) -> usize {
        self.around.plus_minus.unwrap_or(self.last_read_token())
    }

    /// The text from the value before the `±` up to the place. It includes a `%` at the place that no blank stands before.
    pub(super) fn measurement(&self) -> Span {
        let start = self.operand_start(self.plus_minus().saturating_sub(1));
        let is_per_cent = self.word(self.found) == "%" && self.is_adjacent(self.found);
        self.span(start, self.last_read_token() + usize::from(is_per_cent))
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

/// The index before this one. Wraps around to [`BEFORE_FIRST`] before the first token.
pub(super) fn previous(token: usize) -> usize {
    token.wrapping_sub(1)
}

/// The index before the first token. No token has it.
pub(super) const BEFORE_FIRST: usize = usize::MAX;

/// The tokens around the place `stop` of `region`. If a bracket that is open there is farther away than [`WINDOW`], the
/// tokens up to that bracket come before them.
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
