//! Relations between two expressions, `y = 3` or `x + y <= 10`, separated by commas, for `:solve`, `:minimize` and `:fit`.

use std::rc::Rc;

use super::resolve::{split_at_commas, trim};
use super::{Argument, Arguments};
use crate::session::Session;
use crate::session::values::Value;
use chainrule_engine::graph::Node;
use chainrule_language::{self as language, Span};
use chainrule_report::Note;
use chainrule_report::diagnostic::Diagnostic;

/// A relation between two numbers.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) left: Rc<Node>,
    pub(crate) sign: Sign,
    pub(crate) right: Rc<Node>,
    /// The left side for answers: the user's text, or the item of a list.
    pub(crate) left_said: String,
    /// The whole relation for answers.
    pub(crate) said: String,
    /// The place of the left side.
    pub(crate) left_span: Span,
    /// The place of the whole relation.
    pub(crate) span: Span,
}

/// The sign between the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// `=`
    Equal,
    /// `<=`. `<` means the same: a bound may be reached.
    AtMost,
    /// `>=`, or `>`.
    AtLeast,
}

impl Sign {
    /// The signs, each with its spellings. The first spelling is the usual one.
    const ALL: [(Sign, &'static [&'static str]); 3] = [
        (Sign::AtMost, &["<=", "≤", "<"]),
        (Sign::AtLeast, &[">=", "≥", ">"]),
        (Sign::Equal, &["=", "=="]),
    ];

    /// The usual spelling.
    pub(crate) fn spelling(self) -> &'static str {
        let row = Sign::ALL.iter().find(|(sign, _)| *sign == self);
        row.map_or("=", |(_, spellings)| spellings[0])
    }
}

impl Arguments<'_> {
    /// The relations of an argument, and notes from building their sides. Lists give one relation for each pair of items.
    /// `example` is a line to type, for errors.
    pub(crate) fn relations(
        &self,
        session: &mut Session,
        argument: &Argument,
        example: &str,
    ) -> Result<(Vec<Relation>, Vec<Note>), Diagnostic> {
        let Some(all) = self.span_of(argument) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let (mut relations, mut notes) = (Vec::new(), Vec::new());
        for part in split_at_commas(self.text, all) {
            let part = trim(self.text, part);
            let typed = part.of(self.text);
            let [(at, length, sign)] = signs(typed)[..] else {
                return Err(Diagnostic::new(format!("`{typed}` is not an equation"))
                    .at(part)
                    .help(format!(
                        "each has two sides, and commas separate them: `{example}`"
                    )));
            };
            let middle = part.start as usize + at;
            let before = Span::new(part.start as usize, middle);
            let behind = Span::new(middle + length, part.end as usize);
            let [left_span, right_span] = [before, behind].map(|side| trim(self.text, side));
            let mut side = |span: Span| -> Result<Value, Diagnostic> {
                if span.start == span.end {
                    return Err(Diagnostic::new("an expression is expected here")
                        .at(span)
                        .help(format!("as in `{example}`")));
                }
                let expression = language::expression(self.text, span)
                    .map_err(|error| session.explain(error))?;
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

/// The signs outside brackets, each with its place and its length.
fn signs(text: &str) -> Vec<(usize, usize, Sign)> {
    let mut end = 0;
    let mut found = Vec::new();
    for (at, _) in language::outside_brackets(text) {
        if at < end || text[..at].ends_with('!') {
            continue;
        }
        let lengths = Sign::ALL.iter().flat_map(|(sign, spellings)| {
            let begun = spellings.iter().filter(|it| text[at..].starts_with(**it));
            begun.map(|spelling| (spelling.len(), *sign))
        });
        if let Some((length, sign)) = lengths.max_by_key(|(length, _)| *length) {
            end = at + length;
            found.push((at, length, sign));
        }
    }
    found
}
