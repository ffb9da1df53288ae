//! The rules of differentiation: sum, product, power and chain rule.

use std::collections::BTreeMap;

use crate::term::function::{call, logarithm};
use crate::term::power::power;
use crate::term::{Letter, Term, TermKind, product, sum};

/// The derivatives that are not in the rules of differentiation.
pub trait Rules {
    /// The derivative of the call of a function by the argument at `position`.
    fn slope(&self, call: &Term, position: usize) -> Term;

    /// The derivative of a letter that stands for a formula of its own.
    fn slope_of_letter(&self, _letter: &Letter) -> Term {
        Term::whole(0)
    }
}

/// Differentiates by a letter.
pub(crate) struct Deriver<'d> {
    pub(crate) rules: &'d dyn Rules,
    pub(crate) by: &'d Letter,
    pub(crate) known: BTreeMap<Term, Term>,
}

impl Deriver<'_> {
    pub(crate) fn derivative(&mut self, term: &Term) -> Term {
        if let Some(known) = self.known.get(term) {
            return known.clone();
        }
        let parts = term.parts();
        let inner: Vec<Term> = parts.iter().map(|it| self.derivative(it)).collect();
        let changing = inner.iter().enumerate().filter(|(_, it)| !it.is(0));
        let derivative = match term.kind() {
            TermKind::Number(_) => Term::whole(0),
            TermKind::Letter(it) if it.place == self.by.place => Term::whole(1),
            TermKind::Letter(it) => self.rules.slope_of_letter(it),
            TermKind::TooLarge => term.clone(),
            TermKind::Sum => sum(inner),
            TermKind::Product => sum(changing.map(|(at, it)| {
                let others = parts[..at].iter().chain(&parts[at + 1..]);
                product(others.chain([it]).cloned())
            })),
            // An item of a list occurs in one term of the sum.
            TermKind::Call(function) if function.items.is_some() && self.by.is_list() => {
                inner[0].clone()
            }
            TermKind::Call(function) if function.items.is_some() => call(function, inner),
            TermKind::Call(function) if *function.name == *"sum" => sum(inner),
            TermKind::Power => derivative_of_power(term, &inner),
            TermKind::Call(function) if *function.name == *"if" => {
                let [_, one, other] = [0, 1, 2].map(|at| inner[at].clone());
                call(function, vec![parts[0].clone(), one, other])
            }
            TermKind::Call(_) => {
                sum(changing.map(|(at, it)| product([self.rules.slope(term, at), it.clone()])))
            }
        };
        self.known.insert(term.clone(), derivative.clone());
        derivative
    }
}

/// The derivative of `base^exponent` from those of the base and the exponent.
fn derivative_of_power(whole: &Term, inner: &[Term]) -> Term {
    let [base, exponent] = whole.power_parts();
    // `0^x` is 0 wherever it is smooth.
    if base.is(0) {
        return base;
    }
    let lower = power(&base, &sum([exponent.clone(), Term::whole(-1)]));
    let by_exponent = product([whole.clone(), logarithm(base), inner[1].clone()]);
    sum([product([exponent, lower, inner[0].clone()]), by_exponent])
}
