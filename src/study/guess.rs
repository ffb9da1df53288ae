//! Judges the numbers that a user predicts with `:guess`, without giving away the answer.
//!
//! The answer is computed for this question, with the current data. No pass is kept, and an open walk stays where it
//! is. For a wrong guess, this file computes the numbers to which known mistakes at the node and its direct users lead,
//! from the graph and the rows of the table, without naming an operation. The session keeps the score.

use std::rc::Rc;

use crate::session::by_hand::Quantity;
use crate::session::{Session, Target};
use chainrule_engine::graph::{Contribution, Node, Order, gradients, values};

/// A question, its answer, and the contributions that make up the answer.
#[derive(Debug)]
pub(crate) struct Question {
    /// The root.
    pub root: Rc<Node>,
    /// The node that the question is about.
    pub node: Rc<Node>,
    /// Whether its grad or its data is asked for.
    pub quantity: Quantity,
    /// The answer.
    pub truth: f64,
    /// The node's contributions in a pass, in order; empty if data is asked for.
    pub arrivals: Vec<Contribution>,
    /// From the node upward, as long as there is only one way: each local derivative there is a factor of the answer.
    pub factors: Vec<Contribution>,
    order: Order,
}

/// A guess as it was typed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedGuess {
    /// The number.
    pub value: f64,
    /// The value of a 1 in the place of its last digit, if it is a plain literal: 0.01 for `-2.50`. Infinite for an
    /// expression with a decimal, which the user may have rounded.
    pub unit: Option<f64>,
}

/// The result of a guess.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    /// Whether it is correct.
    pub right: bool,
    /// The likely reason for a wrong number.
    pub slip: Option<Slip>,
    /// The factor that is missing in it.
    pub missing: Option<Contribution>,
}

/// A mistake that explains a wrong number: the word for it in JSON, which never changes; what is wrong; and what is behind
/// it, if there is more to say.
pub(crate) type Slip = [&'static str; 3];

/// A sign is wrong: of the whole number or of one contribution.
const SIGN: Slip = ["sign", "a sign is wrong", ""];
/// The number is the local derivative, or the sum of them.
const UPSTREAM: Slip = [
    "upstream",
    "the upstream factor is missing",
    "that is the local derivative alone; what comes from above multiplies it",
];
/// The number is the grad of the user, or the sum of them.
const LOCAL: Slip = [
    "local",
    "the local factor is missing",
    "that is what comes from above; how much does the user itself move?",
];
/// The number lacks one of the local derivatives on the way to the root.
const FACTOR: Slip = ["factor", "a factor on the way is missing", ""];
/// The number belongs to another operand of a user. For data: the operands are swapped, or it is one of them.
const OPERAND: Slip = ["operand", "the operands are mixed up", ""];
/// Only some contributions were counted.
const PATH: Slip = [
    "path",
    "that is only part of the sum",
    "there is more than one path to it",
];
/// A user has the node as an operand several times, and not every time was counted.
const ACCUMULATION: Slip = [
    "accumulation",
    "contributions add up",
    "it is an operand of one node more than once, and each counts",
];
/// The number is the node's data.
const VALUE: Slip = ["value", "that is its value, not its grad", ""];
/// The number is near, but has too few digits or wrong ones.
const DIGITS: Slip = [
    "digits",
    "close, but not to all the digits given",
    "three correct digits are enough, or an expression",
];

/// Up to this many contributions are tried: each alone, and all but each. Of factors on the way, each is left out.
const ARRIVALS: usize = 64;
/// Up to this many operands of a user are tried in place of the right one.
const OPERANDS: usize = 8;

impl TypedGuess {
    /// A guess, which is as precise as its digits. An expression without decimals is exact.
    pub(crate) fn new(value: f64, text: &str) -> TypedGuess {
        let of_rounded = || text.contains('.').then_some(f64::INFINITY);
        TypedGuess {
            value,
            unit: unit(text).or_else(of_rounded),
        }
    }

    /// Whether the guess is this number to the digits that were typed: rounded or truncated at the last of them, and
    /// within half a percent, so three digits are always enough. An expression of rounded numbers must be nearer.
    pub(crate) fn stands_for(&self, number: f64) -> bool {
        let is_literal = self.unit.is_some_and(f64::is_finite);
        let part = if is_literal { 0.005 } else { 0.0005 };
        same(self.value, number) || self.has_digits_of(number, part)
    }

    /// Whether the guess is near the number, with only the digits wrong.
    pub(crate) fn is_rough(&self, number: f64) -> bool {
        let is_near = (self.value - number).abs() <= 1e-3 * number.abs();
        number.is_finite() && (is_near || self.has_digits_of(number, 0.05))
    }

    /// Whether the number is the guess where it is rounded or truncated, and within this part of it.
    fn has_digits_of(&self, number: f64, part: f64) -> bool {
        let apart = (self.value - number).abs();
        let is_cut = self.value.abs() <= number.abs() && self.value * number >= 0.0;
        // 5000 truncated is not 4999, even if it has become 4999.999999 by rounding errors.
        let room = if is_cut { 0.999 } else { 0.5 };
        let fits = |unit: f64| apart <= room * unit && apart <= part * number.abs();
        self.unit.is_some_and(fits)
    }
}

/// Whether two numbers are equal up to the rounding of sums in different orders.
pub(crate) fn same(one: f64, other: f64) -> bool {
    one.is_nan() && other.is_nan()
        || one == other
        || one.is_finite() && (one - other).abs() <= 1e-9 * one.abs().min(other.abs())
}

/// The value of a 1 in the place of the last digit of a decimal literal: 0.01 for `-2.50`, 100 for `3e2`.
fn unit(text: &str) -> Option<f64> {
    let digits = text.trim_start_matches(['-', '+', '\u{2212}', ' ']);
    let (digits, exponent) = match digits.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.replace('\u{2212}', "-").parse().ok()?),
        None => (digits, 0_i32),
    };
    let decimals = digits.split_once('.').map_or("", |(_, after)| after);
    let plain = digits
        .bytes()
        .all(|b| matches!(b, b'0'..=b'9' | b'.' | b'_'));
    if !plain || !digits.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let count = decimals.bytes().filter(u8::is_ascii_digit).count();
    let place = exponent.saturating_sub(i32::try_from(count).ok()?);
    format!("1e{place}").parse().ok()
}

impl Question {
    /// The node that a contribution comes from.
    pub(crate) fn user(&self, of: &Contribution) -> &Rc<Node> {
        &self.order.nodes()[of.user]
    }

    /// How much may be lost in rounding on the way to the answer: `sin(pi)` is 1.2e-16, and 0 is a perfect guess for
    /// it.
    fn noise(&self) -> f64 {
        let size = match self.quantity {
            Quantity::Grad => (self.arrivals.iter())
                .map(|arrival| arrival.upstream.abs() * arrival.local.abs().max(1.0))
                .fold(0.0, f64::max),
            Quantity::Data => (self.node.operands().iter())
                .map(|operand| operand.data().abs())
                .fold(0.0, f64::max),
        };
        4.0 * f64::EPSILON * size
    }

    /// Whether the guess is one of the contributions, and others are missing beside it and those that were `counted`.
    pub(crate) fn is_contribution(&self, typed: &TypedGuess, counted: usize) -> bool {
        counted + 1 < self.arrivals.len()
            && (self.arrivals.iter()).any(|arrival| typed.stands_for(arrival.amount))
    }

    fn is_right(&self, typed: &TypedGuess) -> bool {
        let (guess, truth) = (typed.value, self.truth);
        let noise = self.noise();
        let one_is_zero = (guess == 0.0 || truth == 0.0) && noise.is_finite();
        typed.stands_for(truth) || one_is_zero && (guess - truth).abs() <= noise
    }
}

/// The root and the quantity that a question about a node means if nothing else is typed: those of the walk in progress,
/// the root that the last guess named, the target by its name, or the root of the last pass, whichever depends on the
/// node; else the newest named value above it, a target without a name, or the node itself.
pub(crate) fn default_question(session: &Session, node: &Rc<Node>) -> Option<(Rc<Node>, Quantity)> {
    let is_below = |root: &Rc<Node>| Order::below([root]).slot(node).is_some();
    let walk = session.walk().filter(|walk| walk.next_node().is_some());
    if let Some(walk) = walk.filter(|walk| is_below(&walk.root)) {
        return Some((Rc::clone(&walk.root), walk.quantity()));
    }
    let named = session.guesses().root().filter(|_| walk.is_none());
    let target = session.target().and_then(|it| session.target_node(it));
    // A node that was only looked at, as `grad(y, a)`, is not meant as the root.
    let target = target.filter(|target| !Rc::ptr_eq(target, node));
    let has_name = matches!(session.target(), Some(Target::Name(_)));
    let (by_name, looked_at) = if has_name {
        (target, None)
    } else {
        (None, target)
    };
    let passed = session.pass().map(|pass| Rc::clone(pass.root()));
    let mut known = [named, by_name, passed].into_iter().flatten();
    let root = known.find(is_below);
    let itself = || (!node.is_leaf()).then(|| Rc::clone(node));
    let root = root.or_else(|| session.newest_above(node));
    let root = root.or_else(|| looked_at.filter(is_below)).or_else(itself);
    Some((root?, Quantity::Grad))
}

/// A question about a node, with its answer.
pub(crate) fn question(root: &Rc<Node>, node: &Rc<Node>, asked: Quantity) -> Question {
    let order = Order::below([root]);
    let (mut arrivals, mut factors) = (Vec::new(), Vec::new());
    let mut truth = node.data();
    if asked == Quantity::Grad {
        let mut all = Vec::new();
        let grads = gradients(&order, root, |contribution| all.push(contribution));
        let incoming = |slot: usize| -> Vec<Contribution> {
            let own = all.iter().filter(|it| it.operand_slot == slot);
            own.copied().collect()
        };
        let slot = order.slot(node);
        truth = slot.map_or(0.0, |slot| grads[slot]);
        arrivals = slot.map(incoming).unwrap_or_default();
        let mut way = arrivals.clone();
        while let [only] = way[..]
            && factors.len() < ARRIVALS
        {
            way = incoming(only.user);
            factors.push(only);
        }
    }
    Question {
        root: Rc::clone(root),
        node: Rc::clone(node),
        quantity: asked,
        truth,
        arrivals,
        factors,
        order,
    }
}

/// Judges a guess and counts it.
pub(crate) fn guess(session: &mut Session, question: &Question, typed: &TypedGuess) -> Judgement {
    let right = question.is_right(typed);
    let slip = if right { None } else { slip(question, typed) };
    let is_missing = |factor: &&Contribution| typed.stands_for(question.truth / factor.local);
    let missing = question.factors.iter().find(is_missing);
    session.guesses_mut().count(right);
    Judgement {
        right,
        slip,
        missing: missing.filter(|_| slip == Some(FACTOR)).copied(),
    }
}

/// The most likely mistake that leads to this number. A mistake that leads to the correct number is ignored.
fn slip(question: &Question, typed: &TypedGuess) -> Option<Slip> {
    let mut candidates = match question.quantity {
        Quantity::Grad => wrong_grads(question),
        Quantity::Data => wrong_values(question),
    };
    let truth = question.truth;
    candidates.retain(|(number, _)| number.is_finite() && !same(*number, truth));
    let found = candidates
        .iter()
        .find(|(number, _)| typed.stands_for(*number));
    let found = found.map(|(_, slip)| *slip);
    found.or_else(|| typed.is_rough(truth).then_some(DIGITS))
}

/// The numbers that mistakes in a gradient lead to, likely ones first.
fn wrong_grads(question: &Question) -> Vec<(f64, Slip)> {
    let truth = question.truth;
    let few = &question.arrivals[..question.arrivals.len().min(ARRIVALS)];
    let uses = |user| few.iter().filter(|it| it.user == user).count();
    let mut found = Vec::new();
    // All but one of several contributions, or one alone.
    for arrival in few.iter().filter(|_| few.len() > 1) {
        let slip = if uses(arrival.user) > 1 {
            ACCUMULATION
        } else {
            PATH
        };
        found.push((truth - arrival.amount, slip));
        found.push((arrival.amount, slip));
    }
    found.push((-truth, SIGN));
    let sum = |part: fn(&Contribution) -> f64| question.arrivals.iter().map(part).sum();
    if !few.is_empty() {
        found.push((sum(|arrival| arrival.local), UPSTREAM));
    }
    for arrival in few {
        found.push((truth - 2.0 * arrival.amount, SIGN));
        let locals = question.user(arrival).locals();
        let locals = locals.into_iter().enumerate().take(OPERANDS);
        let others = locals.filter(|(other, _)| *other != arrival.position);
        let instead = |(_, local)| truth - arrival.amount + arrival.upstream * local;
        found.extend(others.map(|other| (instead(other), OPERAND)));
    }
    if !few.is_empty() {
        found.push((sum(|arrival| arrival.upstream), LOCAL));
    }
    let without = |factor: &Contribution| (truth / factor.local, FACTOR);
    found.extend(question.factors.iter().map(without));
    found.push((question.node.data(), VALUE));
    found
}

/// The numbers that mistakes in a value lead to: its sign, swapped operands, one operand alone.
fn wrong_values(question: &Question) -> Vec<(f64, Slip)> {
    let node = &question.node;
    let mut found = vec![(-question.truth, SIGN)];
    let values = values(node.operands());
    if let (Some(op), [x, y]) = (node.op(), &values[..]) {
        found.push((op.value(&[*y, *x]), OPERAND));
    }
    let operands = values.into_iter().take(ARRIVALS);
    found.extend(operands.map(|value| (value, OPERAND)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_the_last_digit_is_found() {
        for (text, expected) in [
            ("-2", Some(1.0)),
            ("-2.50", Some(0.01)),
            ("- 0.5", Some(0.1)),
            (".707", Some(0.001)),
            ("2.", Some(1.0)),
            ("1_000", Some(1.0)),
            ("3e2", Some(100.0)),
            ("1.5e-3", Some(0.0001)),
            ("1e-400", Some(0.0)),
            ("a", None),
            ("2/3", None),
            ("0x10", None),
            ("inf", None),
            (".", None),
            ("1e", None),
            ("", None),
        ] {
            assert_eq!(unit(text), expected, "{text}");
        }
    }

    #[test]
    fn a_literal_is_as_exact_as_its_digits() {
        for (text, number, stands, rough) in [
            ("0.678", 0.678_123_456, true, true),
            ("0.6781234", 0.678_123_456, true, true),
            ("0.68", 0.678_123_456, true, true),
            ("0.7", 0.678_123_456, false, true),
            ("0.679", 0.678_123_456, false, false),
            ("0.5", 0.499_999_999_999_999_9, true, true),
            ("10", 10.4, false, true),
            ("6", 5.6, false, false),
            ("4999", 5_000.0, false, true),
            ("4999", 4_999.9, true, true),
            ("0", 1e-3, false, false),
            ("0", 0.0, true, true),
            ("-0", 0.0, true, true),
            ("2", -2.0, false, false),
        ] {
            let typed = TypedGuess::new(text.parse().expect("a number"), text);
            assert_eq!(typed.stands_for(number), stands, "{text} {number}");
            assert_eq!(typed.is_rough(number), rough, "{text} {number}");
        }
        // An expression without decimals is exact; one with decimals may have rounded numbers in it.
        let exact = TypedGuess::new(0.678, "678/1000");
        assert!(!exact.stands_for(0.678_123_456));
        let rounded = TypedGuess::new(0.678, "1.356/2");
        assert!(rounded.stands_for(0.678_123_456) && !rounded.stands_for(0.678_5));
    }
}
