//! The errors of the loop in `postfix`.
//!
//! Each function looks at the state of the reader and says what is wrong there; none changes what is read.

mod lists;
mod loops;
mod numbers;

use std::fmt::Write as _;

pub(crate) use self::numbers::written_with_point;
use crate::syntax::error::SyntaxError;
use crate::syntax::former::grammar::Rule;
use crate::syntax::former::postfix::{PendingOperator, Reader, Token};
use crate::syntax::former::readings::Readings;
use crate::syntax::former::trimmed;
use crate::syntax::lexer::{goes_on, is_name};
use crate::syntax::tree::{Property, Span};

/// What Python calls the number of items.
const LENGTHS: [&str; 5] = ["shape", "len", "length", "size", "count"];

impl<'t> Reader<'t> {
    /// The innermost open bracket.
    pub(crate) fn bracket(&self) -> Option<Span> {
        self.stack.iter().rev().find_map(|waiting| match waiting {
            PendingOperator::Group { open }
            | PendingOperator::Call { open, .. }
            | PendingOperator::List { open, .. }
            | PendingOperator::Index { open, .. } => Some(*open),
            PendingOperator::Apply { .. } | PendingOperator::Each(_) => None,
        })
    }

    /// Nothing is missing at the end.
    pub(crate) fn check_end(&self) -> Result<(), SyntaxError> {
        if let Some(span) = self.bracket() {
            return Err(self.unclosed(span));
        }
        if !self.expected {
            return Ok(());
        }
        let Some(before) = self.last.map(|last| last.span).or(self.source.sign) else {
            return Err(SyntaxError::nothing(self.source.region));
        };
        let after = self.quote(before);
        let error = SyntaxError::operand(before.behind(), Some(&after), None);
        Err(match self.half_range(None) {
            Some(help) => SyntaxError { help, ..error },
            None => error,
        })
    }

    /// Something else was found where an operand is expected.
    pub(crate) fn missing(&self, found: Token) -> SyntaxError {
        let before = self.last.map(|last| last.span).or(self.source.sign);
        let after = before.map(|span| self.quote(span));
        let quoted = self.quote(found.span);
        let error = SyntaxError::operand(found.span, after.as_deref(), Some(&quoted));
        match self.half_range(Some(found)) {
            Some(help) => SyntaxError { help, ..error },
            None => error,
        }
    }

    /// Tokens that never occur in an expression.
    pub(crate) fn misplaced(&self, token: Token) -> SyntaxError {
        let Token { rule, span } = token;
        let text = span.of(self.source.text);
        match (rule, text) {
            (Rule::equals, _) if self.expected => self.missing(token),
            (Rule::equals, _) => {
                if self.bracket().is_some() || self.source.sign.is_some() {
                    let help = match text {
                        "=" => self
                            .second_binding(token)
                            .unwrap_or_else(|| "to compare, use `==`".into()),
                        _ => format!("`a {text} 1` is a statement of its own"),
                    };
                    let message = format!("`{text}` is not allowed inside an expression");
                    return SyntaxError::new(span, message, help);
                }
                let before = self.last.map_or(span, |last| last.span);
                let place = before.starting(self.start.unwrap_or(before.start));
                if let Some(error) = self.item_changed(place, token) {
                    return error;
                }
                let left = self.quote(place);
                let help = match text {
                    "=" if self.is_list() => {
                        let names = left.trim_matches(['[', ']', '(', ')']);
                        format!("a list is taken apart by names without brackets: `{names} = …`")
                    }
                    "=" => format!("a name is bound by `a = 2`; to compare, write `{left} == …`"),
                    _ => format!("a name is rebound by `a {text} 1`"),
                };
                let message = format!("expected a name to the left of `{text}`, found `{left}`");
                SyntaxError::new(place, message, help)
            }
            (Rule::quoted, _) => SyntaxError::new(
                span,
                "text in quotes is not an expression",
                "quotes are for the paths of commands: `:load \"my file.calc\"`",
            ),
            (_, ":") => self
                .slice(token)
                .or_else(|| self.range_by_colon(token))
                .unwrap_or_else(|| {
                    SyntaxError::new(
                        span,
                        "`:` is allowed only at the beginning of a command",
                        "a command is a statement of its own: `:grad L`",
                    )
                }),
            _ => self.stray(token),
        }
    }

    /// `1:5`
    fn range_by_colon(&self, colon: Token) -> Option<SyntaxError> {
        let text = self.source.text;
        let first = self.last.filter(|last| last.rule == Rule::number)?;
        let behind = trimmed(text, self.source.region.starting(colon.span.end)).of(text);
        let last = behind.split(|c: char| !c.is_ascii_digit()).next();
        let last = last.filter(|last| !last.is_empty())?;
        let help = format!("write `{}..{last}`", self.quote(first.span));
        Some(SyntaxError::new(
            colon.span,
            "a range is written with `..`",
            help,
        ))
    }

    /// `a = b = 3`: both names in statements of their own.
    fn second_binding(&self, equals: Token) -> Option<String> {
        let text = self.source.text;
        let sign = self.source.sign.filter(|sign| sign.of(text) == "=")?;
        let first = text[..sign.start as usize]
            .rsplit([';', '\n'])
            .next()?
            .trim();
        let second = trimmed(
            text,
            Span::new(sign.end as usize, equals.span.start as usize),
        )
        .of(text);
        let value = trimmed(text, self.source.region.starting(equals.span.end));
        let value = self.quote(value);
        let names = self.bracket().is_none() && is_name(first) && is_name(second);
        (names && !value.is_empty() && !value.contains('=')).then(|| {
            format!(
                "write `{second} = {value}; {first} = {second}` or, for two numbers of their own, `{first}, {second} = {value}, {value}`"
            )
        })
    }

    pub(crate) fn stray(&self, token: Token) -> SyntaxError {
        let text = self.source.text;
        let character = token.span.of(text).chars().next().unwrap_or_default();
        if character == '°' && !self.expected {
            let angle = self.readings().before(token.span);
            let quoted = self.quote(angle);
            let message = "angles are in radians";
            let help = format!("write `{quoted}*pi/180`");
            return SyntaxError::new(angle.to(token.span), message, help);
        }
        let error = SyntaxError::stray(character, token.span);
        if character == '|' && self.expected {
            let rest = token.span.end as usize..self.source.region.end as usize;
            let inside = text[rest].split_once('|').map_or("x", |(inside, _)| inside);
            let inside = if inside.len() <= 40 { inside } else { "x" };
            let help = format!("an absolute value is `abs({})`", inside.trim());
            return SyntaxError { help, ..error };
        }
        if character == '@' && !self.expected {
            // `W @ x`, as Python multiplies rows by a list.
            let readings = self.readings();
            let rows = self.quote(readings.before(token.span));
            let behind = readings.piece(token.span).starting(token.span.end);
            let list = trimmed(text, behind).of(text);
            let list = if is_name(list) { list } else { "x" };
            let help = format!("rows times a list is `dot({rows}, {list})`; a node is `@9`");
            return SyntaxError { help, ..error };
        }
        error
    }

    pub(crate) fn quote(&self, span: Span) -> String {
        span.quote(self.source.text)
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
        // Behind `in` of a `for` an operand is expected.
        let named = self.is_last(Rule::name) && !self.expected;
        if let Some(number) = self.last.filter(|last| last.rule == Rule::number)
            && next
                .is_some_and(|next| next.rule == Rule::number && next.span.start == token.span.end)
        {
            let run = self.run_of_number(number.span, &['\'', '’']);
            let digits = self.quote(run).replace(['\'', '’'], "_");
            return Err(SyntaxError::new(
                run,
                "a prime is not allowed in a number",
                format!("digits are grouped by `_`: `{digits}`"),
            ));
        }
        if !named || next.is_none_or(|next| next.rule != Rule::open) {
            let Some(last) = self.last.filter(|_| named) else {
                if let Some(item) = self.indexed() {
                    return Err(SyntaxError::new(
                        token.span,
                        format!("a prime differentiates a function, and `{item}` is not called"),
                        format!("the derivative of a value `L` by `{item}` is `grad(L, {item})`"),
                    ));
                }
                return Err(SyntaxError::new(
                    token.span,
                    "a prime stands between a function's name and its bracket",
                    "the derivative of a function is `f'(3)`, that of a value `grad(L, x)`",
                ));
            };
            let name = self.quote(last.span);
            let by = if name == "x" { "a" } else { "x" };
            let message = format!("a prime differentiates a function, and `{name}` is not called");
            let help = format!(
                "the derivative of a function is `{name}'(3)`, that of a value `grad({name}, {by})`"
            );
            return Err(SyntaxError {
                // The session knows what the name stands for.
                juxtaposed: Some(Box::new([name, "'".to_string()])),
                ..SyntaxError::new(token.span, message, help)
            });
        }
        if token.span.of(self.source.text).chars().count() > usize::from(u8::MAX) {
            let message = format!("a function has at most {} primes", u8::MAX);
            return Err(SyntaxError::new(token.span, message, ""));
        }
        Ok(())
    }

    /// `a.foo`, `2.x`
    pub(crate) fn unknown_property(&self, token: Token) -> SyntaxError {
        let member = self.quote(token.span);
        let Some(before) = self.last.filter(|last| last.rule == Rule::number) else {
            let owner = self.quote(self.readings().before(token.span));
            if let Some(error) = self.members_of_lists(token.span, &owner) {
                return error;
            }
            if LENGTHS.contains(&member.trim_start_matches('.')) {
                return SyntaxError::new(
                    token.span,
                    format!("expected `.data`, `.grad` or a call, found `{member}`"),
                    format!("how many items a list has is `len({owner})`"),
                );
            }
            return SyntaxError::new(
                token.span,
                format!("expected `.data`, `.grad` or a call, found `{member}`"),
                format!(
                    "a value has `.data` and `.grad`; a function is called with brackets: `{member}()`"
                ),
            );
        };
        let (number, name) = (self.quote(before.span), member.trim_start_matches('.'));
        SyntaxError::new(
            before.span.to(token.span),
            format!("`{number}{member}` is not a number"),
            format!("to multiply, write `{number}*{name}`; to call, write `{number}.{name}()`"),
        )
    }

    /// `n.layers[0].neurons[0].w[0]`: an index behind a member, as Python has it. `member` is the first one.
    fn members_of_lists(&self, member: Span, owner: &str) -> Option<SyntaxError> {
        let text = self.source.text;
        let mut rest = &text[member.start as usize..self.source.region.end as usize];
        let (whole, mut list, mut indexed) = (rest, owner.to_string(), false);
        loop {
            if let Some(behind) = rest.strip_prefix('.') {
                let end = behind.find(|c| !goes_on(c)).unwrap_or(behind.len());
                let name = &behind[..end];
                let called = behind[end..].starts_with('(');
                if name.is_empty() || called || Property::named(name).is_some() {
                    break;
                }
                // A neuron is a list of its weights and its bias.
                list.push_str(match name {
                    "w" => "[1]",
                    "b" => "[2]",
                    _ => "",
                });
                rest = &behind[end..];
            } else if let Some((position, behind)) =
                (rest.strip_prefix('[')).and_then(|inside| inside.split_once(']'))
            {
                let position: u32 = position.trim().parse().ok()?;
                let _ = write!(list, "[{}]", u64::from(position) + 1);
                indexed = true;
                rest = behind;
            } else {
                break;
            }
        }
        let end = member.start as usize + whole.len() - rest.len();
        let member = Span::new(member.start as usize, end);
        let property = [".data", ".grad"]
            .into_iter()
            .find(|it| rest.starts_with(it));
        list.push_str(property.unwrap_or_default());
        let short = indexed && list.len() <= 60;
        short.then(|| {
            let found = self.quote(member);
            let help = match owner {
                "" => "an item of lists in lists is `n[1][1]`".to_string(),
                _ => format!("if a neuron is `[w, b]`, a layer a list of neurons, write `{list}`"),
            };
            let message = format!("items are counted from 1, and a list has no `{found}`");
            SyntaxError::new(member, message, help)
        })
    }

    pub(crate) fn readings(&self) -> Readings<'t> {
        Readings::new(self.source)
    }
}
