//! Finds the shortest of the shapes of a term: as it was built, with common factors in front, multiplied out, collected by
//! functions, and with identities.

use std::collections::{BTreeMap, BTreeSet};

use crate::derivative::{Deriver, Rules};
use crate::identities::{replaced_squares, with_tangents};
use crate::number::Number;
use crate::polynomial::{Generator, Monomial, common_factor, factor_sum, multiply_out};
use crate::term::function::call;
use crate::term::power::power;
use crate::term::{Letter, Term, TermKind, TooLarge, product, scale, sum};
use crate::work::WorkBudget;
use crate::write::{count_tokens, items};

/// The work of a search for the shortest shape: tokens of the terms that are searched, and products that are made.
const WORK: usize = 15_000;

/// The most terms of a formula that is multiplied out because somebody asks for it.
const MOST_TERMS: usize = 200;

/// A product of this many sums stays one: multiplied out, it loses digits.
const MANY_FACTORS: usize = 3;

/// The most letters whose sums and differences are tried as factors.
const MOST_LETTERS: usize = 6;

/// How many levels of parts are multiplied out and factored.
const DEPTH: u8 = 2;

/// The shortest shape of a term.
pub fn shortest(term: &Term) -> Term {
    let mut search = ShapeSearch {
        work: WorkBudget::new(WORK),
        known: known_sums(term),
        best: BTreeMap::new(),
    };
    search.best(term, Place::WHOLE)
}

/// The shortest shape of a derivative of this order.
pub fn shortest_derivative(
    term: &Term,
    by: &Letter,
    order: usize,
    rules: &dyn Rules,
) -> Result<Term, TooLarge> {
    term.check()?;
    let mut shape = shortest(term);
    for _ in 0..order {
        shape = shortest(&derivative(&shape, by, rules)?);
    }
    Ok(shape)
}

/// The derivative as the rules make it.
pub fn derivative(term: &Term, by: &Letter, rules: &dyn Rules) -> Result<Term, TooLarge> {
    term.check()?;
    let mut deriver = Deriver {
        rules,
        by,
        known: BTreeMap::new(),
    };
    let derivative = deriver.derivative(term);
    derivative.check().map(|()| derivative)
}

/// The term with products and whole powers multiplied out. `None` if it gets too long.
pub fn expand(term: &Term) -> Option<Term> {
    multiply_out(term, &WorkBudget::new(WORK).with_terms(MOST_TERMS))
}

/// The term as a product of factors.
pub fn factor(term: &Term) -> Option<Term> {
    let [factor, rest] = common_factor(&expand(term)?);
    let mut known = known_sums(term);
    known.extend(sums_of_letters(term));
    let work = WorkBudget::new(WORK).with_terms(MOST_TERMS);
    Some(product([factor, factor_sum(&rest, &known, &work)]))
}

/// The sums and differences of two letters, which are likely factors.
fn sums_of_letters(term: &Term) -> Vec<Term> {
    let letters: Vec<Term> = letters_of(term).into_iter().take(MOST_LETTERS).collect();
    let pairs = (1..letters.len()).flat_map(|at| (0..at).map(move |before| [before, at]));
    let both = pairs.flat_map(|[one, other]| {
        let pair = |sign| sum([letters[one].clone(), scale(sign, &letters[other])]);
        [Number::ONE, Number::MINUS_ONE].map(pair)
    });
    both.collect()
}

/// The term with one factor for each power of a letter. `None` if it gets too long.
pub fn collect_by(term: &Term, letter: &Letter) -> Option<Term> {
    let is_letter = |[base, _]: &Generator| match base.kind() {
        TermKind::Letter(it) => it.place == letter.place,
        _ => false,
    };
    let groups = groups(&expand(term)?, is_letter).into_iter();
    Some(sum(
        groups.map(|(power, terms)| product([power, sum(terms)]))
    ))
}

/// The terms of a sum by the part of them that `is_key` selects among their powers, each without this part.
fn groups(term: &Term, is_key: impl Fn(&Generator) -> bool) -> BTreeMap<Term, Vec<Term>> {
    let mut groups: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
    for part in term.terms() {
        let mut rest = Monomial::of(part);
        let mut key = rest.clone();
        key.number = Number::ONE;
        key.powers.retain(|it, _| is_key(it));
        rest.powers.retain(|it, _| !is_key(it));
        groups.entry(key.term()).or_default().push(rest.term());
    }
    groups
}

/// Where a term stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// How many levels of parts are still multiplied out and factored.
    depth: u8,
    /// Whether a sum has brackets there.
    is_factor: bool,
}

impl Place {
    const WHOLE: Place = Place {
        depth: DEPTH,
        is_factor: false,
    };

    /// The place of a part.
    fn inner(self, is_factor: bool) -> Place {
        let depth = self.depth.saturating_sub(1);
        Place { depth, is_factor }
    }

    /// The place of a part of a term that stands here.
    fn of_part(self, term: &Term, at: usize) -> Place {
        match term.kind() {
            TermKind::Call(_) => Place {
                is_factor: false,
                ..self
            },
            TermKind::Power => self.inner(at == 0),
            kind => self.inner(matches!(kind, TermKind::Product)),
        }
    }

    /// The cost of a shape; the cheapest wins. A token costs 2. A sum that needs brackets, or that is no polynomial, costs 4
    /// more. A factor in front of a polynomial, a number in front of a sum, and a line below it cost 1, so they must save a
    /// token: `(x^2 - 1/x^2)^5` and `(x/7 + 7/x)^5` stay. Rounded numbers cost more than all tokens.
    fn cost(self, term: &Term) -> usize {
        let more = match term.kind() {
            TermKind::TooLarge => return usize::MAX,
            TermKind::Sum if self.is_factor => 4,
            TermKind::Sum if !is_polynomial(term) => 4,
            TermKind::Product if self.is_factor => usize::from(has_line(term)),
            TermKind::Product if has_open_power(term) => 0,
            TermKind::Product if is_polynomial(term) || is_quotient(term) => 1,
            _ => 0,
        };
        let rounded = if term.is_exact() { 0 } else { WORK };
        2 * count_tokens(&items(term)) + more + rounded
    }
}

/// Whether it is a polynomial in one letter.
fn is_polynomial(term: &Term) -> bool {
    is_of_letters(term) && letters_of(term).len() < 2
}

/// Whether it is a sum with only numbers and divisors.
fn is_quotient(term: &Term) -> bool {
    let mut others = term.factors().iter().filter(|it| !it.is_sum());
    others.all(|it| it.number().is_some() || is_divisor(it))
}

fn has_line(term: &Term) -> bool {
    term.coefficient().quotient().is_some() || term.factors().iter().any(is_divisor)
}

/// Whether a factor stands below the line.
fn is_divisor(factor: &Term) -> bool {
    let [_, exponent] = factor.power_parts();
    exponent.number().is_some_and(Number::is_negative)
}

/// Whether a power of a sum is among its factors.
fn has_open_power(term: &Term) -> bool {
    let mut factors = term.factors().iter().map(Term::power_parts);
    factors.any(|[base, exponent]| base.is_sum() && !exponent.is(1))
}

/// Whether it consists of letters and numbers, and no letter stands below a line or a root.
fn is_of_letters(term: &Term) -> bool {
    match (term.kind(), term.parts()) {
        (TermKind::Call(_), _) => false,
        (TermKind::Power, [base, exponent]) => {
            exponent.integer().is_some_and(|it| it > 0) && is_of_letters(base)
        }
        (_, parts) => parts.iter().all(is_of_letters),
    }
}

/// The letters outside of functions.
fn letters_of(term: &Term) -> BTreeSet<Term> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![term]);
    while let Some(next) = waiting.pop() {
        match next.kind() {
            TermKind::Letter(_) => {
                found.insert(next.clone());
            }
            TermKind::Call(_) => {}
            _ => waiting.extend(next.parts()),
        }
    }
    found
}

/// The sums that occur as factors or with a power. They are likely factors of others.
fn known_sums(term: &Term) -> Vec<Term> {
    let (mut found, mut waiting) = (Vec::new(), vec![term]);
    while let Some(next) = waiting.pop() {
        if !matches!(next.kind(), TermKind::Call(_)) {
            found.extend(next.parts().iter().filter(|it| it.is_sum()).cloned());
        }
        waiting.extend(next.parts());
    }
    found.sort();
    found.dedup();
    found
}

struct ShapeSearch {
    work: WorkBudget,
    known: Vec<Term>,
    best: BTreeMap<(Term, Place), Term>,
}

impl ShapeSearch {
    fn best(&mut self, term: &Term, place: Place) -> Term {
        let key = (term.clone(), place);
        if let Some(known) = self.best.get(&key) {
            return known.clone();
        }
        if self.work.spend(term.tokens() as usize).is_none() {
            return term.clone();
        }
        // The whole comes before its parts, so that the work is left for it.
        let mut shapes = Vec::new();
        for base in self.bases(term, place) {
            shapes.extend(self.shapes_with_factor(&base, place));
            shapes.extend(self.collected_by_functions(&base, place));
            shapes.push(self.with_best_parts(&base, place));
            shapes.extend(self.with_factors_below(&base));
        }
        for at in 0..shapes.len() {
            shapes.extend(with_tangents(&shapes[at]));
        }
        // Of equal ones the first is taken.
        let best = shapes.into_iter().min_by_key(|it| place.cost(it));
        let best = best.expect("there is one");
        self.best.insert(key, best.clone());
        best
    }

    /// The forms that a term is shaped from: as it is, multiplied out, with squares replaced.
    fn bases(&self, term: &Term, place: Place) -> Vec<Term> {
        let mut bases = vec![term.clone()];
        let sums = term.factors().iter().filter(|it| it.is_sum());
        if place.depth > 0
            && sums.count() < MANY_FACTORS
            && let Some(expanded) = multiply_out(term, &self.work)
        {
            bases.extend(replaced_squares(&expanded, &self.work));
            bases.push(expanded);
        }
        bases.dedup();
        bases
    }

    /// The same operation on operands in their best shape.
    fn with_best_parts(&mut self, term: &Term, place: Place) -> Term {
        let parts = term.parts().iter().enumerate();
        let parts: Vec<Term> = parts
            .map(|(at, it)| self.best(it, place.of_part(term, at)))
            .collect();
        match (term.kind(), &parts[..]) {
            (TermKind::Call(function), _) => call(function, parts),
            (TermKind::Power, [base, exponent]) => power(base, exponent),
            (TermKind::Product, _) => product(parts),
            (TermKind::Sum, _) => sum(parts),
            _ => term.clone(),
        }
    }

    /// The product with the sums below its line as products, of which some may cancel.
    fn with_factors_below(&self, term: &Term) -> Option<Term> {
        let is_below = |factor: &Term| is_divisor(factor) && factor.parts()[0].is_sum();
        let factors = term.factors();
        if !factors.iter().any(is_below) || self.work.spend(term.tokens() as usize).is_none() {
            return None;
        }
        Some(product(factors.iter().map(|it| self.factor_base(it))))
    }

    /// A power with its base as a product.
    fn factor_base(&self, factor: &Term) -> Term {
        let [base, exponent] = factor.power_parts();
        let [common, inner] = common_factor(&base);
        // `exp(-x) + 1` is no better as `exp(-x)*(exp(x) + 1)`.
        if common.has_letter(Letter::EULER) {
            return factor.clone();
        }
        let rest = factor_sum(&inner, &[], &self.work);
        power(&product([common, rest]), &exponent)
    }

    /// The shapes of a sum with what its terms have in common in front.
    fn shapes_with_factor(&mut self, term: &Term, place: Place) -> Vec<Term> {
        if !term.is_sum() || self.work.spend(term.terms().len()).is_none() {
            return Vec::new();
        }
        let [factor, rest] = common_factor(term);
        let mut shapes = Vec::new();
        if place.depth > 0 {
            shapes.push(factor_sum(&rest, &self.known, &self.work));
            shapes.retain(|it| !it.is_sum());
        }
        if !factor.is(1) {
            shapes.push(self.best(&rest, place.inner(true)));
        }
        let factor = self.with_best_parts(&factor, place);
        let times_factor = |it: &Term| product([factor.clone(), it.clone()]);
        // `(90*x^4*(x + 1)^2 + 13)/(x + 1)^2` is a sum with one quotient.
        let may_cancel = |it: &&Term| it.is_sum() && has_open_power(&factor);
        let canceled = shapes.iter().filter(may_cancel);
        let sums = canceled.map(|it| sum(it.terms().iter().map(times_factor)));
        shapes.iter().map(times_factor).chain(sums).collect()
    }

    /// The terms that have the same functions, together: `(2 - x^2)*sin(x) + 4*x*cos(x)`.
    fn collected_by_functions(&mut self, term: &Term, place: Place) -> Option<Term> {
        if place.depth == 0 || !term.is_sum() {
            return None;
        }
        let is_function = |[base, exponent]: &Generator| {
            !matches!(base.kind(), TermKind::Letter(_)) || !exponent.is(1)
        };
        let groups = groups(term, is_function);
        if groups.len() == 1 || groups.len() == term.terms().len() {
            return None;
        }
        let joined = groups.into_iter().map(|(functions, terms)| {
            product([functions, self.best(&sum(terms), place.inner(true))])
        });
        Some(sum(joined))
    }
}
