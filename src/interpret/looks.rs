//! Answers a look at letters: `x^2`, `f'(x)`, `df/dx` and `f`, where the letters have no numbers, are answered by formulas.
//!
//! This happens after a statement has failed for its letters alone. Nothing is bound, and there is no result.

use super::StatementRun;
use super::answers::definition_report;
use super::letters::{is_formula, is_free_letter};
use super::waiting::waiting_report;
use crate::command::Reply;
use crate::commands;
use chainrule_language::{self as language, Expression, Head, ItemKind, Name, Statement};
use chainrule_program::compile::{check_operands, sides_of_derivative};
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::Session;

impl StatementRun<'_, '_> {
    /// The answer to a look at letters. `None` if the statement is none.
    pub(super) fn look_at_letters(&mut self, error: &Diagnostic) -> Option<Result<Reply>> {
        let Ok(Statement::Expression(expression)) = language::statement(self.text, self.cut) else {
            return None;
        };
        // `print(x)` is a statement of its own.
        if !matches!(self.python_statement(&expression), Ok(None)) {
            return None;
        }
        if let Some(name) = expression.only_name() {
            return self.look_at_name(name);
        }
        let sides = sides_of_derivative(self.session, self.text, &expression);
        let session = &*self.session;
        let stands_for_a_number =
            |name: &String| is_free_letter(session, name) || session.waiting_for(name).is_some();
        let are_letters =
            !error.unknown.is_empty() && error.unknown.iter().all(stands_for_a_number);
        // Of a name, a derivative by a letter on which it does not wait would be 0.
        let is_zero = sides.as_ref().is_some_and(|[of, by]| {
            let name = of.only_name();
            let needed = session.waited_for(name);
            let is_needed = |(letter, _): &(&str, usize)| needed.includes(letter);
            name.is_some() && !by.names().iter().all(is_needed)
        });
        let shows_derivatives = sides.is_none() && !expression.is_primed_call();
        let is_asked = session.show.reads_letters
            || !shows_derivatives
            || is_own_call(session, &expression, &error.unknown);
        let is_equality =
            |kind| matches!(kind, ItemKind::Apply(Head::Operator(it), 2) if it.spelling == "==");
        let formulas = match &expression.items[..] {
            [compared @ .., last] if is_equality(last.kind) => compared,
            all => all,
        };
        if is_zero || !are_letters || !is_asked || !is_formula(formulas) {
            return None;
        }
        if let Err(function) = check_operands(session, &expression, |_| false) {
            return Some(Err(function.into()));
        }
        Some(self.run_in_one_step(|run| {
            let report =
                commands::look_at_letters(run.session, run.text, &expression, shows_derivatives)?;
            Ok(run.reply(|_| report))
        }))
    }

    /// The answer to `f`, a function, and to `L`, which waits.
    fn look_at_name(&self, name: Name) -> Option<Result<Reply>> {
        let session = &*self.session;
        let waiting = session.waiting_for(name).map(|it| waiting_report(it));
        let function = session.functions().get(name);
        let definition = || function.map(|it| definition_report(session, it, None));
        let report = waiting.or_else(definition)?;
        Some(Ok(self.reply(|_| report)))
    }
}

/// Whether an expression is a call of one of the user's functions with these names in its arguments.
fn is_own_call(session: &Session, expression: &Expression, names: &[String]) -> bool {
    let typed = expression.names();
    let is_typed = |name: &String| typed.iter().any(|(it, _)| it == name);
    let own = (expression.called()).and_then(|name| session.functions().get(name));
    own.is_some() && names.iter().all(is_typed)
}
