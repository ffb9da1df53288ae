//! Finds what a message points at when the grammar refuses a text: the operands, the parts between commas and the brackets
//! around the token where it stopped. `table_names` gives these places names.
//!
//! Each is found for every text, because a row of the table may ask for a place that the text does not have. Then it is
//! some other place nearby, so that a wrong row makes a poor message and no panic.

use pest::Parser;

use super::grammar_stop::{GrammarStop, WINDOW};
use super::number_run;
use crate::grammar::{Grammar, Rule};
use crate::lexer::as_grammar_text;
use crate::tree::Span;

impl<'t> GrammarStop<'t> {
    /// The last token that the grammar has read, or the first token if it has read none.
    pub(super) fn last_read_token(&self) -> usize {
        self.found.saturating_sub(1)
    }

    /// The open bracket around the place, or the first token if no bracket is open.
    pub(super) fn open_bracket_or_first(&self) -> usize {
        self.around.open_bracket.unwrap_or_default()
    }

    /// The `for` around the place, or the token at the place.
    pub(super) fn for_word_or_found(&self) -> usize {
        self.around.for_word.unwrap_or(self.found)
    }

    /// The `±` before the place, or the last token that the grammar has read.
    pub(super) fn plus_minus_or_before(&self) -> usize {
        self.around.plus_minus.unwrap_or(self.last_read_token())
    }

    /// The first token of the value of a binding, or of the statement if it is no binding.
    pub(super) fn value_start(&self) -> usize {
        self.equals.map_or(0, |equals| equals + 1)
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

    /// The operand, with its powers, that the grammar reads from a token on. A call extends to its closing bracket, even if
    /// the grammar refuses its arguments.
    pub(super) fn operand(&self, token: usize) -> Span {
        let token_span = self.token_span(token);
        let start = token_span.start as usize;
        let rest = &self.text[start..self.region.end as usize];
        let near = as_grammar_text(&rest[..rest.floor_char_boundary(WINDOW)]);
        let powers = Grammar::parse(Rule::powers, &near);
        let length = powers.map_or(0, |pairs| pairs.as_str().trim_end().len());
        // At least the token itself, if the grammar reads no operand here.
        let operand = Span::new(start, start + length).to(token_span);
        let bracket = token + 1;
        if self.rule(bracket) == Rule::open && self.is_adjacent(bracket) {
            operand.to(self.span(token, self.closing_bracket(bracket)))
        } else {
            operand
        }
    }

    /// The text from the value before the `±` up to the place. It includes a `%` at the place that no blank stands before.
    pub(super) fn measurement(&self) -> Span {
        let start = self.operand_start(self.plus_minus_or_before().saturating_sub(1));
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

    /// The first parameter that is not a name, in a text that begins like `f(x, 2)`.
    pub(super) fn wrong_parameter(&self) -> Option<Span> {
        // The tokens are `f`, `(`, and then the parameters.
        let (bracket, mut start) = (1, 2);
        while start < self.closing_bracket(bracket) {
            let end = self.part_end(start);
            if end > start || self.rule(start) != Rule::name {
                return Some(self.span(start, end));
            }
            // The token after `end` is the comma.
            start = end + 2;
        }
        None
    }

    /// A number such as `1,000` whose first comma is at the place, with all its commas.
    pub(super) fn number_with_commas(&self) -> Option<&'t str> {
        let (before, comma, after) = (self.last_read_token(), self.found, self.found + 1);
        let is_number = |token| self.rule(token) == Rule::number;
        let is_between_numbers = is_number(before) && self.word(comma) == "," && is_number(after);
        let is_glued = self.is_adjacent(comma) && self.is_adjacent(after);
        (is_between_numbers && is_glued)
            .then(|| number_run(self.text, self.token_span(before)).of(self.text))
    }
}
