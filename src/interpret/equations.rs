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

/// An equation that was typed.
struct Equation {
    /// The sides, with their signs.
    sides: [String; 2],
    /// What is 0 if the equation holds.
    difference: String,
    /// The letters without numbers, each once.
    letters: Vec<Name>,
}

impl Equation {
    /// Reads a statement with one `=`, whose left side can be bound to nothing, of letters without numbers only.
    fn of(session: &Session, statement: &str) -> Option<Equation> {
        let mut signs = language::outside_brackets(statement).filter(|(_, c)| *c == '=');
        let (Some((at, _)), None) = (signs.next(), signs.next()) else {
            return None;
        };
        let typed = [&statement[..at], &statement[at + 1..]];
        let mut parts = language::parts(typed[0]).into_iter();
        if parts.all(|(part, _)| part == TextPart::Name) || typed[0].ends_with('!') {
            return None;
        }
        let sides = typed.map(|side| {
            let written = session.write_signs(side.trim(), None).ok().flatten();
            written.unwrap_or_else(|| side.trim().to_string())
        });
        let [left, right] = sides.each_ref().map(|it| language::as_expression(it));
        let (left, right) = (left?, right?);
        let may_be_left = match left.items.last()?.kind {
            ItemKind::Number(_) | ItemKind::Apply(Head::Operator(_), _) => true,
            // With a formula on the right, it is a guess.
            _ => left.is_primed_call() && right.names().is_empty(),
        };
        if !may_be_left || !is_formula(&left.items) || !is_formula(&right.items) {
            return None;
        }
        let difference = match (&*sides[0], &*sides[1]) {
            (side, "0") | ("0", side) => side.to_string(),
            (one, other) if right.items.len() == 1 => format!("{one} - {other}"),
            (one, other) => format!("{one} - ({other})"),
        };
        Some(Equation {
            difference,
            letters: free_letters(session, [&left, &right])?,
            sides,
        })
    }
}

impl StatementRun<'_, '_> {
    /// The answer to an equation of one or two letters. `None` if the statement is none.
    pub(super) fn read_equation(&mut self) -> Option<Result<Reply>> {
        if !self.session.show.reads_letters {
            return None;
        }
        let equation = Equation::of(self.session, self.statement())?;
        match equation.letters[..] {
            [_] => {
                let line = format!(":formula {} zeros", equation.difference);
                Some(self.run_translated(line, Arrow::Always))
            }
            [one, "x"] => Some(self.answer_slopes(&equation, ["x", one])),
            [one, other] => Some(self.answer_slopes(&equation, [one, other])),
            _ => None,
        }
    }

    /// Answers with the slopes of a curve, and names the line that finds a point of it.
    fn answer_slopes(&mut self, equation: &Equation, [x, y]: [Name; 2]) -> Result<Reply> {
        self.run_in_one_step(|run| {
            let typed = equation.sides.join(" = ");
            let report = commands::slopes_along(run.session, &equation.difference, &typed, [x, y])?;
            Ok(run.reply(|_| report))
        })
    }

    /// Refuses `f(x) = 0`, which a person means as an equation, if f is a function that is not the same for all numbers.
    pub(super) fn refuse_equation(&self, steps: &[Step]) -> Result<()> {
        let session = &*self.session;
        let Some(StepKind::Define(definition)) = steps.first().map(|it| &it.kind) else {
            return Ok(());
        };
        let name = definition.name.name;
        let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
        let value = definition.formula().map(|it| it.span.of(self.text));
        let (Some(value), [parameter, ..]) = (value, &definition.parameters[..]) else {
            return Ok(());
        };
        let own = session.functions().get(name);
        let is_constant = own.is_some_and(|it| is_number(&it.body));
        let is_known = session.is_function(name) && !is_constant;
        let reads_equations = session.show.reads_letters && !session.loads_saved_session();
        if !reads_equations || !is_known || !is_number(value) {
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

/// The letters without numbers in some expressions, each once. `None` if another name has a number of the user's.
fn free_letters(session: &Session, sides: [&Expression; 2]) -> Option<Vec<Name>> {
    let mut letters = Vec::new();
    for (name, _) in sides.iter().flat_map(|it| it.names()) {
        let is_free = is_free_letter(session, name) && session.waiting_for(name).is_none();
        if names::is_unknown(session, name) && is_free {
            if !letters.contains(&name) {
                letters.push(name);
            }
        } else if ops::constant(name).is_none() || session.names().find(name).is_some() {
            return None;
        }
    }
    Some(letters)
}
