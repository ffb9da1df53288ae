//! What can be wrong with lists, indices and ranges.
//!
//! As in `complaints`, each function looks at the state of the reader and says what is wrong there. The line to type is
//! put together from the user's own words.

use crate::syntax::error::SyntaxError;
use crate::syntax::former::grammar::Rule;
use crate::syntax::former::postfix::{PendingOperator, Reader, Token};
use crate::syntax::former::{expression, trimmed};
use crate::syntax::lexer::is_name;
use crate::syntax::precedence;
use crate::syntax::precedence::level;
use crate::syntax::tree::{Head, ItemKind, Span};

impl<'t> Reader<'t> {
    /// What is innermost of brackets and `for`.
    pub(crate) fn around(&self) -> Option<&PendingOperator<'t>> {
        let mut stack = self.stack.iter().rev();
        stack.find(|waiting| !matches!(waiting, PendingOperator::Apply { .. }))
    }

    /// `(a`, `[a`, `[a; b]`: a bracket was never closed.
    pub(crate) fn unclosed(&self, open: Span) -> SyntaxError {
        let list = open.of(self.source.text) == "[";
        let error = SyntaxError::unclosed(if list { '[' } else { '(' }, open);
        let end = self.source.region.end as usize;
        let rest = self.source.text[end..].trim_start();
        if list && rest.starts_with(';') {
            let help = "`;` ends a statement: items are separated by `,`, and rows are lists: `[[1, 2], [3, 4]]`";
            return SyntaxError {
                help: help.into(),
                ..error
            };
        }
        error
    }

    /// Does the expression so far end with `]` of a list?
    pub(crate) fn is_list(&self) -> bool {
        self.is_last(Rule::list_close)
            && self
                .items
                .last()
                .is_some_and(|item| matches!(item.kind, ItemKind::Apply(Head::List, _)))
    }

    /// `[0]*3`, `[1]*n`: in Python a list of so many items. `sign` is the `*`.
    pub(crate) fn refuse_repetition(&self, sign: Span) -> Result<(), SyntaxError> {
        let Some([item, list]) = self.items.last_chunk() else {
            return Ok(());
        };
        let rest = self.source.text[sign.end as usize..].trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let count = &rest[..end.unwrap_or(rest.len())];
        let is_number = count.starts_with(|c: char| c.is_ascii_digit());
        match (item.kind, list.kind) {
            // With 0 and 1 a product would be of no use.
            (ItemKind::Number(literal), ItemKind::Apply(Head::List, 1))
                if is_number || matches!(literal.value, 0.0 | 1.0) && !count.is_empty() =>
            {
                let item = self.quote(item.span);
                let message = "Python repeats a list by `*`, which multiplies items here";
                let help = format!(
                    "write `[{item} for k in 1..{count}]`; the product is `([{item}])*{count}`"
                );
                Err(SyntaxError::new(list.span.to(sign), message, help))
            }
            _ => Ok(()),
        }
    }

    /// The text of the operand before, if it ends with an index.
    pub(crate) fn indexed(&self) -> Option<String> {
        let ItemKind::Apply(Head::Index, _) = self.items.last()?.kind else {
            return None;
        };
        let last = self.last.filter(|last| last.rule == Rule::list_close)?;
        Some(self.quote(self.readings().before(last.span.behind())))
    }

    /// A `[` behind an operand has to be glued to something that may be a list.
    pub(crate) fn check_indexed(&self, open: Token) -> Result<(), SyntaxError> {
        let Some(last) = self.last else {
            return Ok(());
        };
        let kind = self.items.last().map(|item| item.kind);
        let glued = last.span.end == open.span.start;
        let listed = match last.rule {
            Rule::name | Rule::result | Rule::close | Rule::list_close => true,
            Rule::node => !matches!(kind, Some(ItemKind::Id(_))),
            _ => false,
        };
        if glued && listed {
            return Ok(());
        }
        let readings = self.readings();
        let (operand, index) = (readings.before(open.span), readings.bracket(open.span));
        let (list, position) = (self.quote(operand), self.quote(index));
        let two_readings = |base: &str, behind: &str| {
            let help = format!("write `{base}{position}{behind}` or `({list}){position}`");
            SyntaxError::ambiguous(index, &format!("{list}{position}"), help)
        };
        let number = |help: String| {
            let message = format!("`{list}` is a number and has no items");
            Err(SyntaxError::new(operand.to(index), message, help))
        };
        match last.rule {
            Rule::factorial => Err(two_readings(list.trim_end_matches('!'), "!")),
            Rule::superscript => {
                let power = self.quote(last.span);
                Err(two_readings(list.trim_end_matches(&power), &power))
            }
            Rule::member => {
                let member = self.quote(last.span);
                let list = list.trim_end_matches(&member);
                Err(SyntaxError::new(
                    index,
                    format!("an index comes directly after its list, `{member}` after both"),
                    format!("write `{list}{position}{member}`"),
                ))
            }
            // The items of a list with no comma between them.
            _ if self.is_item_missing_comma(open.span) => {
                Err(readings.juxtaposition(open.span, true))
            }
            Rule::number => match self.stack.last() {
                Some(&PendingOperator::Apply {
                    level: level::POWER,
                    span,
                    ..
                }) if glued => {
                    let base = self.quote(readings.before(span));
                    let power = self.quote(span.to(operand));
                    let help =
                        format!("write `{base}{position}{power}` or `({base}{power}){position}`");
                    let text = format!("{base}{power}{position}");
                    Err(SyntaxError::ambiguous(index, &text, help))
                }
                _ => number(format!("to multiply, write `{list}*{position}`")),
            },
            Rule::node if glued => number("an index comes after the name of a list: `w[1]`".into()),
            _ if listed => Err(SyntaxError {
                // The session knows whether it is a function that is called.
                juxtaposed: Some(Box::new([list.clone(), position.clone()])),
                ..SyntaxError::new(
                    index,
                    format!("an index comes directly after `{list}`, without a blank"),
                    format!("write `{list}{position}`"),
                )
            }),
            _ => Err(readings.juxtaposition(open.span, false)),
        }
    }

    /// Two operands side by side in a list, and the second is a list or no product is likely.
    fn is_item_missing_comma(&self, second: Span) -> bool {
        if !matches!(self.around(), Some(PendingOperator::List { .. })) {
            return false;
        }
        let glued = self.last.is_some_and(|last| last.span.end == second.start);
        let list = |kind| {
            matches!(
                kind,
                ItemKind::Apply(Head::List | Head::Collect | Head::Range, _)
            )
        };
        !glued
            && (self.is_last(Rule::number)
                || self.is_last(Rule::list_close)
                    && self.items.last().is_some_and(|item| list(item.kind)))
    }

    /// Two operands side by side: `a b`, `[1 2]`, `[x for x in xs if x > 0]`.
    pub(crate) fn juxtaposition(&self, second: Span) -> SyntaxError {
        if let Some(error) = self.loop_before_body(second) {
            return error;
        }
        let readings = self.readings();
        match self.around() {
            Some(PendingOperator::Each(each)) if second.of(self.source.text) == "if" => {
                self.filter(each.span, second)
            }
            Some(PendingOperator::List { .. }) => readings.juxtaposition(second, true),
            _ => readings.juxtaposition(second, false),
        }
    }

    /// A `]` where an expression is expected: `[]`, `w[]`, `[a + ]`, `w[2..]`.
    pub(crate) fn nothing_before_close(&self, close: Token) -> SyntaxError {
        let Some(bracket) = self.bracket() else {
            return SyntaxError::unopened(']', close.span);
        };
        let whole = bracket.to(close.span);
        match self.stack.last() {
            Some(PendingOperator::List { .. }) if self.is_last(Rule::list_open) => {
                SyntaxError::new(
                    whole,
                    "a list has at least one item",
                    "write its items between the brackets: `[1, 2]`",
                )
            }
            Some(PendingOperator::Index { .. }) if self.is_last(Rule::list_open) => {
                let list = self.quote(self.readings().before(bracket));
                SyntaxError::new(
                    whole,
                    "expected a position between the brackets",
                    format!("the first item is `{list}[1]`"),
                )
            }
            _ => self.missing(close),
        }
    }

    /// `(a]`, `[a)`
    pub(crate) fn wrong_close(&self, close: Token) -> SyntaxError {
        let Some(open) = self.bracket() else {
            return SyntaxError::unopened(')', close.span);
        };
        let (opening, found) = (self.quote(open), self.quote(close.span));
        let right = if opening == "[" { "]" } else { ")" };
        let message = format!("`{opening}` is closed by `{right}`, not by `{found}`");
        let help = format!("close it by `{right}`, or put a `{right}` before the `{found}`");
        SyntaxError::new(close.span, message, help).other(open, "opened here")
    }

    /// `1..2..3`
    pub(crate) fn two_ranges(&self, first: Span, second: Span) -> SyntaxError {
        let readings = self.readings();
        let left = self.quote(readings.piece_before(first));
        let right = self.quote(trimmed(
            self.source.text,
            readings.piece(second).starting(second.end),
        ));
        let help = format!("write `{left}..{right}`; other steps are computed: `(0..10)/10`");
        SyntaxError::new(second, "a range has two ends", help).other(first, "the range")
    }

    /// One end of a range is missing: `w[2..]`, `..5`.
    pub(crate) fn half_range(&self, found: Option<Token>) -> Option<String> {
        let rule = found.map(|found| found.rule);
        let indexed = matches!(self.around(), Some(PendingOperator::Index { .. }));
        let list = || {
            let list = self.bracket().map(|open| self.readings().before(open));
            list.map(|span| self.quote(span))
        };
        let readings = self.readings();
        if let Some(found) = found.filter(|found| found.rule == Rule::range) {
            let whole = readings.piece(found.span);
            let end = self.quote(trimmed(self.source.text, whole.starting(found.span.end)));
            let list = list().filter(|_| indexed && !end.is_empty());
            return Some(match list {
                Some(list) => format!("a range has both its ends: `{list}[1..{end}]`"),
                None => "a range has both its ends: `1..5`".into(),
            });
        }
        let last = self.last.filter(|last| last.rule == Rule::range)?;
        let begin = self.quote(readings.piece_before(last.span));
        let list = list().filter(|_| indexed && rule == Some(Rule::list_close));
        Some(match list {
            Some(list) => format!("a range has both its ends: `{list}[{begin}..len({list})]`"),
            None => format!("a range has both its ends: `{begin}..5`"),
        })
    }

    /// `w[1:3]`
    pub(crate) fn slice(&self, colon: Token) -> Option<SyntaxError> {
        let readings = self.readings();
        let (whole, list) = match self.around()? {
            PendingOperator::Index { open, .. } => {
                (readings.bracket(*open), readings.before(*open))
            }
            PendingOperator::List { open, .. } => {
                (readings.bracket(*open), open.starting(open.end))
            }
            _ => return None,
        };
        let list = self.quote(list);
        let inside = whole.of(self.source.text).trim_matches(['[', ']']);
        let end = |text: &str, default: &str| match text.trim() {
            "" => default.to_owned(),
            text => text.to_owned(),
        };
        let mut ends = inside.split(':');
        let ends = (ends.next(), ends.next(), ends.next());
        let help = match ends {
            (Some(first), Some(last), None) if inside.len() <= 40 && !inside.contains('[') => {
                let from_end = |place: &str, more: u32| {
                    let back = place.trim().strip_prefix('-')?.parse::<u32>().ok()?;
                    Some(match back.checked_sub(more)? {
                        0 => format!("len({list})"),
                        back => format!("len({list}) - {back}"),
                    })
                };
                let last = match list.as_str() {
                    "" => end(last, "5"),
                    _ => from_end(last, 0).unwrap_or_else(|| end(last, &format!("len({list})"))),
                };
                // Python counts from 0, and leaves the second end out.
                let begin = match first.trim().parse::<u32>() {
                    Ok(number) if !list.is_empty() => number.saturating_add(1).to_string(),
                    _ => from_end(first, 1).unwrap_or_else(|| match first.trim() {
                        "" => "1".to_owned(),
                        name if list.is_empty() => name.to_owned(),
                        name => format!("{name} + 1"),
                    }),
                };
                match list.as_str() {
                    "" => format!("write `{begin}..{last}`"),
                    list => format!("Python's `[{inside}]` is `{list}[{begin}..{last}]`"),
                }
            }
            _ => "items 1 to 3 are `w[1..3]`".into(),
        };
        let message = "a range is written with `..`, and both its ends are included";
        Some(SyntaxError::new(colon.span, message, help))
    }

    /// `W[1, 2]`, `[x for x in xs, 2]`
    pub(crate) fn misplaced_comma(&self, comma: Token) -> SyntaxError {
        let readings = self.readings();
        match self.around() {
            Some(PendingOperator::Each(each)) => self.comma_behind_loop(each.span, comma.span),
            Some(PendingOperator::Index { open, from })
                if from.checked_sub(1).is_some_and(|last| {
                    matches!(self.items[last].kind, ItemKind::Apply(Head::List, _))
                }) =>
            {
                let list = self.quote(readings.before(*open));
                let next = self.quote(readings.bracket(*open));
                SyntaxError::new(
                    open.to(comma.span),
                    "an index is one position, and a comma stands between two lists",
                    format!("write `{list}, {next}`"),
                )
            }
            Some(PendingOperator::Index { open, .. }) => {
                let list = self.quote(readings.before(*open));
                let first = self.quote(readings.piece_before(comma.span));
                let rest = readings.rest(comma.span);
                let second = self.quote(trimmed(self.source.text, rest.starting(comma.span.end)));
                let help = match second.as_str() {
                    "" => format!("write `{list}[{first}]`"),
                    _ if second.contains(',') => format!(
                        "each index has brackets of its own: `{list}[{first}][2]`; several items are `{list}[[{first}, 2]]`"
                    ),
                    _ => format!(
                        "write `{list}[{first}][{second}]`; several items are `{list}[[{first}, {second}]]`"
                    ),
                };
                SyntaxError::new(comma.span, "an index is one position", help)
            }
            _ => self
                .grouped_number(comma)
                .unwrap_or_else(|| SyntaxError::comma(comma.span)),
        }
    }

    /// `w[-1]`
    pub(crate) fn check_position(&self, open: Span, from: usize) -> Result<(), SyntaxError> {
        let [item] = &self.items[from..] else {
            return Ok(());
        };
        let ItemKind::Number(literal) = item.kind else {
            return Ok(());
        };
        if !literal.value.is_sign_negative() || !self.is_last(Rule::number) {
            return Ok(());
        }
        let list = self.quote(self.readings().before(open));
        let back = -literal.value - 1.0;
        let help = if literal.value == 0.0 {
            format!("the first item is `{list}[1]`")
        } else if back > 0.0 && back.fract() == 0.0 {
            format!("write `{list}[len({list}) - {back}]`")
        } else {
            format!("the last item is `{list}[len({list})]`")
        };
        let message = "items are counted from 1, not from the end";
        Err(SyntaxError::new(item.span, message, help))
    }

    /// `w[2] = 5`, `w[2] += 1`; `left` is what stands before the sign.
    pub(crate) fn item_changed(&self, left: Span, sign: Token) -> Option<SyntaxError> {
        let text = self.source.text;
        let item = left.of(text);
        let name = item.split(['[', '@']).next()?;
        let indexed = matches!(self.items.last()?.kind, ItemKind::Apply(Head::Index, _));
        let named = is_name(name)
            || name
                .strip_prefix('$')
                .is_some_and(|number| !number.is_empty());
        if !indexed || !named || !self.stack.is_empty() {
            return None;
        }
        let right = trimmed(text, self.source.region.starting(sign.span.end));
        let operator = precedence::between(sign.span.of(text).trim_end_matches('='));
        let parsed = expression(text, right).ok();
        let item = self.quote(left);
        let help = match (parsed, operator) {
            _ if right.of(text).len() > 40 => format!("`:set {item} 5`"),
            (None, _) => format!("`:set {item} 5`"),
            (Some(_), None) => format!("`:set {item} {}`", right.of(text)),
            (Some(parsed), Some(operator)) => {
                let loose = parsed.items.last().is_some_and(|root| match root.kind {
                    ItemKind::Apply(Head::Operator(inner), _) => inner.level <= operator.level,
                    ItemKind::Apply(Head::Range, _) => true,
                    _ => false,
                });
                let spaced = if operator.spaced { " " } else { "" };
                let sign = operator.spelling;
                let value = if loose {
                    format!("({})", right.of(text))
                } else {
                    right.of(text).to_owned()
                };
                format!("`:set {item} {item}{spaced}{sign}{spaced}{value}`")
            }
        };
        let message = "an item is changed in place, not by a binding";
        Some(SyntaxError::new(left, message, help))
    }
}
