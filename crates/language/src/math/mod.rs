//! Sets trees as mathematics: fractions, exponents and roots, with brackets only where they are needed. `tex`
//! and `mathml` write the result.
//!
//! The operations whose notation is that of other operations are in a table: `square(x)` is set as `x^2`. What has
//! no notation of its own is set as a call, and what is no formula as it is typed.

mod mathml;
mod tex;

pub use self::mathml::mathml;
pub use self::tex::tex;

use super::lexer::words::is_name;
use super::parser::as_expression;
use super::precedence::{Operator, level};
use super::print::{infix, literal};
use super::tree::{Head, Item, ItemKind, Property};

/// A formula as it is set.
#[derive(Clone, Debug, PartialEq)]
pub enum Math {
    /// A name as it is typed.
    Name(String),
    /// The digits of a number without a sign.
    Number(String),
    /// Text that is no formula.
    Typed(String),
    /// An operator or a comma between or before parts.
    Sign(&'static str),
    /// Parts side by side.
    Row(Vec<Math>),
    /// What stands above a line and below it.
    Fraction(Box<[Math; 2]>),
    /// A base and its exponent.
    Power(Box<[Math; 2]>),
    /// The root of this degree: 2 or 3.
    Root(u8, Box<Math>),
    /// A part between two signs.
    Fenced([&'static str; 2], Box<Math>),
    /// A function of its arguments.
    Call(Box<MathCall>),
    /// The value if a condition holds, the condition, and the other value.
    Cases(Box<[Math; 3]>),
}

/// A function of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct MathCall {
    /// The name of the function.
    pub function: MathFunction,
    /// The exponent of the function: `sin^2 x`.
    pub exponent: Option<Math>,
    /// The arguments, with commas between them.
    pub arguments: Math,
    /// Whether the only argument needs no brackets: it is a symbol, and nothing follows that it could belong to.
    pub is_bare: bool,
}

impl MathCall {
    /// Whether an exponent may stand behind the name: `sin^2 x`.
    fn can_have_exponent(&self) -> bool {
        let is_known = |word: &String| WITHOUT_BRACKETS.contains(&word.as_str());
        self.exponent.is_none()
            && matches!(&self.function, MathFunction::Upright(it) if is_known(it))
    }
}

/// The name of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum MathFunction {
    /// A word that mathematics sets upright: `sin`.
    Upright(String),
    /// A word with an index: `log` to the base 2.
    Indexed(&'static str, Math),
    /// A Greek letter for a function: `Γ`.
    Greek(&'static str),
}

/// How tightly a formula binds. One that binds less tightly than its place needs gets brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    /// Anything else with a sign in front.
    Signed,
    /// A product or a fraction.
    Product,
    /// A formula with an exponent, or a function without brackets.
    Power,
    /// A name, a positive number, or anything in brackets.
    Atom,
}

use Binding::{Atom, Power, Product, Signed, Sum};

/// A part of a formula.
#[derive(Clone, Debug)]
struct MathPart {
    math: Math,
    binding: Binding,
    /// The place of its first item.
    start: usize,
}

/// Functions that are set as the formula of other operations. `x` and `y` stand for the arguments.
const REWRITTEN: &[(&str, &str)] = &[
    ("square", "x^2"),
    ("cube", "x^3"),
    ("recip", "1/x"),
    ("rsqrt", "1/sqrt(x)"),
    ("pow", "x^y"),
    ("exp2", "2^x"),
    ("expm1", "exp(x) - 1"),
    ("log1p", "ln(1 + x)"),
    ("softplus", "ln(1 + exp(x))"),
    ("chain", "x*y"),
    ("chain_ln", "x*ln(y)"),
    ("lgamma", "ln(abs(gamma(x)))"),
    ("factorial", "x!"),
];

/// Functions with a sign on each side of their argument.
const FENCED: &[(&str, [&str; 2])] = &[
    ("abs", ["|", "|"]),
    ("floor", ["⌊", "⌋"]),
    ("ceil", ["⌈", "⌉"]),
];

/// Functions that mathematics knows by another name.
const RENAMED: &[(&str, &str)] = &[
    ("asin", "arcsin"),
    ("acos", "arccos"),
    ("atan", "arctan"),
    ("asec", "arcsec"),
    ("acsc", "arccsc"),
    ("acot", "arccot"),
    ("asinh", "arsinh"),
    ("acosh", "arcosh"),
    ("atanh", "artanh"),
    ("sign", "sgn"),
];

/// Functions of one symbol that mathematics writes without brackets.
const WITHOUT_BRACKETS: &[&str] = &[
    "sin", "cos", "tan", "sec", "csc", "cot", "sinh", "cosh", "tanh", "sech", "csch", "coth", "ln",
];

const BRACKETS: [&str; 2] = ["(", ")"];

/// The formula of a tree.
pub fn math<N: AsRef<str>>(items: &[Item<N>]) -> Math {
    let mut setter = Setter {
        items,
        arguments: &[],
        stack: Vec::new(),
    };
    setter.set();
    setter
        .stack
        .pop()
        .map_or(Math::Row(Vec::new()), |it| it.math)
}

/// The formula of a text: `2*x`, or a derivative, `f'(x)`, `∂L/∂a`, `d/dx`, `(x^2)'`. `None` if it is none of these.
pub fn math_of_text(text: &str) -> Option<Math> {
    let sign = match text {
        _ if text.starts_with('∂') => "∂",
        _ if is_derivative_by_name(text) => "d",
        _ => return function_or_formula(text),
    };
    let (above, rest) = text[sign.len()..].split_once(&format!("/{sign}"))?;
    let (below, after) = rest.split_once(" (").unwrap_or((rest, ""));
    let with_sign = |part| Some(Math::Row(vec![Math::Sign(sign), math_in_brackets(part)?]));
    let above = match above {
        "" => Math::Sign(sign),
        _ => with_sign(above)?,
    };
    let quotient = Math::Fraction(Box::new([above, with_sign(below)?]));
    if after.is_empty() {
        return Some(quotient);
    }
    let part = math_in_brackets(&rest[below.len() + 1..])?;
    Some(Math::Row(vec![quotient, part]))
}

/// Whether it is `d/dx`, or that before a part in brackets.
fn is_derivative_by_name(text: &str) -> bool {
    let Some(after) = text.strip_prefix("d/d") else {
        return false;
    };
    is_name(after.split_once(" (").map_or(after, |(name, _)| name))
}

/// The formula of a text, or of a text in brackets with a prime.
fn function_or_formula(text: &str) -> Option<Math> {
    if let Some(part) = text.strip_suffix('\'') {
        return Some(Math::Row(vec![math_in_brackets(part)?, Math::Sign("′")]));
    }
    Some(math(&as_expression(text)?.items))
}

/// The formula of a text, in brackets if the text has some.
fn math_in_brackets(text: &str) -> Option<Math> {
    let inner = math(&as_expression(text)?.items);
    Some(if text.starts_with('(') {
        Math::Fenced(BRACKETS, Box::new(inner))
    } else {
        inner
    })
}

/// Sets the items of a tree one after the other.
struct Setter<'i, N> {
    items: &'i [Item<N>],
    /// What `x` and `y` stand for in a text of [`REWRITTEN`].
    arguments: &'i [MathPart],
    stack: Vec<MathPart>,
}

impl<N: AsRef<str>> Setter<'_, N> {
    fn set(&mut self) {
        for (at, item) in self.items.iter().enumerate() {
            let count = item.kind.operands() as usize;
            let operands = self.stack.split_off(self.stack.len().saturating_sub(count));
            let start = operands.first().map_or(at, |it| it.start);
            let (math, binding) = self.part(at, start, operands);
            self.stack.push(MathPart {
                math,
                binding,
                start,
            });
        }
    }

    fn part(&self, at: usize, start: usize, mut operands: Vec<MathPart>) -> (Math, Binding) {
        match &self.items[at].kind {
            ItemKind::Number(number) => of_number(number.value, number.has_point),
            ItemKind::Name(name) if !self.arguments.is_empty() => {
                let argument = &self.arguments[usize::from(name.as_ref() == "y")];
                (argument.math.clone(), argument.binding)
            }
            ItemKind::Name(_) | ItemKind::Former(..) | ItemKind::Id(_) | ItemKind::Result(_) => {
                (Math::Name(infix(&self.items[at..=at])), Atom)
            }
            ItemKind::Apply(Head::Operator(operator), _) => of_operator(operator, operands),
            ItemKind::Apply(Head::Function(name, primes), _) if !operands.is_empty() => {
                match *primes {
                    0 => of_function(name.as_ref(), operands),
                    _ => of_call(
                        MathFunction::Upright(name_with_primes(name.as_ref(), *primes)),
                        operands,
                    ),
                }
            }
            ItemKind::Apply(Head::Then | Head::Else, _) | ItemKind::Property(Property::Data) => {
                let only = operands.swap_remove(0);
                (only.math, only.binding)
            }
            ItemKind::Apply(Head::Choose, _) => of_choice(operands),
            _ => (Math::Typed(infix(&self.items[start..=at])), Atom),
        }
    }
}

impl MathPart {
    /// The formula, in brackets unless it binds at least this tightly.
    fn with_brackets(self, least: Binding) -> Math {
        if self.binding >= least {
            return self.math;
        }
        Math::Fenced(BRACKETS, Box::new(self.math))
    }

    /// Takes the sign in front away, if there is one. Returns whether there was.
    fn take_sign(&mut self) -> bool {
        match &mut self.math {
            Math::Row(parts) if self.binding == Signed => {
                self.math = parts.swap_remove(1);
                self.binding = Product;
                true
            }
            _ => false,
        }
    }
}

/// A number, with the power of ten of one that is written with an exponent.
fn of_number(value: f64, has_point: bool) -> (Math, Binding) {
    let text = literal(value.abs(), has_point);
    let (math, binding) = match text.split_once('e') {
        Some((digits, exponent)) => {
            let power = [number("10"), signed_number(exponent)];
            let parts = vec![
                number(digits),
                Math::Sign("⋅"),
                Math::Power(Box::new(power)),
            ];
            (Math::Row(parts), Product)
        }
        None if value.is_infinite() => (Math::Name("∞".into()), Atom),
        None if value.is_nan() => (Math::Typed(text), Atom),
        None => (Math::Number(text), Atom),
    };
    if value.is_sign_negative() && !value.is_nan() {
        return (Math::Row(vec![Math::Sign("-"), math]), Signed);
    }
    (math, binding)
}

fn number(digits: &str) -> Math {
    Math::Number(digits.into())
}

fn signed_number(digits: &str) -> Math {
    match digits.strip_prefix('-') {
        Some(rest) => Math::Row(vec![Math::Sign("-"), number(rest)]),
        None => number(digits),
    }
}

fn of_operator(operator: &Operator, operands: Vec<MathPart>) -> (Math, Binding) {
    let mut operands = operands.into_iter();
    let (Some(mut left), right) = (operands.next(), operands.next()) else {
        unreachable!("an operator has operands");
    };
    let Some(right) = right else {
        return match operator.spelling {
            "!" => (
                Math::Row(vec![left.with_brackets(Atom), Math::Sign("!")]),
                Power,
            ),
            _ => (
                Math::Row(vec![Math::Sign("-"), left.with_brackets(Product)]),
                Signed,
            ),
        };
    };
    if matches!(operator.spelling, "*" | "/") && left.take_sign() {
        let (math, _) = of_operator(operator, vec![left, right]);
        return (Math::Row(vec![Math::Sign("-"), math]), Signed);
    }
    match operator.spelling {
        "+" => (between(left.math, "+", right.with_brackets(Product)), Sum),
        "-" => (between(left.math, "-", right.with_brackets(Product)), Sum),
        "*" => (
            product(left.with_brackets(Product), right.with_brackets(Product)),
            Product,
        ),
        "/" => (Math::Fraction(Box::new([left.math, right.math])), Product),
        "//" => {
            let quotient = Math::Fraction(Box::new([left.math, right.math]));
            (Math::Fenced(["⌊", "⌋"], Box::new(quotient)), Atom)
        }
        "^" => (to_power(left, right.math), Power),
        "%" => (
            between(left.with_brackets(Power), "mod", right.with_brackets(Power)),
            Sum,
        ),
        _ if operator.level == level::COMPARISON => {
            let comparison = between(left.math, comparison_sign(operator), right.math);
            (Math::Fenced(["[", "]"], Box::new(comparison)), Atom)
        }
        other => unreachable!("`{other}` is an operator of two numbers"),
    }
}

fn between(left: Math, sign: &'static str, right: Math) -> Math {
    Math::Row(vec![left, Math::Sign(sign), right])
}

fn comparison_sign(operator: &Operator) -> &'static str {
    match operator.spelling {
        "<" => "<",
        "<=" => "≤",
        ">" => ">",
        ">=" => "≥",
        "==" => "=",
        _ => "≠",
    }
}

/// Two factors side by side. A function to the left gets brackets, because the right factor could belong to its argument.
fn product(left: Math, right: Math) -> Math {
    let mut factors = factors_of(left);
    // The factors before the last one have got them already.
    factors.last_mut().into_iter().for_each(add_brackets);
    let others = factors_of(right);
    // A digit after a space could belong to the number before it.
    let is_digit_next = others.first().is_some_and(begins_with_digit);
    factors.push(Math::Sign(if is_digit_next { "⋅" } else { "" }));
    factors.extend(others);
    Math::Row(factors)
}

/// The factors of a product with the signs between them, or the formula itself.
fn factors_of(math: Math) -> Vec<Math> {
    match math {
        Math::Row(parts) if matches!(parts.get(1), Some(Math::Sign("" | "⋅"))) => parts,
        other => vec![other],
    }
}

fn add_brackets(math: &mut Math) {
    if let Math::Call(call) = math {
        call.is_bare = false;
    }
}

fn begins_with_digit(math: &Math) -> bool {
    match math {
        Math::Number(_) => true,
        Math::Row(parts) => parts.first().is_some_and(begins_with_digit),
        Math::Power(parts) => begins_with_digit(&parts[0]),
        _ => false,
    }
}

fn to_power(base: MathPart, exponent: Math) -> Math {
    match base.math {
        Math::Call(mut call) if call.can_have_exponent() && matches!(exponent, Math::Number(_)) => {
            call.exponent = Some(exponent);
            Math::Call(call)
        }
        _ => Math::Power(Box::new([base.with_brackets(Atom), exponent])),
    }
}

fn of_choice(operands: Vec<MathPart>) -> (Math, Binding) {
    let mut parts = operands.into_iter().map(|it| it.math);
    let (Some(condition), Some(yes), Some(no)) = (parts.next(), parts.next(), parts.next()) else {
        unreachable!("a choice has three operands");
    };
    let is_met = match condition {
        Math::Fenced(["[", "]"], comparison) => *comparison,
        other => between(other, "≠", number("0")),
    };
    (Math::Cases(Box::new([yes, is_met, no])), Sum)
}

fn of_function(name: &str, mut operands: Vec<MathPart>) -> (Math, Binding) {
    let find = |table: &[(&'static str, &'static str)]| {
        let row = table.iter().find(|(of, _)| *of == name);
        row.map(|(_, new)| *new)
    };
    if let Some(text) = find(REWRITTEN)
        && operands.len() == 1 + usize::from(text.contains('y'))
    {
        return of_rewritten(text, &operands);
    }
    match (name, operands.len()) {
        ("if", 3) => of_choice(operands),
        ("sum", 2..) => {
            let mut all = operands.into_iter();
            let first = all.next().expect("there are two").math;
            let rest = all.flat_map(|it| [Math::Sign("+"), it.with_brackets(Product)]);
            (Math::Row([first].into_iter().chain(rest).collect()), Sum)
        }
        ("prod", 2..) => {
            let factors = operands.into_iter().map(|it| it.with_brackets(Product));
            (factors.reduce(product).expect("there are two"), Product)
        }
        ("sqrt", 1) => (Math::Root(2, Box::new(operands.swap_remove(0).math)), Atom),
        ("cbrt", 1) => (Math::Root(3, Box::new(operands.swap_remove(0).math)), Atom),
        ("exp", 1) => {
            let exponent = operands.swap_remove(0).math;
            (
                Math::Power(Box::new([Math::Name("e".into()), exponent])),
                Power,
            )
        }
        (_, 1) if let Some((_, signs)) = FENCED.iter().find(|(of, _)| *of == name) => (
            Math::Fenced(*signs, Box::new(operands.swap_remove(0).math)),
            Atom,
        ),
        ("polygamma", 2) => {
            let order = operands.remove(0).math;
            of_call(MathFunction::Indexed("ψ", order), operands)
        }
        ("log2", _) => of_call(MathFunction::Indexed("log", number("2")), operands),
        ("log10", _) => of_call(MathFunction::Indexed("log", number("10")), operands),
        ("trigamma", _) => of_call(MathFunction::Indexed("ψ", number("1")), operands),
        ("digamma", _) => of_call(MathFunction::Greek("ψ"), operands),
        ("gamma", _) => of_call(MathFunction::Greek("Γ"), operands),
        _ => {
            let word = find(RENAMED).unwrap_or(name).replace('_', " ");
            of_call(MathFunction::Upright(word), operands)
        }
    }
}

/// A function as the formula of other operations.
fn of_rewritten(text: &'static str, arguments: &[MathPart]) -> (Math, Binding) {
    let expression = as_expression(text).expect("the program writes texts that can be read");
    let mut setter = Setter {
        items: &expression.items,
        arguments,
        stack: Vec::new(),
    };
    setter.set();
    let part = setter.stack.pop().expect("a text has a value");
    (part.math, part.binding)
}

fn name_with_primes(name: &str, primes: u8) -> String {
    name.to_string() + &"'".repeat(primes.into())
}

fn of_call(function: MathFunction, operands: Vec<MathPart>) -> (Math, Binding) {
    let is_bare = match (&function, &operands[..]) {
        (MathFunction::Upright(name), [only]) => {
            WITHOUT_BRACKETS.contains(&name.as_str()) && matches!(only.math, Math::Name(_))
        }
        _ => false,
    };
    let mut parts: Vec<Math> = Vec::with_capacity(2 * operands.len());
    for operand in operands {
        if !parts.is_empty() {
            parts.push(Math::Sign(","));
        }
        parts.push(operand.math);
    }
    let arguments = match parts.len() {
        1 => parts.swap_remove(0),
        _ => Math::Row(parts),
    };
    let call = MathCall {
        function,
        exponent: None,
        arguments,
        is_bare,
    };
    (
        Math::Call(Box::new(call)),
        if is_bare { Power } else { Atom },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_set_as_in_print() {
        let rows = include_str!("formulas.txt").lines();
        for row in rows.filter(|row| !row.starts_with('#')) {
            let cells: Vec<&str> = row.split(" → ").collect();
            let [typed, in_tex] = cells[..] else {
                panic!("a row has two cells: {row}");
            };
            let formula = math_of_text(typed).expect("the row is right");
            assert_eq!(tex(&formula, &|name| name.to_string()), in_tex, "{typed}");
        }
    }

    #[test]
    fn formulas_are_set_in_mathml() {
        let rows = include_str!("mathml.txt").lines();
        for row in rows.filter(|row| !row.starts_with('#')) {
            let (typed, expected) = row.split_once(" → ").expect("a row has two cells");
            let formula = math_of_text(typed).expect("the row is right");
            let written = mathml(&formula, &|text| text.replace('<', "&lt;"));
            assert_eq!(written, expected, "{typed}");
        }
    }
}
