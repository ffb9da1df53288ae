//! Builds and simplifies the expressions of derivatives: `2*x^(2 - 1)*1` becomes `2*x`. What a user types stays as it
//! is.
//!
//! The rules are in this folder because each is about certain rows; they work on any [`Terms`]. Each rule looks at its
//! operands and a few terms below them, so nothing here recurses over a whole expression.
//!
//! A constant 0 absorbs every factor, as in a backward pass. A 0 that depends on the data does so only in the operation
//! `chain`, which [`chain_terms`] and some rules of [`simplify`] write.

use super::{Op, Rule, TABLE, row_number};

/// The terms of an expression, and how to make new ones.
pub trait Terms {
    /// A term.
    type Term: Clone;

    /// The number of a term, if it is constant.
    fn number(&self, term: &Self::Term) -> Option<f64>;

    /// The operation of a term and its operands.
    fn operation<'t>(&self, term: &'t Self::Term) -> Option<(&'static Op, &'t [Self::Term])>;

    /// Whether they are the same term.
    fn are_one(&self, one: &Self::Term, other: &Self::Term) -> bool;

    /// A number as a term.
    fn constant(&mut self, value: f64) -> Self::Term;

    /// Computes an operation whose operands are all constant.
    fn fold_constants(&mut self, op: &'static Op, operands: &[Self::Term]) -> Self::Term;

    /// Applies an operation, without simplifying it.
    fn apply(&mut self, op: &'static Op, operands: &[Self::Term]) -> Self::Term;
}

/// Numerical factors are multiplied only within these sizes, so that their product cannot overflow.
const COLLECTED: std::ops::Range<f64> = 1e-20..1e20;

/// How many signs and numerical factors [`split_factor`] takes off a term.
const FACTORS: usize = 4;

// Operations that the rules look for or make.
const ADD: &Op = &TABLE[row_number("addition")];
const SUBTRACT: &Op = &TABLE[row_number("subtraction")];
const MULTIPLY: &Op = &TABLE[row_number("multiplication")];
const DIVIDE: &Op = &TABLE[row_number("division")];
const NEGATE: &Op = &TABLE[row_number("negation")];
const EQUAL: &Op = &TABLE[row_number("equal")];
const CHOOSE: &Op = &TABLE[row_number("if")];
const CHAIN: &Op = &TABLE[row_number("chain")];
const LN: &Op = &TABLE[row_number("ln")];
const EXP: &Op = &TABLE[row_number("exp")];
const HYPOT: &Op = &TABLE[row_number("hypot")];
const TOTAL: &Op = &TABLE[row_number("sum")];

impl Op {
    /// Whether its value is the sum of its operands, added from left to right. Then every derivative is 1, and many such
    /// sums can be added up side by side.
    pub fn is_sum(&self) -> bool {
        self == TOTAL
    }

    /// Whether its two operands can be exchanged.
    pub fn is_commutative(&self) -> bool {
        matches!(self.name, "addition" | "multiplication" | "chain")
    }

    /// Whether a reader need not know the order of its operands, however many there are.
    pub fn takes_any_order(&self) -> bool {
        let many = matches!(self.rule, Rule::Many { .. });
        many && !matches!(self.name, "argmin" | "argmax")
            || self.is_commutative()
            || matches!(self.name, "equal" | "not_equal")
    }
}

/// An operation in its simplest form.
pub fn simplify<T: Terms>(t: &mut T, op: &'static Op, operands: &[T::Term]) -> T::Term {
    if operands.iter().all(|operand| t.number(operand).is_some()) {
        return t.fold_constants(op, operands);
    }
    match (op.name, operands) {
        ("sum" | "prod" | "min" | "max" | "logsumexp" | "median_low" | "median_high", [only]) => {
            only.clone()
        }
        ("addition" | "sum", [a, b]) => sum(t, a, b),
        ("subtraction", [a, b]) => {
            let minus_b = negation(t, b);
            sum(t, a, &minus_b)
        }
        ("multiplication" | "prod", [a, b]) => product(t, a, b, MULTIPLY),
        ("chain", [a, b]) => product(t, a, b, CHAIN),
        ("chain_ln", [a, b]) if t.number(b).is_some_and(|b| b != 0.0) => {
            let logarithm = t.fold_constants(LN, std::slice::from_ref(b));
            product(t, a, &logarithm, CHAIN)
        }
        ("division", [a, b]) => quotient(t, a, b),
        ("negation", [a]) => negation(t, a),
        ("power", [_, y]) if t.number(y) == Some(0.0) => t.constant(1.0),
        ("power", [x, y]) if t.number(y) == Some(1.0) => x.clone(),
        ("if", [condition, yes, no]) => choice(t, condition, yes, no),
        _ => t.apply(op, operands),
    }
}

/// A sum in which like terms are collected.
pub fn sum<T: Terms>(t: &mut T, a: &T::Term, b: &T::Term) -> T::Term {
    // `(p + 2q) + q` is `p + 3q`.
    let below = t
        .operation(a)
        .filter(|(op, _)| *op == ADD)
        .map(|(_, pair)| pair);
    if let Some([p, q]) = below {
        if let Some(together) = join_like_terms(t, q, b) {
            return plain_sum(t, p, &together);
        }
        if let Some(together) = join_like_terms(t, p, b) {
            return plain_sum(t, &together, q);
        }
    }
    plain_sum(t, a, b)
}

fn plain_sum<T: Terms>(t: &mut T, a: &T::Term, b: &T::Term) -> T::Term {
    match (t.number(a), t.number(b)) {
        (Some(_), Some(_)) => return t.fold_constants(ADD, &[a.clone(), b.clone()]),
        (Some(0.0), _) => return b.clone(),
        (_, Some(0.0)) => return a.clone(),
        (_, Some(number)) if number < 0.0 => {
            let positive = t.constant(-number);
            return t.apply(SUBTRACT, &[a.clone(), positive]);
        }
        (Some(number), _) if number < 0.0 => {
            let positive = t.constant(-number);
            return t.apply(SUBTRACT, &[b.clone(), positive]);
        }
        _ => {}
    }
    if let Some(together) = join_like_terms(t, a, b) {
        return together;
    }
    let (less, more) = (is_negative(t, a), is_negative(t, b));
    if more {
        let positive = negation(t, b);
        t.apply(SUBTRACT, &[a.clone(), positive])
    } else if less && t.number(a).is_none() {
        let positive = negation(t, a);
        t.apply(SUBTRACT, &[b.clone(), positive])
    } else {
        t.apply(ADD, &[a.clone(), b.clone()])
    }
}

/// `2q + q` as `3q`. A sum that cancels stays, since `q - q` is not 0 where `q` is infinite.
fn join_like_terms<T: Terms>(t: &mut T, a: &T::Term, b: &T::Term) -> Option<T::Term> {
    let ((m, p), (n, q)) = (split_factor(t, a), split_factor(t, b));
    let (p, q) = (p?, q?);
    (t.are_one(&p, &q) && m + n != 0.0).then(|| scale_term(t, m + n, &p))
}

/// Whether it is written with a minus in front.
fn is_negative<T: Terms>(t: &T, a: &T::Term) -> bool {
    match t.operation(a) {
        Some((op, _)) if op == NEGATE => true,
        Some((op, [factor, _])) if op == MULTIPLY => {
            t.number(factor).is_some_and(|factor| factor < 0.0)
        }
        _ => false,
    }
}

/// A term as a number times something; `None` for a number alone.
fn split_factor<T: Terms>(t: &T, term: &T::Term) -> (f64, Option<T::Term>) {
    let is_collected = |number: f64| COLLECTED.contains(&number.abs());
    if let Some(number) = t.number(term) {
        return if is_collected(number) {
            (number, None)
        } else {
            (1.0, Some(term.clone()))
        };
    }
    let (mut factor, mut rest) = (1.0, term);
    for _ in 0..FACTORS {
        let (number, below) = match t.operation(rest) {
            Some((op, [a])) if op == NEGATE => (-1.0, a),
            Some((op, [a, b])) if op == MULTIPLY => match (t.number(a), t.number(b)) {
                (Some(number), None) => (number, b),
                (None, Some(number)) => (number, a),
                _ => break,
            },
            _ => break,
        };
        if t.number(below).is_some() || !is_collected(factor * number) || !is_collected(number) {
            break;
        }
        (factor, rest) = (factor * number, below);
    }
    (factor, Some(rest.clone()))
}

/// A number times something that is not a number.
fn scale_term<T: Terms>(t: &mut T, factor: f64, term: &T::Term) -> T::Term {
    if factor == 1.0 {
        term.clone()
    } else if factor == -1.0 {
        t.apply(NEGATE, std::slice::from_ref(term))
    } else {
        let factor = t.constant(factor);
        t.apply(MULTIPLY, &[factor, term.clone()])
    }
}

fn negation<T: Terms>(t: &mut T, a: &T::Term) -> T::Term {
    if t.number(a).is_some() {
        return t.fold_constants(NEGATE, std::slice::from_ref(a));
    }
    if let Some((op, [x, y])) = t.operation(a)
        && op == SUBTRACT
    {
        let exchanged = [y.clone(), x.clone()];
        return t.apply(SUBTRACT, &exchanged);
    }
    match split_factor(t, a) {
        (factor, Some(rest)) => scale_term(t, -factor, &rest),
        (factor, None) => t.constant(-factor),
    }
}

/// A product by `op`, multiplication or `chain`, with its numerical factors collected in front.
fn product<T: Terms>(t: &mut T, a: &T::Term, b: &T::Term, op: &'static Op) -> T::Term {
    match (t.number(a), t.number(b)) {
        (Some(_), Some(_)) => return t.fold_constants(op, &[a.clone(), b.clone()]),
        (Some(0.0), _) | (_, Some(0.0)) => return t.constant(0.0),
        _ => {}
    }
    let ((m, p), (n, q)) = (split_factor(t, a), split_factor(t, b));
    if !COLLECTED.contains(&(m * n).abs()) {
        return t.apply(op, &[a.clone(), b.clone()]);
    }
    match (p, q) {
        (Some(p), Some(q)) => {
            let rest = t.apply(op, &[p, q]);
            scale_term(t, m * n, &rest)
        }
        (Some(rest), None) | (None, Some(rest)) => scale_term(t, m * n, &rest),
        (None, None) => t.constant(m * n),
    }
}

fn quotient<T: Terms>(t: &mut T, a: &T::Term, b: &T::Term) -> T::Term {
    let op = DIVIDE;
    if t.number(b) == Some(1.0) {
        return a.clone();
    }
    if t.number(a) == Some(0.0) {
        return t.constant(0.0);
    }
    match split_factor(t, a) {
        (-1.0, Some(rest)) => {
            let quotient = t.apply(op, &[rest, b.clone()]);
            scale_term(t, -1.0, &quotient)
        }
        _ => t.apply(op, &[a.clone(), b.clone()]),
    }
}

fn choice<T: Terms>(t: &mut T, condition: &T::Term, yes: &T::Term, no: &T::Term) -> T::Term {
    let alike = t.are_one(yes, no)
        || t.number(yes)
            .is_some_and(|yes| t.number(no).is_some_and(|no| yes.to_bits() == no.to_bits()));
    match t.number(condition) {
        Some(condition) if condition.is_nan() => t.constant(f64::NAN),
        Some(0.0) => no.clone(),
        Some(_) => yes.clone(),
        None if alike => yes.clone(),
        None => t.apply(CHOOSE, &[condition.clone(), yes.clone(), no.clone()]),
    }
}

/// A plain product, in its simplest form.
pub fn multiply<T: Terms>(t: &mut T, a: &T::Term, b: &T::Term) -> T::Term {
    product(t, a, b, MULTIPLY)
}

/// Local times upstream by the rule of a backward pass that an exact zero absorbs infinity and NaN.
pub fn chain_terms<T: Terms>(t: &mut T, local: &T::Term, upstream: &T::Term) -> T::Term {
    let finite = |term: &T::Term| t.number(term).is_some_and(f64::is_finite);
    let plain = finite(local) || finite(upstream) || t.are_one(local, upstream);
    let op = if plain { MULTIPLY } else { CHAIN };
    product(t, local, upstream, op)
}

/// A term that becomes NaN where another term is NaN, so that a NaN never leads to a plausible number.
pub fn unless_nan<T: Terms>(t: &mut T, term: &T::Term, of: &T::Term) -> T::Term {
    let is_number = simplify(t, EQUAL, &[of.clone(), of.clone()]);
    let nan = t.constant(f64::NAN);
    choice(t, &is_number, term, &nan)
}

/// An operation on two groups of operands together, from its value on each group. For a product the second group is
/// local derivatives, in which an exact zero absorbs infinity.
pub fn join_groups<T: Terms>(
    t: &mut T,
    op: &'static Op,
    one: &T::Term,
    behind: &T::Term,
) -> T::Term {
    match op.name {
        "prod" => chain_terms(t, one, behind),
        _ => simplify(t, op, &[one.clone(), behind.clone()]),
    }
}

/// How many of these terms are equal to `out`: the `ties` of a derivative's text.
pub fn ties<T: Terms>(t: &mut T, terms: &[T::Term], out: &T::Term) -> T::Term {
    let mut equal = |term: &T::Term| simplify(t, EQUAL, &[term.clone(), out.clone()]);
    let equal: Vec<T::Term> = terms.iter().map(&mut equal).collect();
    simplify(t, TOTAL, &equal)
}

/// The sum of `exp(x - out)` over these terms: the `total` of a derivative's text.
pub fn total<T: Terms>(t: &mut T, terms: &[T::Term], out: &T::Term) -> T::Term {
    let mut power = |term: &T::Term| {
        let distance = simplify(t, SUBTRACT, &[term.clone(), out.clone()]);
        simplify(t, EXP, &[distance])
    };
    let powers: Vec<T::Term> = terms.iter().map(&mut power).collect();
    simplify(t, TOTAL, &powers)
}

/// The length of these terms, each times the scale: the `length` of a derivative's text.
pub fn length<T: Terms>(t: &mut T, terms: &[T::Term], scale: f64) -> T::Term {
    let scale = t.constant(scale);
    let mut scaled = |term: &T::Term| multiply(t, term, &scale);
    let scaled: Vec<T::Term> = terms.iter().map(&mut scaled).collect();
    simplify(t, HYPOT, &scaled)
}
