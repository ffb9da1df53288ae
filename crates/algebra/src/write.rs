//! Writes terms as textbooks do: the highest power first, a positive term first, `a/b` and `sqrt(a)`.

use std::rc::Rc;

use crate::number::Number;
use crate::term::function::NamedFunction;
use crate::term::order::degrees;
use crate::term::power::power;
use crate::term::{Letter, Term, TermKind, TooLarge, negative, plain_call, scale};

/// An item of a written term. Operands come before their operation.
#[derive(Clone, Debug)]
pub enum WrittenItem {
    /// A number.
    Number(f64),
    /// A letter.
    Letter(Letter),
    /// An operation by its name: `addition`, `sqrt`.
    Operation(&'static str),
    /// A function with this number of arguments.
    Call(Rc<NamedFunction>, usize),
}

/// The items of a term in postfix order.
pub fn write(term: &Term) -> Result<Vec<WrittenItem>, TooLarge> {
    term.check()?;
    Ok(items(term))
}

pub(crate) fn items(term: &Term) -> Vec<WrittenItem> {
    let mut items = Vec::with_capacity(term.tokens() as usize);
    push_term(term, &mut items);
    items
}

fn push_term(term: &Term, items: &mut Vec<WrittenItem>) {
    match term.kind() {
        TermKind::Letter(it) => items.push(WrittenItem::Letter(it.clone())),
        TermKind::Call(it) => {
            term.parts().iter().for_each(|part| push_term(part, items));
            items.push(WrittenItem::Call(Rc::clone(it), term.parts().len()));
        }
        TermKind::Sum => push_sum(term, items),
        TermKind::TooLarge => {}
        _ => Fraction::of(term).push(true, items),
    }
}

/// A base with an exponent.
type PowerParts = [Term; 2];

/// A product, divided into what stands above and below the line. No exponent is negative.
struct Fraction {
    number: Number,
    above: Vec<PowerParts>,
    below: Vec<PowerParts>,
}

impl Fraction {
    fn of(term: &Term) -> Fraction {
        let mut number = term.coefficient();
        let factors = term.factors().iter().filter(|it| it.number().is_none());
        let mut factors: Vec<PowerParts> = factors.map(Term::power_parts).collect();
        use_absolute_values(&mut factors);
        number = join_roots(number, &mut factors);
        factors.sort_by_key(place);
        // `-(x - 1)*y` is `(1 - x)*y`.
        if number.is_negative()
            && let Some(factor) = factors.iter_mut().find(|it| can_take_sign(it))
        {
            factor[0] = negative(&factor[0]);
            number = -number;
        }
        // `exp(-x)` and `exp(-2)` stay above.
        let is_below = |[base, exponent]: &PowerParts| {
            let is_negative = exponent.number().is_some_and(Number::is_negative);
            is_negative && (!base.is_euler() || exponent.is(-1))
        };
        let (below, above): (Vec<PowerParts>, Vec<PowerParts>) =
            factors.into_iter().partition(is_below);
        let without_minus = |[base, exponent]: PowerParts| [base, negative(&exponent)];
        Fraction {
            number,
            above,
            below: below.into_iter().map(without_minus).collect(),
        }
    }

    fn push(&self, has_sign: bool, items: &mut Vec<WrittenItem>) {
        let quotient = self.number.quotient();
        let [above, below] = quotient.unwrap_or([self.number.value, 1.0]);
        let above = if has_sign { above } else { above.abs() };
        push_factors(above, &self.above, items);
        if below != 1.0 || !self.below.is_empty() {
            push_factors(below, &self.below, items);
            items.push(WrittenItem::Operation("division"));
        }
    }
}

/// Whether it can change the sign of a product and still begin with a positive term.
fn can_take_sign([base, exponent]: &PowerParts) -> bool {
    let is_odd = exponent.number().is_some_and(Number::is_odd);
    let mut terms = base.terms().iter();
    is_odd && base.is_sum() && terms.any(|it| it.coefficient().is_negative())
}

/// Letters come first, then their roots, functions, exponentials, roots of sums, and sums.
fn place([base, exponent]: &PowerParts) -> u8 {
    match (base.kind(), exponent.integer()) {
        (TermKind::Letter(_), _) if base.is_euler() && !exponent.is(1) => 4,
        (TermKind::Letter(it), _) if it.place == Letter::SUM => 6,
        (TermKind::Number(_), _) => 0,
        (TermKind::Letter(_), Some(_)) => 1,
        (TermKind::Letter(_), None) => 2,
        (TermKind::Sum, Some(_)) => 6,
        (TermKind::Sum, None) => 5,
        _ => 3,
    }
}

/// Pushes a number, unless it is 1, and powers.
fn push_factors(number: f64, factors: &[PowerParts], items: &mut Vec<WrittenItem>) {
    let has_number = number.abs() != 1.0 || factors.is_empty();
    if has_number {
        items.push(WrittenItem::Number(number));
    }
    for (at, factor) in factors.iter().enumerate() {
        push_power(factor, items);
        if at > 0 || has_number {
            items.push(WrittenItem::Operation("multiplication"));
        } else if number < 0.0 {
            items.push(WrittenItem::Operation("negation"));
        }
    }
}

fn push_power([base, exponent]: &PowerParts, items: &mut Vec<WrittenItem>) {
    let operation = match exponent.number() {
        Some(it) if it == Number::ONE => return push_term(base, items),
        _ if base.is_euler() => "exp",
        Some(it) if it == Number::HALF => "sqrt",
        _ => "power",
    };
    if operation != "exp" {
        push_term(base, items);
    }
    if operation != "sqrt" {
        push_term(exponent, items);
    }
    items.push(WrittenItem::Operation(operation));
}

/// Replaces `x^n*sign(x)` by `x^(n - 1)*abs(x)`.
fn use_absolute_values(factors: &mut Vec<PowerParts>) {
    for at in 0..factors.len() {
        let [sign, times] = factors[at].clone();
        let Some(inner) = sign.argument_of("sign").filter(|_| times.is(1)).cloned() else {
            continue;
        };
        if let Some(whole) = factors
            .iter()
            .position(|[base, it]| power(base, it) == inner)
        {
            factors[whole] = [plain_call("abs", inner), Term::whole(1)];
            factors[at][1] = Term::whole(0);
            continue;
        }
        let mut exponents = factors.iter_mut().filter(|it| it[0] == inner);
        let exponent = exponents.find_map(|[_, it]| Some((it.integer()?, it)));
        if let Some((number, exponent)) = exponent {
            *exponent = Term::whole(number - number.signum());
            factors[at] = [
                plain_call("abs", inner.clone()),
                Term::whole(number.signum()),
            ];
        }
    }
    factors.retain(|[_, exponent]| !exponent.is(0));
}

/// Writes `sqrt(2)*sqrt(x)` as `sqrt(2*x)` and `sqrt(2)/(2*sqrt(x))` as `1/sqrt(2*x)`. Returns the number in front.
fn join_roots(number: Number, factors: &mut Vec<PowerParts>) -> Number {
    let root = |[base, exponent]: &PowerParts| {
        let degree = exponent.number().filter(|it| it.integer().is_none())?;
        Some((base.number().filter(|it| it.value > 0.0)?, degree))
    };
    let Some((inside, degree)) = factors.iter().find_map(root) else {
        return number;
    };
    for [base, exponent] in factors.iter_mut() {
        // `inside^degree*x^other` is `inside^(degree - other)*(inside*x)^other`.
        let less = exponent.number().and_then(|it| (degree + -it).integer());
        let outside = less.map(|it| number * inside.power(it));
        let outside = outside.filter(|it| *it == number || it.is_shorter_than(number));
        if let Some(outside) = outside
            && base.number() != Some(inside)
            && !base.is_euler()
        {
            *base = scale(inside, base);
            factors.retain(|it| root(it) != Some((inside, degree)));
            return outside;
        }
    }
    number
}

fn push_sum(term: &Term, items: &mut Vec<WrittenItem>) {
    let mut fractions: Vec<Fraction> = term.parts().iter().map(Fraction::of).collect();
    // A positive term comes first: that of the lowest power, or else the next one.
    let positive = fractions.iter().position(|it| !it.number.is_negative());
    // Terms of the same degree keep their order: `a^2 + b^2`.
    let mut neighbours = term.parts().windows(2);
    let are_different = neighbours.all(|it| degrees(&it[0]) != degrees(&it[1]));
    match (positive, fractions.last()) {
        (Some(0) | None, _) => {}
        (_, Some(last)) if !last.number.is_negative() && are_different => fractions.reverse(),
        (Some(at), _) => fractions[..=at].rotate_right(1),
    }
    for (at, fraction) in fractions.iter().enumerate() {
        fraction.push(at == 0, items);
        match (at, fraction.number.is_negative()) {
            (0, _) => {}
            (_, true) => items.push(WrittenItem::Operation("subtraction")),
            (_, false) => items.push(WrittenItem::Operation("addition")),
        }
    }
}

/// A part of a written term: its number of tokens, and how tightly it binds: 1 is a sum, 2 a product, 3 a number with a
/// sign, 4 a power, and 5 everything else.
type TokenCount = (usize, u8);

/// The number of names, numbers, signs and brackets of a written term.
pub fn count_tokens(items: &[WrittenItem]) -> usize {
    let mut stack: Vec<TokenCount> = Vec::new();
    for item in items {
        let written = match item {
            WrittenItem::Number(number) if *number < 0.0 => (2, 3),
            WrittenItem::Number(_) | WrittenItem::Letter(_) => (1, 5),
            WrittenItem::Call(_, count) => {
                let arguments = stack.drain(stack.len() - count..);
                (3 + arguments.map(|(tokens, _)| tokens).sum::<usize>(), 5)
            }
            WrittenItem::Operation(name) => operation_tokens(name, &mut stack),
        };
        stack.push(written);
    }
    stack.iter().map(|(tokens, _)| tokens).sum()
}

fn operation_tokens(name: &str, stack: &mut Vec<TokenCount>) -> TokenCount {
    let mut pop = |least| {
        let (tokens, binds) = stack.pop().unwrap_or_default();
        tokens + if binds < least { 2 } else { 0 }
    };
    match name {
        "addition" | "subtraction" => (pop(2) + 1 + pop(1), 1),
        "multiplication" | "division" => (pop(3) + 1 + pop(2), 2),
        "power" => (pop(3) + 1 + pop(5), 4),
        "negation" => (pop(3) + 1, 3),
        _ => (pop(0) + 3, 5),
    }
}
