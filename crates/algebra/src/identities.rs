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
    Some((base.argument_of(name)?.clone(), exponent.integer()?))
}

/// A power of a function.
fn raised(name: &str, argument: &Term, exponent: i64) -> Term {
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
        let other = raised(self.other, &argument, 2);
        let square = sum([
            Term::whole(self.number),
            scale(Number::whole(self.sign), &other),
        ]);
        let rest = raised(self.square, &argument, exponent % 2);
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

/// The term with quotients of sines and cosines as tangents.
pub(crate) fn with_tangents(term: &Term) -> Term {
    TANGENTS.iter().fold(term.clone(), |term, names| {
        let factors = || term.terms().iter().flat_map(Term::factors);
        let has = |name| factors().any(|it| power_of(name, it).is_some());
        if !has(names[0]) || !has(names[1]) {
            return term;
        }
        sum(term.terms().iter().map(|it| with_tangent(it, *names)))
    })
}

fn with_tangent(term: &Term, [sine, cosine, tangent]: [&str; 3]) -> Term {
    let mut sines = term.factors().iter().filter_map(|it| power_of(sine, it));
    let Some((argument, sines)) = sines.next() else {
        return term.clone();
    };
    let count = sines.min(-exponent_of(cosine, &argument, term)).max(0);
    product([
        term.clone(),
        raised(sine, &argument, -count),
        raised(cosine, &argument, count),
        raised(tangent, &argument, count),
    ])
}

/// The product with `1/cos(u)^2` for `tan(u)^2 + 1`, and with `sin(u)/cos(u)` for a tangent beside a cosine.
pub(crate) fn with_cosines(term: &Term) -> Term {
    let replaced: Vec<Term> = term.factors().iter().map(without_square).collect();
    let is_same = replaced == term.factors();
    let term = if is_same {
        term.clone()
    } else {
        product(replaced)
    };
    let tangents = term.factors().iter().filter_map(|it| power_of("tan", it));
    tangents.fold(term.clone(), |term, (argument, exponent)| {
        if exponent_of("cos", &argument, &term) == 0 {
            return term;
        }
        product([
            term,
            raised("tan", &argument, -exponent),
            raised("sin", &argument, exponent),
            raised("cos", &argument, -exponent),
        ])
    })
}

fn without_square(factor: &Term) -> Term {
    let [base, exponent] = factor.power_parts();
    let tangent = base.terms().iter().find_map(|it| power_of("tan", it));
    match (tangent, exponent.integer()) {
        (Some((argument, 2)), Some(times))
            if base == sum([raised("tan", &argument, 2), Term::whole(1)]) =>
        {
            raised("cos", &argument, -2 * times)
        }
        _ => factor.clone(),
    }
}
