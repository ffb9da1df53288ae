//! `±` and what stands behind it: a value with an uncertainty, `5 ± 0.1`, `5 ± 2%`.
//!
//! `±` is looser than any operator and makes no item of a tree. The loop in `postfix` ends an expression at it, as at a
//! comma, and marks the next one; here the marked ones become widths. One operand stands behind `±`, so that nobody has
//! to know what `5 ± 0.1 + 2` would mean.

use pest::Parser;

use super::pairs::{PairStream, SignStream};
use super::postfix::{PendingOperator, Reader, Token, TokenSource, Values, WidthMark, read_with};
use super::tokens::tokens;
use super::{slice, trimmed};
use crate::syntax::error::SyntaxError;
use crate::syntax::former::grammar::{Grammar, Rule};
use crate::syntax::number::{self, NumberValue};
use crate::syntax::precedence::level;
use crate::syntax::print::literal;
use crate::syntax::tree::{Expression, Head, ItemKind, Span, Width};

/// Parses `EXPRESSION [± OPERAND]`: the argument of a command where an uncertainty may stand.
///
/// # Errors
/// If it is no such text; the error says what was expected where.
pub(crate) fn uncertain(
    text: &str,
    span: Span,
) -> Result<(Expression<'_>, Option<Width<'_>>), SyntaxError> {
    let source = TokenSource::new(text, trimmed(text, span), None);
    let (value, width) = read(source, Vec::new())?;
    // Without a sign before it, a source has one value and at most one width.
    Ok(match value.into_iter().next() {
        Some(value) => (value, width.into_iter().next().flatten()),
        None => return Err(SyntaxError::nothing(source.region)),
    })
}

/// Parses `± OPERAND`, if the text begins so.
///
/// # Errors
/// If something else than one operand stands behind the sign.
pub(crate) fn width(text: &str, span: Span) -> Option<Result<Width<'_>, SyntaxError>> {
    let span = trimmed(text, span);
    let sign = uncertain_sign(span.of(text))?;
    let sign = Span {
        end: span.start + sign,
        ..span
    };
    let source = TokenSource::new(text, trimmed(text, span.starting(sign.end)), Some(sign));
    let mark = WidthMark {
        at: 0,
        sign,
        per_cent: Vec::new(),
    };
    let widths = read(source, vec![mark]).map(|(_, widths)| widths);
    Some(widths.and_then(|widths| {
        let one = widths.into_iter().next().flatten();
        one.ok_or_else(|| SyntaxError::nothing(source.region))
    }))
}

/// How long the `±` is with which a text begins, if it does.
fn uncertain_sign(text: &str) -> Option<u32> {
    let sign = ["±", "+/-"].into_iter().find(|sign| text.starts_with(sign));
    sign.map(|sign| sign.len() as u32)
}

/// Reads one value and perhaps its width, or a width alone if `±` has been read.
fn read(
    source: TokenSource<'_>,
    widths: Vec<WidthMark>,
) -> Result<(Vec<Expression<'_>>, Vec<Option<Width<'_>>>), SyntaxError> {
    let alone = !widths.is_empty();
    let values = match Grammar::parse(Rule::expression, slice(source.text, source.region)) {
        Ok(pairs) => {
            let pairs = PairStream::new(pairs, source.region.start);
            read_with(source, SignStream::new(source, pairs), true, widths)
        }
        Err(_) => read_with(source, tokens(source.text, source.region), true, widths),
    }?;
    if alone && let Some(first) = values.first.first() {
        return Err(SyntaxError::comma(first.span.behind()));
    }
    split(source.text, values)
}

/// The values, and the width of each; no widths if there is none at all.
pub(super) fn split<'t>(
    text: &'t str,
    read: Values<'t>,
) -> Result<(Vec<Expression<'t>>, Vec<Option<Width<'t>>>), SyntaxError> {
    let Values {
        first: mut values,
        last,
        widths: marks,
    } = read;
    if marks.is_empty() && values.is_empty() {
        return Ok((vec![last], Vec::new()));
    }
    values.push(last);
    if marks.is_empty() {
        return Ok((values, Vec::new()));
    }
    let mut marks = marks.into_iter().peekable();
    let mut kept: Vec<Expression<'t>> = Vec::with_capacity(values.len());
    let mut widths = Vec::with_capacity(values.len());
    for (at, operand) in values.into_iter().enumerate() {
        let Some(mark) = marks.next_if(|mark| mark.at == at) else {
            kept.push(operand);
            widths.push(None);
            continue;
        };
        check_operand(text, kept.last(), &mark, &operand)?;
        // A width that stands alone has no value before it.
        widths.pop();
        widths.push(Some(Width {
            span: mark.sign.to(operand.span),
            operand,
            per_cent: mark.per_cent,
        }));
    }
    Ok((kept, widths))
}

/// Refuses what is more than one operand.
fn check_operand(
    text: &str,
    value: Option<&Expression>,
    mark: &WidthMark,
    operand: &Expression,
) -> Result<(), SyntaxError> {
    let mut depth = 0_usize;
    let mut before: Option<Token> = None;
    for token in tokens(text, operand.span) {
        let Token { rule, span } = token;
        let adjoins = before.is_some_and(|before| before.rule == Rule::number)
            && matches!(rule, Rule::name | Rule::open | Rule::root);
        match rule {
            Rule::close | Rule::list_close => depth = depth.saturating_sub(1),
            _ if depth > 0 && !matches!(rule, Rule::open | Rule::list_open) => {}
            Rule::infix
            | Rule::sign
            | Rule::typeset
            | Rule::compare
            | Rule::range
            | Rule::root
            | Rule::factorial
            | Rule::superscript => {
                return Err(several(text, value, mark, operand, span));
            }
            _ if depth == 0 && adjoins => return Err(several(text, value, mark, operand, span)),
            Rule::open | Rule::list_open => depth += 1,
            _ => {}
        }
        before = Some(token);
    }
    let plain = |kind| matches!(kind, ItemKind::Number(_) | ItemKind::Apply(Head::List, _));
    if !mark.per_cent.is_empty() && !operand.items.iter().all(|item| plain(item.kind)) {
        return Err(SyntaxError::new(
            operand.span,
            "a percentage stands alone after `±`, or in a list of numbers",
            "write `± 5%`, or `± [5%, 0.1]`",
        ));
    }
    Ok(())
}

/// `5 ± 0.1 + 2`, `5 ± -1`, `5 ± 2a`
fn several(
    text: &str,
    value: Option<&Expression>,
    mark: &WidthMark,
    operand: &Expression,
    found: Span,
) -> SyntaxError {
    let [sign, width] = [mark.sign, operand.span].map(|span| span.quote(text));
    let found_text = found.of(text);
    if found.start == operand.span.start && matches!(found_text, "-" | "−") {
        let positive = operand.span.starting(found.end).quote(text);
        let help = format!("write `{sign} {}`", positive.trim_start());
        return SyntaxError::new(operand.span, "an uncertainty is never negative", help);
    }
    let bracketed = format!("{sign} ({width})");
    let help = match value {
        Some(value) if matches!(found_text, "+" | "-" | "−") => {
            let first = Span {
                start: operand.span.start,
                end: found.start,
            };
            format!(
                "write `{} {} {sign} {}` or `{bracketed}`",
                value.span.quote(text),
                operand.span.starting(found.start).quote(text),
                trimmed(text, first).quote(text),
            )
        }
        _ => format!("write `{bracketed}`"),
    };
    let message = format!("one operand comes after `{sign}`: a number, a name or a bracket");
    SyntaxError::new(operand.span, message, help)
}

impl Reader<'_> {
    /// Whether the present expression stands behind `±`.
    fn in_width(&self) -> bool {
        let last = self.widths.last();
        last.is_some_and(|mark| mark.at == self.values.len())
    }

    /// `±`: the value is complete, its width begins.
    pub(super) fn uncertain(&mut self, token: Token) -> Result<(), SyntaxError> {
        if self.expected {
            return Err(self.uncertain_without_value(token));
        }
        if let Some(open) = self.bracket() {
            return Err(self.uncertain_inside(token, open));
        }
        if self.in_width() {
            return Err(SyntaxError::new(
                token.span,
                "a value has one uncertainty",
                "two independent ones combine as `± hypot(0.1, 0.2)`",
            ));
        }
        if !self.uncertain {
            return Err(self.uncertain_nowhere(token));
        }
        let value = self.value();
        self.values.push(value);
        self.widths.push(WidthMark {
            at: self.values.len(),
            sign: token.span,
            per_cent: Vec::new(),
        });
        self.expected = true;
        Ok(())
    }

    /// `%` behind the last literal.
    pub(super) fn per_cent(&mut self, token: Token) -> Result<(), SyntaxError> {
        let number = self.last.filter(|last| {
            last.rule == Rule::number && last.span.end == token.span.start && !self.expected
        });
        let in_width = self.in_width();
        if let (Some(_), Some(mark), true) = (number, self.widths.last_mut(), in_width) {
            mark.per_cent.push(self.items.len() - 1);
            return Ok(());
        }
        if self.expected {
            return Err(self.missing(token));
        }
        let readings = self.readings();
        let operand = readings.before(token.span);
        let (place, quoted) = (operand.to(token.span), self.quote(operand));
        if in_width && self.is_last(Rule::number) {
            let help = format!("write `{quoted}%`, without a blank");
            return Err(SyntaxError::new(
                place,
                "`%` comes directly after its number",
                help,
            ));
        }
        let instead = match (self.stack.last(), number::value(&quoted)) {
            // `100 - 10%` is 10 per cent less on other calculators.
            (
                Some(PendingOperator::Apply {
                    level: level::SUM,
                    span,
                    ..
                }),
                _,
            ) => {
                let whole = readings.piece_before(*span);
                let is_one = readings.before(*span) == whole;
                let [open, close] = if is_one { ["", ""] } else { ["(", ")"] };
                let (left, sign) = (self.quote(whole), self.quote(*span));
                format!("{open}{left}{close}*(1 {sign} {quoted}/100)")
            }
            (_, NumberValue::Known(known)) if self.is_last(Rule::number) => {
                literal(known.value / 100.0, false)
            }
            _ => format!("{quoted}/100"),
        };
        let message = "a percentage is allowed only after `±`";
        let help = format!("write `{instead}`; the remainder of a division is `{quoted} % 3`");
        Err(SyntaxError::new(place, message, help))
    }

    /// `± 0.1` without a value.
    fn uncertain_without_value(&self, token: Token) -> SyntaxError {
        let error = self.missing(token);
        if self.last.is_some() {
            return error;
        }
        SyntaxError {
            help: "an uncertainty comes after a value, `x = 5 ± 0.1`; `:set x ± 0.1` gives one to a leaf there is"
                .into(),
            ..error
        }
    }

    /// `a + (5 ± 0.1)`, `[5 ± 0.1, 6 ± 0.2]`
    fn uncertain_inside(&self, token: Token, open: Span) -> SyntaxError {
        let readings = self.readings();
        let whole = readings.bracket(open);
        if matches!(self.stack.last(), Some(PendingOperator::List { .. }))
            || matches!(self.around(), Some(PendingOperator::List { .. }))
        {
            let sign = self.quote(token.span);
            let message = format!("`{sign}` comes after the whole list");
            let inner = readings.rest(open.behind());
            let help = match behind_list(self.source.text, inner) {
                Some((values, widths)) => format!("write `{values} {sign} {widths}`"),
                None => format!("write `[5, 6] {sign} [0.1, 0.2]`, item by item"),
            };
            return SyntaxError::new(whole, message, help);
        }
        let value = self.quote(readings.piece_before(token.span));
        let width = self.quote(readings.piece(token.span));
        let message = "an uncertainty belongs to a leaf, not to a part of an expression";
        let help = format!("give the leaf a name: `x = {value} {width}`, and use `x`");
        SyntaxError::new(whole, message, help)
    }

    /// `±` behind something that is neither bound nor set.
    fn uncertain_nowhere(&self, token: Token) -> SyntaxError {
        let value = Span {
            start: self.start.unwrap_or(token.span.start),
            end: self.last.map_or(token.span.start, |last| last.span.end),
        };
        let value = self.quote(value);
        let width = self.quote(self.readings().piece(token.span));
        if self.source.sign.is_some() {
            let message = "a function has no uncertainty, only its arguments have";
            let help = format!("write it without `{width}`; a leaf has one: `x = 5 {width}`");
            return SyntaxError::new(token.span, message, help);
        }
        let named = matches!(
            self.items.last().map(|item| item.kind),
            Some(
                ItemKind::Name(_)
                    | ItemKind::Former(..)
                    | ItemKind::Id(_)
                    | ItemKind::Result(_)
                    | ItemKind::Apply(Head::Index, _)
            )
        ) && self.stack.is_empty();
        let name = |kind| matches!(kind, ItemKind::Name(_) | ItemKind::Former(..));
        let computed = self.items.iter().any(|item| name(item.kind));
        let (message, help) = if named {
            (
                "an uncertainty is given to a leaf by `:set` or when it is bound",
                format!("write `:set {value} {width}`"),
            )
        } else if computed {
            (
                "a leaf has an uncertainty, and this is computed",
                format!(
                    "the uncertainty of a computed value follows from its leaves: `:budget {value}`"
                ),
            )
        } else {
            (
                "an uncertainty belongs to a leaf, which has a name",
                format!("write `x = {value} {width}`"),
            )
        };
        SyntaxError::new(token.span, message, help)
    }
}

/// Several values as a list: `[1, 2]`, `[5, 6] ± [0.1, 0]`.
pub(super) fn as_list(text: &str, values: Span) -> String {
    match behind_list(text, values) {
        Some((values, widths)) => format!("{values} ± {widths}"),
        None => format!("[{}]", values.quote(text)),
    }
}

/// `[5, 6]` and `[0.1, 0.2]` of the items `5 ± 0.1, 6 ± 0.2`; nothing where they have no `±` or are not
/// plain.
fn behind_list(text: &str, inner: Span) -> Option<(String, String)> {
    let mut values = Vec::new();
    let mut widths = Vec::new();
    let mut depth = 0_usize;
    let (mut start, mut sign, mut any) = (inner.start, None, false);
    let mut item = |start: u32, sign: Option<Span>, end: u32| {
        let part = |start, end| trimmed(text, Span { start, end }).quote(text);
        let value_end = sign.map_or(end, |sign: Span| sign.start);
        values.push(part(start, value_end));
        widths.push(sign.map_or("0".to_string(), |sign| part(sign.end, end)));
    };
    for token in tokens(text, inner) {
        match token.rule {
            Rule::open | Rule::list_open => depth += 1,
            Rule::close | Rule::list_close => depth = depth.checked_sub(1)?,
            Rule::comma if depth == 0 => {
                item(start, sign.take(), token.span.start);
                start = token.span.end;
            }
            Rule::uncertain if depth == 0 && sign.is_none() => {
                (sign, any) = (Some(token.span), true);
            }
            Rule::uncertain => return None,
            Rule::name if matches!(token.span.of(text), "for") => return None,
            _ => {}
        }
    }
    item(start, sign, inner.end);
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    any.then(|| (list(values), list(widths)))
}
