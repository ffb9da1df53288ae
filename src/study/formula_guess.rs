//! Compares a formula that a user guesses with the gradient, at other numbers of the letters than the present ones.

use std::rc::Rc;

use crate::study::guess::Question;
use chainrule_engine::graph::{Node, Order, gradients};
use chainrule_formulas::derivative_formulas;
use chainrule_language::{self as language, Expression};
use chainrule_session::by_hand::Quantity;
use chainrule_session::{Session, Setting};

/// How far the leaves are moved, as parts of their size.
const MOVES: [f64; 8] = [0.37, -0.53, 0.81, -0.29, 1.43, -1.71, 0.63, -0.87];
/// Two numbers are the same within this fraction.
const SAME: f64 = 1e-9;

/// What a guessed formula is right for.
#[derive(Clone, Debug)]
pub(crate) enum FormulaMatch {
    /// For all numbers that were tried. The formula of a textbook, if that looks different.
    Everywhere(Option<String>),
    /// Only for the present numbers of these leaves.
    OnlyHere(Vec<Rc<Node>>),
}

/// Compares a guess that is right at the present numbers. `None` if it has no letters or has decimals.
pub(crate) fn compare_formula(
    session: &mut Session,
    question: &Question,
    typed: &str,
) -> Option<FormulaMatch> {
    // With a decimal point, it is probably the present number of a part.
    let expression = language::as_expression(typed).filter(|_| !typed.contains('.'))?;
    let has_letters = session.look(|look| {
        let (node, _) = look.evaluate_number(typed, &expression).ok()?;
        Some(node.varies())
    });
    if question.quantity != Quantity::Grad || has_letters != Some(true) {
        return None;
    }
    let order = Order::below([&question.root]);
    let leaves = order.leaves(Node::is_free);
    let mut compared = 0;
    for start in 0..MOVES.len() {
        let settings = other_numbers(&leaves, start);
        let numbers = session.look_with(&settings, |look| {
            numbers_of(look, question, &order, typed, &expression)
        });
        let Some([guess, truth]) = numbers.filter(|all| all.iter().all(|it| it.is_finite())) else {
            continue;
        };
        compared += 1;
        if (guess - truth).abs() > SAME * guess.abs().max(truth.abs()) {
            return Some(FormulaMatch::OnlyHere(leaves));
        }
    }
    let formulas = derivative_formulas(session, &question.root, &[Rc::clone(&question.node)], true);
    let textbook = formulas.map(|it| language::infix(&it[0]));
    let different = textbook.filter(|it| *it != language::infix(&expression.items));
    (compared > 0).then_some(FormulaMatch::Everywhere(different))
}

/// Other numbers for leaves. Each goes its own way.
fn other_numbers(leaves: &[Rc<Node>], start: usize) -> Vec<Setting> {
    let other_number = |(nth, leaf): (usize, &Rc<Node>)| Setting {
        data: leaf.data() + MOVES[(start + 3 * nth) % MOVES.len()] * leaf.data().abs().max(1.0),
        leaf: Rc::clone(leaf),
    };
    leaves.iter().enumerate().map(other_number).collect()
}

/// The numbers of the guess and of the gradient.
fn numbers_of(
    session: &mut Session,
    question: &Question,
    order: &Order,
    typed: &str,
    expression: &Expression,
) -> Option<[f64; 2]> {
    let (guess, _) = session.measure(typed, expression).ok()?;
    let grads = gradients(order, &question.root, |_| {});
    Some([guess, grads[order.slot(&question.node)?]])
}
