//! Powers and signs in normal form.

use std::collections::BTreeMap;

use super::{Term, TermKind, negative, plain_call, primitive, product};
use crate::number::Number;

/// The largest factor that is looked for in a whole number below a root.
const MAX_ROOT: i64 = 1000;

/// A base with an exponent, as it is.
pub(crate) fn plain_power(base: &Term, exponent: &Term) -> Term {
    if exponent.is(1) {
        return base.clone();
    }
    Term::plain(TermKind::Power, vec![base.clone(), exponent.clone()])
}

/// A base to the power of an exponent.
pub fn power(base: &Term, exponent: &Term) -> Term {
    if exponent.is(0) || base.is(1) {
        return Term::whole(1);
    }
    match (base.kind(), exponent.number()) {
        _ if exponent.is(1) => base.clone(),
        (TermKind::Letter(_), None) if base.is_euler() => exponential(base, exponent),
        (TermKind::Power, number) => power_of_power(base, exponent, number),
        (TermKind::Number(it), Some(number)) => power_of_number(*it, number),
        (TermKind::Product, Some(number)) if number.integer().is_some() => {
            product(base.parts().iter().map(|it| power(it, exponent)))
        }
        (TermKind::Product | TermKind::Sum, Some(number)) => power_with_content(base, number),
        (TermKind::Call(_), Some(number)) if base.argument_of("sign").is_some() => {
            match reduced_sign(number, false) {
                // `1/sign(x)` is reduced in a product, where it may cancel.
                reduced if reduced != number && !exponent.is(-1) => power(base, &reduced.into()),
                _ => plain_power(base, exponent),
            }
        }
        _ => plain_power(base, exponent),
    }
}

/// A whole power.
pub(crate) fn raise(base: &Term, exponent: i64) -> Term {
    power(base, &Term::whole(exponent))
}

/// `exp(a*ln(b))` is `b^a`.
fn exponential(euler: &Term, exponent: &Term) -> Term {
    let factors = exponent.factors();
    let logarithm = factors
        .iter()
        .find_map(|it| Some([it, it.argument_of("ln")?]));
    let Some([logarithm, inner]) = logarithm else {
        return plain_power(euler, exponent);
    };
    let others = factors.iter().filter(|it| *it != logarithm);
    power(inner, &product(others.cloned()))
}

fn power_of_power(whole: &Term, exponent: &Term, number: Option<Number>) -> Term {
    let [base, inner] = whole.power_parts();
    let together = product([inner.clone(), exponent.clone()]);
    let is_whole = number.is_some_and(|it| it.integer().is_some());
    match (number, inner.number()) {
        _ if is_whole || least_sign(&base) >= 0 => power(&base, &together),
        // `sqrt(x^2)` is `abs(x)`.
        (Some(_), Some(it)) if it.is_even() => power(&absolute(&base), &together),
        (Some(_), Some(_)) => power(&base, &together),
        _ => plain_power(whole, exponent),
    }
}

/// A sum, or a product below a root. What divides all terms comes out.
fn power_with_content(base: &Term, exponent: Number) -> Term {
    let (mut content, mut rest) = primitive(base);
    if exponent.integer().is_none() && content.is_negative() {
        (content, rest) = (-content, negative(&rest));
    }
    // `(x/7 + 7/x)^7` stays, and is not `(x + 49/x)^7/7^7`.
    if exponent.integer().is_some_and(|it| it > 1) {
        return plain_power(base, &exponent.into());
    }
    let outside = power_of_number(content, exponent);
    product([outside, plain_power(&rest, &exponent.into())])
}

/// A number to the power of a number. Roots are those of whole numbers, with exponents between 0 and 1.
fn power_of_number(base: Number, exponent: Number) -> Term {
    let as_it_is = plain_power(&base.into(), &exponent.into());
    match exponent.integer() {
        _ if base.value == 0.0 && exponent.is_negative() => return as_it_is,
        _ if base.value == 0.0 => return Term::whole(0),
        Some(whole) => return base.power(whole).into(),
        None => {}
    }
    let (Some(ratio), Some([times, degree])) = (base.ratio, exponent.ratio) else {
        return as_it_is;
    };
    let [(above, inside), (below, inside_below)] = ratio.map(|it| split_root(it, degree));
    if base.is_negative() || inside_below != 1 || base.is_decimal && inside != 1 {
        return as_it_is;
    }
    let whole = exponent.value.floor() as i64;
    let root = match inside {
        1 => Term::whole(1),
        _ => plain_power(
            &Term::whole(inside),
            &(exponent + Number::whole(-whole)).into(),
        ),
    };
    let rooted = Number::whole(above) * Number::whole(below).reciprocal();
    let outside = rooted.power(times) * Number::whole(inside).power(whole);
    product([outside.into(), root])
}

/// The whole numbers `a` and `b` of a number `a^degree*b`.
pub(crate) fn split_root(number: i64, degree: i64) -> (i64, i64) {
    let degree = u32::try_from(degree).unwrap_or(u32::MAX);
    let (mut outside, mut inside, mut candidate) = (1, number, 2_i64);
    while candidate < MAX_ROOT
        && let Some(raised) = candidate.checked_pow(degree)
        && raised <= inside
    {
        if inside % raised == 0 {
            inside /= raised;
            outside *= candidate;
        } else {
            candidate += 1;
        }
    }
    (outside, inside)
}

/// The exponent of `sign(u)` that has the same value. A positive even power is 1 only where `u` is not 0.
fn reduced_sign(exponent: Number, is_defined_only_off_zero: bool) -> Number {
    match exponent.integer() {
        Some(it) if it % 2 != 0 => Number::ONE,
        Some(it) if it < 0 || is_defined_only_off_zero => Number::ZERO,
        Some(_) => Number::whole(2),
        None => exponent,
    }
}

/// Replaces `sign(u)^2` by 1 in a product that is 0 or has no value where `u` is 0.
pub(crate) fn reduce_signs(powers: &mut BTreeMap<Term, Term>) {
    let signs = powers
        .keys()
        .filter_map(|it| Some([it, it.argument_of("sign")?]));
    let signs: Vec<(Term, bool)> = signs
        .map(|[it, inner]| (it.clone(), powers.contains_key(inner)))
        .collect();
    for (sign, has_inner) in signs {
        let exponent = powers[&sign].number();
        if let Some(number) = exponent {
            powers.insert(sign, reduced_sign(number, has_inner).into());
        }
    }
}

/// The absolute value: `x*sign(x)`.
pub(crate) fn absolute(term: &Term) -> Term {
    if least_sign(term) >= 0 {
        return term.clone();
    }
    product([term.clone(), sign(term)])
}

/// The sign: -1, 0 or 1.
pub(crate) fn sign(term: &Term) -> Term {
    let sign_of = |it: Number| Term::whole(it.value.partial_cmp(&0.0).map_or(0, |it| it as i64));
    match (term.kind(), term.parts()) {
        _ if least_sign(term) > 0 => Term::whole(1),
        _ if term.argument_of("sign").is_some() => term.clone(),
        (TermKind::Number(it), _) => sign_of(*it),
        (TermKind::Product, factors) => product(factors.iter().map(sign)),
        (TermKind::Power, [base, exponent]) if exponent.integer().is_some() => {
            power(&sign(base), exponent)
        }
        (TermKind::Sum, _) => {
            let (number, rest) = primitive(term);
            product([sign_of(number), plain_call("sign", rest)])
        }
        _ => plain_call("sign", term.clone()),
    }
}

/// The least sign that a value can have: 1 if all are positive, 0 if none is negative, and otherwise -1.
pub(crate) fn least_sign(term: &Term) -> i8 {
    let sign_of = |number: f64| i8::from(number > 0.0) - i8::from(number < 0.0);
    match (term.kind(), term.parts()) {
        (TermKind::Number(it), _) => sign_of(it.value),
        (TermKind::Letter(it), _) => {
            if it.is_constant() {
                1
            } else {
                -1
            }
        }
        // It may be 0 between the points at which it was tried.
        (TermKind::Call(it), _) => {
            if it.least >= 0.0 {
                0
            } else {
                -1
            }
        }
        (TermKind::Power, [base, exponent]) => match least_sign(base) {
            -1 if exponent.number().is_some_and(|it| !it.is_odd()) => 0,
            sign => sign,
        },
        (TermKind::Sum, terms) => {
            let signs: Vec<i8> = terms.iter().map(least_sign).collect();
            let has_any = signs.contains(&-1);
            signs.into_iter().max().filter(|_| !has_any).unwrap_or(-1)
        }
        (_, factors) => factors.iter().map(least_sign).min().unwrap_or(-1),
    }
}
