//! What is wrong with a text that the grammar refuses, or with a tree: a row of `errors.txt`.
//!
//! Which row it is depends on the bracket around the place where the grammar stopped, on what stands before the place
//! and on what was found there. The sentences are filled with the user's own words.

use std::sync::LazyLock;

use pest::Parser;
use pest::iterators::Pair;

use crate::error::SyntaxError;
use crate::grammar::{Grammar, Rule};
use crate::lexer::{continues_name, unclosed, without_comments};
use crate::number::written_with_point;
use crate::tree::Span;

/// The rows; its first lines say how to read them.
const TABLE: &str = include_str!("errors.txt");

/// How many bytes before and behind a place are cut into tokens.
const WINDOW: usize = 4_000;

/// What is wrong with a tree: the row with this name. `parts` are the places and words that the row speaks of.
pub(super) fn refused(text: &str, row: &str, parts: &[(&str, Span)]) -> SyntaxError {
    let part = |name: &str| {
        let found = parts.iter().find(|(known, _)| *known == name);
        found.map_or(Span::default(), |(_, span)| *span)
    };
    let found = ROWS.iter().find(|cells| cells.first() == Some(&row));
    let cells = found.map_or(&[][..], Vec::as_slice);
    error(text, cells, part, |name| part(name).quote(text))
}

/// What is wrong with the text of `region`, of which the grammar has read everything before `stop`.
pub(super) fn explain(text: &str, region: Span, stop: u32) -> SyntaxError {
    if region.start == region.end {
        return SyntaxError::nothing(region);
    }
    let place = GrammarStop::new(text, region, stop);
    let found = ROWS.iter().find(|cells| place.fits(cells));
    let cells = found.map_or(&[][..], Vec::as_slice);
    let error = error(
        text,
        cells,
        |name| place.span(name),
        |name| place.word(name),
    );
    if error.span.start == error.span.end {
        error.label("an expression is missing")
    } else {
        error
    }
}

static ROWS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let rows = TABLE
        .lines()
        .filter(|row| row.contains(" | ") && !row.starts_with('#'));
    let cells = rows.map(|row| row.split(" | ").map(str::trim).collect());
    cells.collect()
});

/// The error of a row. Its last three cells are the place, perhaps with words beside it and with another place; the
/// message, which begins with `~` where the session may know more of `left` and `right`; the help.
fn error(
    text: &str,
    cells: &[&str],
    span: impl Fn(&str) -> Span,
    word: impl Fn(&str) -> String,
) -> SyntaxError {
    let [.., places, message, help] = cells else {
        return SyntaxError::nothing(span("next"));
    };
    let filled = |sentence: &str| -> String {
        if sentence == "-" {
            return String::new();
        }
        let parts = sentence.split(['{', '}']).enumerate();
        let parts = parts.map(|(count, part)| match count % 2 {
            0 => part.to_string(),
            _ => word(part),
        });
        parts.collect()
    };
    let mut places = places
        .split("; ")
        .map(|place| match place.split_once(": ") {
            Some((name, label)) => (span(name), label),
            None => (span(place), ""),
        });
    let (at, label) = places.next().unwrap_or_default();
    let plain = message.trim_start_matches('~');
    SyntaxError {
        label: label.to_string(),
        other: places.next().map(|(span, label)| (span, label.to_string())),
        juxtaposed: (plain.len() < message.len())
            .then(|| Box::new([span("left").quote(text), span("right").quote(text)])),
        ..SyntaxError::new(at, filled(plain), filled(help))
    }
}

/// The number at `span` with all that is written directly behind it.
pub(super) fn run(text: &str, span: Span) -> Span {
    let rest = &text[span.start as usize..];
    let behind = |c: char| !continues_name(c) && !matches!(c, '.' | ',' | '\'' | '’');
    let run = &rest[..rest.find(behind).unwrap_or(rest.len())];
    let run = run.trim_end_matches([',', '\'', '’']);
    Span::new(span.start as usize, span.start as usize + run.len())
}

/// The tokens around the place where the grammar stopped.
struct GrammarStop<'t> {
    text: &'t str,
    region: Span,
    tokens: Vec<(Rule, Span)>,
    /// Which of them was not expected.
    at: usize,
    /// The innermost bracket that is open there.
    open: Option<usize>,
    /// The `for` in that bracket, and its `in`.
    each: Option<(usize, Option<usize>)>,
    /// The `=` of the statement, and the last `±` outside of brackets.
    sign: Option<usize>,
    width: Option<usize>,
}

impl<'t> GrammarStop<'t> {
    fn new(text: &'t str, region: Span, stop: u32) -> GrammarStop<'t> {
        let [start, at, end] = [region.start, stop, region.end].map(|at| at as usize);
        let near = text.ceil_char_boundary(at.saturating_sub(WINDOW).max(start));
        let far = text.floor_char_boundary((at + WINDOW).min(end));
        // A bracket far away is a token too, with what it belongs to.
        let open = unclosed(&text[start..at]).map(|open| start + open.start as usize);
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
                (Rule::open | Rule::list_open, ..) => open.push((at, self.each.take())),
                (Rule::close | Rule::list_close, ..) => {
                    self.each = open.pop().and_then(|(_, each)| each);
                }
                (Rule::equals, ..) if open.is_empty() => self.sign = self.sign.or(Some(at)),
                (Rule::plus_minus, ..) if open.is_empty() => self.width = Some(at),
                (_, "for", None) if at > 0 && self.ends_operand(at - 1) => {
                    self.each = Some((at, None));
                }
                (_, "in", Some((each, None))) if at > each + 1 => {
                    self.each = Some((each, Some(at)));
                }
                _ => {}
            }
        }
        self.open = open.pop().map(|(at, _)| at);
    }

    fn of(&self, at: usize) -> &'t str {
        let token = self.tokens.get(at);
        token.map_or("", |(_, span)| span.of(self.text))
    }

    /// `EOI` where there is no token.
    fn rule(&self, at: usize) -> Rule {
        self.tokens.get(at).map_or(Rule::EOI, |(rule, _)| *rule)
    }

    /// Does the token stand directly behind the one before it?
    fn is_glued(&self, at: usize) -> bool {
        match (self.tokens.get(at.wrapping_sub(1)), self.tokens.get(at)) {
            (Some((_, before)), Some((_, token))) => before.end == token.start,
            _ => false,
        }
    }

    #[rustfmt::skip]
    fn ends_operand(&self, at: usize) -> bool {
        matches!(
            self.rule(at),
            Rule::name | Rule::number | Rule::node | Rule::result | Rule::close | Rule::list_close
                | Rule::method | Rule::factorial | Rule::superscript | Rule::primes | Rule::per_cent
        )
    }

    #[rustfmt::skip]
    fn begins_operand(&self, at: usize) -> bool {
        matches!(
            self.rule(at),
            Rule::name | Rule::number | Rule::node | Rule::result | Rule::open | Rule::list_open | Rule::root
        )
    }

    fn fits(&self, cells: &[&str]) -> bool {
        let [brackets, before, found, ..] = cells else {
            return false;
        };
        let last = self.at.wrapping_sub(1);
        cells.len() == 6
            && brackets.split(' ').any(|class| self.is_in(class))
            && before.split(' ').any(|class| self.is(last, class))
            && found.split(' ').any(|class| self.is(self.at, class))
    }

    /// Is the place in a bracket, or in a part of a statement, of this class?
    fn is_in(&self, class: &str) -> bool {
        let bracket = self.open.map_or("-", |open| self.bracket(open));
        match class {
            "any" => true,
            "()" => bracket != "-",
            "for" => matches!(self.each, Some((_, None))),
            "in" => matches!(self.each, Some((_, Some(_)))),
            "±" => bracket == "-" && self.width.is_some(),
            "=" => self.sign.is_some(),
            "f=" => {
                bracket == "-"
                    && self
                        .sign
                        .is_some_and(|sign| self.is(sign.wrapping_sub(1), ")"))
            }
            _ => bracket == class,
        }
    }

    /// The class of an open bracket.
    fn bracket(&self, open: usize) -> &'t str {
        let before = open.wrapping_sub(1);
        let listed = matches!(
            self.rule(self.operand_start(before)),
            Rule::number | Rule::list_open
        );
        match (self.of(open), self.ends_operand(before)) {
            ("(", true) if self.rule(before) != Rule::number => "f(",
            ("[", true) if listed => "2[",
            ("[", true) if self.is_glued(open) => "w[",
            ("[", true) => "x[",
            (bracket, _) => bracket,
        }
    }

    /// Is the token at `at` of this class?
    fn is(&self, at: usize, class: &str) -> bool {
        let (rule, text) = (self.rule(at), self.of(at));
        let next = at.wrapping_add(1);
        match class {
            "any" => true,
            "start" => at == usize::MAX,
            "end" => at == self.tokens.len(),
            "end;" => {
                let behind = &self.text[self.region.end as usize..];
                at == self.tokens.len() && behind.trim_start().starts_with(';')
            }
            "operand" => self.ends_operand(at),
            "sign" => rule != Rule::EOI && !self.ends_operand(at),
            "term" => self.begins_operand(at),
            "name" => rule == Rule::name,
            "number" => rule == Rule::number,
            "infix" => matches!(rule, Rule::operator | Rule::comparison),
            "equals" => rule == Rule::equals,
            "quoted" => rule == Rule::quoted,
            "stray" => rule == Rule::stray,
            "blank" => rule == Rule::stray && text.trim().is_empty(),
            "superscript" => rule == Rule::superscript,
            "prime" => rule == Rule::primes || text.starts_with('\''),
            "computed" => self.ends_operand(at) && (0..=at).any(|at| self.rule(at) == Rule::name),
            "alone" => at == 0 && rule == Rule::name,
            "glued" => rule == Rule::number && self.is_glued(at),
            ".0" => rule == Rule::number && text.starts_with('.'),
            "000" => rule == Rule::number && text.len() == 3,
            "'000" => rule == Rule::primes && self.is(next, "glued"),
            "0x" => rule == Rule::number && text.contains(['x', 'X', 'o', 'O', 'b', 'B']),
            "_" => self.is_glued(at) && text.starts_with('_'),
            ":5" => text == ":" && self.rule(next) == Rule::number,
            "for-in" => text == "for" && self.over().is_some(),
            "loop-in" => matches!(self.each, Some((_, Some(over))) if over == at),
            "list" => text == "]" && self.rule(self.operand_start(at)) == Rule::list_open,
            "item" => {
                text == "]"
                    && self.operand_start(at) == 0
                    && self.of(0) != "["
                    && self.rule(1) != Rule::open
            }
            "w[]" => rule == Rule::name && self.is_glued(next) && self.of(next) == "[",
            "label=" => text == "=" && matches!(self.of(at - 1), ".label" | "label"),
            "chained" => at == 2 && self.sign == Some(1) && self.of(1) == "=",
            "grouped" => text == "," && self.is_glued(at) && self.point().is_some(),
            "f()=" => self.rule(next) == Rule::open && self.is(self.partner(next) + 1, "equals"),
            "f'()" => self.is_call(at) && self.rule(1) == Rule::primes,
            "f()" => self.is_call(at) && at == 2,
            "f(x)" => self.is_call(at) && self.parameter().is_none(),
            "f(2)" => self.is_call(at),
            word => text == word,
        }
    }

    /// Does a statement begin with `f(…)` that ends here?
    fn is_call(&self, end: usize) -> bool {
        let call = 1 + usize::from(self.rule(1) == Rule::primes);
        self.rule(0) == Rule::name && self.rule(call) == Rule::open && self.partner(call) == end
    }

    /// The first parameter of a definition that is no name.
    fn parameter(&self) -> Option<Span> {
        let mut start = 2;
        while start < self.partner(1) {
            let end = self.onward(start, true);
            if end > start || self.rule(start) != Rule::name {
                return Some(self.between(start, end));
            }
            start = end + 2;
        }
        None
    }

    /// Where the `in` of a `for` at the place is.
    fn over(&self) -> Option<usize> {
        let mut names = self.at + 1..=self.onward(self.at, false);
        names.find(|at| self.of(*at) == "in")
    }

    /// The number before the place and its commas, written as numbers are here.
    fn point(&self) -> Option<String> {
        let (rule, number) = *self.tokens.get(self.at.checked_sub(1)?)?;
        let run = run(self.text, number);
        (rule == Rule::number).then(|| written_with_point(run.of(self.text)))?
    }

    /// The bracket that belongs to the one at `from`, or the last token in its direction.
    fn partner(&self, from: usize) -> usize {
        let back = matches!(self.rule(from), Rule::close | Rule::list_close);
        let (mut depth, mut at) = (0_usize, from);
        loop {
            match self.rule(at) {
                Rule::open | Rule::list_open if !back => depth += 1,
                Rule::close | Rule::list_close if back => depth += 1,
                Rule::open | Rule::list_open | Rule::close | Rule::list_close => depth -= 1,
                _ => {}
            }
            let last = if back {
                0
            } else {
                self.tokens.len().saturating_sub(1)
            };
            if depth == 0 || at == last {
                return at;
            }
            at = if back { at - 1 } else { at + 1 };
        }
    }

    /// Where the operand begins that ends with this token.
    fn operand_start(&self, end: usize) -> usize {
        let mut at = end;
        while at > 0 {
            let opening = self.partner(at);
            let before = opening.wrapping_sub(1);
            match (self.rule(at), self.rule(before)) {
                (Rule::factorial | Rule::superscript | Rule::primes | Rule::method, _)
                | (Rule::node, Rule::name) => at -= 1,
                (Rule::close, Rule::name | Rule::primes | Rule::method) => at = before,
                (Rule::list_close, _) if self.ends_operand(before) && self.is_glued(opening) => {
                    at = before;
                }
                (Rule::close | Rule::list_close, _) => return opening,
                _ => return at,
            }
        }
        at
    }

    /// Where the text ends that begins with the token at `start` and goes on to a bracket around it, or to a comma.
    fn onward(&self, start: usize, comma: bool) -> usize {
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

    /// Where the text begins that ends with the token at `end`, from behind a comma or a bracket around it.
    fn back(&self, end: usize) -> usize {
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

    /// From one token to another; the place behind the last token where there are none.
    fn between(&self, first: usize, last: usize) -> Span {
        let last = last.min(self.tokens.len().saturating_sub(1));
        match (self.tokens.get(first), self.tokens.get(last)) {
            (Some((_, first)), Some((_, last))) if first.start <= last.start => first.to(*last),
            _ => self.region.behind(),
        }
    }

    /// What the grammar reads as an operand, with powers, from this token on; a call that cannot be read as a whole.
    fn operand(&self, at: usize) -> Span {
        let first = self.between(at, at);
        let rest = &self.text[first.start as usize..self.region.end as usize];
        let rest = &rest[..rest.floor_char_boundary(WINDOW)];
        let rest = without_comments(rest);
        let read = Grammar::parse(Rule::powers, &rest);
        let length = read.map_or(0, |pairs| pairs.as_str().trim_end().len());
        let start = first.start as usize;
        let whole = Span::new(start, start + length).to(first);
        match self.rule(at + 1) {
            Rule::open if self.is_glued(at + 1) => whole.to(self.between(at, self.partner(at + 1))),
            _ => whole,
        }
    }

    /// The number before the place, with all words that are glued to it.
    fn run(&self) -> Span {
        let mut first = self.at.saturating_sub(1);
        while self.rule(first) != Rule::number && self.is_glued(first)
            || self.is_glued(first) && matches!(self.rule(first - 1), Rule::name | Rule::number)
        {
            first -= 1;
        }
        run(self.text, self.between(first, first))
    }

    /// A place by its name in the table.
    fn span(&self, name: &str) -> Span {
        let (at, last) = (self.at, self.at.saturating_sub(1));
        let open = self.open.unwrap_or_default();
        let listed = open.saturating_sub(1);
        let each = self.each.map_or(at, |(each, _)| each);
        let width = self.width.unwrap_or(last);
        let bound = self.sign.map_or(0, |sign| sign + 1);
        match name {
            "before" => self.between(last, last),
            "both" => self.between(last, at),
            "left" => self.between(self.operand_start(last), last),
            "leftnext" => self.between(self.operand_start(last), at),
            "right" => self.operand(at),
            "behind" => self.operand(at + 1),
            "piece" => self.between(self.back(last), last),
            "nextpiece" => self.between(at, self.onward(at, true)),
            "rest" => match self.onward(at, true) {
                end if end > at => self.between(at + 1, end),
                _ => self.region.behind(),
            },
            "list" => self.between(self.operand_start(listed), listed),
            "open" => self.between(open, open),
            "brackets" => self.between(open, self.partner(open)),
            "wholeloop" => self.between(each, self.onward(each, true)),
            "each" => self.between(at, self.over().unwrap_or(at)),
            "width" => self.between(width, width),
            "operand" => self.between(width + 1, self.onward(at, true)),
            "all" => self.between(bound, last),
            "bodies" => self.between(bound, self.tokens.len()),
            "function" => self.between(0, 0),
            "primes" => self.between(1, 1),
            "parentheses" => self.between(1, last),
            "parameter" => self.parameter().unwrap_or_default(),
            "run" => self.run(),
            _ => self.between(at, at),
        }
    }

    /// Words by their name in the table.
    fn word(&self, name: &str) -> String {
        match name {
            "point" => self.point().unwrap_or_default(),
            "found" if self.at >= self.tokens.len() => "the end".to_string(),
            "found" => format!("`{}`", self.span("next").quote(self.text)),
            _ => self.span(name).quote(self.text),
        }
    }
}

/// A part of a text as tokens, whatever stands in it.
pub(super) fn tokens(text: &str, part: Span) -> Vec<(Rule, Span)> {
    let plain = without_comments(part.of(text));
    let pairs = Grammar::parse(Rule::tokens, &plain);
    let tokens = pairs.into_iter().flatten().flat_map(Pair::into_inner);
    let tokens = tokens.filter(|pair| pair.as_rule() != Rule::EOI);
    let placed = tokens.map(|pair| {
        let span = pair.as_span();
        let place = Span::new(span.start(), span.end());
        (pair.as_rule(), place.moved(part.start))
    });
    placed.collect()
}
