//! What can be wrong with `for`.
//!
//! As in `complaints`, each function looks at the state of the reader and says what is wrong there; the line to type is
//! put together from the user's own words.

use crate::syntax::error::SyntaxError;
use crate::syntax::former::postfix::{PendingOperator, Reader, Token};
use crate::syntax::former::{expression, trimmed};
use crate::syntax::lexer::is_name;
use crate::syntax::tree::Span;

/// Is a part of the line short enough for a sentence?
fn is_short(text: &str) -> bool {
    text.len() <= 40 && !text.is_empty()
}

impl Reader<'_> {
    /// `for` behind an operand, without names and `in` behind it.
    pub(crate) fn no_loop(&self, word: Token) -> SyntaxError {
        let Some(PendingOperator::List { .. } | PendingOperator::Call { .. }) = self.around()
        else {
            return self.juxtaposition(word.span);
        };
        let readings = self.readings();
        let text = self.source.text;
        let body = self.quote(readings.piece_before(word.span));
        let piece = readings.piece(word.span);
        let behind = trimmed(text, piece.starting(word.span.end)).of(text);
        // `x for in w`: the `in` is there, and a name is missing before it.
        let over = match behind.strip_prefix("in ") {
            Some(over) => Some(over),
            None => (behind.split_once(" in "))
                .or_else(|| behind.split_once('='))
                .map(|(_, over)| over),
        };
        let reads = |over: &&str| expression(over, Span::new(0, over.len())).is_ok();
        let over = over
            .map(str::trim)
            .filter(|over| is_short(over))
            .filter(reads);
        let named = readings.name_behind(word.span);
        let variable = match named.filter(|name| *name != "in") {
            Some(name) => name,
            None if is_name(&body) => &body,
            None => "x",
        };
        let over = over.unwrap_or("xs");
        SyntaxError::new(
            piece,
            "expected names and `in` after `for`",
            format!(
                "write {}",
                self.enclosed(&format!("{body} for {variable} in {over}"))
            ),
        )
    }

    /// `for k in 1..3`, `for k in 1..3: k^2`: `second` is the first name behind the `for`.
    pub(crate) fn loop_before_body(&self, second: Span) -> Option<SyntaxError> {
        let text = self.source.text;
        let word = self.last.filter(|last| last.span.of(text) == "for")?.span;
        // `2for` is a product.
        if text[..word.start as usize].ends_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let rest = self.readings().rest(second);
        let (names, behind) = rest.of(text).split_once(" in ")?;
        let mut variables = names.split(',').map(str::trim);
        if !variables.all(is_name) {
            return None;
        }
        let (over, body) = behind.split_once(':').unwrap_or((behind, ""));
        let each = Span::new(
            second.start as usize,
            rest.end as usize - behind.len() + over.len(),
        );
        let body = trimmed(text, rest.starting(rest.end - body.len() as u32));
        let printed = body.of(text).strip_prefix("print(");
        let body = match printed.and_then(|inside| inside.strip_suffix(')')) {
            Some(inside) => trimmed(
                text,
                Span::new(body.end as usize - 1 - inside.len(), body.end as usize - 1),
            ),
            None => body,
        };
        let before = self
            .bracket()
            .map(|open| trimmed(text, Span::new(open.end as usize, word.start as usize)));
        let before = before.map_or("", |before| before.of(text).trim_end_matches(',').trim());
        let body = match expression(text, body) {
            Ok(_) => self.quote(body),
            // `[x^2, for x in w]`
            Err(_) if !before.is_empty() && is_short(before) => {
                match expression(before, Span::new(0, before.len())) {
                    Ok(_) => before.to_owned(),
                    Err(_) => format!("[{before}]"),
                }
            }
            // `[for x in w]`
            Err(_)
                if body.of(text).is_empty() && self.bracket().is_some() && !names.contains(',') =>
            {
                names.trim().to_owned()
            }
            Err(_) if names.contains(',') => names
                .split(',')
                .map(str::trim)
                .collect::<Vec<_>>()
                .join("*"),
            Err(_) => format!("{}^2", names.trim()),
        };
        let each = self.quote(trimmed(text, each));
        Some(SyntaxError::new(
            word,
            "`for` comes after what it repeats",
            format!("write {}", self.enclosed(&format!("{body} for {each}"))),
        ))
    }

    /// What stands in the innermost bracket, written anew: `[E for x in xs]`, `sum(E for x in xs)`.
    fn enclosed(&self, inside: &str) -> String {
        match self.bracket() {
            Some(open) if open.of(self.source.text) == "(" => {
                format!("`{}({inside})`", self.quote(self.readings().before(open)))
            }
            _ => format!("`[{inside}]`"),
        }
    }

    /// `for x in` where no bracket takes it.
    pub(crate) fn misplaced_loop(&self, word: Span, over: Span) -> SyntaxError {
        let readings = self.readings();
        let each = word.to(over);
        let body = readings.piece_before(each);
        let rest = each.to(readings.piece(over));
        let whole = self.quote(body.to(rest));
        let error = |message: &str, help: String| SyntaxError::new(each, message, help);
        match self.around() {
            Some(PendingOperator::List { open, .. }) => {
                let behind = Span::new(open.end as usize, each.start as usize);
                let items = self.quote(trimmed(self.source.text, behind));
                let rest = self.quote(rest);
                error(
                    "a `for` repeats one expression, and there are several",
                    format!("write `[[{items}] {rest}]`"),
                )
            }
            Some(PendingOperator::Call { open, .. }) => {
                let function = readings.before(*open);
                let before = Span::new(function.start as usize, body.start as usize);
                let before = before.of(self.source.text);
                let help = match before.len() {
                    0..=40 => format!("write `{before}[{whole}])`"),
                    _ => format!("write `[{whole}]`"),
                };
                error(
                    "a `for` without brackets is the only argument of its call",
                    help,
                )
            }
            Some(PendingOperator::Index { .. }) => error(
                "a `for` needs brackets of its own",
                format!("write `[[{whole}]]`"),
            ),
            Some(PendingOperator::Each(first)) => {
                let body = self.quote(readings.piece_before(first.span));
                let outer = self.quote(first.span.to(readings.before(each)));
                let inner = self.quote(rest);
                let nested = format!("[[{body} {inner}] {outer}]");
                let help = match self.bracket() {
                    Some(open) if open.of(self.source.text) == "(" => {
                        format!("write {}", self.enclosed(&format!("flat({nested})")))
                    }
                    _ => format!("write `{nested}`; `flat(…)` joins the lists"),
                };
                error("a `for` in a `for` has brackets of its own", help)
            }
            _ => error("a `for` belongs in brackets", format!("write `[{whole}]`")),
        }
    }

    /// `[x for x in xs, 2]`
    pub(crate) fn comma_behind_loop(&self, each: Span, comma: Span) -> SyntaxError {
        let readings = self.readings();
        let body = readings.piece_before(each);
        let whole = Span::new(body.start as usize, comma.start as usize);
        let comprehension = self.quote(trimmed(self.source.text, whole));
        let rest = readings.rest(comma);
        let others = self.quote(trimmed(self.source.text, rest.starting(comma.end)));
        let inside = match others.as_str() {
            "" => comprehension,
            _ => format!("[{comprehension}], {others}"),
        };
        let help = format!("write {}", self.enclosed(&inside));
        let message = "a `for` without brackets of its own stands alone";
        SyntaxError::new(comma, message, help)
    }

    /// `[x for x in xs if x > 0]`; `word` is the `if`.
    pub(crate) fn filter(&self, each: Span, word: Span) -> SyntaxError {
        let readings = self.readings();
        let whole = readings.piece(word);
        let rest = whole.starting(word.end);
        let condition = self.quote(trimmed(self.source.text, rest));
        let bare = condition
            .strip_prefix('(')
            .and_then(|bare| bare.strip_suffix(')'))
            .filter(|bare| !bare.contains(['(', ')']));
        let condition = bare.unwrap_or(&condition);
        let body = self.quote(readings.piece_before(each));
        let list = self.quote(each.to(readings.before(word)));
        SyntaxError::new(
            whole,
            "a `for` takes every item: the shape of a graph does not depend on values",
            format!(
                "write {}",
                self.enclosed(&format!("if({condition}, {body}, 0) {list}"))
            ),
        )
    }
}
