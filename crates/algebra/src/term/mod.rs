//! Terms in a normal form: sums of products of powers, simplified as they are made.
//!
//! Every rule keeps the value wherever the term had one. It may get a value at more places: `x/x` is 1.

pub(crate) mod function;
pub(crate) mod order;
pub(crate) mod power;

use std::collections::BTreeMap;
use std::rc::Rc;

use self::function::NamedFunction;
use self::order::sort_terms;
use self::power::{plain_power, power, reduce_signs};
use crate::number::Number;

/// A formula. Clones share it.
#[derive(Clone, Debug)]
pub struct Term(Rc<TermNode>);

#[derive(Debug)]
struct TermNode {
    kind: TermKind,
    parts: Vec<Term>,
    tokens: u32,
    depth: u32,
}

/// The most tokens of a formula.
pub const MAX_TOKENS: u32 = 2000;

/// The most operations of a formula that contain each other.
pub const MAX_DEPTH: u32 = 100;

/// How many times larger than a finished formula the terms in between may be.
const SLACK: u32 = 2;

/// The error of a formula that is too long or too deep, with the number of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The number of names, numbers, signs and brackets before its terms were sorted and joined.
    pub tokens: u32,
}

thread_local! {
    /// The exponent of a term that is no power. It is needed often.
    static ONE: Term = Term::whole(1);
}

/// The kinds of terms.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// A number.
    Number(Number),
    /// A letter or a constant such as `pi`.
    Letter(Letter),
    /// A function. Its parts are the arguments.
    Call(Rc<NamedFunction>),
    /// A base and an exponent, which is neither 0 nor 1.
    Power,
    /// At least two factors, sorted by their bases. A number comes first. No two have the same base.
    Product,
    /// At least two terms in the order in which they are read. No two differ only by a number.
    Sum,
    /// What is no formula because it is too large. Whatever is made of it is too large too.
    TooLarge,
}

/// A letter of a formula. Letters with the same place are the same.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Its place among the letters as they were typed. Constants have negative places and are positive.
    pub place: i64,
    /// Its name.
    pub name: Rc<str>,
}

impl Letter {
    /// The place of `e`, the base of `exp`.
    pub const EULER: i64 = i64::MIN;

    /// The place of `pi`.
    pub const PI: i64 = -1;

    /// Letters from this place on are lists, and stand for their items within a sum over these.
    pub const FIRST_LIST: i64 = 1 << 40;

    /// The place of a letter that stands for a sum, and so comes last in a product.
    pub const SUM: i64 = Letter::FIRST_LIST - 1;

    pub(crate) fn is_constant(&self) -> bool {
        self.place < 0
    }

    pub(crate) fn is_list(&self) -> bool {
        self.place >= Letter::FIRST_LIST
    }
}

impl Term {
    /// The term of this kind, as it is.
    pub(crate) fn plain(kind: TermKind, parts: Vec<Term>) -> Term {
        let own = match kind {
            TermKind::Call(_) => 3,
            _ => parts.len().saturating_sub(1).max(1),
        };
        let of_parts = parts.iter().map(Term::tokens);
        let tokens = of_parts.fold(own as u32, u32::saturating_add);
        let depth = parts.iter().map(|it| it.depth() + 1).max().unwrap_or(0);
        let has_large = parts.iter().any(Term::is_too_large);
        if has_large || tokens > SLACK * MAX_TOKENS || depth > SLACK * MAX_DEPTH {
            return Term::too_large(tokens);
        }
        Term(Rc::new(TermNode {
            kind,
            parts,
            tokens,
            depth,
        }))
    }

    /// What stands for a term with this number of tokens.
    pub(crate) fn too_large(tokens: u32) -> Term {
        Term(Rc::new(TermNode {
            kind: TermKind::TooLarge,
            parts: Vec::new(),
            tokens,
            depth: 0,
        }))
    }

    /// Whether it is as small as a formula has to be.
    pub fn check(&self) -> Result<(), TooLarge> {
        let tokens = self.tokens();
        let is_large = self.is_too_large() || tokens > MAX_TOKENS || self.depth() > MAX_DEPTH;
        if is_large {
            Err(TooLarge { tokens })
        } else {
            Ok(())
        }
    }

    pub(crate) fn is_too_large(&self) -> bool {
        matches!(self.kind(), TermKind::TooLarge)
    }

    /// A letter. Those with the same place are the same.
    pub fn letter(name: &str, place: i64) -> Term {
        let name = name.into();
        Term::plain(TermKind::Letter(Letter { place, name }), Vec::new())
    }

    /// The base of `exp`.
    pub fn euler() -> Term {
        Term::letter("e", Letter::EULER)
    }

    /// A whole number.
    pub fn whole(number: i64) -> Term {
        Number::whole(number).into()
    }

    /// The product or sum of sorted parts.
    fn join(kind: TermKind, mut parts: Vec<Term>, of_none: i64) -> Term {
        match parts.len() {
            0 => Term::whole(of_none),
            1 => parts.swap_remove(0),
            _ => Term::plain(kind, parts),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    /// Its arguments, base and exponent, factors or terms.
    pub fn parts(&self) -> &[Term] {
        &self.0.parts
    }

    /// The number of names, numbers, signs and brackets as it is kept, without those around sums.
    pub fn tokens(&self) -> u32 {
        self.0.tokens
    }

    /// The number of operations that contain each other.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// Whether all its numbers are exact.
    pub(crate) fn is_exact(&self) -> bool {
        match self.kind() {
            TermKind::Number(it) => it.is_exact(),
            _ => self.parts().iter().all(Term::is_exact),
        }
    }

    /// The number that it is.
    pub fn number(&self) -> Option<Number> {
        match self.kind() {
            TermKind::Number(it) => Some(*it),
            _ => None,
        }
    }

    pub(crate) fn integer(&self) -> Option<i64> {
        self.number().and_then(Number::integer)
    }

    /// Whether it is this whole number.
    pub(crate) fn is(&self, number: i64) -> bool {
        self.integer() == Some(number)
    }

    pub(crate) fn is_euler(&self) -> bool {
        matches!(self.kind(), TermKind::Letter(it) if it.place == Letter::EULER)
    }

    pub(crate) fn is_sum(&self) -> bool {
        matches!(self.kind(), TermKind::Sum)
    }

    /// Whether it has a number for each item of a list.
    pub(crate) fn has_items(&self) -> bool {
        match self.kind() {
            TermKind::Letter(it) => it.is_list(),
            TermKind::Call(function) if function.items.is_some() => false,
            _ => self.parts().iter().any(Term::has_items),
        }
    }

    /// Whether a letter occurs in it.
    pub fn has_letter(&self, place: i64) -> bool {
        match self.kind() {
            TermKind::Letter(it) => it.place == place,
            _ => self.parts().iter().any(|it| it.has_letter(place)),
        }
    }

    /// The argument, if it is the call of this function of one argument.
    pub(crate) fn argument_of(&self, name: &str) -> Option<&Term> {
        match (self.kind(), self.parts()) {
            (TermKind::Call(it), [only]) if *it.name == *name => Some(only),
            _ => None,
        }
    }

    /// Its terms, or itself.
    pub(crate) fn terms(&self) -> &[Term] {
        match self.kind() {
            TermKind::Sum => self.parts(),
            _ => std::slice::from_ref(self),
        }
    }

    /// Its factors, or itself.
    pub(crate) fn factors(&self) -> &[Term] {
        match self.kind() {
            TermKind::Product => self.parts(),
            _ => std::slice::from_ref(self),
        }
    }

    /// The base and the exponent, which is 1 for a term that is no power.
    pub(crate) fn power_parts(&self) -> [Term; 2] {
        match (self.kind(), self.parts()) {
            (TermKind::Power, [base, exponent]) => [base.clone(), exponent.clone()],
            _ => [self.clone(), ONE.with(Term::clone)],
        }
    }

    /// The number in front.
    pub(crate) fn coefficient(&self) -> Number {
        self.factors()[0].number().unwrap_or(Number::ONE)
    }

    /// The term without the number in front.
    pub(crate) fn rest(&self) -> Term {
        match (self.number(), self.factors()) {
            (Some(_), _) => Term::whole(1),
            (None, [first, rest @ ..]) if first.number().is_some() => {
                Term::join(TermKind::Product, rest.to_vec(), 1)
            }
            _ => self.clone(),
        }
    }
}

impl From<Number> for Term {
    fn from(number: Number) -> Term {
        Term::plain(TermKind::Number(number), Vec::new())
    }
}

/// A number times a term that has no number in front.
pub(crate) fn times(number: Number, rest: Term) -> Term {
    if rest.is(1) {
        return number.into();
    }
    if number == Number::ONE {
        return rest;
    }
    let mut factors = vec![number.into()];
    factors.extend_from_slice(rest.factors());
    Term::plain(TermKind::Product, factors)
}

/// A number, which is not 0, times a term. A sum is multiplied out, and its terms keep their order.
pub(crate) fn scale(number: Number, term: &Term) -> Term {
    let terms = term.terms().iter();
    let scaled = terms.map(|it| times(it.coefficient() * number, it.rest()));
    match term.kind() {
        _ if number == Number::ONE => term.clone(),
        TermKind::Sum => Term::plain(TermKind::Sum, scaled.collect()),
        _ => sum(scaled),
    }
}

/// The opposite.
pub(crate) fn negative(term: &Term) -> Term {
    scale(Number::MINUS_ONE, term)
}

/// The call of a function by its name, as it is.
pub(crate) fn plain_call(name: &str, argument: Term) -> Term {
    let function = Rc::new(NamedFunction::of_name(name));
    Term::plain(TermKind::Call(function), vec![argument])
}

/// The sum of terms.
pub fn sum(terms: impl IntoIterator<Item = Term>) -> Term {
    sum_of(terms.into_iter().collect())
}

fn sum_of(terms: Vec<Term>) -> Term {
    if terms.iter().any(Term::is_too_large) {
        return Term::plain(TermKind::Sum, terms);
    }
    let mut like: BTreeMap<Term, Number> = BTreeMap::new();
    let mut waiting: Vec<(Number, Term)> = terms.into_iter().map(|it| (Number::ONE, it)).collect();
    while let Some((outer, term)) = waiting.pop() {
        let number = outer * term.coefficient();
        let rest = term.rest();
        if rest.is_sum() {
            waiting.extend(rest.parts().iter().map(|it| (number, it.clone())));
        } else {
            let total = like.entry(rest).or_insert(Number::ZERO);
            *total = *total + number;
        }
    }
    like.retain(|_, number| number.value != 0.0);
    let parts = like.into_iter().map(|(rest, number)| times(number, rest));
    Term::join(TermKind::Sum, sort_terms(parts.collect()), 0)
}

/// The product of factors.
pub fn product(factors: impl IntoIterator<Item = Term>) -> Term {
    product_of(factors.into_iter().collect())
}

fn product_of(factors: Vec<Term>) -> Term {
    if let [only] = &factors[..] {
        return only.clone();
    }
    if factors.iter().any(Term::is_too_large) {
        return Term::plain(TermKind::Product, factors);
    }
    let mut number = Number::ONE;
    // Exponents by bases. An exponent may become 0: the product has no value where this base is 0.
    let mut powers: BTreeMap<Term, Term> = BTreeMap::new();
    let mut waiting: Vec<Term> = factors.iter().flat_map(Term::factors).cloned().collect();
    while let Some(factor) = waiting.pop() {
        if let Some(own) = factor.number() {
            number = number * own;
            continue;
        }
        let [mut base, exponent] = factor.power_parts();
        if factor.is_sum() {
            let (content, rest) = primitive(&factor);
            number = number * content;
            base = rest;
        }
        let Some(old) = powers.remove(&base) else {
            powers.insert(base, exponent);
            continue;
        };
        let total = sum([old, exponent]);
        let joined = power(&base, &total);
        match joined.power_parts() {
            _ if total.is(0) => {
                powers.insert(base, total);
            }
            [same, rest] if same == base && !rest.is(1) => {
                powers.insert(base, rest);
            }
            _ => waiting.extend_from_slice(joined.factors()),
        }
    }
    reduce_signs(&mut powers);
    powers.retain(|_, exponent| !exponent.is(0));
    let all = powers
        .iter()
        .map(|(base, exponent)| plain_power(base, exponent));
    let rest = Term::join(TermKind::Product, all.collect(), 1);
    match number {
        // 0/0 has no value.
        _ if number.value == 0.0 && !powers.contains_key(&Term::whole(0)) => Term::whole(0),
        _ if rest.is_sum() && number == Number::MINUS_ONE => negative(&rest),
        _ => times(number, rest),
    }
}

/// The greatest number that divides all terms. It is 1 if one of them was typed with a decimal point.
pub(crate) fn content(term: &Term) -> Number {
    let numbers = || term.terms().iter().map(Term::coefficient);
    if term.is(0) || term.is_sum() && numbers().any(|it| it.is_decimal) {
        return Number::ONE;
    }
    numbers()
        .reduce(Number::common_divisor)
        .filter(|it| it.value != 0.0)
        .map_or(Number::ONE, Number::abs)
}

/// A number and a sum, whose product a sum is. Sums that differ only by a number have the same second part, which begins
/// with a positive term.
pub(crate) fn primitive(term: &Term) -> (Number, Term) {
    let content = content(term);
    let is_negative = term.terms()[0].coefficient().is_negative();
    let number = if is_negative { -content } else { content };
    (number, scale(number.reciprocal(), term))
}
