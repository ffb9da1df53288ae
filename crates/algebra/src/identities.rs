//! Identities between functions of the same argument: `sin(u)^2 + cos(u)^2 = 1` and `sin(u)/cos(u) = tan(u)`.

use crate::number::Number;
use crate::polynomial::multiply_out;
use crate::term::power::raise;
use crate::term::{Term, plain_call, product, scale, sum};
use crate::work::WorkBudget;

/// Three functions: `cosine^2 = 1 + sign*sine^2` and `tangent = sine/cosine`.
struct Family {
    sine: &'static str,
    cosine: &'static str,
    tangent: &'static str,
    sign: Number,
}

const ANGLES: Family = Family {
    sine: "sin",
    cosine: "cos",
    tangent: "tan",
    sign: Number::MINUS_ONE,
};

const HYPERBOLAS: Family = Family {
    sine: "sinh",
    cosine: "cosh",
    tangent: "tanh",
    sign: Number::ONE,
};

/// The most terms of a sum in which squares are replaced.
const MAX_TERMS: usize = 12;

/// The argument and the exponent, if this is a whole power of the function.
fn power_of(name: &str, factor: &Term) -> Option<(Term, i64)> {
    let [base, exponent] = factor.power_parts();
    Some((base.argument_of(name)?.clone(), exponent.integer()?))
}

/// `square = number + sign*other^2`
struct Square {
    of: &'static str,
    other: &'static str,
    number: Number,
    sign: Number,
}

impl Square {
    /// The factor with its squares replaced, if it is a power of the function.
    fn replace(&self, factor: &Term) -> Term {
        let found = power_of(self.of, factor).filter(|(_, exponent)| *exponent > 1);
        let Some((argument, exponent)) = found else {
            return factor.clone();
        };
        let other = raise(&plain_call(self.other, argument), 2);
        let square = sum([self.number.into(), scale(self.sign, &other)]);
        let [base, _] = factor.power_parts();
        product([raise(&square, exponent / 2), raise(&base, exponent % 2)])
    }
}

/// The sum with the squares of one function replaced by those of another, in each way that changes it.
pub(crate) fn replaced_squares(term: &Term, work: &WorkBudget) -> Vec<Term> {
    let squares = [ANGLES, HYPERBOLAS]
        .map(Family::squares)
        .into_iter()
        .flatten();
    let replaced = squares.map(|square| {
        let terms = term.terms().iter();
        sum(terms.map(|it| product(it.factors().iter().map(|factor| square.replace(factor)))))
    });
    let replaced = replaced.filter(|it| it != term && term.terms().len() <= MAX_TERMS);
    replaced.filter_map(|it| multiply_out(&it, work)).collect()
}

/// The term with quotients of sines and cosines as tangents.
pub(crate) fn with_tangents(term: &Term) -> Term {
    let terms = term.terms().iter();
    sum(terms.map(|it| HYPERBOLAS.with_tangent(&ANGLES.with_tangent(it))))
}

impl Family {
    fn squares(self) -> [Square; 2] {
        let cosine = Square {
            of: self.cosine,
            other: self.sine,
            number: Number::ONE,
            sign: self.sign,
        };
        let sine = Square {
            of: self.sine,
            other: self.cosine,
            number: -self.sign,
            sign: self.sign,
        };
        [cosine, sine]
    }

    fn with_tangent(&self, term: &Term) -> Term {
        let factors = || term.factors().iter();
        let Some((argument, sines)) = factors().find_map(|it| power_of(self.sine, it)) else {
            return term.clone();
        };
        let mut cosines = factors().filter_map(|it| power_of(self.cosine, it));
        let cosines = cosines.find(|it| it.0 == argument).map_or(0, |it| it.1);
        let count = sines.min(-cosines).max(0);
        let raised = |name, times| raise(&plain_call(name, argument.clone()), times);
        let [sine, cosine] = [raised(self.sine, -count), raised(self.cosine, count)];
        product([term.clone(), sine, cosine, raised(self.tangent, count)])
    }
}
