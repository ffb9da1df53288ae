//! The order in which terms are read: the highest power first, letters as they were typed, `sin` before `cos`, and
//! `sec` before `tan`.

use std::cmp::{Ordering, Reverse};
use std::rc::Rc;

use super::{Term, TermKind};
use crate::number::Number;

/// The order of factors: short ones first. Terms are equal if they are built in the same way.
impl Ord for Term {
    fn cmp(&self, other: &Term) -> Ordering {
        if Rc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        let by_length = self.tokens().cmp(&other.tokens());
        let by_kind = by_length.then_with(|| self.kind().order(other.kind()));
        by_kind.then_with(|| self.parts().cmp(other.parts()))
    }
}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Term) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Term {}

impl TermKind {
    fn order(&self, other: &TermKind) -> Ordering {
        match (self, other) {
            (TermKind::Number(a), TermKind::Number(b)) => a.cmp(b),
            (TermKind::Letter(a), TermKind::Letter(b)) => a.place.cmp(&b.place),
            (TermKind::Call(a), TermKind::Call(b)) => name_key(&a.name).cmp(&name_key(&b.name)),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            TermKind::Number(_) => 0,
            TermKind::Letter(_) => 1,
            TermKind::Call(_) => 2,
            TermKind::Power => 3,
            TermKind::Product => 4,
            TermKind::Sum => 5,
            TermKind::TooLarge => 6,
        }
    }
}

/// The key by which functions are sorted: backwards by name, but `sec` comes before `tan`.
fn name_key(name: &str) -> (bool, Reverse<&str>) {
    (!name.starts_with("sec"), Reverse(name))
}

/// The degree of a term in its letters, and in its functions.
pub(crate) fn degrees(term: &Term) -> [Number; 2] {
    let [mut letters, mut functions] = [Number::ZERO; 2];
    for factor in term.factors() {
        let [base, exponent] = factor.power_parts();
        let times = exponent.number().unwrap_or(Number::ZERO);
        match base.kind() {
            TermKind::Letter(it) if !it.is_constant() => letters = letters + times,
            TermKind::Call(_) => functions = functions + times,
            TermKind::Sum => letters = letters + times * degrees(&base.parts()[0])[0],
            _ => {}
        }
    }
    [letters, functions]
}

/// The powers of a term, without its number.
fn powers(term: &Term) -> impl Iterator<Item = [Term; 2]> {
    let factors = term.factors().iter().map(Term::power_parts);
    factors.filter(|[base, _]| base.number().is_none())
}

/// The terms of a sum in the order in which they are read, unless signs decide otherwise.
pub(crate) fn sort_terms(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_by_cached_key(|term| {
        // `a*b` comes before `a*c`, and `x^2*y` before `x*y^2`.
        let each = powers(term).map(|[base, exponent]| (base, Reverse(exponent.number())));
        let is_number = term.number().is_some();
        (Reverse(degrees(term)), is_number, each.collect::<Vec<_>>())
    });
    terms
}
