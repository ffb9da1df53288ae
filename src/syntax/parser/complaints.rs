//! The errors of the loop in `postfix`.
//!
//! Each function looks at the state of the reader and says what is wrong there; none changes what is read.

use super::postfix::{PendingOperator, Reader, Token};
use super::readings::Readings;
use crate::syntax::error::{Quote, SyntaxError};
use crate::syntax::grammar::Rule;
use crate::syntax::lexer::goes_on;
use crate::syntax::tree::Span;

impl<'t> Reader<'t> {
    /// The innermost open bracket.
    pub(crate) fn bracket(&self) -> Option<Span> {
        self.stack.iter().rev().find_map(|waiting| match waiting {
            PendingOperator::Group { open } | PendingOperator::Call { open, .. } => Some(*open),
            PendingOperator::Apply { .. } => None,
        })
    }

    /// Nothing is missing at the end.
    pub(crate) fn check_end(&self) -> Result<(), SyntaxError> {
        if let Some(span) = self.bracket() {
            return Err(SyntaxError::Unclosed { span, bracket: '(' });
        }
        if !self.expected {
            return Ok(());
        }
        let Some(before) = self.last.map(|last| last.span).or(self.source.sign) else {
            return Err(SyntaxError::Nothing {
                span: self.source.region,
            });
        };
        let span = Span {
            start: before.end,
            end: before.end,
        };
        Err(SyntaxError::Operand {
            span,
            after: Some(self.piece(before)),
            found: None,
        })
    }

    /// Something else was found where an operand is expected.
    pub(crate) fn missing(&self, found: Token) -> SyntaxError {
        let before = self.last.map(|last| last.span).or(self.source.sign);
        SyntaxError::Operand {
            span: found.span,
            after: before.map(|span| self.piece(span)),
            found: Some(self.piece(found.span)),
        }
    }

    /// Tokens that never occur in an expression.
    pub(crate) fn misplaced(&self, token: Token) -> SyntaxError {
        let Token { rule, span } = token;
        let text = span.of(self.source.text);
        match (rule, text) {
            (Rule::equals, _) if self.expected => self.missing(token),
            (Rule::equals, _) => {
                let sign = self.piece(span);
                if self.bracket().is_some() || self.source.sign.is_some() {
                    return SyntaxError::Equals { sign };
                }
                let before = self.last.map_or(span, |last| last.span);
                let left = self.piece(Span {
                    start: self.start.unwrap_or(before.start),
                    end: before.end,
                });
                SyntaxError::LeftSide { left, sign }
            }
            (Rule::range, _) => SyntaxError::Range { span },
            (Rule::quoted, _) => SyntaxError::Quoted { span },
            (_, "[") => SyntaxError::List { span },
            (_, "]") => SyntaxError::Unopened { span, bracket: ']' },
            (_, ":") => SyntaxError::Colon { span },
            _ => self.stray(token),
        }
    }

    pub(crate) fn stray(&self, token: Token) -> SyntaxError {
        let character = token
            .span
            .of(self.source.text)
            .chars()
            .next()
            .unwrap_or_default();
        SyntaxError::Stray {
            character,
            span: token.span,
        }
    }

    pub(crate) fn piece(&self, span: Span) -> Quote {
        Quote::new(self.source.text, span)
    }

    /// `x²^3` would be read differently by eye and by rule.
    pub(crate) fn refuse_after_superscript(&self, token: Token) -> Result<(), SyntaxError> {
        match self.last {
            Some(last) if last.rule == Rule::superscript => {
                Err(self.readings().raised(last.span, token.span))
            }
            _ => Ok(()),
        }
    }

    /// Primes stand between the name of a function and its bracket.
    pub(crate) fn primes(&self, token: Token, next: Option<Token>) -> Result<(), SyntaxError> {
        let named = self.is_last(Rule::name);
        if !named || next.is_none_or(|next| next.rule != Rule::open) {
            let name = self
                .last
                .filter(|_| named)
                .map(|last| self.piece(last.span));
            return Err(SyntaxError::Primes {
                span: token.span,
                name,
            });
        }
        if token.span.of(self.source.text).chars().count() > usize::from(u8::MAX) {
            return Err(SyntaxError::TooManyPrimes { span: token.span });
        }
        Ok(())
    }

    /// A number with something directly behind it that looks like a part of it: `0xfg`, `1_`.
    pub(crate) fn refuse_half_number(&self, number: Span, token: Token) -> Result<(), SyntaxError> {
        if !matches!(token.rule, Rule::number | Rule::name) {
            return Ok(());
        }
        let text = self.source.text;
        let next = token.span.of(text).chars().next().unwrap_or_default();
        let run = || self.piece(self.run(number));
        let based = match number.of(text).as_bytes() {
            b"0" => matches!(next, 'x' | 'X' | 'b' | 'B' | 'o' | 'O'),
            digits => digits
                .get(1)
                .is_some_and(|letter| matches!(letter, b'x' | b'X' | b'b' | b'B')),
        };
        match token.rule {
            _ if next == '_' => Err(SyntaxError::Underscore { number: run() }),
            _ if based => Err(SyntaxError::Digits { number: run() }),
            Rule::number => Err(SyntaxError::Number { number: run() }),
            _ => Ok(()),
        }
    }

    /// The number at `span` and all that is written directly behind it.
    fn run(&self, span: Span) -> Span {
        let text = &self.source.text[..self.source.region.end as usize];
        let rest = &text[span.start as usize..];
        let behind = rest.trim_start_matches(|character| character == '.' || goes_on(character));
        Span::new(span.start as usize, text.len() - behind.len())
    }

    /// `a.foo`, `2.x`
    pub(crate) fn unknown_property(&self, token: Token) -> SyntaxError {
        let member = self.piece(token.span);
        match self.last.filter(|last| last.rule == Rule::number) {
            Some(number) => SyntaxError::PointName {
                number: self.piece(number.span),
                member,
            },
            None => SyntaxError::Property { member },
        }
    }

    pub(crate) fn readings(&self) -> Readings<'t> {
        Readings::new(self.source)
    }
}
