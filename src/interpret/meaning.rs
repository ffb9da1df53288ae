//! What a statement asks the reader of a worksheet or a lesson for, from its tree.

use crate::command::args::Arguments;
use crate::commands;
use crate::commands::by_hand::{answer, guess};
use chainrule_language::{
    self as language, Head, ItemKind, Property, Span, Statement, StatementSpan,
};

/// What the reader has to find.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// The place of what the author has found: the number of a guess, or the words of an answer.
    pub place: Span,
    /// Whether it is an answer to a question.
    pub is_answer: bool,
}

impl Asked {
    /// What a statement asks for: the number of `:guess a 6` or `a.grad = 6`, or the words of `:answer yes`.
    pub(crate) fn of(text: &str, cut: &StatementSpan) -> Option<Asked> {
        let Ok(parsed) = language::statement(text, cut) else {
            let (place, is_answer) = (claimed_number(text, cut.span)?, false);
            return Some(Asked { place, is_answer });
        };
        let Statement::Command(line) = parsed else {
            return None;
        };
        let command = commands::find(line.word).ok()?;
        let is_answer = command.name == answer::COMMAND.name;
        let arguments = Arguments::parse(command, text, cut, line.span, line.rest);
        let place = match arguments.ok()? {
            _ if is_answer => line.rest,
            typed if command.name == guess::COMMAND.name => guess::number_place(&typed)?,
            _ => return None,
        };
        Some(Asked { place, is_answer })
    }
}

/// The place of the number in a claim: `a.grad = 6`, `a.grad += 6` or `dL/da = 6`. `a.grad = 0` and `a.grad = None` reset a
/// grad and are no claims.
fn claimed_number(text: &str, statement: Span) -> Option<Span> {
    let (left, right) = statement.of(text).split_once('=')?;
    let target = language::as_expression(left.trim_end().trim_end_matches(['+', '-']))?;
    let is_of_grad = match target.items.last()?.kind {
        ItemKind::Property(property) => property == Property::Grad,
        // Only a derivative, `dL/da = 6`, has a quotient there.
        ItemKind::Apply(Head::Operator(operator), 2) => operator.spelling == "/",
        _ => false,
    };
    let value = right.trim_start();
    let is_reset = value == "None" || value.parse() == Ok(0.0);
    // The span of a statement has no blanks at its end.
    let end = statement.end as usize;
    (is_of_grad && !is_reset).then(|| Span::new(end - value.len(), end))
}
