//! Computes a formula that a user guesses, and the gradient, at numbers of the letters near the present ones.

use std::rc::Rc;

use crate::study::guess::{FormulaPoint, Question, is_same, question};
use chainrule_engine::graph::{Node, Order};
use chainrule_language::{self as language, Item, ItemKind};
use chainrule_session::by_hand::Quantity;
use chainrule_session::{Session, Setting};
use chainrule_stop as stop;

/// How far the leaves are moved, as parts of their size.
const MOVES: [f64; 8] = [0.37, -0.53, 0.81, -0.29, 1.43, -1.71, 0.63, -0.87];
/// The part of these moves that is made: a small one, so that all points are on one branch of `relu`, `max` or a condition.
const NEAR: f64 = 1.0 / 4096.0;
/// Two formulas are the same within this fraction of their numbers.
const SAME: f64 = 1e-12;

/// Computes a guess with letters at the present numbers, and then at others. `None` if the guess has no letters, or present
/// numbers as parts: decimals, which are probably rounded, or `.grad`.
pub(crate) fn formula_points(
    session: &mut Session,
    asked: &Question,
    text: &str,
) -> Option<Vec<FormulaPoint>> {
    let expression = language::as_expression(text)?;
    let is_number = |item: &Item<_>| match item.kind {
        ItemKind::Number(literal) => literal.value.fract() != 0.0,
        kind => matches!(kind, ItemKind::Property(_)),
    };
    let has_present_numbers = text.contains('.') && expression.items.iter().any(is_number);
    if has_present_numbers || asked.quantity != Quantity::Grad {
        return None;
    }
    let leaves = session.look(|look| {
        let (node, _) = look.evaluate_number(text, &expression).ok()?;
        let order = Order::below([&node, &asked.root]);
        node.varies().then(|| order.leaves(Node::is_free))
    })?;
    let mut point = |settings: &[Setting]| {
        stop::ask_now();
        session.look_with(settings, |look| {
            let (guess, _) = look.measure(text, &expression).ok()?;
            let there = question(&asked.root, &asked.node, asked.quantity);
            point_at(guess, &there)
        })
    };
    let mut points = vec![point(&[])?];
    points.extend((0..MOVES.len()).filter_map(|start| point(&other_numbers(&leaves, start))));
    Some(points)
}

/// The point at which a guess has this number, and the question this answer. `None` if one of them is not finite.
fn point_at(guess: f64, there: &Question) -> Option<FormulaPoint> {
    let (truth, slips) = (there.truth, there.wrong_numbers());
    let most = SAME * guess.abs().max(truth.abs()) + there.rounding();
    (guess.is_finite() && truth.is_finite()).then(|| FormulaPoint {
        is_right: (guess - truth).abs() <= most,
        slips: slips
            .iter()
            .map(|(number, _)| is_same(guess, *number))
            .collect(),
    })
}

/// Other numbers for leaves. Each goes its own way.
fn other_numbers(leaves: &[Rc<Node>], start: usize) -> Vec<Setting> {
    let other_number = |(nth, leaf): (usize, &Rc<Node>)| {
        let size = NEAR * leaf.data().abs().max(1.0);
        let data = leaf.data() + MOVES[(start + 3 * nth) % MOVES.len()] * size;
        let leaf = Rc::clone(leaf);
        Setting { leaf, data }
    };
    leaves.iter().enumerate().map(other_number).collect()
}
