//! Judges a formula that a user guesses for a derivative.

use crate::study::compare::{ComparedPoint, POINTS, compare};
use crate::study::guess::{FormulaCheck, Question, TypedGuess, question};
use crate::study::slips::{candidates, find_slip};
use chainrule_engine::graph::{Node, Order};
use chainrule_language::{self as language, Item, ItemKind};
use chainrule_program::Environment as _;
use chainrule_session::Session;
use chainrule_session::by_hand::Quantity;

/// Compares a guess with letters with the derivative. `None` if the guess has no letters, or present numbers as parts:
/// decimals, which are probably rounded, or `.grad`.
pub(crate) fn check_formula(
    session: &mut Session,
    asked: &Question,
    typed: &TypedGuess,
    text: &str,
) -> Option<FormulaCheck> {
    let expression = language::as_expression(text)?;
    let is_number = |item: &Item<_>| match item.kind {
        ItemKind::Number(literal) => literal.value.fract() != 0.0,
        kind => matches!(kind, ItemKind::Property(_)),
    };
    let has_present_numbers =
        !typed.has_letters && text.contains('.') && expression.items.iter().any(is_number);
    if has_present_numbers || asked.quantity != Quantity::Grad {
        return None;
    }
    session.look(|look| {
        let (guess, _) = look.evaluate_number(text, &expression).ok()?;
        if !typed.has_letters && !guess.varies() {
            return None;
        }
        let by = std::slice::from_ref(&asked.node);
        let truth = (look.program_mut().derivatives(&asked.root, by).ok()?).pop()?;
        let points = compare(look, [&guess, &truth], || {
            let there = question(&asked.root, &asked.node, Quantity::Grad);
            (asked.root.data().is_finite()).then(|| candidates(&there, asked.notation.is_none()))
        });
        let known = Order::below([&asked.root]);
        let mut letters = Order::below([&guess]).leaves(Node::is_free).into_iter();
        let has_same_letters = letters.all(|it| known.slot(&it).is_some());
        let is_right = points.iter().all(ComparedPoint::is_same);
        let can_tell = !is_right && has_same_letters && points.len() == POINTS;
        Some(FormulaCheck {
            is_right,
            is_right_here: points.first()?.is_same(),
            slip: can_tell.then(|| find_slip(&points)).flatten(),
        })
    })
}
