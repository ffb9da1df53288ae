//! Identities between functions of the same argument: `sin(u)^2 + cos(u)^2 = 1` and `sin(u)/cos(u) = tan(u)`.

use crate::number::Number;
use crate::polynomial::multiply_out;
use crate::term::power::raise;
use crate::term::{Term, plain_call, product, scale, sum};
use crate::work::WorkBudget;

/// `square^2 = number + sign*other^2`
struct Squares {
    square: &'static str,
    number: i64,
    sign: i64,
    other: &'static str,
}

const fn squares(square: &'static str, number: i64, sign: i64, other: &'static str) -> Squares {
    Squares {
        square,
        number,
        sign,
        other,
    }
}

const SQUARES: [Squares; 4] = [
    squares("cos", 1, -1, "sin"),
    squares("sin", 1, -1, "cos"),
    squares("cosh", 1, 1, "sinh"),
    squares("sinh", -1, 1, "cosh"),
];

/// Quotients of the first two are the third.
const TANGENTS: [[&str; 3]; 2] = [["sin", "cos", "tan"], ["sinh", "cosh", "tanh"]];

/// The argument and the exponent, if this is a whole power of the function.
fn power_of(name: &str, factor: &Term) -> Option<(Term, i64)> {
    let [base, exponent] = factor.power_parts();
    let exponent = i32::try_from(exponent.integer()?).ok()?;
    Some((base.argument_of(name)?.clone(), exponent.into()))
}

/// A power of a function.
fn power_of_function(name: &str, argument: &Term, exponent: i64) -> Term {
    raise(&plain_call(name, argument.clone()), exponent)
}

/// The exponent of a function of this argument among the factors.
fn exponent_of(name: &str, argument: &Term, term: &Term) -> i64 {
    let mut powers = term.factors().iter().filter_map(|it| power_of(name, it));
    powers.find(|it| it.0 == *argument).map_or(0, |it| it.1)
}

impl Squares {
    /// The argument and the exponent, if this has a square of the function.
    fn power(&self, factor: &Term) -> Option<(Term, i64)> {
        power_of(self.square, factor).filter(|it| it.1 > 1)
    }

    /// The factor with its squares replaced.
    fn replace(&self, factor: &Term) -> Option<Term> {
        let (argument, exponent) = self.power(factor)?;
        let other = power_of_function(self.other, &argument, 2);
        let square = sum([
            Term::whole(self.number),
            scale(Number::whole(self.sign), &other),
        ]);
        let rest = power_of_function(self.square, &argument, exponent % 2);
        Some(product([raise(&square, exponent / 2), rest]))
    }
}

/// The sum with the squares of one function replaced by those of another, in each way that changes it.
pub(crate) fn replaced_squares(term: &Term, work: &WorkBudget) -> Vec<Term> {
    let factors = || term.terms().iter().flat_map(Term::factors);
    let used = SQUARES
        .iter()
        .filter(|squares| factors().any(|it| squares.power(it).is_some()));
    let replaced = used.map(|squares| {
        let replace = |it: &Term| squares.replace(it).unwrap_or_else(|| it.clone());
        let terms = term.terms().iter();
        sum(terms.map(|it| product(it.factors().iter().map(replace))))
    });
    replaced.filter_map(|it| multiply_out(&it, work)).collect()
}

/// The product with `1/cos(u)^2` for `tan(u)^2 + 1`, with tangents as quotients, and with quotients as tangents.
pub(crate) fn with_tangents(term: &Term) -> Vec<Term> {
    let mut shapes = Vec::new();
    if term.is_sum() {
        let terms = term.terms().iter();
        let quotients = terms.map(|it| with_tangents(it).pop().unwrap_or_else(|| it.clone()));
        let quotients: Vec<Term> = quotients.collect();
        if quotients != term.terms() {
            shapes.push(sum(quotients));
        }
    }
    for factor in term.factors() {
        shapes.extend(
            without_square(factor).map(|it| product([term.clone(), it, raise(factor, -1)])),
        );
        for names in TANGENTS {
            let found = power_of(names[0], factor).or_else(|| power_of(names[2], factor));
            let Some((argument, _)) = found else {
                continue;
            };
            let times = |name| exponent_of(name, &argument, term);
            let [sines, cosines, tangents] = names.map(times);
            // As many tangents as there are pairs of a sine above the line and a cosine below it.
            let more = (sines + tangents).min(tangents - cosines).max(0) - tangents;
            if tangents == 0 && more == 0 {
                continue;
            }
            shapes.extend([-tangents, more].map(|it| add_tangents(term, names, &argument, it)));
        }
    }
    shapes
}

/// The product with more tangents of an argument in the place of quotients.
fn add_tangents(term: &Term, names: [&str; 3], argument: &Term, more: i64) -> Term {
    let [sine, cosine, tangent] = names;
    product([
        term.clone(),
        power_of_function(sine, argument, -more),
        power_of_function(cosine, argument, more),
        power_of_function(tangent, argument, more),
    ])
}

/// `cos(u)^-2`, if this is `tan(u)^2 + 1`, and so for its powers.
fn without_square(factor: &Term) -> Option<Term> {
    let [base, exponent] = factor.power_parts();
    let (argument, _) = base.terms().iter().find_map(|it| power_of("tan", it))?;
    let is_square = base == sum([power_of_function("tan", &argument, 2), Term::whole(1)]);
    let times = exponent.integer().filter(|_| is_square)?;
    Some(power_of_function("cos", &argument, times.checked_mul(-2)?))
}
