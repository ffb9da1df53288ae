//! Answers a look at letters: `x^2`, `f'(x)`, `df/dx` and `f`, where the letters have no numbers, are answered by formulas.
//!
//! This happens after a statement has failed for its letters alone. Nothing is bound, and there is no result.

use super::StatementRun;
use super::answers::definition_report;
use super::letters::{is_formula, is_free_letter};
use super::waiting::waiting_report;
use crate::command::Reply;
use crate::commands;
use chainrule_language::{self as language, Expression, Head, Item, ItemKind, Name, Statement};
use chainrule_program::Environment as _;
use chainrule_program::compile;
use chainrule_program::functions::GRAD;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::{Session, Waiting};
use std::rc::Rc;

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
        let is_derivative = is_derivative(self.session, self.text, &expression);
        let look = look_of(self.session, &expression, is_derivative, error)?;
        if let Err(function) = compile::check_operands(self.session, &expression, |_| false) {
            return Some(Err(function.into()));
        }
        Some(match look {
            Look::Definition(name) => self.run_in_one_step(|run| Ok(run.definition(name))),
            Look::Waiting(waiting) => Ok(self.reply(|_| waiting_report(&waiting))),
            Look::Formula { has_derivatives } => {
                let is_asked = self.session.show.reads_letters
                    || !has_derivatives
                    || is_own_call(self.session, &expression, &error.unknown);
                if !is_asked {
                    return None;
                }
                self.run_in_one_step(|run| {
                    let (text, cut) = (run.text, run.cut);
                    let report =
                        commands::look_at_letters(run.session, text, &expression, has_derivatives)?;
                    Ok(Reply {
                        report: (!cut.is_silenced).then_some(report),
                        ..Reply::default()
                    })
                })
            }
        })
    }

    fn definition(&self, name: Name) -> Reply {
        let function = self
            .session
            .functions()
            .get(name)
            .expect("it is a function");
        self.reply(|session| definition_report(session, function, None))
    }
}

/// What a look at letters shows.
enum Look {
    /// `f`
    Definition(Name),
    /// `L`, which waits
    Waiting(Rc<Waiting>),
    /// `x^2`, `f'(x)`
    Formula { has_derivatives: bool },
}

fn look_of(
    session: &Session,
    expression: &Expression,
    is_derivative: bool,
    error: &Diagnostic,
) -> Option<Look> {
    let items = &expression.items;
    if let [
        Item {
            kind: ItemKind::Name(name),
            ..
        },
    ] = items[..]
    {
        let is_own =
            session.functions().get(name).is_some() && session.names().find(name).is_none();
        if let Some(waiting) = session.waiting_for(name) {
            return Some(Look::Waiting(Rc::clone(waiting)));
        }
        return is_own.then_some(Look::Definition(name));
    }
    let mut fractions = fractions_of_differentials(items);
    fractions.retain(|sides| !sides.iter().all(|it| session.knows(it)));
    let is_side = |name: &str| {
        let inner = name.strip_prefix(['d', '∂']);
        inner.is_some_and(|it| fractions.iter().any(|sides| sides.contains(&it)))
    };
    let stands_for_a_number = |name: &String| {
        is_free_letter(session, name) || session.waiting_for(name).is_some() || is_side(name)
    };
    // `dy/dx` and `grad(y, x)` of a letter y would be 0.
    let depends = |[of, by]: &[&str; 2]| session.waited_for([*of]).includes(by);
    let are_letters =
        error.unknown.iter().all(stands_for_a_number) && fractions.iter().all(depends);
    let has_grad_of_letter = items
        .windows(3)
        .any(|three| match (three[0].kind, three[2].kind) {
            (ItemKind::Name(of), ItemKind::Apply(Head::Function(GRAD, 0), 2)) => {
                error.unknown.iter().any(|it| it == of) && session.waiting_for(of).is_none()
            }
            _ => false,
        });
    let is_look =
        !error.unknown.is_empty() && are_letters && is_formula(expression) && !has_grad_of_letter;
    let has_derivatives = !is_derivative && (fractions.is_empty() || items.len() > 3);
    is_look.then_some(Look::Formula { has_derivatives })
}

/// Whether an expression is a derivative, of which no further ones are shown: `f'(x)`, `grad(x^2, x)`, `d(x^2)/dx`.
fn is_derivative(session: &mut Session, text: &str, expression: &Expression) -> bool {
    let root = expression.items.last().map(|item| item.kind);
    let has_primes = matches!(root, Some(ItemKind::Apply(Head::Function(_, 1..), _)));
    has_primes || compile::sides_of_derivative(session, text, expression).is_some()
}

/// The fractions such as `dy/dx` in an expression: their `y` and `x`.
fn fractions_of_differentials(items: &[Item<Name>]) -> Vec<[&'static str; 2]> {
    let is_sign = |at: usize, spelling: &str| match items[at].kind {
        ItemKind::Apply(Head::Operator(sign), _) => sign.spelling == spelling,
        _ => false,
    };
    let inner = |at: usize| match items[at].kind {
        ItemKind::Name(name) => name
            .strip_prefix(['d', '∂'])
            .filter(|it| language::is_name(it)),
        _ => None,
    };
    let fraction = |at: usize| {
        let mut above = at - 2;
        // `2*dy/dx` is `(2*dy)/dx`.
        while is_sign(above, "*") || is_sign(above, "-") {
            above -= 1;
        }
        Some([inner(above)?, inner(at - 1)?])
    };
    let signs = (0..items.len()).filter(|at| is_sign(*at, "/"));
    signs.filter_map(fraction).collect()
}

/// Whether an expression is a call of one of the user's functions with these names in its arguments.
fn is_own_call(session: &Session, expression: &Expression, names: &[String]) -> bool {
    let typed = expression.names();
    let is_typed = |name: &String| typed.iter().any(|(it, _)| it == name);
    let own = (expression.called()).and_then(|name| session.functions().get(name));
    own.is_some() && names.iter().all(is_typed)
}
