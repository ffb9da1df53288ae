//! The derivatives of functions of which `:guess` asks: `:guess f' 2x`, and `f'(x) = 2x`, which means the same. The letter
//! needs no number, and the guess is a formula. `f'(3) = 6` guesses a number.

use crate::command::prelude::*;
use chainrule_formulas::{formula, look_at_call};
use chainrule_language::{Head, ItemKind};
use chainrule_program::Environment as _;
use chainrule_program::names::has_letters;
use chainrule_session::Setting;

/// The derivative of one of the user's functions of one letter: `f'`, `f''(x)`, `f'(3)`.
pub(super) struct AskedCall {
    /// With brackets, as in `f'(x)`.
    pub call: String,
    name: String,
    primes: u8,
    letter: Rc<str>,
    /// The number that is typed in place of a letter.
    pub number: Option<f64>,
}

impl AskedCall {
    pub(super) fn of(session: &mut Session, typed: &str) -> Option<AskedCall> {
        let bare = typed.trim_end_matches(['\'', '’']);
        let own = session
            .functions()
            .get(bare)
            .map(|it| it.parameters.join(", "));
        let call = own.map_or(typed.to_string(), |letters| format!("{typed}({letters})"));
        let expression = language::as_expression(&call)?;
        let (last, inside) = expression.items.split_last()?;
        let ItemKind::Apply(Head::Function(name, primes @ 1..), 1) = last.kind else {
            return None;
        };
        let [parameter] = &session.functions().get(name)?.parameters[..] else {
            return None;
        };
        let mut letter = Rc::clone(parameter);
        let mut number = None;
        if let [only] = inside
            && let ItemKind::Name(typed_letter) = only.kind
        {
            letter = typed_letter.into();
        } else {
            let span = inside.first()?.span.to(inside.last()?.span);
            let argument = language::expression(&call, span).ok()?;
            number = Some(session.measure(&call, &argument).ok()?.0);
        }
        Some(AskedCall {
            name: name.to_string(),
            call: call.replace('’', "'"),
            primes,
            letter,
            number,
        })
    }

    /// The formula of the derivative.
    pub(super) fn formula(&self, session: &mut Session) -> Result<String> {
        Ok(formula(session, &self.name, self.primes, Span::default())?.body)
    }

    /// Looks at the function, or at its derivative before the last one, and at its letter. Leaves nothing behind.
    pub(super) fn look(
        &self,
        session: &mut Session,
        look: impl FnOnce(&mut Session, &Rc<Node>, &Rc<Node>) -> Result<Reply>,
    ) -> Result<Reply> {
        let call = (&*self.name, Span::default());
        let letters = std::slice::from_ref(&self.letter);
        look_at_call(session, call, letters, |session, value, leaves| {
            let (mut root, leaf) = (Rc::clone(value), &leaves[0]);
            for _ in 1..self.primes {
                let derivatives = session.program_mut().derivatives(&root, leaves);
                root = derivatives?.swap_remove(0);
            }
            let setting = Setting {
                leaf: Rc::clone(leaf),
                data: self.number.unwrap_or(leaf.data()),
            };
            session.look_with(&[setting], |session| look(session, &root, leaf))
        })?
    }

    /// Whether `f'(x) = …` with this right side is an equation: a number, which the derivative is only for some x.
    fn is_equation(&self, session: &mut Session, right: &str) -> bool {
        let is_number =
            |text: &str| language::as_expression(text).is_some_and(|it| !has_letters(&it));
        let written = session.write_signs(right, None).ok().flatten();
        let derivative = self.formula(session);
        self.number.is_none()
            && is_number(written.as_deref().unwrap_or(right))
            && derivative.is_ok_and(|it| !is_number(&it))
    }
}

/// The formula that a lesson asks for by `f'`.
pub(crate) fn asked_formula(session: &mut Session, typed: &str) -> Option<String> {
    AskedCall::of(session, typed)?.formula(session).ok()
}

/// The `:guess` for a statement such as `f'(x) = 2x`, which checks what a pupil has found. `None` for any other one, and
/// for an equation such as `f'(x) = 0`, which is to be solved.
pub(crate) fn check_line(session: &mut Session, statement: &str) -> Option<String> {
    let mut signs = language::outside_brackets(statement);
    let (at, _) = signs.find(|(_, sign)| *sign == '=')?;
    let (left, right) = (statement[..at].trim_end(), statement[at + 1..].trim());
    let asked = AskedCall::of(session, left)?;
    let is_check =
        !right.is_empty() && !right.starts_with('=') && !asked.is_equation(session, right);
    is_check.then(|| format!(":guess {left} {right}"))
}
