//! Reads equations of letters without numbers: `x^2 - 5x + 6 = 0` has zeros, and `x^2 + y^2 = 25` has slopes.
//!
//! They are read after the statement has failed, except for `f(x) = 0`, which would define f anew.

use super::StatementRun;
use super::letters::{is_formula, is_free_letter};
use super::other_meanings::Arrow;
use crate::command::Reply;
use crate::commands;
use chainrule_engine::ops;
use chainrule_language::{
    self as language, Expression, Head, ItemKind, Name, Span, Step, StepKind, TextPart,
};
use chainrule_program::Environment as _;
use chainrule_program::names;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::Session;

impl StatementRun<'_, '_> {
    /// The answer to an equation of one or two letters without numbers. `None` if the statement is none.
    pub(super) fn answer_equation(&mut self) -> Option<Result<Reply>> {
        let sides = sides_of_equation(self.session, self.statement())?;
        let equation = sides.join(" = ");
        let difference = match sides.each_ref().map(String::as_str) {
            [side, "0"] | ["0", side] => side.to_string(),
            [left, right] if language::parts(right).len() == 1 => format!("{left} - {right}"),
            [left, right] => format!("{left} - ({right})"),
        };
        let expression = language::as_expression(&difference)?;
        if !self.session.show.reads_letters || !is_formula(&expression.items) {
            return None;
        }
        let products_error = |side: &String| {
            let part = Span::new(0, side.len());
            self.session.products_error(side, part)
        };
        if let Some(error) = sides.iter().find_map(products_error) {
            return Some(Err(error.at(self.cut.span)));
        }
        let Some(letters) = free_letters(self.session, &expression) else {
            let error = bound_letter_error(&expression, &equation)?;
            return Some(Err(error.at(self.cut.span)));
        };
        match letters[..] {
            [_] => Some(self.run_translated(format!(":formula {difference} zeros"), Arrow::Always)),
            [x, y] => Some(self.run_in_one_step(|run| {
                let report = commands::slopes_along(run.session, &difference, &equation, [x, y])?;
                Ok(run.reply(|_| report))
            })),
            _ => None,
        }
    }

    /// Refuses `f(x) = 0`, which a person means as an equation, if f is a function that is not the same for all numbers.
    pub(super) fn refuse_equation(&self, steps: &[Step]) -> Result<()> {
        let session = &*self.session;
        let Some(StepKind::Define(definition)) = steps.first().map(|it| &it.kind) else {
            return Ok(());
        };
        let (Some(value), [parameter, ..]) = (definition.formula(), &definition.parameters[..])
        else {
            return Ok(());
        };
        let (name, letter) = (definition.name.name, parameter.target.name);
        let own = session.functions().get(name);
        let is_constant = own.is_some_and(|it| {
            language::as_expression(&it.body).is_some_and(|body| is_number(&body))
        });
        let is_side = is_number(value) || own.is_none() && value.only_name() == Some(letter);
        let is_asked = session.show.reads_letters && !session.loads_saved_session();
        if !is_asked || !session.is_function(name) || is_constant || !is_side {
            return Ok(());
        }
        let (line, value) = (definition.span.of(self.text), value.span.of(self.text));
        let message = format!("`{name}` is a function, and `{line}` would be another one");
        let other = format!("def {name}({letter}): return {value}");
        let help = format!(
            "an equation is solved by `:solve {letter} for {line}`; a function is defined by `{other}`, too"
        );
        Err(Diagnostic::new(message).at(definition.span).help(help))
    }
}

/// The sides of an equation, with their signs. `None` for any other statement, such as a binding or a definition.
fn sides_of_equation(session: &Session, statement: &str) -> Option<[String; 2]> {
    let typed: [&str; 2] = statement.split('=').collect::<Vec<_>>().try_into().ok()?;
    let parts = language::parts(typed[0]);
    let begins_with_function =
        (parts.first()).is_some_and(|(_, it)| session.is_function(it.of(typed[0])));
    let are_names = parts.iter().all(|(part, _)| *part == TextPart::Name);
    if typed[0].ends_with('!') || are_names && !begins_with_function {
        return None;
    }
    let begins_with_call = matches!(parts[..], [(TextPart::Name, _), (TextPart::Open, _), ..]);
    let sides = typed.map(|side| {
        let written = session.write_signs(side.trim(), None).ok().flatten();
        written.unwrap_or_else(|| side.trim().to_string())
    });
    let left = language::as_expression(&sides[0])?;
    let is_equation = match left.items.last()?.kind {
        ItemKind::Number(_) | ItemKind::Apply(Head::Operator(_), _) => true,
        // `sin x`, `|x|` and `sin(2x)`, but not `sin(x)`, which begins a definition.
        ItemKind::Apply(Head::Function(_, 0), _) => !begins_with_call || left.items.len() > 2,
        // With letters on the right, it is a guess.
        _ => left.is_primed_call() && language::as_expression(&sides[1])?.names().is_empty(),
    };
    is_equation.then_some(sides)
}

/// Whether an expression has no letters, and calls no function of the user's.
fn is_number(expression: &Expression) -> bool {
    let names = expression.names();
    let are_constants = names.iter().all(|(name, _)| ops::constant(name).is_some());
    are_constants && is_formula(&expression.items)
}

/// The error for an equation whose only letter has a number.
fn bound_letter_error(difference: &Expression, equation: &str) -> Option<Diagnostic> {
    let names = difference.names().into_iter().map(|(name, _)| name);
    let mut letters: Vec<Name> = names.filter(|it| ops::constant(it).is_none()).collect();
    letters.dedup();
    let [letter] = letters[..] else {
        return None;
    };
    let message = format!("`{letter}` has a number, and this is no equation for it");
    let help = format!("`:solve {letter} for {equation}` finds another number");
    Some(Diagnostic::new(message).help(help))
}

/// The letters without numbers in an expression, x first. `None` if another name has a number of the user's.
fn free_letters(session: &Session, expression: &Expression) -> Option<Vec<Name>> {
    let is_free = |name: &Name| {
        let waits = session.waiting_for(name).is_some();
        names::is_unknown(session, name) && is_free_letter(session, name) && !waits
    };
    let all = expression.names().into_iter().map(|(name, _)| name);
    let (mut letters, others): (Vec<_>, Vec<_>) = all.partition(is_free);
    letters.sort_unstable_by_key(|it| (*it != "x", *it));
    letters.dedup();
    let are_constants = others.iter().all(|it| ops::constant(it).is_some());
    are_constants.then_some(letters)
}
