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
    self as language, Expression, Head, ItemKind, Name, Step, StepKind, TextPart,
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
        match free_letters(self.session, &expression)?[..] {
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
        let (name, value) = (definition.name.name, value.span.of(self.text));
        let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
        let own = session.functions().get(name);
        let is_constant = own.is_some_and(|it| is_number(&it.body));
        let is_asked = session.show.reads_letters && !session.loads_saved_session();
        if !is_asked || !session.is_function(name) || is_constant || !is_number(value) {
            return Ok(());
        }
        let line = definition.span.of(self.text);
        let message = format!("`{name}` is a function, and `{line}` would be another one");
        let letter = parameter.target.name;
        let other = format!("def {name}({letter}): return {value}");
        let help = format!(
            "an equation is solved by `:solve {letter} for {line}`; a function is defined by `{other}`, too"
        );
        Err(Diagnostic::new(message).at(definition.span).help(help))
    }
}

/// The sides of an equation, with their signs. `None` for any other statement, such as a binding or a definition.
fn sides_of_equation(session: &Session, statement: &str) -> Option<[String; 2]> {
    let sides: [&str; 2] = statement.split('=').collect::<Vec<_>>().try_into().ok()?;
    let mut parts = language::parts(sides[0]).into_iter();
    if sides[0].ends_with('!') || parts.all(|(part, _)| part == TextPart::Name) {
        return None;
    }
    let sides = sides.map(|side| {
        let written = session.write_signs(side.trim(), None).ok().flatten();
        written.unwrap_or_else(|| side.trim().to_string())
    });
    let left = language::as_expression(&sides[0])?;
    let is_equation = match left.items.last()?.kind {
        ItemKind::Number(_) | ItemKind::Apply(Head::Operator(_), _) => true,
        // With letters on the right, it is a guess.
        _ => left.is_primed_call() && language::as_expression(&sides[1])?.names().is_empty(),
    };
    is_equation.then_some(sides)
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
