//! How mathematics writes an operation, in LaTeX, for `:export` and formulas on a page.
//!
//! An operation that is not listed is written as a function call.

use rustc_hash::FxHashMap;

use chainrule_engine::ops::Op;

/// How tightly a formula binds. One that binds less than its place needs gets brackets.
pub(super) mod binding {
    /// A sum.
    pub(crate) const SUM: u8 = 1;
    /// Anything else with a sign in front.
    pub(crate) const SIGNED: u8 = 2;
    /// A product or a fraction.
    pub(crate) const PRODUCT: u8 = 3;
    /// Something with an exponent.
    pub(crate) const POWER: u8 = 4;
    /// A name, a positive number, anything in brackets.
    pub(crate) const ATOM: u8 = 5;
}

use binding::{ATOM, POWER, PRODUCT, SIGNED, SUM};

/// A formula, and how tightly it binds.
pub(super) type TexFormula = (String, u8);

/// What mathematics writes otherwise than as a call of a function: the operation, its text, and how tightly the whole
/// binds. In the text `#14` is the first operand, in brackets if it binds less tightly than 4, a power; `#23` is the second
/// one. Products of powers are not here: see [`factors`].
const TEMPLATES: &[(&str, &str, u8)] = &[
    ("addition", "#11 + #23", SUM),
    ("subtraction", "#11 - #23", SUM),
    ("modulo", r"#14 \bmod #24", PRODUCT),
    ("factorial", "#15!", POWER),
    ("less", r"\left[#10 < #20\right]", ATOM),
    ("less_or_equal", r"\left[#10 \le #20\right]", ATOM),
    ("greater", r"\left[#10 > #20\right]", ATOM),
    ("greater_or_equal", r"\left[#10 \ge #20\right]", ATOM),
    ("equal", r"\left[#10 = #20\right]", ATOM),
    ("not_equal", r"\left[#10 \ne #20\right]", ATOM),
    ("abs", r"\left|#10\right|", ATOM),
    ("cbrt", r"\sqrt[3]{#10}", ATOM),
    ("exp", "e^{#10}", POWER),
    ("exp2", "2^{#10}", POWER),
    ("expm1", "e^{#10} - 1", SUM),
    ("log2", r"\log_{2}\left(#10\right)", ATOM),
    ("log10", r"\log_{10}\left(#10\right)", ATOM),
    ("log1p", r"\ln\left(1 + #11\right)", ATOM),
    ("asin", r"\arcsin\left(#10\right)", ATOM),
    ("acos", r"\arccos\left(#10\right)", ATOM),
    ("atan", r"\arctan\left(#10\right)", ATOM),
    ("asinh", r"\operatorname{arsinh}\left(#10\right)", ATOM),
    ("acosh", r"\operatorname{arcosh}\left(#10\right)", ATOM),
    ("atanh", r"\operatorname{artanh}\left(#10\right)", ATOM),
    ("softplus", r"\ln\left(1 + e^{#10}\right)", ATOM),
    ("chain_ln", r"#12 \, \ln\left(#20\right)", PRODUCT),
    ("floor", r"\left\lfloor #10 \right\rfloor", ATOM),
    ("ceil", r"\left\lceil #10 \right\rceil", ATOM),
    ("sign", r"\operatorname{sgn}\left(#10\right)", ATOM),
    ("gamma", r"\Gamma\left(#10\right)", ATOM),
    ("lgamma", r"\ln\left|\Gamma\left(#10\right)\right|", ATOM),
    ("digamma", r"\psi\left(#10\right)", ATOM),
    ("trigamma", r"\psi_{1}\left(#10\right)", ATOM),
    ("polygamma", r"\psi_{#10}\left(#20\right)", ATOM),
];

/// Operations of one operand whose names are commands of LaTeX.
const COMMANDS: [&str; 7] = ["sin", "cos", "tan", "sinh", "cosh", "tanh", "ln"];

/// Powers with larger exponents are not joined.
const MOST_EXPONENT: f64 = 100.0;

/// Numbers are multiplied if the product has no more characters than this.
const SHORT: usize = 6;

/// A product of numbers and powers, which becomes one fraction.
#[derive(Debug, Default)]
pub(super) struct Product {
    /// Whether it has a minus in front.
    pub minus: bool,
    /// The numbers above and below the bar.
    numbers: [Vec<f64>; 2],
    /// The other factors with their exponents, in halves, in the order in which they came.
    powers: Vec<(TexFormula, i32)>,
    /// Where each of them is.
    places: FxHashMap<TexFormula, usize>,
}

impl Product {
    /// Multiplies it by a power of a formula. The exponent is given in halves.
    pub(super) fn multiply(&mut self, base: TexFormula, halves: i32) {
        let place = *self.places.entry(base.clone()).or_insert_with(|| {
            self.powers.push((base, 0));
            self.powers.len() - 1
        });
        self.powers[place].1 += halves;
    }

    /// Multiplies or divides it by a positive number.
    pub(super) fn scale(&mut self, number: f64, divides: bool) {
        let numbers = &mut self.numbers[usize::from(divides)];
        let is_short = |product: f64| product.is_normal() && product.to_string().len() <= SHORT;
        match numbers.last_mut() {
            Some(last) if is_short(*last * number) => *last *= number,
            _ => numbers.push(number),
        }
    }

    /// The whole as a fraction; `literal` writes a number.
    pub(super) fn fraction(mut self, literal: impl Fn(f64) -> TexFormula) -> TexFormula {
        if let [[over], [under]] = self.numbers.each_mut().map(Vec::as_mut_slice)
            && over.fract() == 0.0
            && under.fract() == 0.0
        {
            let (mut divisor, mut rest) = (*over, *under);
            while rest > 0.0 {
                (divisor, rest) = (rest, divisor % rest);
            }
            (*over, *under) = (*over / divisor, *under / divisor);
        }
        // Functions come last: `\sin a` needs no brackets if only functions follow.
        self.powers.sort_by_key(|(base, _)| is_call(base));
        let side = |under: bool| {
            let numbers = self.numbers[usize::from(under)].iter();
            let mut parts: Vec<TexFormula> = numbers
                .filter(|number| **number != 1.0)
                .map(|number| literal(*number))
                .collect();
            let powers = self.powers.iter().filter(|(_, halves)| *halves != 0);
            let powers = powers.filter(|(_, halves)| under == (*halves < 0));
            parts.extend(powers.map(|(base, halves)| power(base, halves.unsigned_abs())));
            parts
        };
        let (over, under) = (side(false), side(true));
        let (text, binds) = if under.is_empty() {
            side_by_side(&over)
        } else {
            let [over, under] = [over, under].map(|parts| side_by_side(&parts).0);
            (format!(r"\frac{{{over}}}{{{under}}}"), PRODUCT)
        };
        if self.minus {
            return (format!("-{}", in_brackets(&(text, binds), PRODUCT)), SIGNED);
        }
        (text, binds)
    }
}

/// Factors side by side; 1 for none.
fn side_by_side(parts: &[TexFormula]) -> TexFormula {
    if let [only] = parts {
        return only.clone();
    }
    let mut out = String::new();
    for part in parts {
        let text = in_brackets(part, PRODUCT);
        // Between two numbers a space is not enough.
        let is_number = text.starts_with(|c: char| c.is_ascii_digit());
        out += match (out.is_empty(), is_number) {
            (true, _) => "",
            (false, true) => r" \cdot ",
            (false, false) => r" \, ",
        };
        out += &text;
    }
    if out.is_empty() {
        return ("1".to_string(), ATOM);
    }
    (out, PRODUCT)
}

/// A power with this exponent, in halves.
fn power(base: &TexFormula, halves: u32) -> TexFormula {
    match halves {
        1 => (format!(r"\sqrt{{{}}}", base.0), ATOM),
        2 => base.clone(),
        _ if halves.is_multiple_of(2) => with_exponent(base, &(halves / 2).to_string()),
        _ => with_exponent(base, &format!("{halves}/2")),
    }
}

/// A base with an exponent: `\sin^{2} a` for a function.
fn with_exponent(base: &TexFormula, exponent: &str) -> TexFormula {
    let is_count = exponent.bytes().all(|digit| digit.is_ascii_digit());
    if is_count && is_call(base) {
        let end = base.0.find([' ', '^']).unwrap_or(base.0.len());
        let (name, argument) = base.0.split_at(end);
        if !argument.starts_with('^') {
            return (format!("{name}^{{{exponent}}}{argument}"), POWER);
        }
    }
    (format!("{}^{{{exponent}}}", in_brackets(base, ATOM)), POWER)
}

/// Whether a formula is a function of something simple, `\sin a`, and not a sum that begins with one.
fn is_call((text, binds): &TexFormula) -> bool {
    let name = text.strip_prefix('\\').unwrap_or_default();
    let name = name.split([' ', '^']).next().unwrap_or_default();
    *binds == POWER && COMMANDS.contains(&name)
}

/// The formula, in brackets unless it binds at least this tightly.
fn in_brackets((text, binds): &TexFormula, least: u8) -> String {
    if *binds >= least {
        text.clone()
    } else {
        format!(r"\left({text}\right)")
    }
}

/// The exponent of each operand, in halves, and whether the sign changes, if the operation is a product of powers.
/// `numbers` says which operands are numbers.
pub(super) fn factors(op: &Op, numbers: &[Option<f64>]) -> Option<(Vec<i32>, bool)> {
    let is_count = |number: &f64| number.fract() == 0.0 && (2.0..=MOST_EXPONENT).contains(number);
    let exponents = match (op.name, numbers) {
        ("multiplication" | "chain" | "prod", _) => vec![2; numbers.len()],
        ("division", _) => vec![2, -2],
        ("negation", _) => vec![2],
        ("recip", _) => vec![-2],
        ("square", _) => vec![4],
        ("cube", _) => vec![6],
        ("sqrt", _) => vec![1],
        ("rsqrt", _) => vec![-1],
        ("power", [_, Some(exponent)]) if is_count(exponent) => vec![2 * *exponent as i32, 0],
        _ => return None,
    };
    Some((exponents, op.name == "negation"))
}

/// The operation in LaTeX, if it is not one of [`factors`].
pub(super) fn tex(op: &Op, operands: &[TexFormula]) -> TexFormula {
    match (op.name, operands) {
        ("sum", terms) => {
            let summands = terms.iter().map(|term| in_brackets(term, PRODUCT));
            return (summands.collect::<Vec<_>>().join(" + "), SUM);
        }
        ("power", [base, exponent]) => return with_exponent(base, &exponent.0),
        ("if", [(condition, _), (yes, _), (no, _)]) => {
            let compared = condition.strip_prefix(r"\left[");
            let compared = compared.and_then(|it| it.strip_suffix(r"\right]"));
            let condition = compared.map_or_else(|| format!(r"{condition} \ne 0"), str::to_string);
            let cases = format!(
                r"\begin{{cases}} {yes} & {condition} \\ {no} & \text{{otherwise}} \end{{cases}}"
            );
            return (cases, SUM);
        }
        (name, [(argument, ATOM)]) if COMMANDS.contains(&name) && is_simple(argument) => {
            return (format!(r"\{name} {argument}"), POWER);
        }
        _ => {}
    }
    let has_command = COMMANDS.contains(&op.name) || matches!(op.name, "min" | "max");
    let name = match op.name.replace('_', " ") {
        name if has_command => format!(r"\{name}"),
        name => format!(r"\operatorname{{{name}}}"),
    };
    let Some((_, template, binds)) = TEMPLATES.iter().find(|(name, ..)| *name == op.name) else {
        let all: Vec<&str> = operands.iter().map(|(text, _)| &**text).collect();
        return (format!(r"{name}\left({}\right)", all.join(", ")), ATOM);
    };
    let mut parts = template.split('#');
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        let mut digits = digits.bytes().map(|digit| digit - b'0');
        let (place, least) = (digits.next().unwrap_or(1), digits.next().unwrap_or(0));
        let operand = operands.get(usize::from(place) - 1);
        out += &operand.map_or_else(String::new, |operand| in_brackets(operand, least));
        out += rest;
    }
    (out, *binds)
}

/// Whether a function may take it without brackets, because it is a symbol such as `x` or `w_{1}`.
fn is_simple(text: &str) -> bool {
    !text.contains([' ', '(', '|'])
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use chainrule_engine::ops::TABLE;

    #[test]
    fn templates_are_of_rows_and_have_their_operands() {
        for (name, template, _) in TEMPLATES {
            let op = TABLE.iter().find(|op| op.name == *name);
            let (least, most) = op.expect("a row has this name").arity();
            for place in 1..=3 {
                let has = template.contains(&format!("#{place}"));
                let wanted = place <= least && most.is_some();
                assert_eq!(has, wanted, "{name}: operand {place}");
            }
        }
    }

    #[test]
    fn brackets_stand_where_they_are_needed() {
        let tex = |name: &str, operands: &[(&str, u8)]| {
            let op = TABLE.iter().find(|op| op.name == name);
            let operands: Vec<(String, u8)> = operands
                .iter()
                .map(|(text, binds)| ((*text).to_string(), *binds))
                .collect();
            super::tex(op.expect("a row has this name"), &operands).0
        };
        for (name, operands, expected) in [
            (
                "power",
                &[("a + b", SUM), ("2", ATOM)][..],
                r"\left(a + b\right)^{2}",
            ),
            (
                "power",
                &[("e^{x}", POWER), ("2", ATOM)],
                r"\left(e^{x}\right)^{2}",
            ),
            (
                "subtraction",
                &[("a", ATOM), ("b - c", SUM)],
                r"a - \left(b - c\right)",
            ),
            ("sin", &[("a", ATOM)], r"\sin a"),
            ("sin", &[("a + b", SUM)], r"\sin\left(a + b\right)"),
            ("power", &[(r"\sin a", POWER), ("2", ATOM)], r"\sin^{2} a"),
            (
                "power",
                &[(r"\cos b + 2 \, b", SUM), ("2", ATOM)],
                r"\left(\cos b + 2 \, b\right)^{2}",
            ),
            (
                "power",
                &[(r"\sin a", POWER), ("b", ATOM)],
                r"\left(\sin a\right)^{b}",
            ),
            ("sum", &[("a", ATOM), ("b", ATOM), ("c", ATOM)], "a + b + c"),
            ("gelu", &[("x", ATOM)], r"\operatorname{gelu}\left(x\right)"),
        ] {
            assert_eq!(tex(name, operands), expected);
        }
    }

    #[test]
    fn products_are_one_fraction() {
        let literal = |number: f64| (number.to_string(), ATOM);
        let [a, b] = ["a", "b"].map(|name| (name.to_string(), ATOM));
        let mut product = Product {
            minus: true,
            ..Product::default()
        };
        product.scale(2.0, false);
        product.scale(4.0, true);
        product.multiply((r"\sin a".to_string(), POWER), 2);
        product.multiply(a.clone(), -1);
        product.multiply(b.clone(), 4);
        product.multiply(a, -1);
        product.multiply(("a + b".to_string(), SUM), 2);
        let expected = r"-\frac{b^{2} \, \left(a + b\right) \, \sin a}{2 \, a}";
        assert_eq!(product.fraction(literal).0, expected);
        let mut product = Product::default();
        product.multiply(b.clone(), 2);
        product.multiply(b, -2);
        assert_eq!(product.fraction(literal).0, "1");
    }
}
