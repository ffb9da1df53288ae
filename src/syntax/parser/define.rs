//! Definitions of functions: `f(x, y) = x*y`, from tokens to the tree, and what is wrong with those that do not read.
//!
//! A text is tried as a definition when it is no other statement, so that ordinary lines lose no time. The session
//! checks the name of the function and the names in its body.

use std::collections::HashMap;

use pest::Parser;

use super::pairs::{PairStream, SignStream};
use super::postfix;
use super::postfix::{Token, TokenSource};
use super::tokens;
use super::{slice, trimmed};
use crate::syntax::error::{Quote, SyntaxError, Undefined};
use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::tree::{BindingTarget, Definition, Span};

/// Reads a definition; `None` if the text is none.
pub(crate) fn definition(text: &str, region: Span) -> Option<Result<Definition<'_>, SyntaxError>> {
    let pairs = Grammar::parse(Rule::definition, slice(text, region)).ok()?;
    Some(read(text, region, PairStream::new(pairs, region.start)))
}

fn read<'t>(
    text: &'t str,
    region: Span,
    mut tokens: PairStream<'t>,
) -> Result<Definition<'t>, SyntaxError> {
    tokens.enter(Rule::signature);
    let mut names = Vec::new();
    let mut sign = region;
    for Token { rule, span } in &mut tokens {
        match rule {
            Rule::name => names.push(target(text, span)),
            Rule::defines => {
                sign = span;
                break;
            }
            _ => {}
        }
    }
    let parameters = names.split_off(names.len().min(1));
    let Some(name) = names.pop() else {
        // The grammar has a name there.
        return Err(SyntaxError::Nothing { span: region });
    };
    let mut seen = HashMap::new();
    for parameter in &parameters {
        if let Some(first) = seen.insert(parameter.name, parameter.span) {
            let parameter = Quote::new(text, parameter.span);
            return Err(Undefined::Twice { parameter, first }.into());
        }
    }
    let source = TokenSource {
        text,
        region: Span {
            start: sign.end,
            ..region
        },
        sign: Some(sign),
    };
    let (values, body) = postfix::read(source, SignStream::new(text, source.region, tokens))?;
    if let Some(first) = values.first() {
        let left = Span {
            end: sign.start,
            ..region
        };
        return Err(Undefined::Bodies {
            left: Quote::new(text, trimmed(text, left)),
            bodies: first.span.to(body.span),
            count: values.len() + 1,
        }
        .into());
    }
    Ok(Definition {
        name,
        parameters,
        body,
        span: region,
    })
}

/// A name that is given to something.
pub(crate) fn target(text: &str, span: Span) -> BindingTarget<'_> {
    let name = match span.of(text) {
        "π" => "pi",
        name => name,
    };
    BindingTarget { name, span }
}

/// A text that cannot be read, seen as a definition: the sign before its body if the left side is right, an error if it
/// is not, `None` if the text does not look like a definition.
pub(crate) fn refused(text: &str, region: Span) -> Option<Result<Span, SyntaxError>> {
    if !region.of(text).contains('=') {
        return None;
    }
    let mut left = Vec::new();
    let mut depth = 0_usize;
    let mut commas = Vec::new();
    let mut sign = None;
    for token in tokens::tokens(text, region) {
        match token.rule {
            Rule::open => depth += 1,
            Rule::close => depth = depth.saturating_sub(1),
            Rule::comma if depth == 0 => commas.push(left.len()),
            Rule::equals if depth == 0 => {
                sign = Some(token.span);
                break;
            }
            _ => {}
        }
        left.push(token);
    }
    let sign = sign?;
    let left = &left[..];
    let whole = |part: &[Token]| Some(part.first()?.span.to(part.last()?.span));
    if !commas.is_empty() {
        let mut start = 0;
        for end in commas.into_iter().chain([left.len()]) {
            if let Some(part) = left.get(start..end)
                && call(part).is_some()
            {
                return Some(Err(Undefined::Several {
                    left: whole(left)?,
                    function: Quote::new(text, whole(part)?),
                }
                .into()));
            }
            start = end + 1;
        }
        return None;
    }
    if let [first, rest @ ..] = left
        && first.span.of(text) == "const"
        && call(rest).is_some()
    {
        return Some(Err(Undefined::Const {
            left: Quote::new(text, whole(rest)?),
            span: first.span,
        }
        .into()));
    }
    let (primes, inside) = call(left)?;
    let name = Quote::new(text, left.first()?.span);
    let error = if let Some(span) = primes {
        Undefined::Primes { name, span }
    } else if sign.of(text) != "=" {
        Undefined::Compound {
            left: Quote::new(text, whole(left)?),
            sign: Quote::new(text, sign),
        }
    } else if inside.is_empty() {
        let brackets = left.get(left.len() - 2)?.span.to(left.last()?.span);
        Undefined::NoParameter { name, brackets }
    } else {
        match parameter(text, inside, left.last()?.span) {
            Some(found) => Undefined::Parameter { name, found },
            None => return Some(Ok(sign)),
        }
    };
    Some(Err(error.into()))
}

/// The primes and what is between the brackets, if the tokens are `f(…)` and nothing else.
fn call(tokens: &[Token]) -> Option<(Option<Span>, &[Token])> {
    let [name, rest @ .., close] = tokens else {
        return None;
    };
    let (primes, rest) = match rest {
        [primes, rest @ ..] if primes.rule == Rule::primes => (Some(primes.span), rest),
        rest => (None, rest),
    };
    let [open, inside @ ..] = rest else {
        return None;
    };
    if (name.rule, open.rule, close.rule) != (Rule::name, Rule::open, Rule::close) {
        return None;
    }
    let mut depth = 1_usize;
    for token in inside {
        match token.rule {
            Rule::open => depth += 1,
            Rule::close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return None;
        }
    }
    (depth == 1).then_some((primes, inside))
}

/// The first parameter that is no name; an empty one is placed where it is missing.
fn parameter(text: &str, inside: &[Token], close: Span) -> Option<Quote> {
    let mut depth = 0_usize;
    let mut start = 0;
    for at in 0..=inside.len() {
        match inside.get(at).map(|token| token.rule) {
            Some(Rule::open) => depth += 1,
            Some(Rule::close) => depth = depth.saturating_sub(1),
            Some(Rule::comma) | None if depth == 0 => {
                match &inside[start..at] {
                    [name] if name.rule == Rule::name => {}
                    [] => {
                        let next = inside.get(at).map_or(close, |comma| comma.span);
                        return Some(Quote::new(
                            text,
                            Span {
                                end: next.start,
                                ..next
                            },
                        ));
                    }
                    [first, .., last] => return Some(Quote::new(text, first.span.to(last.span))),
                    [other] => return Some(Quote::new(text, other.span)),
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}
