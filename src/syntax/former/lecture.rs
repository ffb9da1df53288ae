//! Lines of the lecture that are understood as they are pasted: `a = Value(2.0, label='a')`, `n.label = 'n'`,
//! `a.data += 0.1`, `L.backward()`, `print('L', L)`.
//!
//! Like definitions they are tried when a text is no other statement, or when it calls `print` or `backward`. Other
//! Python is not read; `interpret/python` says what to type instead.

use pest::Parser;

use super::define;
use super::pairs::PairStream;
use super::postfix::Token;
use super::tokens;
use super::uncertain::uncertain;
use super::{expression, slice, trimmed};
use crate::syntax::error::SyntaxError;
use crate::syntax::former::grammar::{Grammar, Rule};
use crate::syntax::lexer::names;
use crate::syntax::precedence;
use crate::syntax::tree::{BindingTarget, Expression, Head, ItemKind, Lecture, Printed, Span};

/// Each line of the lecture has one of these words in it.
const SAID: [&str; 5] = ["Value", "label", "data", "backward", "print"];

/// Reads a line of the lecture; `None` if the text is none.
pub(crate) fn line(text: &str, region: Span) -> Option<Result<Lecture<'_>, SyntaxError>> {
    let source = slice(text, region);
    // A fast search first: the grammar would read a long hostile line character by character.
    if !SAID.iter().any(|word| source.contains(word)) {
        return None;
    }
    let pairs = Grammar::parse(Rule::lecture, source).ok()?;
    let mut tokens = PairStream::new(pairs, region.start);
    let owned = |tokens: &PairStream<'_>| {
        let owner = tokens.clone().next();
        owner.is_none_or(|owner| is_owner(text, owner.span))
    };
    Some(if tokens.enter(Rule::made) {
        made(text, tokens)
    } else if tokens.enter(Rule::labelled) {
        owned(&tokens).then_some(())?;
        Ok(labelled(text, tokens))
    } else if tokens.enter(Rule::moved) {
        owned(&tokens).then_some(())?;
        moved(text, region, tokens)
    } else if tokens.enter(Rule::passed) {
        Ok(passed(text, region, tokens))
    } else {
        tokens.enter(Rule::printed);
        printed(text, region, tokens)
    })
}

/// Is it a name, `@9`, `$3`, or one of these with an index? (The grammar takes any text for an index.)
fn is_owner(text: &str, span: Span) -> bool {
    let indexed = |expression: Expression<'_>| {
        let root = expression.items.last().map(|item| item.kind);
        matches!(root, Some(ItemKind::Apply(Head::Index, _)))
    };
    !span.of(text).ends_with(']') || expression(text, span).is_ok_and(indexed)
}

/// `a = Value(2.0, label='a')`
fn made<'t>(text: &'t str, tokens: PairStream<'_>) -> Result<Lecture<'t>, SyntaxError> {
    let mut target = None;
    let mut number: Option<Expression<'t>> = None;
    let mut label = None;
    let mut bracket = Span::default();
    for Token { rule, span } in tokens {
        match rule {
            Rule::name if target.is_none() => target = Some(define::target(text, span)),
            Rule::open => bracket = span,
            Rule::close => bracket = bracket.to(span),
            Rule::quoted => label = Some(inside(text, span)),
            Rule::part if number.is_some() => {
                let place = Span::new(span.start as usize, span.start as usize);
                return Err(SyntaxError::comma_in_brackets(place, bracket));
            }
            Rule::part => number = Some(expression(text, span)?),
            _ => {}
        }
    }
    let target: Option<BindingTarget<'t>> = target;
    match (target, number) {
        (Some(target), Some(number)) => Ok(Lecture::Value {
            target,
            number,
            label,
        }),
        _ => Err(SyntaxError::empty_brackets(bracket, None)),
    }
}

/// `n.label = 'n'`
fn labelled<'t>(text: &'t str, tokens: PairStream<'_>) -> Lecture<'t> {
    let (mut node, mut label) = (Span::default(), "");
    for Token { rule, span } in tokens {
        match rule {
            Rule::owner => node = span,
            Rule::quoted => label = inside(text, span),
            _ => {}
        }
    }
    Lecture::Label { node, label }
}

/// `a.data = 3`, `a.data += 0.1*a.grad`
fn moved<'t>(
    text: &'t str,
    region: Span,
    tokens: PairStream<'_>,
) -> Result<Lecture<'t>, SyntaxError> {
    let (mut leaf, mut sign) = (Span::default(), region);
    for Token { rule, span } in tokens {
        match rule {
            Rule::owner => leaf = span,
            Rule::assign => sign = span,
            _ => {}
        }
    }
    let value = trimmed(text, region.starting(sign.end));
    if value.start == value.end {
        let after = sign.quote(text);
        return Err(SyntaxError::operand(sign.behind(), Some(&after), None));
    }
    let (value, width) = uncertain(text, value)?;
    if let Some(width) = width {
        let [leaf, value, width] = [leaf, value.span, width.span].map(|span| span.quote(text));
        let message = "`.data` is a number without an uncertainty";
        let help = format!("write `:set {leaf} {value} {width}`");
        return Err(SyntaxError::new(sign, message, help));
    }
    Ok(Lecture::Data {
        leaf,
        sign,
        compound: precedence::between(sign.of(text).trim_end_matches('=')),
        value,
    })
}

/// `L.backward()`, `backward(L)`
fn passed<'t>(text: &'t str, region: Span, tokens: PairStream<'_>) -> Lecture<'t> {
    let part = tokens
        .into_iter()
        .find(|token| token.rule == Rule::part)
        .map_or(region, |token| token.span);
    Lecture::Backward {
        target: trimmed(text, part),
    }
}

/// `print(L)`, `print('L', L)`
fn printed<'t>(
    text: &'t str,
    region: Span,
    tokens: PairStream<'_>,
) -> Result<Lecture<'t>, SyntaxError> {
    let (mut part, mut brackets) = (Span::default(), region);
    for Token { rule, span } in tokens {
        match rule {
            Rule::open => brackets = span,
            Rule::part => part = span,
            Rule::close => brackets = brackets.to(span),
            _ => {}
        }
    }
    if trimmed(text, part).of(text).is_empty() {
        return Err(SyntaxError::empty_brackets(brackets, Some("print")));
    }
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = part.start;
    let end = Token {
        rule: Rule::EOI,
        span: part.behind(),
    };
    for token in tokens::tokens(text, part).chain([end]) {
        match token.rule {
            Rule::open | Rule::list_open => depth += 1,
            Rule::close | Rule::list_close => depth = depth.saturating_sub(1),
            Rule::comma | Rule::EOI if depth == 0 || token.rule == Rule::EOI => {
                let piece = trimmed(
                    text,
                    Span {
                        start,
                        end: token.span.start,
                    },
                );
                parts.push(match names::unquoted(piece.of(text)) {
                    Some(words) => Printed::Text(words),
                    None => Printed::Value(expression(text, piece)?),
                });
                start = token.span.end;
            }
            _ => {}
        }
    }
    Ok(Lecture::Print(parts))
}

/// What stands between the quotes.
fn inside(text: &str, quoted: Span) -> &str {
    names::unquoted(quoted.of(text)).unwrap_or_default()
}
