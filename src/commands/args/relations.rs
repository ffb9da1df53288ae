//! Relations between two expressions, as `:solve` and `:minimize` take them: `y = 3`, `x + y <= 10`, separated by
//! commas.

use std::rc::Rc;

use super::Arguments;
use super::resolve::{split_at_commas, trimmed};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::Note;
use crate::session::Session;
use crate::session::values::Value;
use crate::syntax::{self, Span};

/// A relation between two numbers.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) left: Rc<Node>,
    pub(crate) sign: Sign,
    pub(crate) right: Rc<Node>,
    /// The left side as it is told: what was typed, or of a list the item.
    pub(crate) left_said: String,
    /// The whole as it is told.
    pub(crate) said: String,
    /// Where the left side stands.
    pub(crate) left_span: Span,
    /// Where the whole stands.
    pub(crate) span: Span,
}

/// What stands between the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// `=`
    Equal,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
}

impl Sign {
    /// The signs, each with how it may be typed. The first spelling is the usual one.
    const ALL: [(Sign, &'static [&'static str]); 3] = [
        (Sign::AtMost, &["<=", "≤"]),
        (Sign::AtLeast, &[">=", "≥"]),
        (Sign::Equal, &["=", "=="]),
    ];

    /// How it is typed.
    pub(crate) fn spelling(self) -> &'static str {
        let row = Sign::ALL.iter().find(|(sign, _)| *sign == self);
        row.map_or("=", |(_, spellings)| spellings[0])
    }
}

impl Arguments<'_> {
    /// The relations of an argument, and notes from building their sides. A relation of lists is one for each pair of
    /// items. `example` is what to type.
    pub(crate) fn relations(
        &self,
        session: &mut Session,
        name: &str,
        example: &str,
    ) -> Result<(Vec<Relation>, Vec<Note>), Diagnostic> {
        let Some(all) = self.stretch(name) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let (mut relations, mut notes) = (Vec::new(), Vec::new());
        for part in split_at_commas(self.text, all) {
            let part = trimmed(self.text, part);
            let typed = part.of(self.text);
            let (at, length, sign) = match signs(typed)[..] {
                [(at, length, Some(sign))] => (at, length, sign),
                ref others => {
                    let help = written(typed, others);
                    let help = help
                        .unwrap_or_else(|| format!("two sides are expected, as in `{example}`"));
                    return Err(Diagnostic::new(format!("`{typed}` is not an equation"))
                        .at(part)
                        .help(help));
                }
            };
            let middle = part.start as usize + at;
            let before = Span::new(part.start as usize, middle);
            let behind = Span::new(middle + length, part.end as usize);
            let [left_span, right_span] = [before, behind].map(|side| trimmed(self.text, side));
            let mut side = |span: Span| -> Result<Value, Diagnostic> {
                if span.start == span.end {
                    return Err(Diagnostic::new("an expression is expected here")
                        .at(span)
                        .help(format!("as in `{example}`")));
                }
                let expression =
                    syntax::expression(self.text, span).map_err(|error| session.explain(error))?;
                let (value, more) = session.evaluate(self.text, &expression)?;
                notes.extend(more);
                Ok(value)
            };
            let (left, right) = (side(left_span)?, side(right_span)?);
            if let (Value::List(_), Value::List(_)) = (&left, &right)
                && left.shape() != right.shape()
            {
                let shapes = format!("{} and {}", left.shape(), right.shape());
                return Err(Diagnostic::new(format!("the sides do not match: {shapes}")).at(part));
            }
            let count = left.nodes().len().max(right.nodes().len());
            let sides = left
                .nodes()
                .iter()
                .cycle()
                .zip(right.nodes().iter().cycle());
            relations.extend(sides.take(count).map(|(left, right)| {
                let (mut left_said, mut said) = (
                    left_span.of(self.text).to_string(),
                    part.of(self.text).to_string(),
                );
                if count > 1 {
                    left_said = session.label(left);
                    said = format!("{left_said} {} {}", sign.spelling(), session.label(right));
                }
                Relation {
                    left: Rc::clone(left),
                    sign,
                    right: Rc::clone(right),
                    left_said,
                    said,
                    left_span,
                    span: part,
                }
            }));
        }
        Ok((relations, notes))
    }
}

/// The signs outside of brackets: where each is, how long, and which; none for `<` and `>`.
fn signs(text: &str) -> Vec<(usize, usize, Option<Sign>)> {
    let (mut depth, mut end) = (0_i32, 0);
    let mut found = Vec::new();
    for (at, character) in text.char_indices() {
        depth +=
            i32::from(matches!(character, '(' | '[')) - i32::from(matches!(character, ')' | ']'));
        if depth != 0 || at < end || text[..at].ends_with('!') {
            continue;
        }
        let spelled = |spelling: &&&str| text[at..].starts_with(**spelling);
        let known = Sign::ALL.iter().find_map(|(sign, spellings)| {
            let lengths = spellings
                .iter()
                .filter(spelled)
                .map(|spelling| spelling.len());
            Some((at, lengths.max()?, Some(*sign)))
        });
        let strict = || matches!(character, '<' | '>').then_some((at, 1, None));
        if let Some(sign) = known.or_else(strict) {
            end = at + sign.1;
            found.push(sign);
        }
    }
    found
}

/// What to type instead of something with other signs than one `=`, `<=` or `>=`.
fn written(typed: &str, signs: &[(usize, usize, Option<Sign>)]) -> Option<String> {
    let mut parts = Vec::new();
    for (place, &(at, length, sign)) in signs.iter().enumerate() {
        let begin = place
            .checked_sub(1)
            .map_or(0, |last| signs[last].0 + signs[last].1);
        let end = signs.get(place + 1).map_or(typed.len(), |next| next.0);
        let equal = if sign.is_none() { "=" } else { "" };
        let [left, right] = [&typed[begin..at], &typed[at + length..end]].map(str::trim);
        if left.is_empty() || right.is_empty() {
            return None;
        }
        parts.push(format!("{left} {}{equal} {right}", &typed[at..at + length]));
    }
    let reason = if signs.iter().any(|(_, _, sign)| sign.is_none()) {
        ": a bound may be reached"
    } else {
        ""
    };
    (!parts.is_empty()).then(|| format!("write `{}`{reason}", parts.join(", ")))
}
