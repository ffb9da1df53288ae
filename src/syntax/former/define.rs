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
use crate::syntax::error::SyntaxError;
use crate::syntax::former::grammar::{Grammar, Rule};
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
        return Err(SyntaxError::nothing(region));
    };
    let mut seen = HashMap::new();
    for parameter in &parameters {
        if let Some(first) = seen.insert(parameter.name, parameter.span) {
            let quoted = parameter.span.quote(text);
            let message = format!("two parameters are called `{quoted}`");
            let help = "give each parameter a name of its own";
            return Err(SyntaxError::again(parameter.span, first, message, help));
        }
    }
    let source = TokenSource::new(text, region.starting(sign.end), Some(sign));
    let (values, body) = postfix::read(source, SignStream::new(source, tokens))?;
    if let Some(first) = values.first() {
        let left = Span {
            end: sign.start,
            ..region
        };
        let left = trimmed(text, left).quote(text);
        let bodies = first.span.to(body.span);
        return Err(SyntaxError::new(
            bodies,
            format!("a function has one body, and this has {}", values.len() + 1),
            format!("a list has brackets: `{left} = [{}]`", bodies.quote(text)),
        ));
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
    BindingTarget {
        name: postfix::name(span.of(text)),
        span,
    }
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
            Rule::open | Rule::list_open => depth += 1,
            Rule::close | Rule::list_close => depth = depth.saturating_sub(1),
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
                let function = whole(part)?.quote(text);
                return Some(Err(SyntaxError::new(
                    whole(left)?,
                    "a statement defines one function and nothing else",
                    format!("put `;` between them: `{function} = …; …`"),
                )));
            }
            start = end + 1;
        }
        return None;
    }
    if let [first, rest @ ..] = left
        && first.span.of(text) == "const"
        && call(rest).is_some()
    {
        let left = whole(rest)?.quote(text);
        return Some(Err(SyntaxError::new(
            first.span,
            format!("`const` stands before a number's name, and `{left}` is a function"),
            format!("write `{left} = …`"),
        )));
    }
    let (primes, inside) = call(left)?;
    let name = left.first()?.span.quote(text);
    Some(Err(if let Some(span) = primes {
        SyntaxError::new(
            span,
            format!("a derivative follows from its function: `{name}` itself is to be defined"),
            format!("write `{name}(x) = …`; after that `{name}'(3)` is its derivative at 3"),
        )
    } else if sign.of(text) != "=" {
        SyntaxError::new(
            sign,
            format!(
                "a function is defined with `=`, `{}` changes a value",
                sign.of(text)
            ),
            format!("`{} = …` defines it anew", whole(left)?.quote(text)),
        )
    } else if inside.is_empty() {
        SyntaxError::new(
            left.get(left.len() - 2)?.span.to(left.last()?.span),
            format!("`{name}` is defined without a parameter"),
            format!("a value is bound by `{name} = …`, a function defined by `{name}(x) = …`"),
        )
    } else if let Some(place) = parameter(inside, left.last()?.span) {
        let found = match place.quote(text) {
            empty if empty.is_empty() => "nothing".into(),
            found => format!("`{found}`"),
        };
        SyntaxError::new(
            place,
            format!("expected the name of a parameter, found {found}"),
            format!(
                "parameters are names: `{name}(x) = …`; call it to put a number in: `{name}(2)`"
            ),
        )
    } else {
        return Some(Ok(sign));
    }))
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
            Rule::open | Rule::list_open => depth += 1,
            Rule::close | Rule::list_close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return None;
        }
    }
    (depth == 1).then_some((primes, inside))
}

/// The first parameter that is no name; an empty one is placed where it is missing.
fn parameter(inside: &[Token], close: Span) -> Option<Span> {
    let mut depth = 0_usize;
    let mut start = 0;
    for at in 0..=inside.len() {
        match inside.get(at).map(|token| token.rule) {
            Some(Rule::open | Rule::list_open) => depth += 1,
            Some(Rule::close | Rule::list_close) => depth = depth.saturating_sub(1),
            Some(Rule::comma) | None if depth == 0 => {
                match &inside[start..at] {
                    [name] if name.rule == Rule::name => {}
                    [] => {
                        let next = inside.get(at).map_or(close, |comma| comma.span);
                        return Some(Span {
                            end: next.start,
                            ..next
                        });
                    }
                    [first, .., last] => return Some(first.span.to(last.span)),
                    [other] => return Some(other.span),
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}
