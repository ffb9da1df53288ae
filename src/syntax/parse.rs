//! From the text of a statement to its tree.
//!
//! The grammar cuts the text into tokens and says whether they may stand so; `postfix` makes the tree. A text that the
//! grammar refuses is cut once more, into any tokens at all, and given to the same loop to learn what is wrong.

use std::collections::HashMap;

use pest::Parser;
use pest::iterators::{Pairs, Tokens};

use super::define;
use super::error::{Error, Piece};
use super::grammar::{Grammar, Rule};
use super::lecture;
use super::levels;
use super::postfix::{self, Source, Token};
use super::scan::{BLANKS, Cut, Mark, Marks};
use super::tokens::tokens;
use super::tree::{Binding, Command, Expression, Span, Statement, Target};

/// Parses a statement that [`statements`](super::statements) has cut from `text`.
///
/// # Errors
/// If it is no statement; the error says what was expected where.
pub fn statement<'t>(text: &'t str, cut: &Cut) -> Result<Statement<'t>, Error> {
    let region = cut.span;
    let source = slice(text, region);
    if source.is_empty() {
        return Ok(Statement::Empty);
    }
    if source.starts_with(':') {
        return command(text, region).map(Statement::Command);
    }
    let rule = if source.contains('=') {
        Rule::statement
    } else {
        Rule::expression
    };
    let Ok(pairs) = Grammar::parse(rule, source) else {
        return if let Some(definition) = define::definition(text, region) {
            definition.map(Statement::Definition)
        } else if let Some(line) = lecture::line(text, region) {
            line.map(Statement::Lecture)
        } else {
            Err(explain(text, region))
        };
    };
    let mut tokens = Flat::new(pairs, region.start);
    match head(text, &mut tokens) {
        None => {
            let source = Source {
                text,
                region,
                sign: None,
            };
            let (_, expression) = postfix::read(source, tokens)?;
            Ok(Statement::Expression(expression))
        }
        Some(head) => binding(text, region, head, tokens).map(Statement::Binding),
    }
}

/// Parses an expression: the argument of a command.
///
/// # Errors
/// If it is no expression; the error says what was expected where.
pub fn expression(text: &str, span: Span) -> Result<Expression<'_>, Error> {
    let source = Source {
        text,
        region: trimmed(text, span),
        sign: None,
    };
    let expression = match Grammar::parse(Rule::expression, slice(text, source.region)) {
        Ok(pairs) => postfix::read(source, Flat::new(pairs, source.region.start)),
        Err(_) => postfix::read(source, tokens(text, source.region)),
    };
    expression.map(|(_, expression)| expression)
}

/// What the grammar refused, read for the error that is in it.
fn explain(text: &str, region: Span) -> Error {
    let mut source = Source {
        text,
        region,
        sign: None,
    };
    let sign = match Grammar::parse(Rule::head, slice(text, region)) {
        Ok(pairs) => Flat::new(pairs, region.start).last().map(|last| last.span),
        Err(_) => match define::refused(text, region).transpose() {
            Ok(sign) => sign,
            Err(error) => return error,
        },
    };
    if let Some(sign) = sign {
        source.sign = Some(sign);
        source.region = trimmed(
            text,
            Span {
                start: sign.end,
                ..region
            },
        );
    }
    match postfix::read(source, tokens(text, source.region)) {
        Err(error) => error,
        // What the loop can read, the grammar can; were they ever to differ, this is still no statement.
        Ok(_) => Error::Operand {
            span: region,
            after: None,
            found: Some(Piece::new(text, region)),
        },
    }
}

/// What a binding begins with: `const a, b =`.
struct Left<'t> {
    frozen: bool,
    targets: Vec<Target<'t>>,
    sign: Span,
}

/// The names to bind and the sign, taken from the front of the tokens.
fn head<'t>(text: &'t str, tokens: &mut Flat<'_>) -> Option<Left<'t>> {
    tokens.enter(Rule::head).then_some(())?;
    let mut left = Left {
        frozen: false,
        targets: Vec::new(),
        sign: Span::default(),
    };
    for Token { rule, span } in tokens {
        match rule {
            Rule::frozen => left.frozen = true,
            Rule::name => left.targets.push(define::target(text, span)),
            Rule::assign => {
                left.sign = span;
                break;
            }
            _ => {}
        }
    }
    Some(left)
}

fn binding<'t>(
    text: &'t str,
    region: Span,
    left: Left<'t>,
    tokens: Flat<'_>,
) -> Result<Binding<'t>, Error> {
    let Left {
        frozen,
        targets,
        sign,
    } = left;
    let source = Source {
        text,
        region: Span {
            start: sign.end,
            ..region
        },
        sign: Some(sign),
    };
    let (mut values, last) = postfix::read(source, tokens)?;
    let whole = values
        .first()
        .map_or(last.span, |first: &Expression<'_>| first.span.to(last.span));
    values.push(last);
    if let [first, .., last] = &targets[..] {
        let mut seen = HashMap::new();
        for target in &targets {
            if let Some(first) = seen.insert(target.name, target.span) {
                return Err(Error::Twice {
                    name: Piece::new(text, target.span),
                    first,
                });
            }
        }
        if values.len() != targets.len() {
            let left = first.span.to(last.span);
            return Err(Error::Count {
                names: targets.len(),
                values: values.len(),
                left,
                right: whole,
            });
        }
    } else if values.len() > 1 {
        let left = targets.first().map_or(sign, |target| target.span);
        return Err(Error::Count {
            names: targets.len(),
            values: values.len(),
            left,
            right: whole,
        });
    }
    let spelling = sign.of(text).trim_end_matches('=');
    Ok(Binding {
        frozen,
        targets,
        compound: levels::between(spelling),
        values,
    })
}

fn command(text: &str, region: Span) -> Result<Command<'_>, Error> {
    let colon = Span {
        start: region.start,
        end: region.start + 1,
    };
    let Ok(pairs) = Grammar::parse(Rule::command, slice(text, region)) else {
        return Err(Error::CommandWord { span: colon });
    };
    let Some(word) = Flat::new(pairs, region.start).next() else {
        return Err(Error::CommandWord { span: colon });
    };
    let rest = trimmed(
        text,
        Span {
            start: word.span.end,
            ..region
        },
    );
    let mut open = Vec::new();
    for (mark, at) in Marks::new(rest.of(text)) {
        match mark {
            Mark::Open => open.push(at),
            Mark::Close => drop(open.pop()),
            _ => {}
        }
    }
    if let Some(&at) = open.last() {
        let at = rest.start as usize + at;
        let bracket = char::from(text.as_bytes()[at]);
        return Err(Error::Unclosed {
            span: Span::new(at, at + 1),
            bracket,
        });
    }
    Ok(Command {
        word: word.span.of(text),
        span: colon.to(word.span),
        rest,
    })
}

/// The text of a span.
pub(super) fn slice(text: &str, span: Span) -> &str {
    span.of(text)
}

/// Without the blanks around it.
pub(super) fn trimmed(text: &str, span: Span) -> Span {
    let rest = span.of(text).trim_end_matches(BLANKS);
    let end = span.start as usize + rest.len();
    Span::new(end - rest.trim_start_matches(BLANKS).len(), end)
}

/// The tokens that pest found, one after the other. (pest tells each token's begin and end; nothing is nested but the
/// whole and a head.)
pub(super) struct Flat<'p> {
    tokens: Tokens<'p, Rule>,
    offset: u32,
}

impl<'p> Flat<'p> {
    /// `offset` is where pest's text begins in the chunk.
    pub(super) fn new(pairs: Pairs<'p, Rule>, offset: u32) -> Flat<'p> {
        let mut tokens = pairs.tokens();
        tokens.next();
        tokens.next_back();
        Flat { tokens, offset }
    }

    /// Steps into a group of tokens if it begins here.
    pub(super) fn enter(&mut self, rule: Rule) -> bool {
        let mut ahead = self.tokens.clone();
        let entered =
            matches!(ahead.next(), Some(pest::Token::Start { rule: found, .. }) if found == rule);
        if entered {
            self.tokens = ahead;
        }
        entered
    }
}

impl Iterator for Flat<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            // The end of a group is passed over.
            let pest::Token::Start { rule, pos } = self.tokens.next()? else {
                continue;
            };
            if rule == Rule::EOI {
                return None;
            }
            let end = self.tokens.next()?;
            let pest::Token::End { pos: end, .. } = end else {
                continue;
            };
            let span = Span {
                start: self.offset + pos.pos() as u32,
                end: self.offset + end.pos() as u32,
            };
            return Some(Token { rule, span });
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // A begin and an end each.
        let count = self.tokens.len() / 2;
        (0, Some(count))
    }
}
