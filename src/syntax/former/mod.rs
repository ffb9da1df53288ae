//! From the text of a statement to its tree.
//!
//! The grammar cuts the text into tokens and accepts or refuses their sequence; `postfix` makes the tree. A text that the
//! grammar refuses is cut into tokens once more, by a rule that accepts everything, and the same loop finds the error.

mod complaints;
mod define;
mod grammar;
mod lecture;
mod lists;
pub(crate) mod pairs;
pub(crate) mod parts;
mod pieces;
pub(crate) mod postfix;
mod readings;
pub(crate) mod tokens;
pub(crate) mod uncertain;

use std::collections::HashMap;

use pest::Parser;

use self::grammar::{Grammar, Rule};
use self::pairs::{PairStream, SignStream};
use super::error::SyntaxError;

use self::postfix::{Token, TokenSource};
use self::tokens::tokens;
use super::lexer::{BLANKS, Cut, begins_definition, unclosed};
use super::precedence;
use super::tree::{Binding, BindingTarget, CommandLine, Expression, Span, Statement};

/// Parses a statement that [`statements`](super::statements) has cut from `text`.
///
/// # Errors
/// If it is no statement; the error says what was expected where.
pub(crate) fn statement<'t>(text: &'t str, cut: &Cut) -> Result<Statement<'t>, SyntaxError> {
    let region = cut.span;
    let source = slice(text, region);
    if source.is_empty() {
        return Ok(Statement::Empty);
    }
    if source.starts_with(':') {
        return command(text, region).map(Statement::Command);
    }
    if begins_definition(source) {
        let word = source.split_whitespace().next().unwrap_or_default();
        let start = region.start as usize;
        return Err(SyntaxError::new(
            Span::new(start, start + word.len()),
            format!("`{word}` is Python"),
            "a function is one line: `f(x) = 3x^2 - 4x + 5`",
        ));
    }
    let rule = if source.contains('=') {
        Rule::statement
    } else {
        Rule::expression
    };
    if let Some(tokens) = PairStream::in_sections(rule, text, region)
        && let Ok(statement) = accepted(text, region, tokens)
    {
        return Ok(statement);
    }
    let Ok(pairs) = Grammar::parse(rule, source) else {
        return if let Some(definition) = define::definition(text, region) {
            definition.map(Statement::Definition)
        } else if let Some(line) = lecture::line(text, region) {
            line.map(Statement::Lecture)
        } else {
            Err(explain(text, region))
        };
    };
    accepted(text, region, PairStream::new(pairs, region.start))
}

/// The statement that has these tokens, an expression or a binding.
fn accepted<'t>(
    text: &'t str,
    region: Span,
    mut tokens: PairStream<'t>,
) -> Result<Statement<'t>, SyntaxError> {
    match head(text, &mut tokens) {
        None => {
            let source = TokenSource::new(text, region, None);
            let (_, expression) = postfix::read(source, SignStream::new(source, tokens))?;
            Ok(Statement::Expression(expression))
        }
        Some(head) => binding(text, region, head, tokens).map(Statement::Binding),
    }
}

/// Parses an expression: the argument of a command.
///
/// # Errors
/// If it is no expression; the error says what was expected where.
pub(crate) fn expression(text: &str, span: Span) -> Result<Expression<'_>, SyntaxError> {
    let source = TokenSource::new(text, trimmed(text, span), None);
    let expression = match Grammar::parse(Rule::expression, slice(text, source.region)) {
        Ok(pairs) => {
            let tokens = PairStream::new(pairs, source.region.start);
            postfix::read(source, SignStream::new(source, tokens))
        }
        Err(_) => postfix::read(source, tokens(text, source.region)),
    };
    expression.map(|(_, expression)| expression)
}

/// The error in a text that the grammar refused.
fn explain(text: &str, region: Span) -> SyntaxError {
    let (sign, binds) = match Grammar::parse(Rule::head, slice(text, region)) {
        Ok(pairs) => {
            let last = PairStream::new(pairs, region.start).last();
            (last.map(|last| last.span), true)
        }
        Err(_) => match define::refused(text, region).transpose() {
            Ok(sign) => (sign, false),
            Err(error) => return error,
        },
    };
    let expressions = sign.map_or(region, |sign| trimmed(text, region.starting(sign.end)));
    let source = TokenSource::new(text, expressions, sign);
    match postfix::read_with(source, tokens(text, source.region), binds, Vec::new()) {
        Err(error) => error,
        // The loop reads nothing that the grammar refuses; were they to differ, this would still be no statement.
        Ok(_) => SyntaxError::operand(region, None, Some(&region.quote(text))),
    }
}

/// What a binding begins with: `const a, b =`.
struct Left<'t> {
    frozen: bool,
    targets: Vec<BindingTarget<'t>>,
    sign: Span,
}

/// The names to bind and the sign, taken from the front of the tokens.
fn head<'t>(text: &'t str, tokens: &mut PairStream<'_>) -> Option<Left<'t>> {
    tokens.enter(Rule::head).then_some(())?;
    let mut left = Left {
        frozen: false,
        targets: Vec::with_capacity(1),
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
    tokens: PairStream<'t>,
) -> Result<Binding<'t>, SyntaxError> {
    let Left {
        frozen,
        targets,
        sign,
    } = left;
    let source = TokenSource::new(text, region.starting(sign.end), Some(sign));
    let tokens = SignStream::new(source, tokens);
    let read = postfix::read_with(source, tokens, true, Vec::new())?;
    let (values, widths) = uncertain::split(text, read)?;
    let spans = values.iter().map(|value| value.span);
    let spans = spans.chain(widths.iter().flatten().map(|width| width.span));
    let whole = spans.reduce(Span::to).unwrap_or(sign);
    if targets.len() > 1 {
        let mut seen = HashMap::new();
        for target in &targets {
            if let Some(first) = seen.insert(target.name, target.span) {
                let message = format!("`{}` is bound twice", target.span.quote(text));
                let help = "a statement binds each of its names once";
                return Err(SyntaxError::again(target.span, first, message, help));
            }
        }
    }
    // One value for several names is taken apart by the session.
    if values.len() != targets.len() && values.len() > 1 {
        let left = targets.iter().map(|target| target.span);
        let names = counted(targets.len(), "name");
        let values = counted(values.len(), "value");
        let help = match targets.as_slice() {
            [target] => complaints::written_with_point(whole.of(text)).unwrap_or_else(|| {
                let list = uncertain::as_list(text, whole);
                format!("a list has brackets: `{} = {list}`", target.name)
            }),
            _ => "each name takes one value: `a, b = 1, 2`".into(),
        };
        return Err(
            SyntaxError::new(whole, format!("{values} for {names}"), help)
                .label(values)
                .other(left.reduce(Span::to).unwrap_or(sign), names),
        );
    }
    let spelling = sign.of(text).trim_end_matches('=');
    Ok(Binding {
        frozen,
        targets,
        compound: precedence::between(spelling),
        values,
        widths,
    })
}

/// `1 value`, `2 values`
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn command(text: &str, region: Span) -> Result<CommandLine<'_>, SyntaxError> {
    let colon = Span {
        end: region.start + 1,
        ..region
    };
    let pairs = Grammar::parse(Rule::command, slice(text, region)).ok();
    let word = pairs.and_then(|pairs| PairStream::new(pairs, region.start).next());
    let word = word.ok_or_else(|| {
        let message = "expected a command right after `:`";
        SyntaxError::new(colon, message, "`:help` lists the commands")
    })?;
    let rest = trimmed(text, region.starting(word.span.end));
    if let Some(open) = unclosed(rest.of(text)) {
        let at = (rest.start + open.start) as usize;
        let bracket = char::from(text.as_bytes()[at]);
        return Err(SyntaxError::unclosed(bracket, Span::new(at, at + 1)));
    }
    Ok(CommandLine {
        word: word.span.of(text),
        span: colon.to(word.span),
        rest,
    })
}

/// The text of a span.
pub(crate) fn slice(text: &str, span: Span) -> &str {
    span.of(text)
}

/// Without the blanks around it.
pub(crate) fn trimmed(text: &str, span: Span) -> Span {
    let rest = span.of(text).trim_end_matches(BLANKS);
    let end = span.start as usize + rest.len();
    Span::new(end - rest.trim_start_matches(BLANKS).len(), end)
}
