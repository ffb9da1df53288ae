//! The real zeros of a term in one letter, if its factors are polynomials: ratios and those of quadratics exactly, the
//! others as numbers.

use crate::Letter;
use crate::number::{Number, gcd};
use crate::polynomial::Monomial;
use crate::shape::factor;
use crate::term::Term;
use crate::term::power::split_root;
use chainrule_engine::roots::bisect;

/// The largest degree of a polynomial whose zeros are looked for.
const MOST_DEGREE: i64 = 40;
/// A polynomial that at a turning point is at most this part of its terms only touches 0.
const TOUCHES: f64 = 1e-12;

/// A real zero, or the two of a quadratic: `(5 ± sqrt(13))/2`.
#[derive(Clone, Debug, PartialEq)]
pub struct RealZero {
    /// Its numbers, the smallest first. If the term is 0 everywhere, there are none.
    pub values: Vec<f64>,
    /// The exact number. `None` if the term has decimals, or no formula is known.
    pub text: Option<String>,
}

impl RealZero {
    /// A number without a formula.
    pub fn number(value: f64) -> RealZero {
        RealZero {
            values: vec![value],
            text: None,
        }
    }
}

/// All real zeros of a term, each once. `None` if a factor is no polynomial in this letter alone.
pub fn real_zeros(term: &Term, by: &Letter) -> Option<Vec<RealZero>> {
    let mut zeros = Vec::new();
    for factor in factor(term)?.factors() {
        let [base, exponent] = factor.power_parts();
        if !base.is_euler() && !exponent.number()?.is_negative() {
            zeros.extend(zeros_of_factor(&coefficients(&base, by)?));
        }
    }
    let first = |it: &RealZero| it.values.first().copied().unwrap_or(0.0);
    zeros.sort_by(|one, other| first(one).total_cmp(&first(other)));
    Some(zeros)
}

/// The coefficients of a polynomial, the lowest power first.
fn coefficients(term: &Term, by: &Letter) -> Option<Vec<Number>> {
    let letter = [Term::letter(&by.name, by.place), Term::whole(1)];
    let mut found = Vec::new();
    for part in term.terms() {
        let Monomial { number, mut powers } = Monomial::of(part);
        let power = powers.remove(&letter).unwrap_or(Number::ZERO).integer()?;
        if !(0..=MOST_DEGREE).contains(&power) || !powers.is_empty() {
            return None;
        }
        let place = power as usize;
        found.resize(found.len().max(place + 1), Number::ZERO);
        found[place] = number;
    }
    Some(found)
}

fn zeros_of_factor(polynomial: &[Number]) -> Vec<RealZero> {
    let values = numbers(&polynomial.iter().map(|it| it.value).collect::<Vec<f64>>());
    let text = match polynomial {
        [only] if *only == Number::ZERO => Some("any number".to_string()),
        _ if values.is_empty() => return Vec::new(),
        [constant, slope] => ratio_text(-(*constant * slope.reciprocal())),
        _ => quadratic_text(polynomial),
    };
    match text {
        None => values.into_iter().map(RealZero::number).collect(),
        text => vec![RealZero { values, text }],
    }
}

/// `None` for a decimal number.
fn ratio_text(number: Number) -> Option<String> {
    let ratio = number.ratio.filter(|_| !number.is_decimal)?;
    Some(match ratio {
        [above, 1] => above.to_string(),
        [above, below] => format!("{above}/{below}"),
    })
}

/// `(-b ± sqrt(b^2 - 4*a*c))/(2*a)` in lowest terms. `None` if its numbers are not whole, or it has no root.
fn quadratic_text(polynomial: &[Number]) -> Option<String> {
    let &[c, b, a] = polynomial else {
        return None;
    };
    let [a, b, c] = [a.integer()?, b.integer()?, c.integer()?];
    let product = a.checked_mul(c)?.checked_mul(4)?;
    let square = b.checked_mul(b)?.checked_sub(product)?;
    let (factor, below_root) = split_root(square, 2);
    let common = gcd(gcd(b.into(), factor.into()), 2 * i128::from(a)) as i64 * a.signum();
    let [first, factor, below] = [-b / common, (factor / common).abs(), 2 * a / common];
    let root = match factor {
        1 => format!("sqrt({below_root})"),
        _ => format!("{factor}*sqrt({below_root})"),
    };
    let text = match (first, below) {
        (0, 1) => format!("±{root}"),
        (0, _) => format!("±{root}/{below}"),
        (_, 1) => format!("{first} ± {root}"),
        _ => format!("({first} ± {root})/{below}"),
    };
    (below_root > 1).then_some(text)
}

/// The zeros of a polynomial as numbers. Between two neighbours among those of its derivative there is one at most.
fn numbers(polynomial: &[f64]) -> Vec<f64> {
    let (lead, lower) = match polynomial {
        [] | [_] => return Vec::new(),
        // The difference is not -0.
        [constant, slope] => return vec![0.0 - constant / slope],
        [lower @ .., lead] => (lead, lower),
    };
    let powers = polynomial.iter().zip(0_u32..).skip(1);
    let slope: Vec<f64> = powers.map(|(it, power)| f64::from(power) * it).collect();
    let turning = numbers(&slope);
    let sum = |x: f64, term: fn(f64) -> f64| {
        let highest_first = polynomial.iter().rev();
        highest_first.fold(0.0, |sum, it| sum * term(x) + term(*it))
    };
    let touches = |x: &f64| sum(*x, |it| it).abs() <= TOUCHES * sum(*x, f64::abs);
    let sizes = lower.iter().map(|it| (it / lead).abs());
    let farthest = 1.0 + sizes.fold(1.0, f64::max);
    let ends = [&[-farthest], &turning[..], &[farthest]].concat();
    let pairs = ends.windows(2).map(|pair| [pair[0], pair[1]]);
    // Beside a turning point that touches 0, the only change of sign would be one of rounding.
    let apart = pairs.filter(|pair| !pair.iter().any(touches));
    let between = apart.filter_map(|pair| bisect(&mut |x| sum(x, |it| it), pair));
    let mut found: Vec<f64> = between.collect();
    found.extend(turning.iter().copied().filter(touches));
    found.sort_by(f64::total_cmp);
    found
}
