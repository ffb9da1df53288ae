//! The order in which terms are read: the highest power first, letters as they were typed, and `sin` before `cos`.

use std::cmp::{Ordering, Reverse};

use super::{Term, TermKind};
use crate::number::Number;

/// The degree of a term in its letters, and in its functions.
fn degrees(term: &Term) -> [Number; 2] {
    let [mut letters, mut functions] = [Number::ZERO; 2];
    for factor in term.factors() {
        let [base, exponent] = factor.power_parts();
        let times = exponent.number().unwrap_or(Number::ZERO);
        match base.kind() {
            TermKind::Letter(it) if it.place >= 0 => letters = letters + times,
            TermKind::Call(_) => functions = functions + times,
            TermKind::Sum => {
                let inner = base.parts().iter().map(|it| degrees(it)[0]).max();
                letters = letters + times * inner.unwrap_or(Number::ZERO);
            }
            _ => {}
        }
    }
    [letters, functions]
}

/// The terms of a sum in the order in which they are read, unless signs decide otherwise.
pub(crate) fn sorted_terms(terms: &[Term]) -> Vec<&Term> {
    let key = |term: &Term| (Reverse(degrees(term)), term.number().is_some());
    let mut keyed: Vec<_> = terms.iter().map(|it| (key(it), it)).collect();
    keyed.sort_by(|(a, one), (b, other)| a.cmp(b).then_with(|| order_of_products(one, other)));
    keyed.into_iter().map(|(_, it)| it).collect()
}

/// `a*b` comes before `a*c`, and `x^2*y` before `x*y^2`.
fn order_of_products(one: &Term, other: &Term) -> Ordering {
    let [one, other] = [one, other].map(|term| {
        let factors = term.factors().iter().filter(|it| it.number().is_none());
        let mut powers: Vec<[Term; 2]> = factors.map(Term::power_parts).collect();
        powers.sort_by(|[a, _], [b, _]| reading_order(a, b));
        powers
    });
    let orders = one.iter().zip(&other).map(|([a, n], [b, m])| {
        let by_exponent = m.number().cmp(&n.number());
        reading_order(a, b).then(by_exponent)
    });
    let first = { orders }.find(|it| it.is_ne());
    first.unwrap_or(one.len().cmp(&other.len()))
}

/// The order of factors.
pub(crate) fn reading_order(one: &Term, other: &Term) -> Ordering {
    let order = match (one.kind(), other.kind()) {
        (TermKind::Letter(a), TermKind::Letter(b)) => a.place.cmp(&b.place),
        (TermKind::Call(a), TermKind::Call(b)) => {
            let by_size = one.size().cmp(&other.size());
            by_size.then_with(|| b.name.cmp(&a.name))
        }
        _ => one.size().cmp(&other.size()),
    };
    order.then_with(|| one.cmp(other))
}
