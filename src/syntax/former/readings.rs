//! The possible meanings of a refused line, in the user's own words.
//!
//! Only for error messages: the line is cut into tokens once more, and the operands around the place of the error are
//! found by walking from it to both sides.

use std::cell::RefCell;

use super::postfix::{Token, TokenSource};
use super::tokens::{Tokens, tokens};
use crate::syntax::error::SyntaxError;
use crate::syntax::former::grammar::Rule;
use crate::syntax::number;
use crate::syntax::precedence;
use crate::syntax::precedence::level;
use crate::syntax::tree::Span;

/// The tokens of a line with an error, cut as far as they are needed.
pub(crate) struct Readings<'t> {
    pub(super) text: &'t str,
    made: RefCell<Vec<Token>>,
    rest: RefCell<Tokens<'t>>,
}

impl<'t> Readings<'t> {
    pub(crate) fn new(source: TokenSource<'t>) -> Readings<'t> {
        Readings {
            text: source.text,
            made: RefCell::default(),
            rest: RefCell::new(tokens(source.text, source.region)),
        }
    }

    /// `a b`: nothing between what ends before `right` and what begins there, perhaps in a list.
    pub(crate) fn juxtaposition(&self, right: Span, listed: bool) -> SyntaxError {
        let at = self.at(right);
        let start = self.operand_start(at.saturating_sub(1));
        let left = self.words(start, at.saturating_sub(1));
        let place = self.between(at, self.end(at, level::POWER));
        let right = place.quote(self.text);
        let help = match left.as_str() {
            "const" if right.ends_with(']') => format!("an item is frozen by `:freeze {right}`"),
            _ if !listed && are_digits(&left) && are_digits(&right) && right.len() == 3 => {
                format!("digits are grouped by `_`: `{left}_{right}`")
            }
            _ if right.starts_with('.') && are_digits(&right[1..]) => {
                format!("the first item of a list is `{left}[1]`")
            }
            _ if listed => format!(
                "separate items by a comma, `{left}, {right}`; to multiply, write `{left}*{right}`"
            ),
            "const" => format!("a frozen leaf is made by `const {right} = 2`"),
            _ => format!("to multiply, write `{left}*{right}`"),
        };
        let sign = if listed {
            "a comma or an operator"
        } else {
            "an operator"
        };
        let message = format!("expected {sign} between `{left}` and `{right}`");
        SyntaxError {
            juxtaposed: Some(Box::new([left, right])),
            ..SyntaxError::new(place, message, help).label("an operator is missing before this")
        }
    }

    /// `1/2x`: the number after an operator (signs between), and a coefficient.
    pub(crate) fn coefficient(&self, operator: Span, number: Span) -> SyntaxError {
        let (at, number) = (self.at(operator), self.at(number));
        let right = self.end(number + 1, level::POWER);
        let sign = self.words(at, at);
        let left = match sign.as_str() {
            "√" => String::new(),
            "^" | "**" => self.words(self.start(at.saturating_sub(1), level::POSTFIX), at - 1),
            _ => self.words(self.start(at.saturating_sub(1), level::PRODUCT), at - 1),
        };
        let factor = self.words(at + 1, number);
        let rest = self.words(number + 1, right);
        SyntaxError::ambiguous(
            self.between(at, right),
            &format!("{left}{sign}{factor}{rest}"),
            format!("write `{left}{sign}({factor}*{rest})` or `{left}{sign}{factor}*{rest}`"),
        )
    }

    /// `1 < x < 3`
    pub(crate) fn chain(&self, first: Span, second: Span) -> SyntaxError {
        let (one, two) = (self.at(first), self.at(second));
        let left = self.words(
            self.start(one.saturating_sub(1), level::SUM),
            one.saturating_sub(1),
        );
        let middle = self.words(one + 1, two.saturating_sub(1));
        let right = self.words(two + 1, self.end(two + 1, level::SUM));
        let (less, more) = (first.of(self.text), second.of(self.text));
        let one = format!("{left} {less} {middle}");
        let (text, two) = (
            format!("{one} {more} {right}"),
            format!("{middle} {more} {right}"),
        );
        let help = format!("write `({one}) {more} {right}` or `({one})*({two})`");
        SyntaxError::ambiguous(second, &text, help)
            .label("the second comparison")
            .other(first, "the first")
    }

    /// `3!!`
    pub(crate) fn double_factorial(&self, second: Span) -> SyntaxError {
        let end = self.at(second).saturating_sub(2);
        let operand = self.words(self.operand_start(end), end);
        let help = format!(
            "the factorial of the factorial is `({operand}!)!`; the double factorial is written out: `5*3*1`"
        );
        SyntaxError::ambiguous(second, &format!("{operand}!!"), help)
    }

    /// `x²^3`
    pub(crate) fn raised(&self, superscript: Span, found: Span) -> SyntaxError {
        let (at, next) = (self.at(superscript), self.at(found));
        let power = self.words(self.operand_start(at), at);
        let end = match self.rule(next) {
            Some(Rule::member) => self.behind(next, false),
            Some(rule) if is_operator(rule) => self.end(next + 1, level::POWER),
            _ => next,
        };
        let place = self.between(next, end);
        let found = place.quote(self.text);
        let base = power.trim_end_matches(['⁻', '⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']);
        let exponent: String = power[base.len()..].chars().map(number::plain).collect();
        let help = format!("write `({base}^{exponent}){found}` or `{base}^({exponent}{found})`");
        SyntaxError::ambiguous(place, &format!("{power}{found}"), help)
    }

    /// The text of these tokens, short enough for a sentence.
    fn words(&self, first: usize, last: usize) -> String {
        self.between(first, last).quote(self.text)
    }

    /// The place of these tokens; what is out of bounds is left out.
    pub(super) fn between(&self, first: usize, last: usize) -> Span {
        match (self.token(first), self.token(self.there(last))) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        }
    }

    /// Which token begins there.
    pub(super) fn at(&self, span: Span) -> usize {
        let mut made = self.made.borrow_mut();
        while made.last().is_none_or(|last| last.span.start < span.start)
            && let Some(token) = self.rest.borrow_mut().next()
        {
            made.push(token);
        }
        made.partition_point(|token| token.span.start < span.start)
    }

    pub(super) fn token(&self, at: usize) -> Option<Token> {
        let mut made = self.made.borrow_mut();
        if at == usize::MAX {
            return None;
        }
        while made.len() <= at
            && let Some(token) = self.rest.borrow_mut().next()
        {
            made.push(token);
        }
        made.get(at).copied()
    }

    /// This token if it exists, else the last one.
    fn there(&self, at: usize) -> usize {
        match self.token(at) {
            Some(_) => at,
            None => self.made.borrow().len().saturating_sub(1),
        }
    }

    pub(super) fn rule(&self, at: usize) -> Option<Rule> {
        self.token(at).map(|token| token.rule)
    }

    /// How tightly the operator at `at` binds, if it is one between operands.
    fn level(&self, at: usize) -> Option<u8> {
        let token = self.token(at).filter(|token| is_operator(token.rule))?;
        precedence::between(token.span.of(self.text)).map(|operator| operator.level)
    }

    /// Does the token at `at` begin directly behind a number?
    fn is_coefficient_of(&self, at: usize) -> bool {
        let (Some(number), Some(token)) = (self.token(at.wrapping_sub(1)), self.token(at)) else {
            return false;
        };
        number.rule == Rule::number
            && number.span.end == token.span.start
            && matches!(token.rule, Rule::name | Rule::open | Rule::root)
    }

    /// The first token of the operand that ends at `end`, operators included that bind as tightly as `level`.
    fn start(&self, end: usize, level: u8) -> usize {
        let mut at = self.operand_start(end);
        while at > 0 {
            let before = at - 1;
            match self.rule(before) {
                Some(Rule::root) if level <= level::ROOT => at = before,
                Some(rule) if is_operator(rule) && self.is_sign(before) && level <= level::SIGN => {
                    at = before;
                }
                Some(_) if self.level(before).is_some_and(|binds| binds >= level) && before > 0 => {
                    at = self.operand_start(before - 1);
                }
                _ if self.is_coefficient_of(at) && level <= level::PRODUCT => at = before,
                _ => break,
            }
        }
        at
    }

    /// Is the `-` or `+` at `at` a sign, not an operator?
    fn is_sign(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.rule(before));
        before.is_none_or(|before| {
            is_operator(before)
                || matches!(
                    before,
                    Rule::open
                        | Rule::list_open
                        | Rule::comma
                        | Rule::range
                        | Rule::root
                        | Rule::equals
                )
        })
    }

    /// The first token of the operand that ends at `end`: a name, a number, brackets, a call, with what stands behind.
    pub(super) fn operand_start(&self, end: usize) -> usize {
        let mut at = end;
        loop {
            let before = at.saturating_sub(1);
            match self.rule(at) {
                Some(Rule::factorial | Rule::superscript | Rule::primes | Rule::member)
                    if at > 0 =>
                {
                    at = before;
                }
                Some(Rule::node) if at > 0 && self.rule(before) == Some(Rule::name) => {
                    return before;
                }
                Some(Rule::close | Rule::list_close) => {
                    at = self.opening(at);
                    match self.rule(at.wrapping_sub(1)) {
                        Some(Rule::name | Rule::primes | Rule::member) if self.is_glued(at) => {
                            at -= 1;
                        }
                        Some(Rule::name | Rule::primes | Rule::member)
                            if self.rule(at) == Some(Rule::open) =>
                        {
                            at -= 1;
                        }
                        Some(Rule::node | Rule::result | Rule::close | Rule::list_close)
                            if self.rule(at) == Some(Rule::list_open) && self.is_glued(at) =>
                        {
                            at -= 1;
                        }
                        _ => return at,
                    }
                }
                _ => return at,
            }
        }
    }

    /// The last token of the operand that begins at `start`, operators included that bind as tightly as `level`.
    fn end(&self, start: usize, level: u8) -> usize {
        let mut at = start;
        loop {
            while self
                .rule(at)
                .is_some_and(|rule| is_operator(rule) || rule == Rule::root)
            {
                at += 1;
            }
            at = self.behind(at, true);
            let next = at + 1;
            if self.is_coefficient_of(next) {
                at = next;
            } else if self.level(next).is_some_and(|binds| binds >= level) {
                at = next + 1;
            } else {
                return self.there(at);
            }
        }
    }

    /// The last token of the operand at `at` with all that stands behind it (`postfix`), or with its brackets alone.
    fn behind(&self, mut at: usize, postfix: bool) -> usize {
        if matches!(self.rule(at), Some(Rule::open | Rule::list_open)) {
            at = self.closing(at);
        }
        loop {
            match self.rule(at + 1) {
                Some(Rule::open)
                    if matches!(
                        self.rule(at),
                        Some(Rule::name | Rule::primes | Rule::member)
                    ) =>
                {
                    at = self.closing(at + 1);
                }
                Some(Rule::primes) => at += 1,
                Some(Rule::factorial | Rule::superscript | Rule::member | Rule::node)
                    if postfix =>
                {
                    at += 1;
                }
                Some(Rule::list_open) if postfix && self.is_glued(at + 1) => {
                    at = self.closing(at + 1);
                }
                _ => return at,
            }
        }
    }

    /// The bracket that closes the one at `open`, or the last token.
    pub(super) fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        let mut at = open;
        while let Some(rule) = self.rule(at) {
            match rule {
                Rule::open | Rule::list_open => depth += 1,
                Rule::close | Rule::list_close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
            at += 1;
        }
        self.there(at)
    }

    /// The bracket that opens the one at `close`, or the first token.
    fn opening(&self, close: usize) -> usize {
        let mut depth = 0_usize;
        let mut at = close;
        loop {
            match self.rule(at) {
                Some(Rule::close | Rule::list_close) => depth += 1,
                Some(Rule::open | Rule::list_open) => depth -= 1,
                _ => {}
            }
            if depth == 0 || at == 0 {
                return at;
            }
            at -= 1;
        }
    }

    /// Does the token at `at` stand directly behind the one before it?
    fn is_glued(&self, at: usize) -> bool {
        match (self.token(at.wrapping_sub(1)), self.token(at)) {
            (Some(before), Some(token)) => before.span.end == token.span.start,
            _ => false,
        }
    }
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_operator(rule: Rule) -> bool {
    matches!(rule, Rule::infix | Rule::compare | Rule::typeset)
}
