//! Sums as polynomials: common factors, products multiplied out, exact division, rational roots.

use std::collections::BTreeMap;

use crate::number::Number;
use crate::term::power::{power, raise};
use crate::term::{Term, content, product, scale, sum};
use crate::work::WorkBudget;

/// The most rational roots of a polynomial.
const MAX_ROOTS: usize = 12;

/// The largest number of which divisors are looked for.
const MAX_DIVISOR: i64 = 60;

/// What powers are made of: a base and an exponent. `exp(2*x + y)` is `exp(x)` twice and `exp(y)` once.
pub(crate) type Generator = [Term; 2];

/// A product as a number and powers of generators.
#[derive(Clone)]
pub(crate) struct Monomial {
    pub(crate) number: Number,
    pub(crate) powers: BTreeMap<Generator, Number>,
}

impl Monomial {
    pub(crate) fn of(term: &Term) -> Monomial {
        let mut powers = BTreeMap::new();
        for factor in term.factors().iter().filter(|it| it.number().is_none()) {
            let [base, exponent] = factor.power_parts();
            for part in exponent.terms() {
                powers.insert([base.clone(), part.rest()], part.coefficient());
            }
        }
        let number = term.coefficient();
        Monomial { number, powers }
    }

    /// Whether the base of a generator has another exponent, too: `x^(n - 1)` may have a value where `1/x` has none.
    fn has_other(&self, [base, exponent]: &Generator) -> bool {
        let mut all = self.powers.keys();
        all.any(|[it, other]| it == base && other != exponent)
    }

    pub(crate) fn term(&self) -> Term {
        let powers = self.powers.iter();
        let powers =
            powers.map(|([base, exponent], number)| power(base, &scale(*number, exponent)));
        product(powers.chain([self.number.into()]))
    }
}

fn monomials(term: &Term) -> Vec<Monomial> {
    term.terms().iter().map(Monomial::of).collect()
}

/// A common factor and the rest. The factor has the number and the lowest powers of all terms of a sum. Negative powers
/// are common too: then it is one over the common denominator.
pub(crate) fn common_factor(term: &Term) -> [Term; 2] {
    let monomials = monomials(term);
    let mut times: BTreeMap<&Generator, Vec<Number>> = BTreeMap::new();
    for (generator, exponent) in monomials.iter().flat_map(|it| &it.powers) {
        times.entry(generator).or_default().push(*exponent);
    }
    let lowest = times.into_iter().filter_map(|(generator, all)| {
        let low = all.iter().min()?;
        let stands_in_front = is_common(generator, *low, all.len(), &monomials);
        stands_in_front.then(|| (generator.clone(), *low))
    });
    let common = Monomial {
        number: content(term),
        powers: lowest.collect(),
    };
    let factor = common.term();
    let divisor = raise(&factor, -1);
    let terms = term.terms().iter();
    let rest = sum(terms.map(|it| product([divisor.clone(), it.clone()])));
    [factor, rest]
}

/// Whether the lowest power of a generator stands in front of a sum, in which `count` terms have it.
fn is_common(generator: &Generator, low: Number, count: usize, terms: &[Monomial]) -> bool {
    let [base, _] = generator;
    if base.is(0) {
        return false;
    }
    let is_never_zero = base.is_euler() || base.number().is_some();
    if low.is_negative() && !(is_never_zero && count == terms.len()) {
        return !terms.iter().any(|it| it.has_other(generator));
    }
    count == terms.len()
}

/// The exponent, if this is a power of at least 1 of a sum.
fn open_power(factor: &Term) -> Option<Number> {
    let [base, exponent] = factor.power_parts();
    let number = exponent.number().filter(|_| base.is_sum());
    number.filter(|it| *it >= Number::ONE)
}

/// Multiplies out products and whole powers of sums, but not divisors and arguments. `None` if it takes too much work.
pub(crate) fn multiply_out(term: &Term, work: &WorkBudget) -> Option<Term> {
    let mut factors = term.terms().iter().flat_map(Term::factors);
    if !factors.any(|it| open_power(it).is_some()) {
        return Some(term.clone());
    }
    let expanded = term.terms().iter().map(|part| {
        let mut each = part.factors().iter();
        each.try_fold(Term::whole(1), |expanded, factor| {
            multiply(&expanded, &multiply_power(factor, work)?, work)
        })
    });
    let expanded: Option<Vec<Term>> = expanded.collect();
    Some(sum(expanded?)).filter(|it| it.terms().len() <= work.most_terms && it.check().is_ok())
}

fn multiply_power(factor: &Term, work: &WorkBudget) -> Option<Term> {
    let Some(exponent) = open_power(factor) else {
        return Some(factor.clone());
    };
    let base = multiply_out(&factor.power_parts()[0], work)?;
    let whole = exponent.value as i64;
    if whole as usize > work.most_terms / 2 {
        return None;
    }
    let rest = power(&base, &(exponent + Number::whole(-whole)).into());
    (0..whole).try_fold(rest, |raised, _| multiply(&raised, &base, work))
}

fn multiply(left: &Term, right: &Term, work: &WorkBudget) -> Option<Term> {
    let [left, right] = [left, right].map(Term::terms);
    let count = left.len() * right.len();
    work.spend(count)?;
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| [a, b]));
    let mut products = pairs.map(|it| product(it.map(Term::clone)));
    match count {
        1 => products.next(),
        _ if count > 4 * work.most_terms => None,
        // `sqrt(a + b)*sqrt(a + b)` has become a sum again.
        _ => multiply_out(&sum(products), work),
    }
}

/// Numbers by the exponents of the generators.
type Coefficients = BTreeMap<Vec<Number>, Number>;

fn generators(monomials: &[Monomial]) -> Vec<Generator> {
    let all = monomials.iter().flat_map(|it| it.powers.keys().cloned());
    let mut generators: Vec<Generator> = all.collect();
    generators.sort();
    generators.dedup();
    generators
}

fn coefficients(monomials: &[Monomial], generators: &[Generator]) -> Coefficients {
    let exponents = |it: &Monomial| {
        let each = generators.iter().map(|key| it.powers.get(key).copied());
        each.map(|times| times.unwrap_or(Number::ZERO)).collect()
    };
    let monomials = monomials.iter();
    monomials.map(|it| (exponents(it), it.number)).collect()
}

/// The quotient of two sums, if nothing remains.
fn divide(term: &Term, divisor: &Term, work: &WorkBudget) -> Option<Term> {
    if divisor.terms().len() > term.terms().len() {
        return None;
    }
    let [above, below] = [term, divisor].map(monomials);
    let [all, known] = [&above, &below].map(|it| generators(it));
    if known.iter().any(|it| all.binary_search(it).is_err()) {
        return None;
    }
    let mut rest = coefficients(&above, &all);
    let below = coefficients(&below, &all);
    let (lead, lead_number) = below.last_key_value()?;
    let mut quotient = Vec::new();
    while let Some((top, number)) = rest.last_key_value() {
        work.spend(below.len())?;
        let pairs = top.iter().zip(lead);
        let exponents: Vec<Number> = pairs.map(|(a, b)| *a + -*b).collect();
        if quotient.len() > work.most_terms || exponents.iter().any(|it| it.is_negative()) {
            return None;
        }
        let ratio = *number * lead_number.reciprocal();
        for (key, own) in &below {
            let raised = key.iter().zip(&exponents).map(|(a, b)| *a + *b).collect();
            let left = rest.remove(&raised).unwrap_or(Number::ZERO) + -(ratio * *own);
            if left != Number::ZERO {
                rest.insert(raised, left);
            }
        }
        let powers = all.iter().cloned().zip(exponents);
        let part = Monomial {
            number: ratio,
            powers: powers.filter(|(_, it)| *it != Number::ZERO).collect(),
        };
        quotient.push(part.term());
    }
    Some(sum(quotient))
}

/// The product of the factors of a sum: those among `known`, and those of its rational roots.
pub(crate) fn factor_sum(term: &Term, known: &[Term], work: &WorkBudget) -> Term {
    let (mut factors, mut rest) = (Vec::new(), term.clone());
    for divisor in known.iter().cloned().chain(rational_divisors(term)) {
        while rest.is_sum()
            && let Some(quotient) = divide(&rest, &divisor, work)
        {
            factors.push(divisor.clone());
            rest = quotient;
        }
    }
    factors.push(rest);
    product(factors)
}

/// `q*x - p` for each likely root `p/q` of a polynomial in one generator.
fn rational_divisors(term: &Term) -> Vec<Term> {
    let monomials = monomials(term);
    let generators = generators(&monomials);
    let found = coefficients(&monomials, &generators);
    let ends = [found.values().next(), found.values().last()];
    let ([[base, exponent]], [Some(p), Some(q)]) = (&generators[..], ends) else {
        return Vec::new();
    };
    let divisors = |number: &Number| {
        let whole = number.integer().unwrap_or(0).abs();
        (1..=whole.min(MAX_DIVISOR)).filter(move |it| whole % it == 0)
    };
    let pairs =
        divisors(q).flat_map(|below| divisors(p).flat_map(move |it| [[it, below], [-it, below]]));
    let is_root = |it: &[i64; 2]| is_root(&found, it[0] as f64 / it[1] as f64);
    let x = power(base, exponent);
    let roots = pairs.filter(is_root).take(MAX_ROOTS);
    roots
        .map(|[above, below]| sum([scale(Number::whole(below), &x), Term::whole(-above)]))
        .collect()
}

/// Whether the value of a polynomial in one generator is 0, up to rounding.
fn is_root(polynomial: &Coefficients, root: f64) -> bool {
    let powers = polynomial
        .iter()
        .map(|(key, it)| it.value * root.powf(key[0].value));
    let (sum, size) = powers.fold((0.0, 0.0), |(sum, size), it| (sum + it, size + it.abs()));
    f64::abs(sum) <= 1e-9 * size
}
