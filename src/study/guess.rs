//! Judges the numbers that a user predicts with `:guess`, and finds the likely mistake behind a wrong number.
//!
//! Each question computes its answer from the current data, without a pass of the session, so an open walk stays at its
//! stop. For a wrong guess, this file computes the numbers to which known mistakes at the node and its direct users lead.
//! These numbers come from the graph and the table of operations, and no operation is named here. A guess is right if
//! the digits that were typed are right; the session keeps the score.

use std::rc::Rc;

use chainrule_engine::graph::{Contribution, Node, Order, gradients, values};
use chainrule_session::Session;
use chainrule_session::by_hand::Quantity;

/// A guess as the user typed it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedGuess {
    pub value: f64,
    /// The largest error of a guess whose digits are right. For a literal, the value of a 1 in the place of its last digit:
    /// 0.01 for `-2.50`. Infinity for an expression with a decimal point, in which the user may have rounded numbers. 0 for
    /// an exact expression.
    pub unit: f64,
    /// Whether it is a formula of letters that have no numbers.
    pub has_letters: bool,
}

/// A literal is right within this fraction of the number: half a percent is the last of three digits.
const LITERAL_TOLERANCE: f64 = 0.005;
/// An expression of rounded numbers is right within this fraction: the numbers have digits enough to be nearer.
const EXPRESSION_TOLERANCE: f64 = 0.0005;
/// A guess within this fraction of the number is near, with some digits wrong.
const NEAR: f64 = 1e-3;
/// Two numbers are the same within this fraction: sums in different orders lose a few digits of sixteen.
const SAME: f64 = 1e-9;

impl TypedGuess {
    /// Returns the guess of this value. A literal is as precise as its digits, and an expression without decimals is exact.
    pub(crate) fn new(value: f64, text: &str) -> TypedGuess {
        let is_exact = !text.contains('.');
        let unit_of_expression = if is_exact { 0.0 } else { f64::INFINITY };
        let unit = unit_of_last_digit(text).unwrap_or(unit_of_expression);
        TypedGuess {
            value,
            unit,
            has_letters: false,
        }
    }

    /// Returns the guess of a formula of letters, with its value for sample numbers.
    pub(crate) fn of_letters(value: f64) -> TypedGuess {
        TypedGuess {
            has_letters: true,
            ..TypedGuess::new(value, "")
        }
    }

    /// Returns whether the guess is right as this number: its digits are those of the number, rounded or truncated at the
    /// last one, and it is within half a percent, so that three digits are always enough. An expression of rounded numbers
    /// must be nearer.
    pub(crate) fn stands_for(&self, number: f64) -> bool {
        let tolerance = match self.unit {
            f64::INFINITY => EXPRESSION_TOLERANCE,
            _ => LITERAL_TOLERANCE,
        };
        is_same(self.value, number) || self.has_digits_of(number, tolerance)
    }

    /// Returns whether the guess is right as this number, and has digits enough.
    pub(crate) fn is_right_for(&self, number: f64) -> bool {
        is_same(self.value, number) || self.has_three_digits() && self.stands_for(number)
    }

    /// Returns whether the guess is a literal with digits that are right, but too few. 0 tells no digit.
    pub(crate) fn is_short(&self, number: f64) -> bool {
        let is_rounded = (self.value - number).abs() <= 0.5 * self.unit + SAME * number.abs();
        self.value != 0.0 && self.unit.is_finite() && number.is_finite() && is_rounded
    }

    /// Returns whether a literal has three digits or more. An expression always has enough.
    fn has_three_digits(&self) -> bool {
        self.unit.is_infinite() || self.value.abs() >= 100.0 * self.unit_of_digits() * (1.0 - SAME)
    }

    /// Returns the unit, or for a whole number that of its last digit before the zeros at its end: these may stand for
    /// digits that are left out, as in 12300 for 12345.
    fn unit_of_digits(&self) -> f64 {
        let mut unit = self.unit;
        while unit >= 1.0 && self.value != 0.0 && self.value % (10.0 * unit) == 0.0 {
            unit *= 10.0;
        }
        unit
    }

    /// Returns whether the guess differs from the number only in its last digits.
    pub(crate) fn is_near(&self, number: f64) -> bool {
        number.is_finite() && (self.value - number).abs() <= NEAR * number.abs()
    }

    /// Returns whether the guess is the number, rounded or truncated at the last digit of the guess, and is within this
    /// fraction of the number.
    fn has_digits_of(&self, number: f64, tolerance: f64) -> bool {
        let distance = (self.value - number).abs();
        let can_be_truncated = self.value.abs() <= number.abs() && self.value * number >= 0.0;
        let unit = self.unit_of_digits();
        // 5000 truncated is not 4999, even if it has become 4999.999999 by rounding errors.
        let most_units = if can_be_truncated { 0.999 } else { 0.5 };
        // The digits of 13.75 may be rounded both ways, although floats lose the tie: 13.8 - 13.75 is more than 0.05.
        let slack = SAME * number.abs();
        number.is_finite()
            && distance <= most_units * unit + slack
            && distance <= tolerance * number.abs()
    }
}

/// Returns whether two numbers are equal up to the rounding of sums in different orders.
fn is_same(one: f64, other: f64) -> bool {
    one.is_nan() && other.is_nan()
        || one == other
        || one.is_finite() && (one - other).abs() <= SAME * one.abs().min(other.abs())
}

/// Returns the value of a 1 in the place of the last digit of a decimal literal: 0.01 for `-2.50`, 100 for `3e2`.
fn unit_of_last_digit(text: &str) -> Option<f64> {
    let unsigned = text.trim_start_matches(['-', '+', '\u{2212}', ' ']);
    let (digits, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.replace('\u{2212}', "-").parse().ok()?),
        None => (unsigned, 0_i32),
    };
    let is_plain = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'_');
    if !digits.bytes().all(is_plain) || !digits.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let decimals = digits.split_once('.').map_or("", |(_, decimals)| decimals);
    let decimal_count = decimals.bytes().filter(u8::is_ascii_digit).count();
    let place = exponent.saturating_sub(i32::try_from(decimal_count).ok()?);
    format!("1e{place}").parse().ok()
}

/// A question, its answer, and the contributions that make up the answer.
pub(crate) struct Question {
    pub root: Rc<Node>,
    /// The node that the question is about.
    pub node: Rc<Node>,
    /// The quantity that is asked for: the grad or the data of the node.
    pub quantity: Quantity,
    pub truth: f64,
    /// The contributions to the node's grad in a pass, in order; empty if the question asks for data.
    pub arrivals: Vec<Contribution>,
    /// The contributions on the way up from the node, as long as each node there has only one. Their local derivatives
    /// are factors of the answer.
    pub factors: Vec<Contribution>,
    /// The derivative, `f'(x)`, if the question is about that of a function.
    pub notation: Option<String>,
    pub(super) order: Order,
}

/// The result of a guess.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    pub is_right: bool,
    /// Whether the guess is right so far, with too few digits. Such a guess does not count.
    pub is_short: bool,
    /// Whether an answer has shown the grad before. Such a guess does not count either.
    pub has_been_shown: bool,
    /// The likely reason for a wrong number or formula.
    pub slip: Option<Slip>,
    /// The factor that is missing in the number, if the mistake is a missing factor.
    pub missing: Option<Contribution>,
    /// If it was judged as a formula, for many numbers of its letters: whether it is right for the present ones.
    pub is_right_here: Option<bool>,
}

/// A mistake that explains a wrong number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The word for the mistake in JSON, which never changes.
    pub word: &'static str,
    /// The sentence that names the mistake.
    pub summary: &'static str,
    /// The explanation; empty if the sentence explains enough.
    pub reason: &'static str,
}

pub(super) const fn mistake(
    word: &'static str,
    summary: &'static str,
    reason: &'static str,
) -> Mistake {
    Mistake {
        word,
        summary,
        reason,
    }
}

/// A likely mistake in a guess.
#[derive(Clone, Debug)]
pub(crate) struct Slip {
    pub mistake: Mistake,
    /// Where it is made in a formula.
    pub place: Option<SlipPlace>,
    /// The dividend and the divisor of a factor that is missing in a formula.
    pub factor: Option<[f64; 2]>,
}

/// The part of a formula that is differentiated wrongly.
#[derive(Clone, Debug)]
pub(crate) struct SlipPlace {
    pub part: Rc<Node>,
    /// The position of its first operand that depends on the letter.
    pub inner: usize,
}

impl Slip {
    pub(super) fn of(mistake: Mistake) -> Slip {
        Slip {
            mistake,
            place: None,
            factor: None,
        }
    }
}

/// What the comparison of a formula with the derivative has found.
#[derive(Clone, Debug)]
pub(crate) struct FormulaCheck {
    pub is_right: bool,
    /// Whether it is right for the present numbers.
    pub is_right_here: bool,
    pub slip: Option<Slip>,
}

/// A sign is wrong: of the whole number or of one contribution.
pub(super) const SIGN: &Mistake = &mistake("sign", "a sign is wrong", "");
/// The number is the local derivative of a user, or the sum of these derivatives.
const UPSTREAM: &Mistake = &mistake(
    "upstream",
    "the upstream factor is missing",
    "that is the local derivative alone; what comes from above multiplies it",
);
/// The number is the grad of a user, or the sum of these grads.
const LOCAL: &Mistake = &mistake(
    "local",
    "the local factor is missing",
    "that is what comes from above; how much does the user itself move?",
);
/// The number lacks one of the local derivatives on the way to the root.
const FACTOR: &Mistake = &mistake("factor", "a factor on the way is missing", "");
/// The number belongs to another operand of a user. For data: two operands are swapped, or the number is one operand.
const OPERAND: &Mistake = &mistake("operand", "the operands are mixed up", "");
/// Only some contributions were counted.
const PATH: &Mistake = &mistake(
    "path",
    "that is only part of the sum",
    "there is more than one path to it",
);
/// A user has the node as an operand several times, and only some of these contributions were counted.
const ACCUMULATION: &Mistake = &mistake(
    "accumulation",
    "contributions add up",
    "it is an operand of one node more than once, and each counts",
);
/// The number is the node's data.
const VALUE: &Mistake = &mistake("value", "that is its value, not its grad", "");
/// The number is near, but has wrong digits.
const DIGITS: &Mistake = &mistake(
    "digits",
    "close, but not to all the digits given",
    "three correct digits are enough, or an expression",
);

/// The most contributions that are left out or counted alone, one by one, and the most factors that are left out. A user
/// who works by hand has fewer.
const MOST_CONTRIBUTIONS: usize = 64;
/// The most operands of a user that are tried in place of the right one.
const MOST_OPERANDS: usize = 8;

impl Question {
    /// Returns the node that a contribution comes from.
    pub(crate) fn user(&self, contribution: &Contribution) -> &Rc<Node> {
        &self.order.nodes()[contribution.user]
    }

    /// Returns the error that rounding may cause on the way to the answer: `sin(pi)` is 1.2e-16, and 0 is a perfect guess
    /// for it. The factor 4 leaves room for a few operations.
    fn rounding(&self) -> f64 {
        let contribution = |it: &Contribution| it.upstream.abs() * it.local.abs().max(1.0);
        let sizes: Vec<f64> = match self.quantity {
            Quantity::Grad => self.arrivals.iter().map(contribution).collect(),
            Quantity::Data => values(self.node.operands()),
        };
        4.0 * f64::EPSILON * sizes.into_iter().map(f64::abs).fold(0.0, f64::max)
    }

    /// Returns whether the guess is a single contribution, and more are missing: `counted` of them have been guessed before.
    pub(crate) fn is_contribution(&self, typed: &TypedGuess, counted: usize) -> bool {
        counted + 1 < self.arrivals.len()
            && (self.arrivals.iter()).any(|arrival| typed.stands_for(arrival.amount))
    }

    /// Returns the numbers to which mistakes lead, likely ones first, for one graph always in the same order.
    pub(super) fn wrong_numbers(&self) -> Vec<WrongNumber> {
        match self.quantity {
            Quantity::Grad => wrong_grads(self),
            Quantity::Data => wrong_values(self),
        }
    }

    /// Returns whether the guess is right. Beside 0, which has no digits to compare, only rounding counts.
    fn is_right(&self, typed: &TypedGuess) -> bool {
        let (guess, truth) = (typed.value, self.truth);
        let rounding = self.rounding();
        let is_one_zero = (guess == 0.0 || truth == 0.0) && rounding.is_finite();
        typed.is_right_for(truth) || is_one_zero && (guess - truth).abs() <= rounding
    }
}

/// Returns a question about a node, with its answer.
pub(crate) fn question(root: &Rc<Node>, node: &Rc<Node>, quantity: Quantity) -> Question {
    let mut question = Question {
        root: Rc::clone(root),
        node: Rc::clone(node),
        quantity,
        truth: node.data(),
        arrivals: Vec::new(),
        factors: Vec::new(),
        notation: None,
        order: Order::below([root]),
    };
    if quantity == Quantity::Data {
        return question;
    }
    let mut contributions = Vec::new();
    let grads = gradients(&question.order, root, |it| contributions.push(it));
    // If the root does not depend on the node, the node has no slot.
    let own_slot = question.order.slot(node);
    let arrivals_at = |slot: Option<usize>| -> Vec<Contribution> {
        let arrivals = contributions
            .iter()
            .filter(|it| Some(it.operand_slot) == slot);
        arrivals.copied().collect()
    };
    question.truth = own_slot.map_or(0.0, |slot| grads[slot]);
    question.arrivals = arrivals_at(own_slot);
    let mut arrivals = question.arrivals.clone();
    while let [only] = arrivals[..]
        && question.factors.len() < MOST_CONTRIBUTIONS
    {
        arrivals = arrivals_at(Some(only.user));
        question.factors.push(only);
    }
    question
}

/// Judges a guess, finds the likely mistake in a wrong one, and counts the guess. `check` is that of a guess with letters.
pub(crate) fn guess(
    session: &mut Session,
    question: &Question,
    typed: &TypedGuess,
    check: Option<FormulaCheck>,
) -> Judgement {
    let is_right_here = check.as_ref().map(|it| it.is_right_here);
    let is_right = (check.as_ref()).map_or_else(|| question.is_right(typed), |it| it.is_right);
    let is_short = check.is_none() && !is_right && typed.is_short(question.truth);
    let likely = match check {
        Some(check) => check.slip,
        None => likely_mistake(question, typed).map(Slip::of),
    };
    let slip = likely.filter(|_| !is_right && !is_short);
    let is_factor = slip.as_ref().is_some_and(|it| it.mistake == *FACTOR);
    let is_missing = |factor: &&Contribution| typed.stands_for(question.truth / factor.local);
    let missing = question.factors.iter().find(is_missing);
    let has_been_shown =
        question.quantity == Quantity::Grad && session.has_shown(&question.root, &question.node);
    let judgement = Judgement {
        is_right,
        is_short,
        has_been_shown,
        slip,
        missing: missing.filter(|_| is_factor).copied(),
        is_right_here,
    };
    session
        .guesses_mut()
        .count(is_right, judgement.is_counted());
    judgement
}

impl Judgement {
    /// Whether the guess is in the score.
    pub(crate) fn is_counted(&self) -> bool {
        !self.is_short && !self.has_been_shown
    }
}

/// The number that a mistake leads to, and the mistake.
type WrongNumber = (f64, &'static Mistake);

/// Returns the most likely mistake that leads to the number. Ignores mistakes that lead to the correct number.
fn likely_mistake(question: &Question, typed: &TypedGuess) -> Option<Mistake> {
    let is_wrong = |number: f64| number.is_finite() && !is_same(number, question.truth);
    let mut wrong = question.wrong_numbers().into_iter();
    let found = wrong.find(|(number, _)| is_wrong(*number) && typed.stands_for(*number));
    let digits = typed.is_near(question.truth).then_some(DIGITS);
    found.map(|(_, likely)| likely).or(digits).copied()
}

/// Returns the numbers to which mistakes in a gradient lead, likely ones first.
fn wrong_grads(question: &Question) -> Vec<WrongNumber> {
    let truth = question.truth;
    let arrivals = &question.arrivals;
    let few = &arrivals[..arrivals.len().min(MOST_CONTRIBUTIONS)];
    let mut wrong = Vec::new();
    let mut add = |number: f64, mistake| wrong.push((number, mistake));
    // All but one of several contributions, or one alone. A single contribution is the whole grad.
    if few.len() > 1 {
        for arrival in few {
            let uses = few.iter().filter(|it| it.user == arrival.user).count();
            let mistake = if uses > 1 { ACCUMULATION } else { PATH };
            add(truth - arrival.amount, mistake);
            add(arrival.amount, mistake);
        }
    }
    add(-truth, SIGN);
    if !few.is_empty() {
        add(arrivals.iter().map(|arrival| arrival.local).sum(), UPSTREAM);
    }
    for arrival in few {
        add(truth - 2.0 * arrival.amount, SIGN);
        let locals = question.user(arrival).locals();
        for (position, local) in locals.into_iter().enumerate().take(MOST_OPERANDS) {
            if position != arrival.position {
                add(truth - arrival.amount + arrival.upstream * local, OPERAND);
            }
        }
    }
    if !few.is_empty() {
        add(arrivals.iter().map(|arrival| arrival.upstream).sum(), LOCAL);
    }
    for factor in &question.factors {
        add(truth / factor.local, FACTOR);
    }
    add(question.node.data(), VALUE);
    wrong
}

/// Returns the numbers to which mistakes in a value lead: a wrong sign, swapped operands, one operand alone.
fn wrong_values(question: &Question) -> Vec<WrongNumber> {
    let node = &question.node;
    let mut wrong = Vec::new();
    let mut add = |number: f64, mistake| wrong.push((number, mistake));
    add(-question.truth, SIGN);
    let values = values(node.operands());
    if let (Some(op), [x, y]) = (node.op(), &values[..]) {
        add(op.value(&[*y, *x]), OPERAND);
    }
    for value in values.into_iter().take(MOST_CONTRIBUTIONS) {
        add(value, OPERAND);
    }
    wrong
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
            assert_eq!(unit_of_last_digit(text), expected, "{text}");
        }
    }

    #[test]
    fn a_literal_is_as_exact_as_its_digits() {
        for (text, number, stands, short) in [
            ("0.678", 0.678_123_456, true, false),
            ("0.6781234", 0.678_123_456, true, false),
            ("0.68", 0.678_123_456, true, false),
            ("0.7", 0.678_123_456, false, true),
            ("0.679", 0.678_123_456, false, false),
            ("0.5", 0.499_999_999_999_999_9, true, false),
            ("10", 10.4, false, true),
            ("6", 5.6, false, true),
            ("7", 5.6, false, false),
            ("3.7", 3.669_29, false, true),
            ("3.6", 3.669_29, false, false),
            ("4999", 5_000.0, false, false),
            ("4999", 4_999.9, true, false),
            ("12300", 12_345.678, true, false),
            ("12400", 12_345.678, false, false),
            ("12000", 12_345.678, false, false),
            ("20", 21.0, false, false),
            ("-500", -499.9, true, false),
            ("13.7", 13.75, true, false),
            ("13.8", 13.75, true, false),
            ("-22.3", -22.25, true, false),
            ("22.2", 22.25, true, false),
            ("1.12", 1.125, true, false),
            ("1.13", 1.125, true, false),
            ("0", 1e-3, false, false),
            ("0", 0.0, true, false),
            ("-0", 0.0, true, false),
            ("2", -2.0, false, false),
            ("2", f64::INFINITY, false, false),
        ] {
            let typed = TypedGuess::new(text.parse().expect("a number"), text);
            assert_eq!(typed.stands_for(number), stands, "{text} {number}");
            assert_eq!(!stands && typed.is_short(number), short, "{text} {number}");
        }
        // An expression without decimals is exact; one with decimals may have rounded numbers in it.
        let exact = TypedGuess::new(0.678, "678/1000");
        assert!(!exact.stands_for(0.678_123_456));
        let rounded = TypedGuess::new(0.678, "1.356/2");
        assert!(rounded.stands_for(0.678_123_456) && !rounded.stands_for(0.678_5));
    }
}
