//! Functions: what the rules need to know about them, and the rules of calls.

use std::f64::consts::PI;
use std::rc::Rc;

use super::power::{absolute, least_sign, power, raise, sign};
use super::{Letter, Term, TermKind, negative, plain_call, product, scale, sum};
use crate::number::Number;

/// A function or an operation, with what is known about its values. Functions with the same name are the same.
#[derive(Debug)]
pub struct NamedFunction {
    /// Its name.
    pub name: Rc<str>,
    /// The number of items, if it is a sum over the items of lists.
    pub items: Option<i64>,
    /// 1 if it is even, -1 if it is odd, and otherwise 0.
    parity: i64,
    /// The least value at the points at which it was tried.
    pub(crate) least: f64,
    /// Its values at 0 and 1.
    at_zero_and_one: [f64; 2],
}

/// The number of points, on each side of 0, at which a function is tried.
const SAMPLES: u32 = 200;

/// The distance between these points.
const STEP: f64 = 0.0483;

/// More than 12 times the square of `tan(pi/3)`, and what rounding may change of such a square.
const MOST_SQUARE: f64 = 37.0;
const ROUNDING: f64 = 1e-9;

impl NamedFunction {
    /// A function of which nothing is known.
    pub fn of_name(name: &str) -> NamedFunction {
        NamedFunction {
            name: name.into(),
            items: None,
            parity: 0,
            least: f64::NEG_INFINITY,
            at_zero_and_one: [f64::NAN; 2],
        }
    }

    /// The sum of a term with the letters of lists, over all their items.
    pub fn sum_over_items(name: &str, count: i64) -> NamedFunction {
        NamedFunction {
            items: Some(count),
            ..NamedFunction::of_name(name)
        }
    }

    /// A function of one argument, tried at many points.
    pub fn of_one(name: &str, value: impl Fn(f64) -> f64) -> NamedFunction {
        let points = (1..=SAMPLES).map(|it| f64::from(it) * STEP);
        let pairs: Vec<[f64; 2]> = points.map(|x| [value(x), value(-x)]).collect();
        let has_parity = |sign: f64| {
            let mut pairs = pairs.iter().filter(|[x, y]| !(x.is_nan() && y.is_nan()));
            pairs.all(|[right, left]| *left == sign * right)
        };
        let all = pairs.iter().flatten().copied().chain([value(0.0)]);
        NamedFunction {
            name: name.into(),
            items: None,
            parity: i64::from(has_parity(1.0)) - i64::from(has_parity(-1.0)),
            least: all.fold(f64::INFINITY, f64::min),
            at_zero_and_one: [value(0.0), value(1.0)],
        }
    }

    /// The exact value at a number, if it is known and short.
    fn exact_value(&self, at: i64) -> Option<Number> {
        let twice = 2.0 * self.at_zero_and_one.get(usize::try_from(at).ok()?)?;
        let is_short = twice.fract() == 0.0 && twice.abs() < 1e6;
        is_short.then(|| Number::whole(twice as i64) * Number::HALF)
    }
}

/// The operation or function applied to its arguments, in normal form.
pub fn call(function: &Rc<NamedFunction>, arguments: Vec<Term>) -> Term {
    let term = call_of_any_size(function, arguments);
    match term.check() {
        Ok(()) => term,
        Err(it) => Term::too_large(it.tokens),
    }
}

fn call_of_any_size(function: &Rc<NamedFunction>, arguments: Vec<Term>) -> Term {
    if let (Some(count), [item]) = (function.items, &arguments[..]) {
        return sum_over_items(function, count, item);
    }
    let rooted = |it: &Term, exponent: Number| power(it, &exponent.into());
    match (&*function.name, &arguments[..]) {
        ("addition", all) => sum(all.iter().cloned()),
        ("subtraction", [x, y]) => sum([x.clone(), negative(y)]),
        ("negation", [x]) => negative(x),
        ("multiplication" | "chain" | "prod", all) => product(all.iter().cloned()),
        ("division", [x, y]) => product([x.clone(), raise(y, -1)]),
        ("power", [x, y]) => power(x, y),
        // The derivative of `0^x` is 0.
        ("chain_ln", [_, y]) if y.is(0) => y.clone(),
        ("chain_ln", [x, y]) => product([x.clone(), logarithm(y.clone())]),
        ("exp", [x]) => power(&Term::euler(), x),
        ("sqrt", [x]) => rooted(x, Number::HALF),
        ("rsqrt", [x]) => rooted(x, -Number::HALF),
        ("square", [x]) => raise(x, 2),
        ("cube", [x]) => raise(x, 3),
        ("recip", [x]) => raise(x, -1),
        ("abs", [x]) => absolute(x),
        ("sign", [x]) => sign(x),
        ("if", [_, x, y]) if x == y => x.clone(),
        ("ln", [x]) => logarithm(x.clone()),
        (_, [x]) => call_of_one(function, x),
        _ => Term::plain(TermKind::Call(Rc::clone(function)), arguments),
    }
}

/// The sum of a term over the items of its lists. Factors without lists stand in front.
fn sum_over_items(function: &Rc<NamedFunction>, count: i64, item: &Term) -> Term {
    let factors = item.factors().iter().cloned();
    let (inside, mut outside): (Vec<Term>, Vec<Term>) = factors.partition(Term::has_items);
    outside.push(if inside.is_empty() {
        Term::whole(count)
    } else {
        Term::plain(TermKind::Call(Rc::clone(function)), vec![product(inside)])
    });
    product(outside)
}

/// The natural logarithm.
pub(crate) fn logarithm(term: Term) -> Term {
    let [base, exponent] = term.power_parts();
    let can_split = least_sign(&base) >= 0 || exponent.number().is_some_and(|it| !it.is_even());
    match term.kind() {
        _ if term.is(1) => Term::whole(0),
        TermKind::Letter(_) if term.is_euler() => Term::whole(1),
        TermKind::Power if can_split => product([exponent, logarithm(base)]),
        _ => plain_call("ln", term),
    }
}

/// The value of a function of its inverse, and of a sine, cosine or tangent of an angle that textbooks know.
fn value_by_identity(name: &str, argument: &Term) -> Option<Term> {
    let (TermKind::Call(inner), [of]) = (argument.kind(), argument.parts()) else {
        return value_at_angle(name, argument);
    };
    match [name, &*inner.name] {
        ["sin", "asin"] | ["cos", "acos"] | ["tan", "atan"] | ["sinh", "asinh"] => Some(of.clone()),
        ["sin", "acos"] | ["cos", "asin"] => {
            let square = sum([Term::whole(1), negative(&raise(of, 2))]);
            Some(power(&square, &Number::HALF.into()))
        }
        _ => None,
    }
}

/// The value at a multiple of `pi/6` or `pi/4`: there, 12 times its square is whole.
fn value_at_angle(name: &str, angle: &Term) -> Option<Term> {
    let function = match name {
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        _ => return None,
    };
    let turns = angle.coefficient();
    let is_pi = matches!(angle.rest().kind(), TermKind::Letter(it) if it.place == Letter::PI);
    (turns * Number::whole(12)).integer().filter(|_| is_pi)?;
    let value = function(turns.value * PI);
    let square = 12.0 * value * value;
    if square > MOST_SQUARE || (square - square.round()).abs() > ROUNDING {
        return None;
    }
    let root = power(
        &Term::whole(12 * square.round() as i64),
        &Number::HALF.into(),
    );
    let part = Number::whole(12).reciprocal() * Number::whole(value.signum() as i64);
    Some(product([part.into(), root]))
}

/// The call of a function that may be even, odd, or known at a number.
fn call_of_one(function: &Rc<NamedFunction>, argument: &Term) -> Term {
    let plain = |it: Term| Term::plain(TermKind::Call(Rc::clone(function)), vec![it]);
    let whole = argument.integer();
    let exact = whole.and_then(|it| Some(function.exact_value(it)?.into()));
    if let Some(value) = exact.or_else(|| value_by_identity(&function.name, argument)) {
        return value;
    }
    let mut numbers = argument.terms().iter().map(Term::coefficient);
    if function.parity == 0 || !numbers.all(Number::is_negative) {
        return plain(argument.clone());
    }
    scale(Number::whole(function.parity), &plain(negative(argument)))
}
